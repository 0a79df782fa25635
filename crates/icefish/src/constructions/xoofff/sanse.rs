//! SANSE: a session of authenticated encryption that needs no nonce.

use super::{History, Xoofff};
use crate::Error;
use crate::isa::InOut;
#[cfg(feature = "alloc")]
use crate::to_vec;
use crate::verdict::release;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Xoofff-SANSE ("Xoodoo cookbook", IACR ePrint 2018/767): messages in order, where each tag authenticates the whole session up
/// to its message. The keystream is computed from the tag, and the tag from the plaintext: two passes over a message. There is no
/// nonce, so two sessions under one key have equal ciphertexts up to the first message that differs. Only that, and the lengths
/// of messages, is visible. A message is one call: sealing needs all of the plaintext for the tag before it encrypts the first
/// byte, and opening needs the tag first.
///
/// Both ends have a `Sanse`; their states stay equal as long as every message is opened. A nonce, if there is one, is associated
/// data of the first message.
///
/// ```
/// use icefish::constructions::xoofff::{Sanse, Xoofff};
/// let key = Xoofff::new(&[7; 32])?;
/// let (mut alice, mut bob) = (Sanse::new(&key), Sanse::new(&key));
/// let mut data = *b"attack at dawn";
/// let tag = alice.seal_in_place(b"to: all", &mut data);
/// bob.open_in_place(b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Sanse {
    history: History,
    /// A bit that is flipped by every message.
    turn: u8,
}

impl Sanse {
    /// Length of a tag in bytes.
    pub const TAG: usize = 32;

    /// Starts a session.
    pub fn new(key: &Xoofff) -> Self {
        Self { history: key.history(), turn: 0 }
    }

    /// Encrypts a message and returns its tag.
    pub fn seal(&mut self, associated: &[u8], io: InOut<'_>) -> [u8; 32] {
        let before = self.associate(associated, io.is_empty());
        self.remember(io.input());
        let tag = tag(&self.history);
        self.crypt(before, &tag, io);
        self.turn ^= 1;
        tag
    }

    /// Decrypts a message if `tag` is right for it and for all messages before it.
    ///
    /// # Errors
    /// [`Error::Forged`]: the output is zeros, and the session is unchanged.
    pub fn open(
        &mut self,
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8; 32],
    ) -> Result<(), Error> {
        let mut next = self.clone();
        let before = next.associate(associated, io.is_empty());
        next.crypt(before, tag, io.reborrow());
        let plain = io.output();
        next.remember(plain);
        let mut expected = self::tag(&next.history);
        let verdict = release(&expected, tag, plain);
        expected.zeroize();
        verdict?;
        next.turn ^= 1;
        *self = next;
        Ok(())
    }

    /// [`Sanse::seal`] in place.
    pub fn seal_in_place(&mut self, associated: &[u8], data: &mut [u8]) -> [u8; 32] {
        self.seal(associated, InOut::in_place(data))
    }

    /// [`Sanse::open`] in place.
    ///
    /// # Errors
    /// As [`Sanse::open`].
    pub fn open_in_place(
        &mut self,
        associated: &[u8],
        data: &mut [u8],
        tag: &[u8; 32],
    ) -> Result<(), Error> {
        self.open(associated, InOut::in_place(data), tag)
    }

    /// [`Sanse::seal`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::BufferLength`]: the session is unchanged.
    pub fn seal_between(
        &mut self,
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<[u8; 32], Error> {
        Ok(self.seal(associated, InOut::between(input, output)?))
    }

    /// [`Sanse::open`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Sanse::open`]; [`Error::BufferLength`]: the session is unchanged.
    pub fn open_between(
        &mut self,
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
        tag: &[u8; 32],
    ) -> Result<(), Error> {
        self.open(associated, InOut::between(input, output)?, tag)
    }

    /// The ciphertext of `data`, followed by its tag, in a new vector.
    #[cfg(feature = "alloc")]
    pub fn seal_to_vec(&mut self, associated: &[u8], data: &[u8]) -> Vec<u8> {
        let mut sealed = Vec::with_capacity(data.len() + 32);
        sealed.extend_from_slice(data);
        let tag = self.seal_in_place(associated, &mut sealed);
        sealed.extend_from_slice(&tag);
        sealed
    }

    /// The plaintext of what [`Sanse::seal_to_vec`] returns, in a new vector.
    ///
    /// # Errors
    /// As [`Sanse::open`]; [`Error::TooShort`] if `sealed` is shorter than a tag. The session is unchanged.
    #[cfg(feature = "alloc")]
    pub fn open_to_vec(&mut self, associated: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        let short = Error::TooShort { got: sealed.len(), least: 32 };
        let (ciphertext, tag) = sealed.split_last_chunk().ok_or(short)?;
        to_vec::written(ciphertext.len(), |plain| {
            self.open_between(associated, ciphertext, plain, tag).map(|()| plain.len())
        })
    }

    /// Adds the associated data and returns the history before the message.
    fn associate(&mut self, associated: &[u8], empty: bool) -> History {
        if !associated.is_empty() || empty {
            self.history.push_with(associated, self.turn << 1 | 1 << 2);
        }
        self.history.clone()
    }

    /// Adds the plaintext.
    fn remember(&mut self, plain: &[u8]) {
        if !plain.is_empty() {
            self.history.push_with(plain, 0b10 | self.turn << 2 | 1 << 3);
        }
    }

    /// XORs the keystream that belongs to `tag`.
    fn crypt(&self, mut before: History, tag: &[u8; 32], io: InOut<'_>) {
        if !io.is_empty() {
            before.push_with(tag, 0b11 | self.turn << 2 | 1 << 3);
            before.output().run::<true>(io);
        }
    }
}

fn tag(history: &History) -> [u8; 32] {
    let mut tag = [0; 32];
    history.output().fill(&mut tag);
    tag
}

impl ZeroizeOnDrop for Sanse {}

impl fmt::Debug for Sanse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sanse").field("history", &self.history).finish_non_exhaustive()
    }
}
