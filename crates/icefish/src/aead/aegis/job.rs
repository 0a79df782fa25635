//! What is done to the states of a message in one call.

use super::state::{RATE, Saved, rings};
use crate::Backend;
use crate::isa::{AesRounds, Gain, InOut, Isa, Task};
use core::marker::PhantomData;

/// Bytes of a call for variants of several states, so that the data is still in the second cache when the next ring takes it.
const STRIP: usize = 64 * 1024;

/// All that can be done, in this order. One task does all of it, so that each step is compiled as few times as possible.
pub(super) struct Job<'a> {
    /// Key and nonce of a message that begins. Without them it goes on from `saved`.
    pub(super) begin: Option<[&'a [u8]; 2]>,
    /// The state before and after; without it, nothing is left of the state.
    pub(super) saved: Option<&'a mut Saved>,
    /// Data to absorb. Zeros fill up the last step.
    pub(super) absorb: &'a [u8],
    /// Data to encrypt or decrypt. Zeros fill up the last step.
    pub(super) io: InOut<'a>,
    /// Whether to encrypt.
    pub(super) seal: bool,
    /// The end of the message.
    pub(super) end: Option<End<'a>>,
}

/// The end of a message.
pub(super) struct End<'a> {
    /// The two lengths that Finalize adds.
    pub(super) lengths: u128,
    /// Whether tags have 16 bytes.
    pub(super) short: bool,
    /// The tags of all states; see [`super::state::rings`].
    pub(super) tags: &'a mut [u8; RATE],
}

/// Does a job of the variant with keys of `BITS` bits and `DEGREE` states.
#[inline(always)]
pub(super) fn run<const BITS: usize, const DEGREE: usize>(backend: Backend, mut job: Job<'_>) {
    if DEGREE > 1 && job.absorb.len().max(job.io.len()) > STRIP {
        in_strips::<BITS, DEGREE>(backend, job);
    } else {
        once::<BITS, DEGREE>(backend, &mut job);
    }
}

#[inline(always)]
fn once<const BITS: usize, const DEGREE: usize>(backend: Backend, job: &mut Job<'_>) {
    match (BITS, DEGREE) {
        (128, 1) => backend.run(Run::<One, 8, 2>(job, PhantomData)),
        (128, 2) => backend.run(Run::<Two, 8, 2>(job, PhantomData)),
        (128, 4) => backend.run(Run::<Four, 8, 2>(job, PhantomData)),
        (256, 1) => backend.run(Run::<One, 6, 1>(job, PhantomData)),
        (256, 2) => backend.run(Run::<Two, 6, 1>(job, PhantomData)),
        (256, 4) => backend.run(Run::<Four, 6, 1>(job, PhantomData)),
        _ => unreachable!("no variant of AEGIS"),
    }
}

#[cold]
#[inline(never)]
fn in_strips<const BITS: usize, const DEGREE: usize>(backend: Backend, job: Job<'_>) {
    let Job { mut begin, saved, mut absorb, mut io, seal, mut end } = job;
    let mut room = Saved::NEW;
    let saved = saved.unwrap_or(&mut room);
    loop {
        let (strip, rest) = absorb.split_at(absorb.len().min(STRIP));
        let len = if rest.is_empty() { io.len().min(STRIP) } else { 0 };
        let (part, after) = io.split_at(len);
        let last = rest.is_empty() && after.is_empty();
        let (begin, saved, end) = (begin.take(), Some(&mut *saved), end.take_if(|_| last));
        once::<BITS, DEGREE>(backend, &mut Job { begin, saved, absorb: strip, io: part, seal, end });
        if last {
            return;
        }
        (absorb, io) = (rest, after);
    }
}

/// The number of states of a variant, as a type.
trait Degree: 'static {
    /// The number.
    const DEGREE: usize;
    /// AES states, at most so many.
    type States<S: Isa>: AesRounds<S>;
}

struct One;
struct Two;
struct Four;

impl Degree for One {
    const DEGREE: usize = 1;
    type States<S: Isa> = S::AesOne;
}

impl Degree for Two {
    const DEGREE: usize = 2;
    type States<S: Isa> = S::AesTwo;
}

impl Degree for Four {
    const DEGREE: usize = 4;
    type States<S: Isa> = S::AesFour;
}

/// A job of a variant. `B` and `M` are those of [`Ring`](super::ring::Ring).
struct Run<'j, 'a, D, const B: usize, const M: usize>(&'j mut Job<'a>, PhantomData<D>);

impl<D: Degree, const B: usize, const M: usize> Task for Run<'_, '_, D, B, M> {
    type Out = ();
    const GAIN: Gain = Gain::Rounds;
    /// One register that has all states knows their number, which is some nanoseconds faster.
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        match const { (D::States::<S>::N, D::DEGREE, S::Aes::SLICED) } {
            (1, 1, false) | (2, 2, false) | (4, 4, _) => {
                rings::<S, D::States<S>, B, M>(isa, self.0, D::DEGREE);
            }
            (1, ..) => isa.run(Rings::<One, B, M>(self.0, D::DEGREE, PhantomData)),
            _ => isa.run(Rings::<Two, B, M>(self.0, D::DEGREE, PhantomData)),
        }
    }
}

/// A job of a variant that has more states than a register, whose number is a value: compiled once for all such variants.
struct Rings<'j, 'a, D, const B: usize, const M: usize>(&'j mut Job<'a>, usize, PhantomData<D>);

impl<D: Degree, const B: usize, const M: usize> Task for Rings<'_, '_, D, B, M> {
    type Out = ();
    const GAIN: Gain = Gain::Rounds;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        rings::<S, D::States<S>, B, M>(isa, self.0, self.1);
    }
}
