//! Records which compiler built the benchmark and how: a figure without that is not a result.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .unwrap_or_else(|| "rustc of unknown version".into());
    let get = |name: &str| env::var(name).unwrap_or_default();
    // Cargo separates encoded flags by 0x1f; the linker's path is nobody's business.
    let flags: Vec<String> = get("CARGO_ENCODED_RUSTFLAGS")
        .split('\x1f')
        .filter(|f| f.contains("target-cpu") || f.contains("target-feature"))
        .map(str::to_owned)
        .collect();
    println!("cargo:rustc-env=ICEFISH_BENCH_RUSTC={}", version.trim());
    println!("cargo:rustc-env=ICEFISH_BENCH_OPT_LEVEL={}", get("OPT_LEVEL"));
    println!("cargo:rustc-env=ICEFISH_BENCH_TARGET={}", get("TARGET"));
    println!("cargo:rustc-env=ICEFISH_BENCH_RUSTFLAGS={}", flags.join(" "));
    println!("cargo:rustc-check-cfg=cfg(cryptopp)");
    #[cfg(feature = "peer-cryptopp")]
    cryptopp();
    println!("cargo:rerun-if-changed=build.rs");
}

/// Binds the machine's Crypto++, if its headers and a compiler are there.
#[cfg(feature = "peer-cryptopp")]
fn cryptopp() {
    const SHIM: &str = "src/peers/cryptopp.cpp";
    println!("cargo:rerun-if-changed={SHIM}");
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(2).file(SHIM).cargo_warnings(false);
    match build.try_compile("icefish_cryptopp") {
        Ok(()) => {
            println!("cargo:rustc-link-lib=cryptopp");
            println!("cargo:rustc-cfg=cryptopp");
        }
        Err(_) => println!("cargo:warning=no Crypto++ on this machine: it is not measured"),
    }
}
