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

    /// Bytes of all states.
    #[inline(always)]
    pub(crate) const fn states_len(self) -> usize {
        16 * self.degree * if self.bits == 128 { 8 } else { 6 }
    }

    /// Bytes of data that a step takes.
    #[inline(always)]
    pub(crate) const fn rate(self) -> usize {
        self.degree * if self.bits == 128 { 32 } else { 16 }
    }
}

/// A key and a nonce.
#[derive(Clone, Copy)]
pub(crate) enum KeyNonce<'a> {
    /// Those of variants with keys of 128 bits.
    OneBlock(&'a [u8; 16], &'a [u8; 16]),
    /// Those of variants with keys of 256 bits.
    TwoBlocks(&'a [[u8; 16]; 2], &'a [[u8; 16]; 2]),
}

impl<'a> KeyNonce<'a> {
    /// # Errors
    /// [`Error::KeyLength`] and [`Error::IvLength`].
    #[inline(always)]
    pub(crate) fn of(variant: Variant, key: &'a [u8], nonce: &'a [u8]) -> Result<Self, Error> {
        let need = variant.key_len();
        let of_key = || Error::KeyLength { got: key.len(), need };
        let of_nonce = || Error::IvLength { got: nonce.len(), need };
        if need == 16 {
            let key = key.try_into().map_err(|_| of_key())?;
            return Ok(Self::OneBlock(key, nonce.try_into().map_err(|_| of_nonce())?));
        }
        Ok(Self::TwoBlocks(
            two_blocks(key).ok_or_else(of_key)?,
            two_blocks(nonce).ok_or_else(of_nonce)?,
        ))
    }

    /// The first and the last block of the key, and those of the nonce.
    #[inline(always)]
    pub(super) fn ends(self) -> [[&'a [u8; 16]; 2]; 2] {
        match self {
            Self::OneBlock(key, nonce) => [[key; 2], [nonce; 2]],
            Self::TwoBlocks([a, b], [c, d]) => [[a, b], [c, d]],
        }
    }
}

#[inline(always)]
fn two_blocks(bytes: &[u8]) -> Option<&[[u8; 16]; 2]> {
    let (blocks, []) = bytes.as_chunks() else { return None };
    blocks.try_into().ok()
}
