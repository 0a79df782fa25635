//! What is done to the states of a message in one call.

use super::state::{Degree, RATE, Saved, State};
use crate::Backend;
use crate::isa::{Abreast, InOut, Isa, Joined, Sink, Task, erase};
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
    /// The tags of all states; see [`State::tags`].
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

pub(super) struct One;
pub(super) struct Two;
pub(super) struct Four;

impl Degree for One {
    const DEGREE: usize = 1;
    type Blocks<S: Isa> = Joined<S::AesOne, 1>;
}

impl Degree for Two {
    const DEGREE: usize = 2;
    type Blocks<S: Isa> = S::AesTwo;
}

impl Degree for Four {
    const DEGREE: usize = 4;
    type Blocks<S: Isa> = S::AesFour;
}

struct Run<'a, G, const B: usize, const M: usize>(Job<'a>, PhantomData<G>);

impl<G: Degree, const B: usize, const M: usize> Task for Run<'_, G, B, M> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Job { begin, mut saved, absorb, io, seal, end } = self.0;
        let mut state = match (begin, &saved) {
            (Some([key, nonce]), _) => State::<S, G, B, M>::begin(isa, key, nonce),
            (None, Some(saved)) => State::load(isa, saved),
            (None, None) => return,
        };
        state.absorb(absorb);
        if seal {
            state.crypt::<true>(io.apart());
        } else {
            state.crypt::<false>(io.apart());
        }
        if let Some(End { lengths, short, tags }) = end {
            state.end(lengths);
            state.tags(short, tags);
        }
        if let Some(saved) = &mut saved {
            state.store(saved);
        }
    }
}

impl<S: Isa, G: Degree, const B: usize, const M: usize> State<S, G, B, M> {
    #[inline(always)]
    fn absorb(&mut self, data: &[u8]) {
        let mut rest = data;
        while let Some((now, after)) = rest.split_at_checked(Self::RATE) {
            self.step(self.data(now));
            rest = after;
        }
        if !rest.is_empty() {
            let mut last = [0; RATE];
            last[..rest.len()].copy_from_slice(rest);
            self.step(self.data(&last));
        }
    }

    #[inline(always)]
    fn crypt<const SEAL: bool>(&mut self, mut io: InOut<'_>) {
        let mut at = 0;
        while io.len() - at >= Self::RATE {
            let m = self.data(&io.input()[at..]);
            self.crypt_step::<SEAL>(m, io.sink(at, Self::RATE));
            at += Self::RATE;
        }
        if at < io.len() {
            self.crypt_last::<SEAL>(io, at);
        }
    }

    #[inline(always)]
    fn crypt_step<const SEAL: bool>(&mut self, mut m: [G::Blocks<S>; M], mut sink: Sink<'_>) {
        let z = self.keystream();
        let mut out = m;
        for i in 0..M {
            out[i] = m[i].xor(z[i]);
            out[i].store(&mut sink, 16 * G::DEGREE * i);
        }
        if !SEAL {
            m = out;
        }
        self.step(m);
    }

    /// The last bytes, fewer than a step takes. The plaintext is filled up with zeros.
    #[inline(always)]
    fn crypt_last<const SEAL: bool>(&mut self, mut io: InOut<'_>, at: usize) {
        let (mut last, z) = ([0; RATE], self.keystream());
        let len = io.len() - at;
        last[..len].copy_from_slice(&io.input()[at..]);
        let plain = self.data(&last);
        let mut sink = Sink::new(&mut last);
        for i in 0..M {
            plain[i].xor(z[i]).store(&mut sink, 16 * G::DEGREE * i);
        }
        io.output()[at..].copy_from_slice(&last[..len]);
        if SEAL {
            self.step(plain);
        } else {
            last[len..].fill(0);
            self.step(self.data(&last));
        }
        erase(&mut last);
    }
}
