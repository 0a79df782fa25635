//! The only place where a branch depends on a secret: whether a tag or a padding was right, which the caller learns. It also
//! has the lengths of tags that are accepted, which are public.

use crate::{Block, Error};
use core::hint::black_box;
use subtle::{Choice, ConstantTimeEq};

/// Makes `verdict` public. A call that is not inlined, so that a tool that tracks secrets can exempt this function and no other.
#[inline(never)]
pub(crate) fn disclose(verdict: Choice) -> bool {
    // The compiler cannot merge the two values, so this is a branch. Nothing after it depends on the secret.
    if verdict.unwrap_u8() == 1 { black_box(true) } else { black_box(false) }
}

/// Compares `tag` with the expected tag in constant time.
///
/// # Errors
/// [`Error::Forged`] if they differ, also in length.
#[inline(always)]
pub(crate) fn verify(expected: &[u8], tag: &[u8]) -> Result<(), Error> {
    Verifier(equal(expected, tag)).finish()
}

/// Whether both are the same. Differences are gathered in a word, which is then compared once: each comparison of `subtle` is a
/// call that goes through memory.
#[inline(always)]
fn equal(a: &[u8], b: &[u8]) -> Choice {
    if a.len() != b.len() {
        return Choice::from(0);
    }
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut difference = 0;
    for (a, b) in a_rest.iter().zip(b_rest) {
        difference |= u64::from(a ^ b);
    }
    for (a, b) in a.iter().zip(b) {
        difference |= u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b);
    }
    difference.ct_eq(&0)
}

/// [`verify`] of a tag that is made in pieces.
pub(crate) struct Verifier(Choice);

impl Verifier {
    #[cfg(feature = "threefish")]
    pub(crate) fn new() -> Self {
        Self(Choice::from(1))
    }

    /// Compares the next bytes of the tag with those expected, in constant time.
    #[cfg(feature = "threefish")]
    pub(crate) fn update(&mut self, expected: &[u8], tag: &[u8]) {
        self.0 &= equal(expected, tag);
    }

    /// # Errors
    /// [`Error::Forged`] if any of the bytes differed.
    #[inline(always)]
    pub(crate) fn finish(self) -> Result<(), Error> {
        if disclose(self.0) { Ok(()) } else { Err(Error::Forged) }
    }
}

/// [`verify`] before decrypted data is released: `output` becomes zeros if the tag is wrong.
///
/// # Errors
/// As [`verify`].
#[inline(always)]
pub(crate) fn release(expected: &[u8], tag: &[u8], output: &mut [u8]) -> Result<(), Error> {
    let verdict = verify(expected, tag);
    if verdict.is_err() {
        output.fill(0);
    }
    verdict
}

/// Checks a length for tags that are the first bytes of a `B`, of at least `shortest` bytes.
pub(crate) fn checked_tag_len<B: Block>(len: usize, shortest: usize) -> Result<usize, Error> {
    if (shortest..=B::LEN).contains(&len) {
        return Ok(len);
    }
    Err(Error::TagLength { got: len, least: shortest, most: B::LEN })
}

/// Checks that `tag` has `len` bytes.
#[inline(always)]
pub(crate) fn has_len(tag: &[u8], len: usize) -> Result<(), Error> {
    if tag.len() == len {
        return Ok(());
    }
    Err(Error::TagLength { got: tag.len(), least: len, most: len })
}
