//! What authenticated modes have in common.

use crate::isa::InOut;
use crate::{Block, Error};

/// Authenticated encryption with associated data: one message in one call.
///
/// A nonce must not be used twice with a key ([`GcmSiv`](super::GcmSiv) only then tells that two
/// messages are the same). The tag stands by itself; its first bytes are a shorter tag where the mode
/// accepts those.
///
/// Opening is never piece by piece: what does not belong to its tag is not handed out. After any error,
/// `data` holds no plaintext: after [`Error::Forged`] it is zeros, after other errors untouched.
pub trait Aead {
    /// The tag, an array of bytes.
    type Tag: Block;
    /// The usual length of a nonce in bytes.
    const NONCE: usize;
    /// Length of the shortest tag that [`Aead::open`] accepts, in bytes.
    const SHORTEST_TAG: usize;

    /// Encrypts a message and returns its tag.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::TooLong`].
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<Self::Tag, Error>;

    /// Decrypts a message if `tag` belongs to it, compared in constant time.
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
