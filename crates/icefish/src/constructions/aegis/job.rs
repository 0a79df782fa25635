//! What is done to the states of a message in one call.

use super::state::rings;
use super::steps::{Begin, End, RATE, Steps, WholeSteps};
use super::variant::Variant;
use crate::Backend;
use crate::isa::{AesRounds, Extension, InOut, Isa, Task, Two, erase};
use core::hint::black_box;
use core::marker::PhantomData;

/// The most bytes of each input in a job with several rings: data is then still in the L2 cache when the next ring takes it.
pub(crate) const STRIP: usize = 64 * 1024;

/// The parts of a job, in the order in which they are done. One task does all of them, so that each step is compiled as few
/// times as possible.
pub(crate) struct Job<'a> {
    pub(crate) begin: Begin<'a>,
    /// Takes the state after the job. If there is none, the state is not kept.
    pub(crate) saved: Option<&'a mut [u8]>,
    /// Data to absorb. Zeros fill up the last step.
    pub(crate) absorb: &'a [u8],
    /// Data to encrypt or decrypt. Zeros fill up the last step.
    pub(crate) io: InOut<'a>,
    /// Whether to encrypt.
    pub(crate) seal: bool,
    /// The end of the message.
    pub(crate) end: Option<End<'a>>,
}

/// Does a job of the variant with keys of `BITS` bits and `DEGREE` states: compiled into its caller, for whole messages.
#[inline(always)]
pub(crate) fn run<const BITS: usize, const DEGREE: usize>(backend: Backend, job: Job<'_>) {
    let variant = Variant::of::<BITS, DEGREE>();
    match variant.rate() {
        16 => run_inlined::<16>(backend, variant, job),
        32 => run_inlined::<32>(backend, variant, job),
        64 => run_inlined::<64>(backend, variant, job),
        _ => run_inlined::<RATE>(backend, variant, job),
    }
}

/// The same for all variants, compiled once.
#[inline(never)]
pub(super) fn run_any(backend: Backend, variant: Variant, job: Job<'_>) {
    run_inlined::<RATE>(backend, variant, job);
}

/// A job of a variant whose steps take at most `STEP` bytes.
///
/// The last steps are filled up outside of the task. Within it, the compiler would use registers of 512 bits for that with
/// AVX-512, and CPUs of Intel then have two ports for vectors instead of three for a while: a short message took 11 ns longer.
#[inline(always)]
fn run_inlined<const STEP: usize>(backend: Backend, variant: Variant, job: Job<'_>) {
    let rate = variant.rate();
    let Job { begin, saved, absorb, io, seal, end } = job;
    let (absorb, rest) = absorb.split_at(absorb.len() / rate * rate);
    let (mut last_absorbed, mut last): ([u8; STEP], [u8; STEP]);
    let mut steps = Steps { begin, saved, last_absorbed: None, last: None, seal, end };
    if !rest.is_empty() {
        last_absorbed = [0; STEP];
        copy(black_box(&mut last_absorbed), rest);
        steps.last_absorbed = Some(&last_absorbed[..rate]);
    }
    let whole = io.len() / rate * rate;
    let (io, mut rest) = io.split_at(whole);
    let data = WholeSteps { absorb, io };
    if rest.is_empty() {
        return dispatch(backend, variant, data, &mut steps);
    }
    let len = rest.len();
    last = [0; STEP];
    // Without the barrier, the compiler would zero the rest by a call of `memset`.
    copy(black_box(&mut last), rest.input());
    steps.last = Some((&mut last[..rate], len));
    dispatch(backend, variant, data, &mut steps);
    copy(rest.output(), &last[..len]);
    erase(&mut last);
}

/// Copies the bytes of an incomplete step to the beginning of `to`. A call of `memcpy` would take a tenth of a short message.
#[inline(always)]
fn copy(to: &mut [u8], from: &[u8]) {
    const { assert!(RATE == 128, "a bit of the length for each call below") };
    debug_assert!(from.len() < RATE && from.len() <= to.len(), "an incomplete step");
    let rest = (to, from);
    let rest = copy_if::<64>(rest);
    let rest = copy_if::<32>(rest);
    let rest = copy_if::<16>(rest);
    let rest = copy_if::<8>(rest);
    let rest = copy_if::<4>(rest);
    let rest = copy_if::<2>(rest);
    copy_if::<1>(rest);
}

/// `W` bytes, if the number of bytes that are left has this bit. Returns what is left then.
#[inline(always)]
fn copy_if<'t, 'f, const W: usize>(
    (to, from): (&'t mut [u8], &'f [u8]),
) -> (&'t mut [u8], &'f [u8]) {
    if from.len() & W == 0 {
        return (to, from);
    }
    match (to.split_first_chunk_mut::<W>(), from.split_first_chunk::<W>()) {
        (Some((to, room)), Some((from, rest))) => {
            *to = *from;
            (room, rest)
        }
        _ => (&mut [], &[]),
    }
}

#[inline(always)]
fn dispatch<'a>(backend: Backend, variant: Variant, data: WholeSteps<'a>, steps: &mut Steps<'a>) {
    match (variant.bits, variant.degree) {
        (128, 1) => backend.run(RunsJob::<OneState, 8, 2>(data, steps, PhantomData)),
        (128, 2) => backend.run(RunsJob::<TwoStates, 8, 2>(data, steps, PhantomData)),
        (128, 4) => backend.run(RunsJob::<FourStates, 8, 2>(data, steps, PhantomData)),
        (256, 1) => backend.run(RunsJob::<OneState, 6, 1>(data, steps, PhantomData)),
        (256, 2) => backend.run(RunsJob::<TwoStates, 6, 1>(data, steps, PhantomData)),
        (256, 4) => backend.run(RunsJob::<FourStates, 6, 1>(data, steps, PhantomData)),
        _ => unreachable!("no variant of AEGIS"),
    }
}

/// The most bytes of each input in a job of the variant on this backend: [`STRIP`], or any number where one register has all
/// states.
#[inline(never)]
pub(crate) fn longest(backend: Backend, degree: usize) -> usize {
    let states = match degree {
        1 => 1,
        2 => backend.run(StatesOf::<TwoStates>(PhantomData)),
        _ => backend.run(StatesOf::<FourStates>(PhantomData)),
    };
    if states == degree { usize::MAX } else { STRIP }
}

/// The number of states of a register.
struct StatesOf<D>(PhantomData<D>);

impl<D: Degree> Task for StatesOf<D> {
    type Out = usize;
    const EXTENSION: Extension = Extension::Rounds;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> usize {
        D::States::<S>::N
    }
}

/// The number of states of a variant, as a type.
trait Degree: 'static {
    /// The number.
    const DEGREE: usize;
    /// A register of AES states, at most as many as the variant has.
    type States<S: Isa>: AesRounds<S>;
}

struct OneState;
struct TwoStates;
struct FourStates;

impl Degree for OneState {
    const DEGREE: usize = 1;
    type States<S: Isa> = S::AesOne;
}

impl Degree for TwoStates {
    const DEGREE: usize = 2;
    type States<S: Isa> = S::AesTwo;
}

impl Degree for FourStates {
    const DEGREE: usize = 4;
    type States<S: Isa> = S::AesFour;
}

/// A job of a variant. `B` and `M` are those of [`StateRing`](super::ring::StateRing).
struct RunsJob<'j, 'a, D, const B: usize, const M: usize>(
    WholeSteps<'a>,
    &'j mut Steps<'a>,
    PhantomData<D>,
);

impl<D: Degree, const B: usize, const M: usize> Task for RunsJob<'_, '_, D, B, M> {
    type Out = ();
    const EXTENSION: Extension = Extension::Rounds;
    /// The number of states is a constant in two cases: with AES instructions, where one register or two have all states; and for
    /// four bit-sliced states. That is some nanoseconds faster.
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let (data, steps) = (self.0, self.1);
        match const { (D::States::<S>::N, D::DEGREE, S::Aes::SLICED) } {
            (1, 1, false) | (2, 2, false) | (4, 4, _) => {
                rings::<S, D::States<S>, B, M>(isa, data, steps, D::DEGREE);
            }
            // Twice six blocks fit in 16 registers. One ring of AEGIS-256 after the other takes 1.4 times as long (Zen 3, VAES at
            // 256 bits).
            (2, 4, false) if B == 6 => {
                rings::<S, Two<D::States<S>>, B, M>(isa, data, steps, D::DEGREE);
            }
            (1, ..) => isa.run(Rings::<OneState, B, M>(data, steps, D::DEGREE, PhantomData)),
            _ => isa.run(Rings::<TwoStates, B, M>(data, steps, D::DEGREE, PhantomData)),
        }
    }
}

/// A job whose number of states is a value. Variants with the same `B`, `M` and register share the code.
struct Rings<'j, 'a, D, const B: usize, const M: usize>(
    WholeSteps<'a>,
    &'j mut Steps<'a>,
    usize,
    PhantomData<D>,
);

impl<D: Degree, const B: usize, const M: usize> Task for Rings<'_, '_, D, B, M> {
    type Out = ();
    const EXTENSION: Extension = Extension::Rounds;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let data = WholeSteps { io: self.0.io.apart(), ..self.0 };
        rings::<S, D::States<S>, B, M>(isa, data, self.1, self.2);
    }
}
