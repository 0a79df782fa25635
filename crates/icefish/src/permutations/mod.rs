//! Permutations of a state of fixed size.

pub mod xoodoo;

pub use xoodoo::{Xoodoo, Xoodoo64};
