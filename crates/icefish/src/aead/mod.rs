//! Authenticated encryption: encrypts a message, and detects every change of it.
//!
//! [`Gcm`], [`GcmSiv`] and [`Eax`] are modes of block ciphers. `Aegis` (with the feature `aes`) is made of rounds of AES.
//! `Xoodyak` (with the feature `xoodoo`) is built on a permutation. Each is an [`Aead`], which takes a message in one call.
//! `Sane` and `Sanse`, over Xoofff, are sessions of messages.

#[cfg(feature = "aes")]
mod aegis;
mod eax;
mod gcm;
mod gcm_siv;
mod pieces;
#[cfg(feature = "xoodoo")]
mod sane;
#[cfg(feature = "xoodoo")]
mod xoodyak;

#[cfg(feature = "xoodoo")]
pub use self::sane::SanePieces;
#[cfg(feature = "xoodoo")]
pub use self::xoodyak::{Xoodyak, XoodyakPieces};
#[cfg(feature = "xoodoo")]
pub use crate::constructions::xoofff::{Sane, Sanse};
#[cfg(feature = "aes")]
pub use aegis::{
    Aegis, Aegis128L, Aegis128X2, Aegis128X4, Aegis256, Aegis256X2, Aegis256X4, AegisPieces,
};
pub use eax::{Eax, EaxPieces};
pub use gcm::{Gcm, GcmPieces};
pub use gcm_siv::{GcmSiv, GcmSivPieces};
#[cfg(feature = "alloc")]
pub(crate) use pieces::Pieces;
pub use pieces::{FirstPass, OpenError, Opener, Piecewise, Revocable, Sealer, SinkOpener};

use crate::isa::InOut;
#[cfg(feature = "alloc")]
use crate::to_vec;
use crate::verdict::checked_tag_len;
use crate::{Block, Error};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// Authenticated encryption with associated data: one message in one call.
///
/// A nonce must not be used twice with one key. (With [`GcmSiv`], that shows only whether two messages are equal.) The tag is
/// separate from the ciphertext.
///
/// The length of tags is a property of the key, not of the message: [`Aead::open`] accepts whole tags only, unless
/// [`Aead::set_tag_len`] sets a shorter length. A shorter tag is the first bytes of a whole one, except with AEGIS. If every
/// length were accepted, an attacker would choose the shortest, which is the easiest to guess.
///
/// ```
/// use icefish::{Error, aead::{Aead, Gcm}, ciphers::Aes128};
/// let mut gcm = Gcm::<Aes128>::new(&[7; 16])?;
/// let mut data = *b"attack at dawn";
/// let tag = gcm.seal_in_place(&[1; 12], &[], &mut data)?;
/// let whole = Error::TagLength { got: 12, least: 16, most: 16 };
/// assert_eq!(gcm.open_in_place(&[1; 12], &[], &mut data, &tag[..12]), Err(whole));
/// gcm.set_tag_len(12)?;
/// gcm.open_in_place(&[1; 12], &[], &mut data, &tag[..12])?;
/// # Ok::<(), Error>(())
/// ```
///
/// Opening takes the whole message, so that no plaintext is released before the tag is verified; [`Piecewise`] modes also take
/// a message in pieces. After an error, `data` holds no plaintext: after [`Error::Forged`] it is zeros, after other errors it is
/// unchanged.
pub trait Aead {
    /// The tag, an array of bytes.
    type Tag: Block;
    /// The usual length of a nonce in bytes.
    const NONCE: usize;
    /// Length of the shortest tag that [`Aead::set_tag_len`] accepts, in bytes.
    const SHORTEST_TAG: usize;

    /// Length of the tags that [`Aead::open`] accepts, in bytes.
    fn tag_len(&self) -> usize {
        Self::Tag::LEN
    }

    /// Makes this key accept only tags of `len` bytes. [`Aead::seal`] still returns whole tags: send their first `len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] if `len` is not between [`Aead::SHORTEST_TAG`] and the whole tag, [`Error::TagLengths`] if AEGIS has
    /// no such tag: nothing is changed.
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        checked_tag_len::<Self::Tag>(len, Self::Tag::LEN).map(|_| ())
    }

    /// Encrypts a message and returns its tag.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::TooLong`].
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<Self::Tag, Error>;

    /// Verifies `tag`, of [`Aead::tag_len`] bytes, in constant time, and decrypts the message if the tag is right.
    ///
    /// # Errors
    /// [`Error::Forged`], [`Error::IvLength`], [`Error::TagLength`], [`Error::TooLong`].
    fn open(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>, tag: &[u8])
    -> Result<(), Error>;

    /// [`Aead::seal`] in place.
    ///
    /// # Errors
    /// As [`Aead::seal`].
    #[inline]
    fn seal_in_place(
        &self,
        nonce: &[u8],
        associated: &[u8],
        data: &mut [u8],
    ) -> Result<Self::Tag, Error> {
        self.seal(nonce, associated, InOut::in_place(data))
    }

    /// [`Aead::open`] in place.
    ///
    /// # Errors
    /// As [`Aead::open`].
    #[inline]
    fn open_in_place(
        &self,
        nonce: &[u8],
        associated: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.open(nonce, associated, InOut::in_place(data), tag)
    }

    /// [`Aead::seal`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Aead::seal`]; [`Error::BufferLength`].
    #[inline]
    fn seal_between(
        &self,
        nonce: &[u8],
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<Self::Tag, Error> {
        self.seal(nonce, associated, InOut::between(input, output)?)
    }

    /// [`Aead::open`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Aead::open`]; [`Error::BufferLength`].
    #[inline]
    fn open_between(
        &self,
        nonce: &[u8],
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.open(nonce, associated, InOut::between(input, output)?, tag)
    }

    /// The ciphertext of `data`, followed by its tag of [`Aead::tag_len`] bytes, in a new vector.
    ///
    /// ```
    /// use icefish::{Error, aead::{Aead, GcmSiv}, ciphers::Aes256};
    /// let key = GcmSiv::<Aes256>::new(&[7; 32])?;
    /// let mut sealed = key.seal_to_vec(&[1; 12], b"to: all", b"attack at dawn")?;
    /// assert_eq!(sealed.len(), 14 + 16);
    /// assert_eq!(key.open_to_vec(&[1; 12], b"to: all", &sealed)?, b"attack at dawn");
    /// sealed[0] ^= 1;
    /// assert_eq!(key.open_to_vec(&[1; 12], b"to: all", &sealed), Err(Error::Forged));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Aead::seal`].
    #[cfg(feature = "alloc")]
    fn seal_to_vec(&self, nonce: &[u8], associated: &[u8], data: &[u8]) -> Result<Vec<u8>, Error> {
        to_vec::sealed(data, self.tag_len(), |ciphertext, tag| {
            let whole = self.seal_between(nonce, associated, data, ciphertext)?;
            tag.copy_from_slice(&whole.as_ref()[..tag.len()]);
            Ok(())
        })
    }

    /// The plaintext of what [`Aead::seal_to_vec`] returns, a ciphertext and its tag, in a new vector.
    ///
    /// # Errors
    /// As [`Aead::open`]; [`Error::TooShort`] if `sealed` is shorter than a tag.
    #[cfg(feature = "alloc")]
    fn open_to_vec(
        &self,
        nonce: &[u8],
        associated: &[u8],
        sealed: &[u8],
    ) -> Result<Vec<u8>, Error> {
        to_vec::opened(sealed, self.tag_len(), |ciphertext, tag, plain| {
            self.open_between(nonce, associated, ciphertext, plain, tag)
        })
    }
}
