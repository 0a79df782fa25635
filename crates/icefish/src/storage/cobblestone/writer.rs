//! Sealing a stream.

use super::{CHUNK, ChunkSealer, Instance, SEALED_CHUNK, TAG};
use core::fmt;
use std::io::{self, Write};
use std::vec::Vec;
use zeroize::Zeroizing;

/// Seals what is written to it, to `W`. [`Writer::finish`] writes the last chunk: **without it the message is truncated**, and is
/// refused when it is opened.
///
/// ```
/// use icefish::storage::{Cobblestone128, cobblestone::{Reader, Writer}};
/// use std::io::{Cursor, Read, Write};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let key = Cobblestone128::new(&[7; 16])?;
/// let mut salt = [0; 24];
/// getrandom::fill(&mut salt)?;
/// let mut writer = Writer::new(key.sealer(&salt, b""), Vec::new())?;
/// writer.write_all(b"attack at ")?;
/// writer.write_all(b"dawn")?;
/// let sealed = writer.finish()?;
///
/// let mut reader = Reader::new(&key, b"", Cursor::new(sealed))?;
/// let mut message = String::new();
/// reader.read_to_string(&mut message)?;
/// assert_eq!(message, "attack at dawn");
/// # Ok(())
/// # }
/// ```
pub struct Writer<C, W> {
    sealer: ChunkSealer<C>,
    inner: W,
    /// The bytes of the next chunk that have been taken.
    chunk: Zeroizing<Vec<u8>>,
    number: u64,
    /// Whether writing to `inner` failed, so that nobody knows how much has arrived.
    failed: bool,
}

impl<C: Instance, W: Write> Writer<C, W> {
    /// Writes the header of the message to `inner`.
    ///
    /// # Errors
    /// Those of `inner`.
    pub fn new(sealer: ChunkSealer<C>, mut inner: W) -> io::Result<Self> {
        inner.write_all(&sealer.header())?;
        let chunk = Zeroizing::new(Vec::with_capacity(SEALED_CHUNK));
        Ok(Self { sealer, inner, chunk, number: 0, failed: false })
    }

    /// Writes the last chunk, flushes `inner` and returns it.
    ///
    /// # Errors
    /// Those of `inner`; the error of an earlier call.
    pub fn finish(mut self) -> io::Result<W> {
        self.put(true)?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    /// Seals and writes the next chunk.
    fn put(&mut self, last: bool) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other("an earlier chunk of this message was not written"));
        }
        let tag = self.sealer.seal_in_place(self.number, last, &mut self.chunk);
        let tag: [u8; TAG] =
            tag.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
        self.chunk.extend_from_slice(&tag);
        let written = self.inner.write_all(&self.chunk);
        self.failed = written.is_err();
        self.chunk.clear();
        self.number += 1;
        written
    }
}

impl<C: Instance, W: Write> Write for Writer<C, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(CHUNK - self.chunk.len());
        self.chunk.extend_from_slice(&bytes[..taken]);
        if self.chunk.len() == CHUNK {
            self.put(false)?;
        }
        Ok(taken)
    }

    /// Flushes `W`. Bytes that do not fill a chunk stay here until [`Writer::finish`].
    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<C, W> fmt::Debug for Writer<C, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("number", &self.number).finish_non_exhaustive()
    }
}
