//! Records which compiler built this and how: a figure without that is not a result.

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
    println!("cargo:rustc-env=ICEFISH_MEASURE_RUSTC={}", version.trim());
    println!("cargo:rustc-env=ICEFISH_MEASURE_OPT_LEVEL={}", get("OPT_LEVEL"));
    println!("cargo:rustc-env=ICEFISH_MEASURE_TARGET={}", get("TARGET"));
    println!("cargo:rustc-env=ICEFISH_MEASURE_RUSTFLAGS={}", flags.join(" "));
    println!("cargo:rerun-if-changed=build.rs");
}
