//! Constructions on the permutations: hashes, authenticated encryption, a deck function.

pub mod xoodyak;
pub mod xoofff;
