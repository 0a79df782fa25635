//! Compiles what the benchmark takes of OpenSSL (a minute and a half on one core; needs a C compiler, make and perl).

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What has nothing to do with AES, its modes and hashes and takes long to compile. Their code is the same with and without.
const WITHOUT: &str = "\
    apps argon2 aria bf camellia cast chacha cmp cms ct des dh docs dsa dtls ec http idea legacy \
    lms md4 ml-dsa ml-kem ocsp poly1305 quic rc2 rc4 rfc3779 rmd160 scrypt seed siphash slh-dsa sm2 sm3 \
    sm4 srp tests tls ts whirlpool";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("openssl");
    // What a build that was interrupted left behind.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("cargo's folder can be written");

    let mut configure = Command::new(env::var_os("PERL").unwrap_or_else(|| "perl".into()));
    configure.arg(openssl_src::source_dir().join("Configure"));
    configure.args(["no-shared", "no-module", "no-makedepend"]);
    configure.args(WITHOUT.split_whitespace().map(|name| format!("no-{name}")));
    // Programs are position-independent. Otherwise OpenSSL chooses its own flags, which are its best.
    configure.arg("-fPIC");
    run(&mut configure, &folder);
    let jobs = env::var_os("CARGO_MAKEFLAGS").unwrap_or_default();
    for goal in ["build_generated", "libcrypto.a"] {
        run(Command::new("make").arg(goal).env("MAKEFLAGS", &jobs), &folder);
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=crypto");
}

fn run(command: &mut Command, folder: &Path) {
    let status = command.current_dir(folder).status();
    assert!(
        status.as_ref().is_ok_and(|status| status.success()),
        "OpenSSL cannot be compiled: {command:?} gave {status:?}"
    );
}
