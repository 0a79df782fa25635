//! The states of AEGIS (RFC 10032), which [`aead`](crate::aead) and [`mac`](crate::mac) are made of.
//!
//! One source has all variants. A [`ring`] is the blocks of as many states as a register has, a [`state`] one ring after the other
//! and the data that they take, and a [`job`] what is done to them in one call.

mod job;
mod progress;
mod ring;
mod state;
#[cfg(all(test, feature = "std"))]
mod tests;

use crate::{Block, Error};
pub(crate) use job::{Begin, End, Job, STRIP, run};
pub(crate) use progress::{AegisProgress, finalize};
pub(crate) use state::{RATE, Saved};

/// Most bytes of data, and most bytes of associated data (section 3).
pub(crate) const MAX_DATA: u64 = (1 << 61) - 1;

/// Length of a key in bytes.
pub(crate) const fn key_len(bits: usize, degree: usize) -> usize {
    assert!(matches!((bits, degree), (128 | 256, 1 | 2 | 4)), "no variant of AEGIS");
    bits / 8
}

/// Checks a length for tags.
pub(crate) fn checked_tag_len(len: usize) -> Result<usize, Error> {
    if len == 16 || len == 32 {
        Ok(len)
    } else {
        Err(Error::TagLengths { got: len, both: [16, 32] })
    }
}

/// Two lengths in bytes, as Finalize takes them.
#[inline(always)]
pub(crate) fn bits(first: u64, second: u64) -> u128 {
    8 * (u128::from(first) | u128::from(second) << 64)
}

/// Bytes of the tags of four states.
pub(crate) const TAGS: usize = 32 * 4;

/// The tag of a message: the XOR of those of its states.
#[inline(always)]
pub(crate) fn sum<const DEGREE: usize>(tags: &[u8; TAGS]) -> [u8; 32] {
    let half = |at: usize| {
        let mut sum = u128::from_ne_bytes(<[u8; 16]>::take(&tags[at..]));
        for i in 1..DEGREE {
            sum ^= u128::from_ne_bytes(<[u8; 16]>::take(&tags[at + 16 * i..]));
        }
        sum.to_ne_bytes()
    };
    let mut tag = [0; 32];
    tag[..16].copy_from_slice(&half(0));
    tag[16..].copy_from_slice(&half(16 * DEGREE));
    tag
}
