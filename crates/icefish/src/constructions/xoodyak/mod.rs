//! Xoodyak (Daemen, Hoffert, Mella, Peeters, Van Assche and Van Keer, "Xoodyak, a lightweight cryptographic
//! scheme", final version for the NIST lightweight cryptography competition, 2021): Cyclist over Xoodoo.
//!
//! - [`hash()`], [`hash_many`] and [`Hasher`]: a hash of any output length;
//! - [`aead::Xoodyak`](crate::aead::Xoodyak): authenticated encryption of one message;
//! - [`Session`]: the whole keyed mode, a session in which each output depends on everything before it;
//! - [`Cyclist<Hash>`](Cyclist): the whole hash mode, a sequence of strings.
//!
//! The strength is 128 bits. Constant-time on every backend.

pub(crate) mod absorber;
pub(crate) mod crypter;
pub(crate) mod cyclist;
mod hash;
mod many;
pub(crate) mod sponge;

pub use absorber::Absorber;
pub use crypter::TextCrypter;
pub use cyclist::{Cyclist, CyclistMode, Hash, Keyed, Session};
pub use hash::{Hasher, Output, hash};
#[cfg(feature = "alloc")]
pub(crate) use many::hash_each;
pub use many::hash_many;

/// Colours: the domain separation of strings and outputs (section 2.2 of the specification).
pub(crate) mod colour {
    pub(crate) const ABSORB: u8 = 0x03;
    pub(crate) const KEY: u8 = 0x02;
    pub(crate) const CRYPT: u8 = 0x80;
    pub(crate) const SQUEEZE: u8 = 0x40;
    pub(crate) const SQUEEZE_KEY: u8 = 0x20;
    pub(crate) const RATCHET: u8 = 0x10;
}
