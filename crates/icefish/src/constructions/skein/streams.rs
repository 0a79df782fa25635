//! The traits of `std::io`: `Write` for a hash, and `Read` for its output.

use super::{Hasher, Output};
use std::io::{Read, Result, Write};

/// Adds the next bytes of the message, all of them. It never fails.
impl<const W: usize, const B: usize> Write for Hasher<W, B> {
    fn write(&mut self, piece: &[u8]) -> Result<usize> {
        self.update(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// The next bytes of the digest. It never fails and never ends.
impl<const W: usize, const B: usize> Read for Output<W, B> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.fill(buffer);
        Ok(buffer.len())
    }
}
