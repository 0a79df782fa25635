//! The states of AEGIS (RFC 10032), for `aead::Aegis` and `mac::AegisMac`.
//!
//! The same code serves every [`variant`]. A register has block `i` of one or more states. A [`ring`] is all blocks of these
//! states. [`steps`] describes work in whole steps. [`state`] does it, one ring after the other. A [`job`] takes data of any
//! length.

mod job;
mod progress;
mod ring;
mod state;
mod steps;
#[cfg(all(test, feature = "std"))]
mod tests;
mod variant;

use crate::Error;
pub(crate) use job::{Job, STRIP, longest, run};
pub(crate) use progress::{AegisProgress, finalize};
pub(crate) use steps::{Begin, End, RATE, Saved, Tags};
pub(crate) use variant::{KeyNonce, Variant, key_len};

/// Most bytes of data, and most bytes of associated data (section 3).
pub(crate) const MAX_DATA: u64 = (1 << 61) - 1;

/// Checks a length for tags.
pub(crate) fn checked_tag_len(len: usize) -> Result<usize, Error> {
    if len == 16 || len == 32 {
        Ok(len)
    } else {
        Err(Error::TagLengths { got: len, both: [16, 32] })
    }
}

/// Two lengths in bytes, converted to what Finalize takes: bits.
#[inline(always)]
pub(crate) fn bits(first: u64, second: u64) -> [u64; 2] {
    [8 * first, 8 * second]
}
