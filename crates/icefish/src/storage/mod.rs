//! Encryption of storage: files, and sectors.
//!
//! A file or stream of any length is sealed by `Cobblestone` in chunks, with the feature `cobblestone`: every change of it is
//! detected, and any part can be read by itself. See the module `cobblestone`.
//!
//! Sectors keep their length and are read and written one by one. Changes are not detected.
//!
//! - [`Xts`], for ciphers with blocks of 16 bytes.
//! - Sectors of Threefish, where each block has a tweak of its own: `Key::encrypt_sector` and `Key::decrypt_sector`, with the
//!   feature `threefish`.
//! - `Wbc`, over Xoofff, where every byte of a sector depends on every other byte, with the feature `xoodoo`.

#[cfg(feature = "cobblestone")]
pub mod cobblestone;
#[cfg(feature = "threefish")]
mod threefish;
mod xts;

#[cfg(feature = "xoodoo")]
pub use crate::constructions::xoofff::Wbc;
#[cfg(feature = "cobblestone")]
pub use cobblestone::{Cobblestone, Cobblestone128, Cobblestone256};
pub use xts::Xts;
