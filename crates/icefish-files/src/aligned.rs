//! Buffers that the kernel copies to and from fast.

use std::ops::{Deref, DerefMut};
use zeroize::Zeroizing;

/// Bytes of a page.
const PAGE: usize = 4096;

/// How far into a page a buffer begins: further than a file is moved by an initialization vector or a nonce before it.
const INTO: usize = 64;

/// A buffer that files are read to and written from. It is wiped when it is dropped.
///
/// The kernel copies with `rep movsb`, which is slow on some CPUs if the target is a few bytes further into its page than the source
/// is. On a Zen 3, a gibibyte of the page cache took 0.57 s at 16 bytes, where `malloc` puts large buffers, and 0.19 s at 32 bytes
/// and more, at none, and behind the source.
#[derive(Debug)]
pub struct Aligned {
    bytes: Zeroizing<Vec<u8>>,
    /// Where the first byte is.
    start: usize,
    len: usize,
}

impl Aligned {
    /// `len` zeros.
    #[must_use]
    pub fn new(len: usize) -> Self {
        // A page until one begins, and another for what is read from within one.
        let bytes = Zeroizing::new(vec![0; len + 2 * PAGE + INTO]);
        let start = bytes.as_ptr().align_offset(PAGE).min(PAGE) + INTO;
        Self { bytes, start, len }
    }

    /// `len` bytes, which are no more than all, to read at `place` of a file, or to write some bytes further.
    pub(crate) fn at(&mut self, place: u64, len: usize) -> &mut [u8] {
        debug_assert!(len <= self.len, "there are {} bytes", self.len);
        let start = self.start + (place % PAGE as u64) as usize;
        &mut self.bytes[start..start + len]
    }
}

impl Deref for Aligned {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.len]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::{Aligned, INTO, PAGE};

    #[test]
    fn places_in_pages() {
        for len in [0, 1, PAGE - 1, 2 * PAGE, 512 * 1024] {
            let mut buffer = Aligned::new(len);
            assert_eq!(buffer.len(), len);
            assert_eq!(buffer.as_ptr() as usize % PAGE, INTO);
            for place in [0, 1, 56, PAGE as u64 - 1, PAGE as u64, u64::MAX] {
                let part = buffer.at(place, len);
                assert_eq!(part.len(), len);
                let source = (place % PAGE as u64) as usize;
                assert_eq!(part.as_ptr() as usize % PAGE, (source + INTO) % PAGE);
            }
        }
    }
}
