//! The one place where a secret decides on a branch: whether a tag or a padding was right, which the caller is told.

use crate::Error;
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
