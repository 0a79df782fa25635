//! SANE: a session of authenticated encryption that starts with a nonce.

use super::{History, Output, Xoofff};
use crate::Error;
use crate::isa::InOut;
#[cfg(feature = "alloc")]
use crate::to_vec;
use crate::verdict::{release, verify};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// Xoofff-SANE ("Xoodoo cookbook", IACR ePrint 2018/767): messages in order, where each tag authenticates the whole session up to
/// its message. The keystream is expanded from the history *before* the message, so encryption can begin before the whole message
/// has arrived.
///
/// [`Sane::sealer`] and [`Sane::opener`] take a message in pieces.
///
/// A nonce must not be used twice with one key. Both ends have a `Sane`; their states stay equal as long as every message is
/// opened.
///
/// ```
/// use icefish::constructions::xoofff::{Sane, Xoofff};
/// let key = Xoofff::new(&[7; 32])?;
/// let (mut alice, hello) = Sane::new(&key, &[1; 16]);
/// let mut bob = Sane::accept(&key, &[1; 16], &hello)?;
/// let mut data = *b"attack at dawn";
/// let tag = alice.seal_in_place(b"to: all", &mut data);
/// bob.open_in_place(b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Sane {
    pub(crate) history: History,
    /// A bit that is flipped by every message.
    pub(crate) turn: u8,
}

/// The kind of a string of a message.
pub(crate) const ASSOCIATED: u8 = 0;
pub(crate) const CIPHERTEXT: u8 = 1;

impl Sane {
    /// Length of a tag in bytes.
    pub const TAG: usize = 16;

    /// Starts a session. Its first tag proves to the other end that this one has the key.
    pub fn new(key: &Xoofff, nonce: &[u8]) -> (Self, [u8; 16]) {
        let mut history = key.history();
        history.push(nonce);
        let session = Self { history, turn: 0 };
        let tag = session.tag();
        (session, tag)
    }

    /// Starts a session at the other end.
    ///
    /// # Errors
    /// [`Error::Forged`] if `tag` is not the first tag of this session.
    pub fn accept(key: &Xoofff, nonce: &[u8], tag: &[u8; 16]) -> Result<Self, Error> {
        let (session, expected) = Self::new(key, nonce);
        verify(&expected, tag).map(|()| session)
    }

    /// Encrypts a message and returns its tag.
    pub fn seal(&mut self, associated: &[u8], mut io: InOut<'_>) -> [u8; 16] {
        self.crypt(io.reborrow());
        let message = io.output();
        self.remember(associated, message);
        self.tag()
    }

    /// Decrypts a message if `tag` is right for it and for all messages before it.
    ///
    /// # Errors
    /// [`Error::Forged`]: the output is zeros, and the session is unchanged.
    pub fn open(
        &mut self,
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        let mut next = self.clone();
        next.remember(associated, io.input());
        release(&next.tag(), tag, io.output())?;
        self.crypt(io);
        *self = next;
        Ok(())
    }

    /// [`Sane::seal`] in place.
    pub fn seal_in_place(&mut self, associated: &[u8], data: &mut [u8]) -> [u8; 16] {
        self.seal(associated, InOut::in_place(data))
    }

    /// [`Sane::open`] in place.
    ///
    /// # Errors
    /// As [`Sane::open`].
    pub fn open_in_place(
        &mut self,
        associated: &[u8],
        data: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        self.open(associated, InOut::in_place(data), tag)
    }

    /// [`Sane::seal`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::BufferLength`]: the session is unchanged.
    pub fn seal_between(
        &mut self,
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<[u8; 16], Error> {
        Ok(self.seal(associated, InOut::between(input, output)?))
    }

    /// [`Sane::open`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Sane::open`]; [`Error::BufferLength`]: the session is unchanged.
    pub fn open_between(
        &mut self,
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        self.open(associated, InOut::between(input, output)?, tag)
    }

    /// The ciphertext of `data`, followed by its tag, in a new vector.
    #[cfg(feature = "alloc")]
    pub fn seal_to_vec(&mut self, associated: &[u8], data: &[u8]) -> Vec<u8> {
        let mut sealed = Vec::with_capacity(data.len() + 16);
        sealed.extend_from_slice(data);
        let tag = self.seal_in_place(associated, &mut sealed);
        sealed.extend_from_slice(&tag);
        sealed
    }

    /// The plaintext of what [`Sane::seal_to_vec`] returns, in a new vector.
    ///
    /// # Errors
    /// As [`Sane::open`]; [`Error::TooShort`] if `sealed` is shorter than a tag. The session is unchanged.
    #[cfg(feature = "alloc")]
    pub fn open_to_vec(&mut self, associated: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let short = Error::TooShort { got: sealed.len(), least: 16 };
        let (ciphertext, tag) = sealed.split_last_chunk().ok_or(short)?;
        to_vec::written(ciphertext.len(), |plain| {
            self.open_between(associated, ciphertext, plain, tag).map(|()| plain.len())
        })
    }

    fn crypt(&self, io: InOut<'_>) {
        self.keystream().run::<true>(io);
    }

    /// The keystream of the next message.
    pub(crate) fn keystream(&self) -> Output {
        let mut stream = self.history.output();
        stream.seek(Self::TAG as u64);
        stream
    }

    fn remember(&mut self, associated: &[u8], ciphertext: &[u8]) {
        if !associated.is_empty() || ciphertext.is_empty() {
            self.history.push_with(associated, self.end_of(ASSOCIATED));
        }
        if !ciphertext.is_empty() {
            self.history.push_with(ciphertext, self.end_of(CIPHERTEXT));
        }
        self.turn ^= 1;
    }

    /// The last byte of a string of this message: its kind, the turn and the padding.
    pub(crate) fn end_of(&self, kind: u8) -> u8 {
        kind | self.turn << 1 | 1 << 2
    }

    pub(crate) fn tag(&self) -> [u8; 16] {
        let mut tag = [0; 16];
        self.history.output().fill(&mut tag);
        tag
    }
}

impl ZeroizeOnDrop for Sane {}

impl fmt::Debug for Sane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sane").field("history", &self.history).finish_non_exhaustive()
    }
}
