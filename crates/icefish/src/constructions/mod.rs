//! Constructions: hashes, authenticated encryption and a deck function on the permutations, and the hash Skein on Threefish.
// AEGIS, on rounds of AES, is here too; its interfaces are in `aead` and `mac`.

#[cfg(feature = "aes")]
pub(crate) mod aegis;
#[cfg(feature = "threefish")]
pub mod skein;
#[cfg(feature = "xoodoo")]
pub mod xoodyak;
#[cfg(feature = "xoodoo")]
pub mod xoofff;
