//! Runs of chunks from what is read one after the other.

use super::run::{Chunks, Run};
use crate::ordered::{self, Filled};
use crate::pipeline::Fault;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use zeroize::Zeroizing;

/// An input, and how much of it was read.
pub(super) struct Source<R> {
    input: R,
    /// Length of a whole chunk.
    size: usize,
    /// The beginning of the next chunk.
    carry: Zeroizing<Vec<u8>>,
    /// The number of the next chunk.
    next: u64,
    /// The number after the last chunk to take; `None` if that is the last of the message.
    end: Option<u64>,
    /// How many bytes there should be, if that is known.
    expected: Option<u64>,
    /// How many bytes there were.
    read: u64,
    ended: bool,
}

impl<R: Read> Source<R> {
    /// All chunks from number `first` on. `expected` is the number of their bytes, if it is known: if there are more or fewer, the
    /// input is changing.
    pub(super) fn from_chunk(input: R, chunks: &Chunks, first: u64, expected: Option<u64>) -> Self {
        let size = chunks.input();
        let carry = Zeroizing::new(Vec::with_capacity(size));
        Self { input, size, carry, next: first, end: None, expected, read: 0, ended: false }
    }

    /// The chunks `range`, which are whole.
    pub(super) fn some(input: R, chunks: &Chunks, range: Range<u64>) -> Self {
        Self { end: Some(range.end), ..Self::from_chunk(input, chunks, range.start, None) }
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<Filled<Run>, Fault> {
        let left = self.end.map_or(u64::MAX, |end| (end - self.next) * self.size as u64);
        let room = left.min(buffer.len() as u64) as usize;
        let mut len = self.carry.len();
        buffer[..len].copy_from_slice(&self.carry);
        self.carry.clear();
        while len < self.size {
            if room == 0 {
                return Ok(self.filled(0, true));
            }
            match self.input.read(&mut buffer[len..room]) {
                Ok(0) => return self.at_end(len),
                Ok(n) => {
                    len += n;
                    self.read += n as u64;
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(Fault::Read(e)),
            }
        }
        let whole = len / self.size * self.size;
        self.carry.extend_from_slice(&buffer[whole..len]);
        Ok(self.filled(whole, false))
    }

    fn at_end(&mut self, len: usize) -> Result<Filled<Run>, Fault> {
        // Where it ends was known.
        if self.end.is_some() || self.expected.is_some_and(|expected| expected != self.read) {
            return Err(Fault::Changed);
        }
        Ok(self.filled(len, true))
    }

    fn filled(&mut self, len: usize, end: bool) -> Filled<Run> {
        let piece = Run { first: self.next, last: end && self.end.is_none() };
        self.next += (len / self.size) as u64;
        Filled { piece, len, end }
    }
}

impl<R: Read> ordered::Source for Source<R> {
    type Piece = Run;

    /// `buffer` has room for some whole chunks: at least one whole chunk, or all that is left.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<Option<Filled<Run>>, Fault> {
        if self.ended {
            return Ok(None);
        }
        let filled = self.read(buffer);
        self.ended = !matches!(filled, Ok(Filled { end: false, .. }));
        filled.map(Some)
    }
}
