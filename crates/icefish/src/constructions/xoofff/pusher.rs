//! A string that is added in pieces.

use super::compress::Compress;
use super::{BLOCK, History, PADDING};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A string that is added to a [`History`] in pieces: all of them are what one call of [`History::push`] adds. The string ends
/// with [`Pusher::finish`], or when this is dropped.
///
/// ```
/// use icefish::constructions::xoofff::Xoofff;
/// let key = Xoofff::new(&[7; 32])?;
/// let (mut one, mut other) = (key.history(), key.history());
/// one.push(b"a long string");
/// let mut string = other.pusher();
/// string.update(b"a long ");
/// string.update(b"string");
/// string.finish();
/// let (mut x, mut y) = ([0; 16], [0; 16]);
/// one.output().fill(&mut x);
/// other.output().fill(&mut y);
/// assert_eq!(x, y);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Pusher<'h> {
    history: &'h mut History,
    string: StringProgress,
}

/// A string that has begun and not ended.
pub(crate) struct StringProgress {
    /// The bytes of an incomplete block.
    block: [u8; BLOCK],
    len: usize,
}

impl History {
    /// Begins a string in pieces.
    pub fn pusher(&mut self) -> Pusher<'_> {
        Pusher { history: self, string: StringProgress::NEW }
    }

    /// Adds whole blocks of a string that has not ended.
    fn blocks(&mut self, string: &[u8]) {
        let (sum, mask) = (&mut self.sum, &mut self.mask);
        let string = self.place.compress(string, sum, mask);
        self.place.backend.run(Compress { string, end: 0, sum, mask });
    }
}

impl StringProgress {
    /// Before the first byte.
    pub(crate) const NEW: Self = Self { block: [0; BLOCK], len: 0 };

    /// Adds the next bytes of the string to `history`.
    pub(crate) fn update(&mut self, history: &mut History, mut piece: &[u8]) {
        if self.len > 0 {
            let (now, rest) = piece.split_at(piece.len().min(BLOCK - self.len));
            self.block[self.len..self.len + now.len()].copy_from_slice(now);
            self.len += now.len();
            piece = rest;
            if self.len < BLOCK {
                return;
            }
            history.blocks(&self.block);
            self.len = 0;
        }
        let (whole, rest) = piece.split_at(piece.len() / BLOCK * BLOCK);
        if !whole.is_empty() {
            history.blocks(whole);
        }
        self.block[..rest.len()].copy_from_slice(rest);
        self.len = rest.len();
    }

    /// Ends the string with the bits of `end`, as [`History::push_with`] does. The next byte begins another.
    pub(crate) fn end(&mut self, history: &mut History, end: u8) {
        history.push_with(&self.block[..self.len], end);
        self.len = 0;
    }
}

impl Drop for StringProgress {
    fn drop(&mut self) {
        self.block.zeroize();
    }
}

impl Pusher<'_> {
    /// Adds the next bytes of the string.
    pub fn update(&mut self, piece: &[u8]) {
        self.string.update(self.history, piece);
    }

    /// Ends the string.
    pub fn finish(self) {}
}

impl Drop for Pusher<'_> {
    fn drop(&mut self) {
        self.string.end(self.history, PADDING);
    }
}

impl ZeroizeOnDrop for Pusher<'_> {}

impl fmt::Debug for Pusher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pusher").finish_non_exhaustive()
    }
}
