//! Permutations of a state of fixed size.

mod xoodoo;

pub use xoodoo::{Permutation, Word, Xoodoo, Xoodoo64};
