//! Permutations of a state of fixed size.

pub(crate) mod xoodoo;

pub use xoodoo::{Permutation, Word, Xoodoo, Xoodoo64};
