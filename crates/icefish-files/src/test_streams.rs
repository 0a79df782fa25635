//! Data, readers and writers for tests.

use std::io::{self, ErrorKind, Read, Write};

/// 251 is the largest prime below 256: no power of two hides in it.
pub(crate) fn paint(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// Gives `data` in pieces, and an interruption at every fifth call.
pub(crate) struct Bits<F> {
    data: Vec<u8>,
    at: usize,
    calls: usize,
    /// The most bytes that a call gives, by its number from 1 on.
    most: F,
    /// Whether an error comes after the data, instead of the end.
    pub(crate) fails: bool,
}

impl<F: FnMut(usize) -> usize> Bits<F> {
    pub(crate) fn new(data: &[u8], most: F) -> Self {
        Self { data: data.to_vec(), at: 0, calls: 0, most, fails: false }
    }
}

impl<F: FnMut(usize) -> usize> Read for Bits<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(5) {
            return Err(ErrorKind::Interrupted.into());
        }
        let most = (self.most)(self.calls);
        let len = buffer.len().min(most).min(self.data.len() - self.at);
        if len == 0 && self.fails {
            return Err(io::Error::other("gone"));
        }
        buffer[..len].copy_from_slice(&self.data[self.at..self.at + len]);
        self.at += len;
        Ok(len)
    }
}

/// Takes so many bytes, then fails in this way.
pub(crate) struct Full(pub(crate) usize, pub(crate) ErrorKind);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(self.1.into());
        }
        let len = bytes.len().min(self.0);
        self.0 -= len;
        Ok(len)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
