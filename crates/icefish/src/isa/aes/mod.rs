//! AES: what it needs of an instruction set, and four forms of it for sets without AES instructions. All are constant-time.
//!
//! With AES instructions it is in `x86/aes.rs` (one state), `x86/avx2_vaes.rs` (two), `x86/avx512_vaes.rs` (four) and `arm/aes.rs`
//! (one). Without them, what is fastest depends on how many states there are at once, and on the registers:
//!
//! | | many states ([`Isa::Aes`](super::Isa::Aes)) | one state alone ([`Isa::AesOne`](super::Isa::AesOne)) |
//! |---|---|---|
//! | vectors with a shuffle of bytes: `avx2_noaes`, `avx512_noaes`, `neon_noaes` | [`planes`]: bit-sliced, a byte of a plane for each byte of eight states | [`permuted`]: look-ups by shuffles of bytes |
//! | general registers: `scalar` | [`sliced`]: bit-sliced, four states a word of 64 bits | [`single`]: bit-sliced, a state in two words |
//!
//! The bit-sliced forms have the S-box of [`sbox`].

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) mod permuted;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) mod planes;
mod rounds;
pub(super) mod sbox;
pub(super) mod single;
pub(super) mod sliced;

pub use rounds::AesRounds;
