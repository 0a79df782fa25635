//! Opening a message whose source can be read at any position.

use super::{
    CHUNK, ChunkOpener, Cobblestone, HEADER, Instance, SEALED_CHUNK, TAG, chunk_offset, plain_len,
};
use crate::Error;
use core::fmt;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::vec::Vec;
use zeroize::Zeroizing;

/// Opens a sealed message that `R` can read at any place: reading and seeking are in its plaintext.
///
/// The last chunk is verified before the length is believed. Each read verifies the chunks that it needs and no others. An error
/// about the message is an [`io::Error`] of kind [`ErrorKind::InvalidData`], and has the [`Error`] in it.
///
/// ```
/// # use icefish::storage::{Cobblestone128, cobblestone::{Reader, Writer}};
/// # use std::io::{Cursor, Write};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let key = Cobblestone128::new(&[7; 16])?;
/// # let mut writer = Writer::new(key.sealer(&[1; 24], b""), Vec::new())?;
/// # writer.write_all(&[5; 100_000])?;
/// # let file = Cursor::new(writer.finish()?);
/// let mut reader = Reader::new(&key, b"", file)?;
/// let mut part = [0; 4000];
/// reader.read_exact_at(40_000, &mut part)?;
/// assert_eq!((part, reader.plain_len()), ([5; 4000], 100_000));
/// # Ok(())
/// # }
/// ```
pub struct Reader<C, R> {
    opener: ChunkOpener<C>,
    inner: R,
    /// Where the message begins in `inner`.
    start: u64,
    /// Length of the plaintext.
    len: u64,
    position: u64,
    /// The chunk that was opened last, with room for its tag.
    chunk: Zeroizing<Vec<u8>>,
    /// Its number; `None` if there is none.
    number: Option<u64>,
}

impl<C: Instance, R: Read + Seek> Reader<C, R> {
    /// The message that begins at the position of `inner`, and ends where that ends.
    ///
    /// # Errors
    /// [`Error::Commitment`], [`Error::Truncated`], [`Error::TooLong`] or [`Error::ForgedChunk`], each in an [`io::Error`]; those
    /// of `inner`.
    pub fn new(key: &Cobblestone<C>, context: &[u8], mut inner: R) -> io::Result<Self> {
        let start = inner.stream_position()?;
        let end = inner.seek(SeekFrom::End(0))?;
        let len = plain_len(end.saturating_sub(start)).map_err(wrong)?;
        inner.seek(SeekFrom::Start(start))?;
        let mut header = [0; HEADER];
        inner.read_exact(&mut header)?;
        let opener = key.opener(&header, context).map_err(wrong)?;
        let chunk = Zeroizing::new(vec![0; SEALED_CHUNK]);
        let mut made = Self { opener, inner, start, len, position: 0, chunk, number: None };
        made.load(len / CHUNK as u64)?;
        Ok(made)
    }

    /// Length of the plaintext in bytes. It is verified.
    pub fn plain_len(&self) -> u64 {
        self.len
    }

    /// Reads the plaintext from byte `position` on until `output` is full, and moves there.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if the plaintext ends before; as [`Reader::new`].
    pub fn read_exact_at(&mut self, position: u64, output: &mut [u8]) -> io::Result<()> {
        self.position = position;
        self.read_exact(output)
    }

    /// Gives back what it reads from.
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Opens chunk `number`.
    fn load(&mut self, number: u64) -> io::Result<()> {
        if self.number == Some(number) {
            return Ok(());
        }
        self.number = None;
        let len = self.chunk_len(number);
        self.inner.seek(SeekFrom::Start(self.start + chunk_offset(number)))?;
        self.inner.read_exact(&mut self.chunk[..len + TAG])?;
        let (chunk, tag) = self.chunk.split_at_mut(len);
        self.opener.open_in_place(number, len < CHUNK, chunk, &tag[..TAG]).map_err(wrong)?;
        self.number = Some(number);
        Ok(())
    }

    fn chunk_len(&self, number: u64) -> usize {
        (self.len - number * CHUNK as u64).min(CHUNK as u64) as usize
    }
}

impl<C: Instance, R: Read + Seek> Read for Reader<C, R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() || self.position >= self.len {
            return Ok(0);
        }
        let (number, at) = (self.position / CHUNK as u64, self.position % CHUNK as u64);
        self.load(number)?;
        let there = &self.chunk[at as usize..self.chunk_len(number)];
        let taken = there.len().min(output.len());
        output[..taken].copy_from_slice(&there[..taken]);
        self.position += taken as u64;
        Ok(taken)
    }
}

impl<C: Instance, R: Read + Seek> Seek for Reader<C, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(distance) => self.len.checked_add_signed(distance),
            SeekFrom::Current(distance) => self.position.checked_add_signed(distance),
        };
        self.position = to.ok_or_else(|| {
            io::Error::new(ErrorKind::InvalidInput, "a position before the first byte")
        })?;
        Ok(self.position)
    }
}

impl<C, R> fmt::Debug for Reader<C, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("len", &self.len).finish_non_exhaustive()
    }
}

fn wrong(error: Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}
