//! Block ciphers: schedules and rounds, and nothing about instruction sets.

mod aes;
mod ice;
mod threefish;

pub use aes::{Aes, Aes128, Aes192, Aes256};
pub use ice::Ice;
pub use threefish::{Threefish, Threefish256, Threefish512, Threefish1024};
