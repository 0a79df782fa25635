//! Opening into memory that nobody sees before the tag is verified.

use super::{Pieces, Progress};
use crate::Error;
use crate::isa::{InOut, erase};
use crate::verdict::{has_len, release};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// A message that is being opened in pieces of any length: [`Piecewise::opener`](super::Piecewise::opener).
///
/// It borrows a room for the plaintext, which [`Opener::finish`] gives back if the tag is right. After a forgery, any other
/// error, or if it is dropped before, what was written there is zeros.
///
/// ```
/// use icefish::{Error, ciphers::Aes128, aead::{Aead, Eax, Piecewise}};
/// let eax = Eax::<Aes128>::new(&[7; 16])?;
/// let mut data = *b"attack at dawn";
/// let tag = eax.seal_in_place(&[1; 16], &[], &mut data)?;
/// let mut room = [0; 20];
/// let mut opener = eax.opener(&[1; 16], &mut room)?;
/// opener.update(&data[..5])?;
/// opener.update(&data[5..])?;
/// assert_eq!(opener.finish(&tag)?, b"attack at dawn");
/// # Ok::<(), Error>(())
/// ```
pub struct Opener<'r, P: Pieces> {
    progress: Progress<P>,
    room: &'r mut [u8],
    /// How many bytes of `room` are plaintext.
    filled: usize,
    /// Why this message cannot be opened any more.
    failed: Option<Error>,
}

impl<'r, P: Pieces> Opener<'r, P> {
    pub(crate) fn new(pieces: P, room: &'r mut [u8]) -> Self {
        Self { progress: Progress::new(pieces), room, filled: 0, failed: None }
    }

    /// Takes the next bytes of the associated data.
    ///
    /// # Errors
    /// [`Error::LateAssociated`] after the first call that took data; [`Error::TooLong`]. The message is lost.
    pub fn associated(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.usable()?;
        let result = self.progress.associated(bytes);
        self.unless_failed(result)
    }

    /// Decrypts the next bytes of the message into the room.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the room is too short; [`Error::TooLong`]. The message is lost: the room is cleared, and every
    /// later call returns the same error.
    pub fn update(&mut self, input: &[u8]) -> Result<(), Error> {
        self.usable()?;
        let result = self.take(input);
        self.unless_failed(result)
    }

    /// The plaintext, if `tag`, of the length of the key's tags, belongs to the message, compared in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`], [`Error::TagLength`]; the error of an earlier call.
    pub fn finish(mut self, tag: &[u8]) -> Result<&'r mut [u8], Error> {
        self.usable()?;
        has_len(tag, self.progress.pieces.tag_len())?;
        let (expected, len) = self.progress.tag()?;
        release(&expected[..len], tag, &mut self.room[..self.filled])?;
        self.progress.pieces.accepted();
        let filled = core::mem::take(&mut self.filled);
        Ok(&mut core::mem::take(&mut self.room)[..filled])
    }

    #[cfg(all(test, feature = "aes"))]
    pub(super) fn progress_mut(&mut self) -> &mut Progress<P> {
        &mut self.progress
    }

    fn take(&mut self, input: &[u8]) -> Result<(), Error> {
        let (got, need) = (self.room.len(), self.filled.saturating_add(input.len()));
        let output = self.room.get_mut(self.filled..need);
        let output = output.ok_or(Error::BufferLength { got, need })?;
        self.progress.data(input.len())?;
        self.progress.pieces.open(InOut::between(input, output)?);
        self.filled = need;
        Ok(())
    }

    fn usable(&self) -> Result<(), Error> {
        self.failed.map_or(Ok(()), Err)
    }

    fn unless_failed(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        if result.is_err() {
            self.failed = result.err();
            self.clear();
        }
        result
    }

    fn clear(&mut self) {
        erase(&mut self.room[..self.filled]);
        self.filled = 0;
    }
}

impl<P: Pieces> Drop for Opener<'_, P> {
    fn drop(&mut self) {
        self.clear();
    }
}

impl<P: Pieces + ZeroizeOnDrop> ZeroizeOnDrop for Opener<'_, P> {}

impl<P: Pieces> fmt::Debug for Opener<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.progress.show("Opener", f)
    }
}
