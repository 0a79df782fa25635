//! Authenticated encryption: what encrypts a message, and tells whether somebody has changed it.
//!
//! [`Gcm`], [`GcmSiv`] and [`Eax`] are modes of block ciphers, `Xoodyak` (with the feature `xoodoo`) is built on a permutation:
//! each is an [`Aead`], which takes a message in one call. `Sane` and `Sanse`, over Xoofff, are sessions of messages.

mod eax;
mod gcm;
mod gcm_siv;
mod pieces;
#[cfg(feature = "xoodoo")]
mod xoodyak;

#[cfg(feature = "xoodoo")]
pub use self::xoodyak::Xoodyak;
#[cfg(feature = "xoodoo")]
pub use crate::constructions::xoofff::{Sane, Sanse};
pub use eax::{Eax, EaxPieces};
pub use gcm::{Gcm, GcmPieces};
pub use gcm_siv::GcmSiv;
#[cfg(feature = "alloc")]
pub(crate) use pieces::Pieces;
pub use pieces::{OpenError, Opener, Piecewise, Revocable, Sealer, SinkOpener};

use crate::isa::InOut;
use crate::verdict::checked_tag_len;
use crate::{Block, Error};

/// Authenticated encryption with associated data: one message in one call.
///
/// A nonce must not be used twice with a key ([`GcmSiv`] only then tells that two
/// messages are the same). The tag stands by itself.
///
/// How long a tag is belongs to the key, not to the message: [`Aead::open`] takes whole tags, unless
/// [`Aead::set_tag_len`] says otherwise. The first bytes of a whole tag are a shorter one. Whoever took any length
/// would take the shortest, which is the easiest to guess.
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
/// In pieces, see [`Piecewise`](super::Piecewise). What does not belong to its tag is not handed out. After any error,
/// `data` holds no plaintext: after [`Error::Forged`] it is zeros, after other errors untouched.
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

    /// Makes tags of `len` bytes the only ones that this key accepts. [`Aead::seal`] returns whole tags all the same: send
    /// their first `len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] if it is not [`Aead::SHORTEST_TAG`] to the whole tag: nothing was changed.
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        checked_tag_len::<Self::Tag>(len, Self::Tag::LEN).map(|_| ())
    }

    /// Encrypts a message and returns its tag.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::TooLong`].
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<Self::Tag, Error>;

    /// Decrypts a message if `tag`, of [`Aead::tag_len`] bytes, belongs to it, compared in constant time.
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

    /// [`Aead::seal`] from `input` to `output`, which are of one length.
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

    /// [`Aead::open`] from `input` to `output`, which are of one length.
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
}
