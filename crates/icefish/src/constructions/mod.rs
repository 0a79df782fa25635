//! Constructions: hashes, authenticated encryption and a deck function on the permutations, and the hash Skein on Threefish.

#[cfg(feature = "threefish")]
pub mod skein;
#[cfg(feature = "xoodoo")]
pub mod xoodyak;
#[cfg(feature = "xoodoo")]
pub mod xoofff;
