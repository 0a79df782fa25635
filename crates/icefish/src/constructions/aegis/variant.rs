//! The variants of AEGIS (RFC 10032, section 1), and what they take as a key and a nonce.

use crate::Error;

/// Length of a key in bytes.
pub(crate) const fn key_len(bits: usize, degree: usize) -> usize {
    assert!(matches!((bits, degree), (128 | 256, 1 | 2 | 4)), "no variant of AEGIS");
    bits / 8
}

/// A variant as a value.
#[derive(Clone, Copy)]
pub(crate) struct Variant {
    /// Bits of a key.
    pub(super) bits: usize,
    /// Number of states.
    pub(crate) degree: usize,
}

impl Variant {
    pub(crate) const fn of<const BITS: usize, const DEGREE: usize>() -> Self {
        Self { bits: 8 * const { key_len(BITS, DEGREE) }, degree: DEGREE }
    }

    /// Bytes of a key, and of a nonce.
    #[inline(always)]
    pub(crate) const fn key_len(self) -> usize {
        self.bits / 8
    }

    /// Bytes of data that a step takes.
    #[inline(always)]
    pub(crate) const fn rate(self) -> usize {
        self.degree * if self.bits == 128 { 32 } else { 16 }
    }
}

/// A key and a nonce: the first and the last block of each, which are one block in variants with keys of 128 bits.
#[derive(Clone, Copy)]
pub(crate) struct KeyNonce<'a> {
    pub(super) key: [&'a [u8; 16]; 2],
    pub(super) nonce: [&'a [u8; 16]; 2],
}

impl<'a> KeyNonce<'a> {
    /// # Errors
    /// [`Error::KeyLength`] and [`Error::IvLength`].
    #[inline(always)]
    pub(crate) fn of(variant: Variant, key: &'a [u8], nonce: &'a [u8]) -> Result<Self, Error> {
        let need = variant.key_len();
        Ok(Self {
            key: ends(key, need).ok_or(Error::KeyLength { got: key.len(), need })?,
            nonce: ends(nonce, need).ok_or(Error::IvLength { got: nonce.len(), need })?,
        })
    }
}

/// The first and the last block of `len` bytes.
#[inline(always)]
fn ends(bytes: &[u8], len: usize) -> Option<[&[u8; 16]; 2]> {
    if bytes.len() != len {
        return None;
    }
    Some([bytes.first_chunk()?, bytes.last_chunk()?])
}
