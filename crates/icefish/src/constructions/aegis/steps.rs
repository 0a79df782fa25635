//! A state between calls, and what is done to the states of a message in whole steps.

use crate::Block;
use crate::isa::{InOut, erase};

/// Bytes of the largest state, that of AEGIS-128X4.
const STATE: usize = 512;
/// Bytes of the largest step, that of AEGIS-128X4.
pub(crate) const RATE: usize = 128;

/// A state between calls: the first block of every state, the second of every state, and so on.
#[derive(Clone)]
pub(crate) struct Saved(pub(super) [u8; STATE]);

impl Saved {
    /// Room for a state.
    pub(crate) const NEW: Self = Self([0; STATE]);

    #[cfg(all(test, feature = "std"))]
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        erase(&mut self.0);
    }
}

/// The state that a job begins with.
#[derive(Clone, Copy)]
pub(crate) enum Begin<'a> {
    /// A new message: key and nonce.
    New(&'a [u8], &'a [u8]),
    /// The job's own state.
    Saved,
    /// The first states of another state, of so many.
    First(&'a Saved, usize),
}

/// The end of a message.
pub(crate) struct End<'a> {
    /// The two lengths that Finalize adds.
    pub(crate) lengths: u128,
    /// Whether tags have 16 bytes.
    pub(crate) short: bool,
    /// The tags of all states, 32 bytes each; see [`super::state::rings`].
    pub(crate) tags: &'a mut [u8],
}

/// What is done to the states, in whole steps.
pub(super) struct Steps<'a> {
    pub(super) begin: Begin<'a>,
    pub(super) saved: Option<&'a mut Saved>,
    /// Data to absorb: the second after the first.
    pub(super) absorb: [&'a [u8]; 2],
    pub(super) io: InOut<'a>,
    /// The last step, in place, with zeros after so many bytes of data. The bytes after the data become the keystream.
    pub(super) last: Option<(&'a mut [u8], usize)>,
    pub(super) seal: bool,
    pub(super) end: Option<End<'a>>,
}

/// Bytes of the tags of four states.
pub(crate) const TAGS: usize = 32 * 4;

/// The tag of a message: the XOR of those of its `degree` states.
#[inline(always)]
pub(crate) fn sum(tags: &[u8; TAGS], degree: usize) -> [u8; 32] {
    let half = |at: usize| {
        let mut sum = u128::from_ne_bytes(<[u8; 16]>::take(&tags[at..]));
        for i in 1..degree {
            sum ^= u128::from_ne_bytes(<[u8; 16]>::take(&tags[at + 16 * i..]));
        }
        sum.to_ne_bytes()
    };
    let mut tag = [0; 32];
    tag[..16].copy_from_slice(&half(0));
    tag[16..].copy_from_slice(&half(16 * degree));
    tag
}
