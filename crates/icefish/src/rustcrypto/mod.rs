//! The traits of RustCrypto: `cipher` 0.5, `aead` 0.6 and `digest` 0.11, with the feature `rustcrypto`.
//!
//! - A [`Key`](crate::Key) is a `BlockCipherEncrypt` and a `BlockCipherDecrypt` (and so is a reference
//!   to one), so that modes such as those of the crates `cbc` and `ctr` run on it, compiled for its
//!   backend as this library's own modes are.
//! - [`Gcm`](crate::aead::Gcm), [`GcmSiv`](crate::aead::GcmSiv) and [`Eax`](crate::aead::Eax) are
//!   `AeadInOut`, and so is [`Xoodyak`](crate::aead::Xoodyak).
//! - [`Hasher`](crate::constructions::xoodyak::Hasher), Xoodyak's hash, is a `Digest` of 32 bytes and an
//!   `ExtendableOutput`.
//! - [`Foreign`] is the other way round: this library's modes on their ciphers.
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
#[cfg(feature = "xoodoo")]
mod xoodyak;

pub use foreign::{Foreign, ForeignBlock};
pub use sizes::{KeySize, Sizes};
