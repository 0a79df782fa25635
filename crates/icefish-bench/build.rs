//! Binds what the machine has of the peers.

fn main() {
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
