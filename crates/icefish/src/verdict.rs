//! The one place where a secret decides on a branch: whether a tag or a padding was right, which the caller is told. And
//! which lengths of tags are accepted, which is no secret.

use crate::{Block, Error};
use core::hint::black_box;
use subtle::{Choice, ConstantTimeEq};

/// Makes `verdict` public. A call of its own, so that a tool that follows secrets can let this function be, and no other.
#[inline(never)]
pub(crate) fn disclose(verdict: Choice) -> bool {
    // Two values that the compiler cannot take for one: a branch, after which nothing depends on the secret.
    if verdict.unwrap_u8() == 1 { black_box(true) } else { black_box(false) }
}

/// Whether `tag` is the one that was expected, compared in constant time.
///
/// # Errors
/// [`Error::Forged`] if it is not, also if it has another length.
pub(crate) fn verify(expected: &[u8], tag: &[u8]) -> Result<(), Error> {
    if disclose(expected.ct_eq(tag)) { Ok(()) } else { Err(Error::Forged) }
}

/// [`verify`] before what was decrypted may be seen: `output` becomes zeros if the tag is not the one that was expected.
///
/// # Errors
/// As [`verify`].
pub(crate) fn release(expected: &[u8], tag: &[u8], output: &mut [u8]) -> Result<(), Error> {
    let verdict = verify(expected, tag);
    if verdict.is_err() {
        output.fill(0);
    }
    verdict
}

/// A length for tags that are parts of a `B`, of `shortest` bytes at least.
pub(crate) fn checked_tag_len<B: Block>(len: usize, shortest: usize) -> Result<usize, Error> {
    if (shortest..=B::LEN).contains(&len) {
        return Ok(len);
    }
    Err(Error::TagLength { got: len, least: shortest, most: B::LEN })
}

/// That `tag` has `len` bytes.
#[inline(always)]
pub(crate) fn has_len(tag: &[u8], len: usize) -> Result<(), Error> {
    if tag.len() == len {
        return Ok(());
    }
    Err(Error::TagLength { got: tag.len(), least: len, most: len })
}
