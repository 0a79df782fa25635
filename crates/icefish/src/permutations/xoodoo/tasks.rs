//! Permutations of many states in memory, consecutive or interleaved.

use super::plane::{Columns, Form, Two};
use super::rounds::permute_or_invert;
use super::single::PermuteOne;
use super::{STATE, Word};
use crate::isa::{Extension, Isa, Lanes, Sink, Task, forms};
use core::marker::PhantomData;

/// As many states as the widest register has lanes.
const ROOM: usize = 16 * STATE;

/// Consecutive states, in the batches that are fastest.
pub(super) struct Contiguous<'a, W, const INVERSE: bool> {
    constants: &'a [u32],
    states: &'a mut [u8],
    word: PhantomData<W>,
}

impl<'a, W: Word, const INVERSE: bool> Contiguous<'a, W, INVERSE> {
    pub(super) fn new(constants: &'a [u32], states: &'a mut [u8]) -> Self {
        Self { constants, states, word: PhantomData }
    }

    /// Permutes batches of as many states as the form `P` has, while there are at least `least` states. A batch that is not full
    /// is filled up with zeros. Returns the remaining states.
    #[inline(always)]
    fn batches<'s, S: Isa, P: Form<S, W>>(
        &self,
        isa: S,
        mut states: &'s mut [u8],
        least: usize,
    ) -> &'s mut [u8] {
        let mut room = [0; ROOM];
        while states.len() >= STATE * least {
            let size = STATE * P::STATES;
            let (now, rest) = states.split_at_mut(size.min(states.len()));
            let whole = now.len() == size;
            if !whole {
                room[..now.len()].copy_from_slice(now);
            }
            let batch = if whole { &mut *now } else { &mut room[..size] };
            let mut a = P::gather(isa, batch);
            permute_or_invert::<S, W, P, INVERSE>(isa, &mut a, self.constants);
            P::scatter(a, Sink::new(batch));
            if !whole {
                now.copy_from_slice(&room[..now.len()]);
            }
            states = rest;
        }
        states
    }
}

impl<W: Word, const INVERSE: bool> Task for Contiguous<'_, W, INVERSE> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        let mut states = core::mem::take(&mut self.states);
        let (few, many) = (W::Few::<S>::STATES, W::Many::<S>::STATES);
        if many > 1 && states.len() > STATE {
            // For Xoodoo, a batch of any form takes at most as long as two single states. For Xoodoo64, that depends on the
            // CPU.
            let [of_four, of_two] = forms().xoodoo64_batch;
            let least = match (W::BITS, few > 2) {
                (64, true) => of_four,
                (64, false) => of_two,
                _ => 2,
            };
            let bulk = W::Bulk::<S>::STATES;
            states = self.batches::<S, W::Bulk<S>>(isa, states, bulk);
            if bulk > 2 * many {
                states = self.batches::<S, Two<W::Many<S>>>(isa, states, 2 * many);
            }
            if few > 1 && many > 2 * few {
                states = self.batches::<S, W::Many<S>>(isa, states, 2 * few + 1);
                states = self.batches::<S, Two<W::Few<S>>>(isa, states, few + 1);
            } else {
                states = self.batches::<S, W::Many<S>>(isa, states, least.max(few + 1));
            }
            if few > 1 {
                states = self.batches::<S, W::Few<S>>(isa, states, least);
            }
        }
        for state in states.as_chunks_mut().0 {
            isa.run(PermuteOne::<W, INVERSE>::new(self.constants, state));
        }
    }
}

/// Interleaved states.
pub(super) struct Interleaved<'a, W, const INVERSE: bool> {
    constants: &'a [u32],
    states: &'a mut [u8],
    word: PhantomData<W>,
}

impl<'a, W: Word, const INVERSE: bool> Interleaved<'a, W, INVERSE> {
    pub(super) fn new(constants: &'a [u32], states: &'a mut [u8]) -> Self {
        Self { constants, states, word: PhantomData }
    }
}

impl<W: Word, const INVERSE: bool> Interleaved<'_, W, INVERSE> {
    /// Permutes as many states as the form `P` has. Word `i` of the first state is at byte `stride * i`.
    #[inline(always)]
    fn columns<S: Isa, P: Columns<S, W>>(
        isa: S,
        constants: &[u32],
        states: &mut [u8],
        stride: usize,
    ) {
        let mut a = P::load(isa, states, stride);
        permute_or_invert::<S, W, P, INVERSE>(isa, &mut a, constants);
        P::store(a, states, stride);
    }
}

impl<W: Word, const INVERSE: bool> Task for Interleaved<'_, W, INVERSE> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let size = size_of::<W>() * W::Lanes::<S>::N;
        let stride = self.states.len() / (STATE / size_of::<W>());
        let mut at = 0;
        while at < stride {
            let left = stride - at;
            let (many, bulk) = (W::Many::<S>::STATES, W::Bulk::<S>::STATES);
            if many > 1 && left >= size / many * bulk {
                Self::columns::<S, W::Bulk<S>>(isa, self.constants, &mut self.states[at..], stride);
                at += size / many * bulk;
                continue;
            }
            if many > 1 && bulk > 2 * many && left >= 2 * size {
                Self::columns::<S, Two<W::Many<S>>>(
                    isa,
                    self.constants,
                    &mut self.states[at..],
                    stride,
                );
                at += 2 * size;
                continue;
            }
            if left >= size {
                Self::columns::<S, W::Many<S>>(isa, self.constants, &mut self.states[at..], stride);
                at += size;
                continue;
            }
            let mut room = [0; ROOM];
            for i in 0..STATE / size_of::<W>() {
                room[size * i..][..left].copy_from_slice(&self.states[stride * i + at..][..left]);
            }
            Self::columns::<S, W::Many<S>>(isa, self.constants, &mut room, size);
            for i in 0..STATE / size_of::<W>() {
                self.states[stride * i + at..][..left].copy_from_slice(&room[size * i..][..left]);
            }
            at = stride;
        }
    }
}

/// Computes the number of lanes of a register.
pub(super) struct StatesPerBatch<W>(PhantomData<W>);

impl<W> StatesPerBatch<W> {
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

impl<W: Word> Task for StatesPerBatch<W> {
    type Out = usize;
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> usize {
        W::Lanes::<S>::N
    }
}
