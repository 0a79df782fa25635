//! The traits of RustCrypto: `cipher` 0.5, `aead` 0.6 and `digest` 0.11, with the feature `rustcrypto`.
//!
//! - A [`Key`](crate::Key) implements `BlockCipherEncrypt` and `BlockCipherDecrypt`, and so does a reference to one. Modes of
//!   other crates, such as `cbc` and `ctr`, run on it, compiled for its backend like this library's own modes.
//! - [`Gcm`](crate::aead::Gcm), [`GcmSiv`](crate::aead::GcmSiv), [`Eax`](crate::aead::Eax), [`Aegis`](crate::aead::Aegis) and
//!   [`Xoodyak`](crate::aead::Xoodyak) implement `AeadInOut`.
//! - [`Hasher`](crate::constructions::xoodyak::Hasher), the hash of Xoodyak, implements `Digest` with 32 bytes, and
//!   `ExtendableOutput`.
//! - [`SkeinDigest`] implements `Digest`, [`SkeinMac`] `Mac`, and [`SkeinXof`] `ExtendableOutput`.
//! - [`Foreign`] is the opposite: this library's modes with ciphers of other crates.
//!
//! ```
//! use cipher::{KeyIvInit, StreamCipher};
//! use icefish::{Key, ciphers::Aes256};
//! let mut stream = ctr::Ctr128BE::<Key<Aes256>>::new(&[7; 32].into(), &[1; 16].into());
//! let mut data = *b"attack at dawn";
//! stream.apply_keystream(&mut data);
//! # assert_ne!(&data, b"attack at dawn");
//! ```

mod aead;
mod block;
mod foreign;
mod sizes;
#[cfg(feature = "threefish")]
mod skein;
#[cfg(feature = "xoodoo")]
mod xoodyak;

pub use foreign::{Foreign, ForeignBlock};
pub use sizes::{KeySize, Sizes};
#[cfg(feature = "threefish")]
pub use skein::{
    Skein256Digest, Skein256Mac, Skein512Digest, Skein512Mac, Skein1024Digest, Skein1024Mac,
    SkeinDigest, SkeinMac, SkeinXof,
};
