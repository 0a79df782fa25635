//! Block ciphers: key schedules and rounds, independent of instruction sets.

#[cfg(feature = "aes")]
mod aes;
#[cfg(feature = "ice")]
mod ice;
#[cfg(feature = "threefish")]
pub(crate) mod threefish;

#[cfg(all(feature = "aes", feature = "alloc"))]
pub(crate) use aes::AnyAes;
#[cfg(feature = "aes")]
pub use aes::{Aes, Aes128, Aes192, Aes256, Length};
#[cfg(feature = "ice")]
pub use ice::Ice;
#[cfg(feature = "threefish")]
pub use threefish::{Threefish, Threefish256, Threefish512, Threefish1024};
