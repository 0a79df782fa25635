//! Whole messages in a new vector.

use super::{HEADER, MAX_PLAIN, plain_len, sealed_len};
use crate::{Error, to_vec};
use alloc::vec::Vec;

/// A length in memory. On CPUs of 32 bits, a message can be longer than any buffer.
fn in_memory(len: u64) -> Result<usize, Error> {
    usize::try_from(len).map_err(|_| Error::TooLong { most: MAX_PLAIN.min(usize::MAX as u64) })
}

/// A sealed message of `plain`. `seal` writes its chunks.
///
/// # Errors
/// As [`sealed_len`]; those of `seal`.
pub(crate) fn sealed(
    header: &[u8; HEADER],
    plain: &[u8],
    seal: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    to_vec::written(in_memory(sealed_len(plain.len() as u64)?)?, |made| {
        let (start, chunks) = made.split_at_mut(HEADER);
        start.copy_from_slice(header);
        seal(chunks).map(|()| made.len())
    })
}

/// The plaintext of a sealed message. `open` takes its header and its chunks, and writes the plaintext.
///
/// # Errors
/// As [`plain_len`]; those of `open`.
pub(crate) fn opened(
    sealed: &[u8],
    open: impl FnOnce(&[u8], &[u8], &mut [u8]) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let len = in_memory(plain_len(sealed.len() as u64)?)?;
    let (header, chunks) = sealed.split_at(HEADER);
    to_vec::written(len, |plain| open(header, chunks, plain).map(|()| len))
}
