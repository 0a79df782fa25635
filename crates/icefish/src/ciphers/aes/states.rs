//! AES states in registers, as a mode handles them.

use crate::cipher::{Counters, Direction, Wide};
use crate::isa::{AesRounds, Endian, Isa, Sink};
use core::marker::PhantomData;

/// `R` registers of states.
#[derive(Clone, Copy)]
pub(crate) struct States<A, const R: usize>(pub(super) [A; R]);

impl<A, const R: usize> States<A, R> {
    /// Counter blocks; see [`AesRounds::next_counters`].
    #[inline(always)]
    pub(super) fn counted<S: Isa>(isa: S, counters: Counters<'_>, next: &mut Option<A>) -> Self
    where
        A: AesRounds<S>,
    {
        let Counters { template, endian, low } = counters;
        let template = template.try_into().expect("an AES block");
        Self(A::next_counters(isa, template, endian, low, next))
    }
}

impl<S: Isa, A: AesRounds<S>, const R: usize> Wide<S> for States<A, R> {
    const BLOCKS: usize = R * A::N;
    /// `Bytes` need only hold one register, because only single registers are partly filled; none has more than 32 states.
    type Bytes = [u8; 1024];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let bytes = &bytes[..16 * R * A::N];
        let mut x = [A::load(isa, bytes); R];
        for (i, state) in x.iter_mut().enumerate() {
            *state = A::load(isa, &bytes[16 * A::N * i..]);
        }
        Self(x)
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        if sink.ascends() {
            for i in 0..R {
                self.0[i].store(&mut sink, 16 * A::N * i);
            }
        } else {
            for i in (0..R).rev() {
                self.0[i].store(&mut sink, 16 * A::N * i);
            }
        }
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let template = template.try_into().expect("an AES block");
        Self(A::counter_batch(isa, template, endian, low))
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut x = self.0;
        for (i, state) in x.iter_mut().enumerate() {
            *state = state.xor(other.0[i]);
        }
        Self(x)
    }
}

/// `R` registers of states whose last round, with the key `last`, is done when they are stored.
#[derive(Clone, Copy)]
pub(super) struct Ending<D, A, const R: usize> {
    x: [A; R],
    last: Option<A>,
    direction: PhantomData<D>,
}

impl<D, A, const R: usize> Ending<D, A, R> {
    #[inline(always)]
    pub(super) fn new(x: [A; R], last: A) -> Self {
        Self { x, last: Some(last), direction: PhantomData }
    }

    #[inline(always)]
    fn ended<S: Isa>(self, _: S) -> States<A, R>
    where
        A: AesRounds<S>,
        D: Direction,
    {
        let mut x = self.x;
        if let Some(last) = self.last {
            for state in &mut x {
                *state = if D::ENCRYPT { state.enc_last(last) } else { state.dec_last(last) };
            }
        }
        States(x)
    }

    /// Stores register `i` after the round with the key `last`.
    #[inline(always)]
    fn end<S: Isa>(&self, i: usize, last: A, sink: &mut Sink<'_>)
    where
        A: AesRounds<S>,
        D: Direction,
    {
        let at = 16 * A::N * i;
        if D::ENCRYPT {
            self.x[i].end::<true>(last, sink, at);
        } else {
            self.x[i].end::<false>(last, sink, at);
        }
    }
}

impl<S: Isa, D: Direction, A: AesRounds<S>, const R: usize> Wide<S> for Ending<D, A, R> {
    const BLOCKS: usize = R * A::N;
    type Bytes = [u8; 1024];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self { x: States::load(isa, bytes).0, last: None, direction: PhantomData }
    }
    #[inline(always)]
    fn settle(&mut self, isa: S) {
        *self = Self { x: self.ended(isa).0, last: None, direction: PhantomData };
    }
    #[inline(always)]
    fn store(&mut self, isa: S, mut sink: Sink<'_>) {
        let Some(last) = self.last else { return States(self.x).store(isa, sink) };
        if sink.ascends() {
            for i in 0..R {
                self.end::<S>(i, last, &mut sink);
            }
        } else {
            for i in (0..R).rev() {
                self.end::<S>(i, last, &mut sink);
            }
        }
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let x = States::counters(isa, template, endian, low).0;
        Self { x, last: None, direction: PhantomData }
    }
    #[inline(always)]
    fn xor(self, isa: S, other: Self) -> Self {
        let x = self.ended(isa).xor(isa, other.ended(isa)).0;
        Self { x, last: None, direction: PhantomData }
    }
}

/// One state. If the backend has several in a register, all are the same.
#[derive(Clone, Copy)]
pub struct One<A>(pub(super) A);

impl<S: Isa, A: AesRounds<S>> Wide<S> for One<A> {
    const BLOCKS: usize = 1;
    type Bytes = [u8; 16];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self(A::splat(isa, bytes.try_into().expect("an AES block")))
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        self.0.store_one(&mut sink, 0);
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        Self(A::counters(isa, template.try_into().expect("an AES block"), endian, low))
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        Self(self.0.xor(other.0))
    }
}
