//! The instruction sets of AArch64: NEON, which every CPU has, with AES and with SHA-3.

mod aes;
mod clmul;
mod memory;
mod neon;
mod sha3;

pub use neon::{Neon, NeonNoAes};
pub use sha3::NeonSha3;
