//! What is done to the states of a message in one call.

use super::state::{RATE, Saved, State};
use crate::Backend;
use crate::isa::{AesRounds, InOut, Isa, Task};
use core::marker::PhantomData;

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
    /// The tags of all states; see [`State::end`].
    pub(super) tags: &'a mut [u8; RATE],
}

/// Does a job of the variant with keys of `BITS` bits and `DEGREE` states.
#[inline(always)]
pub(super) fn run<const BITS: usize, const DEGREE: usize>(backend: Backend, job: Job<'_>) {
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

/// How many states a message has.
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

struct Run<'a, G, const B: usize, const M: usize>(Job<'a>, PhantomData<G>);

impl<G: Degree, const B: usize, const M: usize> Task for Run<'_, G, B, M> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        match const { G::DEGREE / G::States::<S>::N } {
            1 => go::<S, G::States<S>, B, M, 1>(isa, self.0),
            2 => go::<S, G::States<S>, B, M, 2>(isa, self.0),
            _ => go::<S, G::States<S>, B, M, 4>(isa, self.0),
        }
    }
}

#[inline(always)]
fn go<S: Isa, A: AesRounds<S>, const B: usize, const M: usize, const R: usize>(
    isa: S,
    job: Job<'_>,
) {
    let Job { begin, mut saved, absorb, io, seal, end } = job;
    let mut state = match (begin, &saved) {
        (Some([key, nonce]), _) => State::<S, A, B, M, R>::begin(isa, key, nonce),
        (None, Some(saved)) => State::load(isa, saved),
        (None, None) => return,
    };
    state.absorb(absorb);
    state.crypt(io.apart(), seal);
    if let Some(End { lengths, short, tags }) = end {
        state.end(lengths, short, tags);
    }
    if let Some(saved) = &mut saved {
        state.store(saved);
    }
}
