//! The chunks of one message, by number.

use super::derive::{Derived, NONCE, Prk};
use super::lengths::check;
use super::{CHUNK, COMMITMENT, HEADER, Instance, SALT, SEALED_CHUNK, TAG};
use crate::aead::{Aead, Gcm};
use crate::isa::erase;
use crate::{Backend, Error};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// The key of a message, for sealing and for opening.
#[derive(Clone)]
pub(super) struct MessageKey<C> {
    gcm: Gcm<C>,
    base: [u8; NONCE],
    pub(super) header: [u8; HEADER],
}

impl<C: Instance> MessageKey<C> {
    /// Room for a key.
    pub(super) fn blank(backend: Backend) -> Self {
        Self { gcm: Gcm::blank(backend), base: [0; NONCE], header: [0; HEADER] }
    }

    /// Makes the key and the base nonce in their place; returns the commitment.
    pub(super) fn derive(
        &mut self,
        prk: &Prk,
        salt: &[u8; SALT],
        context: &[u8],
    ) -> [u8; COMMITMENT] {
        let derived = Derived::new::<C>(prk, salt, context);
        let (key, base, commitment) = derived.parts();
        // The length is that of the cipher's keys, so there is no error.
        let _ = self.gcm.set_key(key);
        self.base = base;
        commitment
    }

    /// The nonce of chunk `number` (section "AEAD usage").
    fn nonce(&self, number: u64) -> [u8; NONCE] {
        let mut nonce = self.base;
        for (byte, of_number) in nonce[NONCE - 8..].iter_mut().zip(number.to_be_bytes()) {
            *byte ^= of_number;
        }
        nonce
    }
}

impl<C> Drop for MessageKey<C> {
    fn drop(&mut self) {
        erase(&mut self.base);
    }
}

/// One message that is being sealed: [`Cobblestone::sealer`](super::Cobblestone::sealer). Its calls take chunks in any order, on
/// any thread.
///
/// **A number must not be used twice for different data**: that would reveal plaintext and allow forgeries, as every nonce of GCM
/// that is used twice.
///
/// In each call, `last` says whether the chunk is the last of the message, or the chunks end with it. The last chunk has fewer
/// than [`CHUNK`] bytes and may be empty; all others have [`CHUNK`].
///
/// ```
/// use icefish::storage::{Cobblestone256, cobblestone::CHUNK};
/// let sealer = Cobblestone256::new(&[7; 32])?.sealer(&[1; 24], b"context");
/// let (mut first, mut last) = ([5; CHUNK], [6; 100]);
/// let tag = sealer.seal_in_place(0, false, &mut first)?;
/// let last_tag = sealer.seal_in_place(1, true, &mut last)?;
/// # assert_ne!(tag, last_tag);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct ChunkSealer<C>(pub(super) MessageKey<C>);

impl<C: Instance> ChunkSealer<C> {
    /// The first bytes of the sealed message: the salt and the commitment.
    pub fn header(&self) -> [u8; HEADER] {
        self.0.header
    }

    /// Encrypts chunk `number` in place and returns its tag, which goes behind it.
    ///
    /// # Errors
    /// [`Error::ChunkLength`], [`Error::TooLong`] for a number above the largest: nothing was encrypted.
    pub fn seal_in_place(
        &self,
        number: u64,
        last: bool,
        chunk: &mut [u8],
    ) -> Result<[u8; TAG], Error> {
        one(number, last, chunk.len())?;
        self.0.gcm.seal_in_place(&self.0.nonce(number), &[], chunk)
    }

    /// Seals consecutive chunks from number `first` on: `plain` is their plaintext, and `sealed` gets each chunk and its tag.
    ///
    /// # Errors
    /// [`Error::ChunkLength`], [`Error::TooLong`], [`Error::BufferLength`] if `sealed` is not [`TAG`] bytes longer for every
    /// chunk: nothing was encrypted.
    pub fn seal_between(
        &self,
        first: u64,
        last: bool,
        plain: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), Error> {
        let (full, rest) = (plain.len() / CHUNK, plain.len() % CHUNK);
        check(first, last, full, rest)?;
        fits(sealed.len(), plain.len() + TAG * (full + usize::from(last)))?;
        let (plain_full, plain_last) = plain.split_at(full * CHUNK);
        let (sealed_full, sealed_last) = sealed.split_at_mut(full * SEALED_CHUNK);
        let chunks = plain_full.chunks(CHUNK).zip(sealed_full.chunks_mut(SEALED_CHUNK));
        for (number, (plain, sealed)) in (first..).zip(chunks) {
            self.seal(number, plain, sealed)?;
        }
        if last { self.seal(first + full as u64, plain_last, sealed_last) } else { Ok(()) }
    }

    /// Seals one chunk; its tag goes behind it.
    fn seal(&self, number: u64, plain: &[u8], sealed: &mut [u8]) -> Result<(), Error> {
        let (data, tag) = sealed.split_at_mut(plain.len());
        tag.copy_from_slice(&self.0.gcm.seal_between(&self.0.nonce(number), &[], plain, data)?);
        Ok(())
    }
}

/// One message that is being opened: [`Cobblestone::opener`](super::Cobblestone::opener). Its calls take chunks in any order, on
/// any thread. `last` is as in [`ChunkSealer`].
///
/// **A message is complete only if its last chunk was opened as the last.** Until then it may have been cut short.
///
/// ```
/// use icefish::{Error, storage::Cobblestone256};
/// let key = Cobblestone256::new(&[7; 32])?;
/// let (sealer, mut chunk) = (key.sealer(&[1; 24], b"context"), [5; 100]);
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// let opener = key.opener(&sealer.header(), b"context")?;
/// assert!(opener.open_in_place(1, true, &mut chunk.clone(), &tag).is_err()); // another place
/// opener.open_in_place(0, true, &mut chunk, &tag)?;
/// assert_eq!(chunk, [5; 100]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct ChunkOpener<C>(pub(super) MessageKey<C>);

impl<C: Instance> ChunkOpener<C> {
    /// Verifies chunk `number` and decrypts it in place.
    ///
    /// # Errors
    /// [`Error::ForgedChunk`] if it is not that chunk of the message: `chunk` is zeros. [`Error::ChunkLength`],
    /// [`Error::TooLong`], [`Error::TagLength`]: `chunk` is unchanged.
    pub fn open_in_place(
        &self,
        number: u64,
        last: bool,
        chunk: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        one(number, last, chunk.len())?;
        let opened = self.0.gcm.open_in_place(&self.0.nonce(number), &[], chunk, tag);
        opened.map_err(|error| of_chunk(error, number))
    }

    /// Verifies and decrypts consecutive chunks from number `first` on: `sealed` is each chunk and its tag, and `plain` gets
    /// their plaintext.
    ///
    /// # Errors
    /// [`Error::ForgedChunk`] with the number of the first chunk that is wrong: the plaintext of the chunks before it is in
    /// `plain`, and zeros are behind it. [`Error::Truncated`] if the last chunk is full or has no tag, [`Error::ChunkLength`],
    /// [`Error::TooLong`], [`Error::BufferLength`] if `plain` is not [`TAG`] bytes shorter for every chunk: nothing was
    /// decrypted.
    pub fn open_between(
        &self,
        first: u64,
        last: bool,
        sealed: &[u8],
        plain: &mut [u8],
    ) -> Result<(), Error> {
        let (full, rest) = (sealed.len() / SEALED_CHUNK, sealed.len() % SEALED_CHUNK);
        if last && rest < TAG {
            return Err(Error::Truncated);
        }
        check(first, last, full, rest)?;
        fits(plain.len(), sealed.len() - TAG * (full + usize::from(last)))?;
        let mut done = 0;
        for (number, chunk) in (first..).zip(sealed.chunks(SEALED_CHUNK)) {
            let len = chunk.len() - TAG;
            if let Err(error) = self.open(number, chunk, &mut plain[done..done + len]) {
                plain[done..].fill(0);
                return Err(error);
            }
            done += len;
        }
        Ok(())
    }

    /// Opens one chunk, which its tag follows.
    fn open(&self, number: u64, sealed: &[u8], plain: &mut [u8]) -> Result<(), Error> {
        let (data, tag) = sealed.split_at(plain.len());
        let opened = self.0.gcm.open_between(&self.0.nonce(number), &[], data, plain, tag);
        opened.map_err(|error| of_chunk(error, number))
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for ChunkSealer<C> {}
impl<C: ZeroizeOnDrop> ZeroizeOnDrop for ChunkOpener<C> {}

impl<C> fmt::Debug for ChunkSealer<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkSealer").finish_non_exhaustive()
    }
}

impl<C> fmt::Debug for ChunkOpener<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChunkOpener").finish_non_exhaustive()
    }
}

/// Refuses what is not one chunk.
fn one(number: u64, last: bool, len: usize) -> Result<(), Error> {
    match (last, len) {
        (true, 0..CHUNK) => check(number, true, 0, len),
        (false, CHUNK) => check(number, false, 1, 0),
        (_, got) => Err(Error::ChunkLength { got }),
    }
}

fn fits(got: usize, need: usize) -> Result<(), Error> {
    if got == need { Ok(()) } else { Err(Error::BufferLength { got, need }) }
}

/// Which chunk is forged.
fn of_chunk(error: Error, number: u64) -> Error {
    if error == Error::Forged { Error::ForgedChunk { number } } else { error }
}
