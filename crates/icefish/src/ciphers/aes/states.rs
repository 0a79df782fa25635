//! AES states in registers, as a mode handles them.

use crate::cipher::Wide;
use crate::isa::{AesRounds, Endian, Isa, Sink};

/// `R` registers of states.
#[derive(Clone, Copy)]
pub(crate) struct States<A, const R: usize>(pub(super) [A; R]);

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
        for i in (0..R).rev() {
            self.0[i].store(&mut sink, 16 * A::N * i);
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
