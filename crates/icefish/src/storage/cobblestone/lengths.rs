//! Lengths of messages and positions of chunks.

use super::{CHUNK, HEADER, SEALED_CHUNK, TAG};
use crate::Error;

/// The largest number of chunks of a message (section "Message chunking").
pub const MAX_CHUNKS: u64 = 1 << 38;
/// The largest length of a plaintext in bytes: the last chunk is not full.
pub const MAX_PLAIN: u64 = MAX_CHUNKS * CHUNK as u64 - 1;

/// Length in bytes of the sealed message of a plaintext of `plain` bytes.
///
/// # Errors
/// [`Error::TooLong`] for more than [`MAX_PLAIN`] bytes.
pub fn sealed_len(plain: u64) -> Result<u64, Error> {
    if plain > MAX_PLAIN {
        return Err(Error::TooLong { most: MAX_PLAIN });
    }
    Ok(HEADER as u64 + plain + TAG as u64 * (plain / CHUNK as u64 + 1))
}

/// Length in bytes of the plaintext of a sealed message of `sealed` bytes, if it is not damaged: only the tag of the last chunk
/// proves the length.
///
/// ```
/// use icefish::{Error, storage::cobblestone::plain_len};
/// assert_eq!(plain_len(56 + 16_400 + 16), Ok(16_384)); // the last chunk is empty
/// assert_eq!(plain_len(56 + 16_400), Err(Error::Truncated));
/// ```
///
/// # Errors
/// [`Error::Truncated`] if no message has that length, [`Error::TooLong`] if it has more than [`MAX_CHUNKS`] chunks.
pub fn plain_len(sealed: u64) -> Result<u64, Error> {
    let chunks = sealed.checked_sub(HEADER as u64).ok_or(Error::Truncated)?;
    let (full, rest) = (chunks / SEALED_CHUNK as u64, chunks % SEALED_CHUNK as u64);
    let last = rest.checked_sub(TAG as u64).ok_or(Error::Truncated)?;
    if full >= MAX_CHUNKS {
        return Err(Error::TooLong { most: MAX_PLAIN });
    }
    Ok(full * CHUNK as u64 + last)
}

/// Where chunk `number` begins in a sealed message, in bytes.
///
/// # Panics
/// If `number` is at least [`MAX_CHUNKS`].
pub fn chunk_offset(number: u64) -> u64 {
    assert!(number < MAX_CHUNKS, "a message has at most 2^38 chunks");
    HEADER as u64 + number * SEALED_CHUNK as u64
}

/// Checks consecutive chunks from number `first` on: `full` whole ones and, only if `last`, a shorter one of `rest` bytes after
/// them. Refuses other lengths, and numbers from [`MAX_CHUNKS`] on.
pub(super) fn check(first: u64, last: bool, full: usize, rest: usize) -> Result<(), Error> {
    if !last && rest > 0 {
        return Err(Error::ChunkLength { got: rest });
    }
    // The number after them: that of the last chunk, which may still have to come.
    if first.checked_add(full as u64).is_none_or(|number| number >= MAX_CHUNKS) {
        return Err(Error::TooLong { most: MAX_PLAIN });
    }
    Ok(())
}
