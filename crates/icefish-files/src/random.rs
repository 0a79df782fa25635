//! Random bytes of the operating system.

use crate::Error;

/// Fills `bytes`.
///
/// # Errors
/// [`Error::Random`].
pub fn fill(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(Error::Random)
}
