//! The only place where a branch depends on a secret: whether a tag or a padding was right, or whether the two keys of XTS are
//! equal. The caller learns that. This module also has the lengths of tags that are accepted, which are public.

use crate::isa::{opaque_count, public};
use crate::{Block, Error};

/// Makes public whether `difference` is zero. A call that is not inlined, so that the compiler does not see what becomes of the
/// difference, and a tool that tracks secrets can exempt this function and no other.
#[inline(never)]
pub(crate) fn disclose(difference: u64) -> bool {
    // The compiler cannot merge the two values, so this is a branch. Nothing after it depends on the secret.
    if public(difference) == 0 { opaque_count(1) != 0 } else { opaque_count(0) != 0 }
}

/// Whether both are the same, compared in constant time.
#[inline(always)]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    disclose(difference(a, b))
}

/// Compares `tag` with the expected tag in constant time.
///
/// # Errors
/// [`Error::Forged`] if they differ, also in length.
#[inline(always)]
pub(crate) fn verify(expected: &[u8], tag: &[u8]) -> Result<(), Error> {
    Verifier(difference(expected, tag)).finish()
}

/// Zero if both are the same. The lengths that most tags have are written out: a short message would wait for loops.
#[inline(always)]
fn difference(a: &[u8], b: &[u8]) -> u64 {
    if a.len() != b.len() {
        return 1;
    }
    if let (Ok(a), Ok(b)) = (<&[u8; 16]>::try_from(a), <&[u8; 16]>::try_from(b)) {
        return of_words(a, b);
    }
    if let (Ok(a), Ok(b)) = (<&[u8; 32]>::try_from(a), <&[u8; 32]>::try_from(b)) {
        return of_words(a, b);
    }
    let ((_, a_rest), (_, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut difference = of_words(a, b);
    for (a, b) in a_rest.iter().zip(b_rest) {
        difference |= u64::from(a ^ b);
    }
    difference
}

/// The difference of the whole words.
#[inline(always)]
fn of_words(a: &[u8], b: &[u8]) -> u64 {
    let mut difference = 0;
    for (a, b) in a.as_chunks().0.iter().zip(b.as_chunks().0) {
        difference |= u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b);
    }
    difference
}

/// [`verify`] of a tag that is made in pieces.
pub(crate) struct Verifier(u64);

impl Verifier {
    #[cfg(feature = "threefish")]
    pub(crate) fn new() -> Self {
        Self(0)
    }

    /// Compares the next bytes of the tag with those expected, in constant time.
    #[cfg(feature = "threefish")]
    pub(crate) fn update(&mut self, expected: &[u8], tag: &[u8]) {
        self.0 |= difference(expected, tag);
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

/// Checks a length for tags that are the first bytes of a `B`. A tag has at least `shortest` bytes.
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
