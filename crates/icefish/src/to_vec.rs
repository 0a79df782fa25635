//! Results in a new vector, which is erased where there is an error.

use crate::Error;
use crate::isa::erase;
use alloc::vec;
use alloc::vec::Vec;

/// A vector of as many bytes as `make` has written of `len`.
///
/// # Errors
/// Those of `make`: what it has written is erased.
pub(crate) fn written(
    len: usize,
    make: impl FnOnce(&mut [u8]) -> Result<usize, Error>,
) -> Result<Vec<u8>, Error> {
    let mut made = vec![0; len];
    match make(&mut made) {
        Ok(len) => made.truncate(len),
        Err(error) => {
            erase(&mut made);
            return Err(error);
        }
    }
    Ok(made)
}

/// A ciphertext as long as `data`, followed by a tag of `tag` bytes. `seal` writes both.
///
/// # Errors
/// Those of `seal`.
pub(crate) fn sealed(
    data: &[u8],
    tag: usize,
    seal: impl FnOnce(&mut [u8], &mut [u8]) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    written(data.len().saturating_add(tag), |made| {
        let (ciphertext, tag) = made.split_at_mut(data.len());
        seal(ciphertext, tag).map(|()| made.len())
    })
}

/// The plaintext of a ciphertext that a tag of `tag` bytes follows. `open` takes the ciphertext and the tag, and writes the
/// plaintext.
///
/// # Errors
/// [`Error::TooShort`] if there are fewer bytes than in a tag; those of `open`.
pub(crate) fn opened(
    sealed: &[u8],
    tag: usize,
    open: impl FnOnce(&[u8], &[u8], &mut [u8]) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let short = Error::TooShort { got: sealed.len(), least: tag };
    let len = sealed.len().checked_sub(tag).ok_or(short)?;
    let (ciphertext, tag) = sealed.split_at(len);
    written(len, |plain| open(ciphertext, tag, plain).map(|()| len))
}
