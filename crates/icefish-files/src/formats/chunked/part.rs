//! A part of a plaintext.

use crate::Error;
use std::io::{self, Write};
use std::ops::Range;

/// A place in a plaintext, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// So many bytes after the first.
    FromStart(u64),
    /// So many bytes before the end.
    FromEnd(u64),
}

impl Place {
    /// Where that is in `len` bytes; `None` if it is outside.
    fn of(self, len: u64) -> Option<u64> {
        match self {
            Self::FromStart(at) => (at <= len).then_some(at),
            Self::FromEnd(back) => len.checked_sub(back),
        }
    }
}

/// The bytes from one place on and before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The first.
    pub start: Place,
    /// The one after the last.
    pub end: Place,
}

impl Part {
    /// Where that is in `len` bytes.
    pub(super) fn of(self, len: u64) -> Result<Range<u64>, Error> {
        match (self.start.of(len), self.end.of(len)) {
            (Some(start), Some(end)) if start <= end => Ok(start..end),
            (Some(_), Some(_)) => Err(Error::Backwards { len }),
            _ => Err(Error::Part { len }),
        }
    }
}

/// Lets through `left` bytes after the first `skip`, and drops the others.
pub(super) struct Window<'w> {
    pub(super) skip: u64,
    pub(super) left: u64,
    pub(super) inner: &'w mut dyn Write,
}

impl Write for Window<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let skipped = self.skip.min(bytes.len() as u64);
        let taken = self.left.min(bytes.len() as u64 - skipped);
        let (start, end) = (skipped as usize, (skipped + taken) as usize);
        self.inner.write_all(&bytes[start..end])?;
        self.skip -= skipped;
        self.left -= taken;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
