//! Encryption of storage: sectors, which keep their length and are read and written one by one. Changes are not detected.
//!
//! - [`Xts`], for ciphers with blocks of 16 bytes.
//! - Sectors of Threefish, where each block has a tweak of its own: `Key::encrypt_sector` and `Key::decrypt_sector`, with the
//!   feature `threefish`.
//! - `Wbc`, over Xoofff, where every byte of a sector depends on every other byte, with the feature `xoodoo`.

#[cfg(feature = "threefish")]
mod threefish;
mod xts;

#[cfg(feature = "xoodoo")]
pub use crate::constructions::xoofff::Wbc;
pub use xts::Xts;
