//! A text that is encrypted or decrypted in pieces.

use super::cyclist::{Crypt, Squeeze};
use super::sponge::SavedSponge;
use super::{Cyclist, Keyed, colour};
use crate::isa::InOut;
use crate::permutations::xoodoo::single::Best;
use crate::{Backend, Error};
use core::fmt;
use core::marker::PhantomData;
use zeroize::ZeroizeOnDrop;

/// Bytes that are encrypted per permutation.
const RATE: usize = 24;

/// How far the text of a state has come.
#[derive(Clone)]
pub(crate) struct TextProgress {
    /// Bytes of the current block that are done: 0 if none has begun.
    used: usize,
    /// The colour of the next block.
    colour: u8,
}

impl TextProgress {
    /// Before the first byte.
    pub(crate) const NEW: Self = Self { used: 0, colour: colour::CRYPT };

    /// Encrypts or decrypts the next bytes.
    pub(crate) fn update<const DECRYPT: bool>(
        &mut self,
        state: &mut SavedSponge,
        backend: Backend,
        io: InOut<'_>,
    ) {
        let left = if self.used == 0 { 0 } else { RATE - self.used };
        let at = left.min(io.len());
        let (head, rest) = io.split_at(at);
        self.part::<DECRYPT>(state, head);
        let whole = rest.len() / RATE * RATE;
        let (whole, tail) = rest.split_at(whole);
        if !whole.is_empty() {
            let colour = core::mem::take(&mut self.colour);
            backend.run(Best(Crypt::<DECRYPT> { state, io: whole, colour }));
        }
        if !tail.is_empty() {
            self.begin(state, backend);
            self.part::<DECRYPT>(state, tail);
        }
    }

    /// Ends the text. An empty text also consists of one block.
    pub(crate) fn end(&mut self, state: &mut SavedSponge, backend: Backend) {
        if self.colour != 0 {
            self.begin(state, backend);
            self.pad(state);
        } else if self.used > 0 {
            self.pad(state);
        }
    }

    /// Begins a block: the permutation, without output.
    fn begin(&mut self, state: &mut SavedSponge, backend: Backend) {
        let (colour, mode) = (core::mem::take(&mut self.colour), PhantomData);
        backend.run(Best(Squeeze::<Keyed> { state, output: &mut [], colour, mode }));
    }

    /// A part of the current block. The state absorbs the plaintext, so its bytes become the ciphertext.
    fn part<const DECRYPT: bool>(&mut self, state: &mut SavedSponge, mut io: InOut<'_>) {
        let len = io.len();
        let bytes = &mut state.bytes[self.used..self.used + len];
        if DECRYPT {
            // `io` may be in place: the ciphertext is read before the plaintext is written.
            let mut ciphertext = [0; RATE];
            ciphertext[..len].copy_from_slice(io.input());
            io.xor_bytes(0, bytes);
            bytes.copy_from_slice(&ciphertext[..len]);
        } else {
            io.xor_bytes(0, bytes);
            bytes.copy_from_slice(io.output());
        }
        self.used += len;
        if self.used == RATE {
            self.pad(state);
        }
    }

    /// Ends the current block with the 1 of its padding.
    fn pad(&mut self, state: &mut SavedSponge) {
        state.bytes[self.used] ^= 1;
        state.up = false;
        self.used = 0;
    }
}

/// A text that a [`Session`](super::Session) encrypts (or decrypts, if `DECRYPT`) in pieces: all of them are what one call of
/// [`Cyclist::encrypt`] encrypts. The text ends with [`TextCrypter::finish`], or when this is dropped.
///
/// ```
/// use icefish::constructions::xoodyak::Session;
/// let (mut one, mut other) = (Session::new(&[7; 16])?, Session::new(&[7; 16])?);
/// let (mut whole, mut pieces) = (*b"attack at dawn", *b"attack at dawn");
/// one.encrypt(&mut whole);
/// let mut text = other.encryptor();
/// text.update_in_place(&mut pieces[..7]);
/// text.update_in_place(&mut pieces[7..]);
/// text.finish();
/// assert_eq!(whole, pieces);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct TextCrypter<'c, const DECRYPT: bool> {
    cyclist: &'c mut Cyclist<Keyed>,
    progress: TextProgress,
}

impl Cyclist<Keyed> {
    /// Begins a text that is encrypted in pieces.
    pub fn encryptor(&mut self) -> TextCrypter<'_, false> {
        TextCrypter { cyclist: self, progress: TextProgress::NEW }
    }

    /// Begins a text that is decrypted in pieces. It is not authenticated: do not use it before a tag has been verified.
    pub fn decryptor(&mut self) -> TextCrypter<'_, true> {
        TextCrypter { cyclist: self, progress: TextProgress::NEW }
    }
}

impl<const DECRYPT: bool> TextCrypter<'_, DECRYPT> {
    /// Takes the next bytes of the text from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::BufferLength`]: nothing was taken.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.take(InOut::between(input, output)?);
        Ok(())
    }

    /// Takes the next bytes of the text in place.
    pub fn update_in_place(&mut self, data: &mut [u8]) {
        self.take(InOut::in_place(data));
    }

    /// Ends the text.
    pub fn finish(self) {}

    fn take(&mut self, io: InOut<'_>) {
        let Cyclist { state, backend, .. } = &mut *self.cyclist;
        self.progress.update::<DECRYPT>(state, *backend, io);
    }
}

impl<const DECRYPT: bool> Drop for TextCrypter<'_, DECRYPT> {
    fn drop(&mut self) {
        self.progress.end(&mut self.cyclist.state, self.cyclist.backend);
    }
}

impl<const DECRYPT: bool> ZeroizeOnDrop for TextCrypter<'_, DECRYPT> {}

impl<const DECRYPT: bool> fmt::Debug for TextCrypter<'_, DECRYPT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextCrypter").finish_non_exhaustive()
    }
}
