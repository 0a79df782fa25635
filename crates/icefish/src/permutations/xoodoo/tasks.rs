//! Permutations of many states in memory, in either order.

use super::plane::{Columns, Form, Plane, Two};
use super::rounds::{invert, permute};
use super::{STATE, Word};
use crate::isa::{Isa, Lanes, Sink, Task};
use core::marker::PhantomData;

/// As many states as any register has lanes.
const ROOM: usize = 16 * STATE;

#[inline(always)]
fn go<S: Isa, W: Word, P: Plane<S, W>, const INVERSE: bool>(
    isa: S,
    a: &mut [P; 3],
    constants: &[u32],
) {
    if INVERSE {
        invert(isa, a, constants);
    } else {
        permute(isa, a, constants);
    }
}

/// States one after the other, as many at a time as is fastest.
pub(super) struct Contiguous<'a, W, const INVERSE: bool> {
    constants: &'a [u32],
    states: &'a mut [u8],
    word: PhantomData<W>,
}

impl<'a, W: Word, const INVERSE: bool> Contiguous<'a, W, INVERSE> {
    pub(super) fn new(constants: &'a [u32], states: &'a mut [u8]) -> Self {
        Self { constants, states, word: PhantomData }
    }

    /// Permutes whole batches of the form `P`; returns what is left.
    #[inline(always)]
    fn batches<'s, S: Isa, P: Form<S, W>>(
        &self,
        isa: S,
        mut states: &'s mut [u8],
    ) -> &'s mut [u8] {
        while states.len() >= STATE * P::STATES {
            let (now, rest) = states.split_at_mut(STATE * P::STATES);
            let mut a = P::gather(isa, now);
            go::<S, W, P, INVERSE>(isa, &mut a, self.constants);
            P::scatter(a, Sink::new(now));
            states = rest;
        }
        states
    }
}

impl<W: Word, const INVERSE: bool> Task for Contiguous<'_, W, INVERSE> {
    type Out = ();
    const VAES: bool = false;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        let mut states = core::mem::take(&mut self.states);
        let few = STATE * W::Few::<S>::STATES;
        if few > STATE && states.len() > STATE {
            states = self.batches::<S, W::Many<S>>(isa, states);
            let len = states.len();
            if len == 0 {
                return;
            }
            if !len.is_multiple_of(few) {
                // The first states of the last batch are permuted with states of zeros.
                let mut room = [0; ROOM];
                let room = &mut room[..len.next_multiple_of(few)];
                room[..len].copy_from_slice(states);
                let rest = self.batches::<S, Two<W::Few<S>>>(isa, room);
                self.batches::<S, W::Few<S>>(isa, rest);
                states.copy_from_slice(&room[..len]);
                return;
            }
            states = self.batches::<S, Two<W::Few<S>>>(isa, states);
            states = self.batches::<S, W::Few<S>>(isa, states);
        }
        self.batches::<S, W::One<S>>(isa, states);
    }
}

/// States whose equal words lie one after the other.
pub(super) struct Sliced<'a, W, const INVERSE: bool> {
    constants: &'a [u32],
    states: &'a mut [u8],
    word: PhantomData<W>,
}

impl<'a, W: Word, const INVERSE: bool> Sliced<'a, W, INVERSE> {
    pub(super) fn new(constants: &'a [u32], states: &'a mut [u8]) -> Self {
        Self { constants, states, word: PhantomData }
    }
}

impl<W: Word, const INVERSE: bool> Sliced<'_, W, INVERSE> {
    /// Permutes as many states as fill a register; word `i` of the first is at byte `stride * i`.
    #[inline(always)]
    fn columns<S: Isa>(isa: S, constants: &[u32], states: &mut [u8], stride: usize) {
        let mut a = W::Many::<S>::load(isa, states, stride);
        go::<S, W, W::Many<S>, INVERSE>(isa, &mut a, constants);
        W::Many::<S>::store(a, states, stride);
    }
}

impl<W: Word, const INVERSE: bool> Task for Sliced<'_, W, INVERSE> {
    type Out = ();
    const VAES: bool = false;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let size = size_of::<W>() * W::Lanes::<S>::N;
        let stride = self.states.len() / (STATE / size_of::<W>());
        let mut at = 0;
        while at < stride {
            let left = stride - at;
            if left >= size {
                Self::columns(isa, self.constants, &mut self.states[at..], stride);
                at += size;
                continue;
            }
            let mut room = [0; ROOM];
            for i in 0..STATE / size_of::<W>() {
                room[size * i..][..left].copy_from_slice(&self.states[stride * i + at..][..left]);
            }
            Self::columns(isa, self.constants, &mut room, size);
            for i in 0..STATE / size_of::<W>() {
                self.states[stride * i + at..][..left].copy_from_slice(&room[size * i..][..left]);
            }
            at = stride;
        }
    }
}
