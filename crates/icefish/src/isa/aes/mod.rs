//! AES: what it needs of an instruction set, and four forms for sets without AES instructions. All are constant-time.
//!
//! The forms with AES instructions are in `x86/aes.rs` (one state), `x86/avx2_vaes.rs` (two), `x86/avx512_vaes.rs` (four) and
//! `arm/aes.rs` (one). Without AES instructions, the fastest form depends on the number of states and on the registers:
//!
//! | | many states ([`CryptoVectors::Aes`](super::CryptoVectors::Aes)) | one state alone ([`CryptoVectors::AesOne`](super::CryptoVectors::AesOne)) |
//! |---|---|---|
//! | vectors with a byte shuffle: `avx2_noaes`, `avx512_noaes`, `neon_noaes` | [`planes`]: bit-sliced, each byte of a plane has one bit from each of eight states | [`permuted`]: look-ups by byte shuffles |
//! | general registers: `scalar` | [`sliced`]: bit-sliced, four states in each lane of 64 bits; two lanes where the target has SSE2 | [`single`]: bit-sliced, one state in two words |
//!
//! AEGIS has one, two or four states, and 6 or 8 rounds of each side by side: that is enough to keep byte shuffles busy, so that
//! its states ([`CryptoVectors::AesTwo`](super::CryptoVectors::AesTwo), [`CryptoVectors::AesFour`](super::CryptoVectors::AesFour)) are
//! [`permuted`] on all sets in the first row of the table. Two to four blocks of AES are in `AesFour`, too. For four
//! blocks, a batch takes two to three times as long with AVX2 and AVX-512, and a fifth longer on `scalar` (Zen 4).
//!
//! The bit-sliced forms use the S-box of [`sbox`]. `two.rs` joins two registers of any form.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) mod permuted;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) mod planes;
mod rounds;
pub(super) mod sbox;
pub(super) mod single;
pub(super) mod sliced;
#[cfg(feature = "aes")]
mod two;

pub use rounds::{AesRounds, Left};
#[cfg(feature = "aes")]
pub(crate) use two::Two;
