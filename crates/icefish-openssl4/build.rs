//! Compiles OpenSSL (some minutes on one core; needs a C compiler, make and perl).

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    openssl_src::Build::new().build().print_cargo_metadata();
}
