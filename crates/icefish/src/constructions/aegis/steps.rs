//! A state between calls, and what is done to the states of a message in whole steps.

use super::ring::store;
use super::variant::KeyNonce;
use crate::Block;
use crate::isa::{AesRounds, InOut, Isa, Sink, erase};

/// The most bytes that all states of a message have: four states of 128 bytes, in AEGIS-128X4.
const STATE: usize = 512;
/// Bytes of the largest step, that of AEGIS-128X4.
pub(crate) const RATE: usize = 128;

/// The states of a message between calls: the first block of every state, then the second block of every state, and so on.
#[derive(Clone)]
pub(crate) struct Saved<const LEN: usize = STATE>([u8; LEN]);

impl<const LEN: usize> Saved<LEN> {
    /// Room for states of at most `LEN` bytes together.
    pub(crate) const NEW: Self = Self([0; LEN]);

    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    #[inline(always)]
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl<const LEN: usize> Drop for Saved<LEN> {
    fn drop(&mut self) {
        erase(&mut self.0);
    }
}

/// The state that a job begins with.
#[derive(Clone, Copy)]
pub(crate) enum Begin<'a> {
    /// A new message.
    New(KeyNonce<'a>),
    /// The state in `saved` of the job.
    Saved,
    /// The states of a variant; of a variant with one state, the first of these states. They are not changed.
    First(&'a [u8]),
}

/// The end of a message.
pub(crate) struct End<'a> {
    /// The two lengths that Finalize adds.
    pub(crate) lengths: [u64; 2],
    /// Whether tags have 16 bytes.
    pub(crate) short: bool,
    pub(crate) tags: Tags<'a>,
}

/// Where the tags of the states go.
pub(crate) enum Tags<'a> {
    /// Their XOR, which is the tag of a message.
    Sum(&'a mut [u8; 32]),
    /// The first halves of all tags, and after them the second halves. A short tag is in the place of the first half, and zeros are
    /// in that of the second.
    Each(&'a mut [u8]),
}

impl Tags<'_> {
    /// Takes the halves of the tags of a register's states. In [`Tags::Each`], the first halves begin at byte `at`, and the
    /// second halves `row` bytes later.
    #[inline(always)]
    pub(super) fn put<S: Isa, A: AesRounds<S>>(
        &mut self,
        isa: S,
        halves: [A; 2],
        at: usize,
        row: usize,
    ) {
        for i in 0..2 {
            match self {
                Self::Sum(tag) => {
                    let half = &mut tag[16 * i..16 * (i + 1)];
                    let before = if at == 0 { [0; 16] } else { <[u8; 16]>::take(half) };
                    let sum = u128::from_ne_bytes(halves[i].sum()) ^ u128::from_ne_bytes(before);
                    half.copy_from_slice(&sum.to_ne_bytes());
                }
                Self::Each(tags) => {
                    store::<S, A>(isa, halves[i], &mut Sink::new(&mut tags[at..]), row * i)
                }
            }
        }
    }
}

/// The data of a job, as far as it fills whole steps.
pub(super) struct WholeSteps<'a> {
    pub(super) absorb: &'a [u8],
    pub(super) io: InOut<'a>,
}

/// The rest of a job.
///
/// The caller stores it word by word, and should store few words. While the tag of one message is computed, a CPU begins with the
/// next one, as far as its store queue lasts: that of a Zen 3 has 64 entries. With four more stores, opening 256 bytes with
/// AEGIS-128L takes 190 cycles instead of 157.
pub(super) struct Steps<'a> {
    pub(super) begin: Begin<'a>,
    pub(super) saved: Option<&'a mut [u8]>,
    /// The last step to absorb.
    pub(super) last_absorbed: Option<&'a [u8]>,
    /// The last step, in place, and how many bytes of it are data; the others are zeros. The bytes after the data become the
    /// keystream.
    pub(super) last: Option<(&'a mut [u8], usize)>,
    pub(super) seal: bool,
    pub(super) end: Option<End<'a>>,
}
