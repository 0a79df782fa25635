//! Two registers of AES states as one.

use super::AesRounds;
use crate::isa::{Endian, Isa, Sink};

/// The states of two registers: those of the first, then those of the second. Where each round waits for the one before, one
/// register does not fill the units for AES rounds.
///
/// For sinks that ascend only: the first register is stored first, and would overwrite bytes to XOR that lie before the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Two<A>(A, A);

impl<S: Isa, A: AesRounds<S>> AesRounds<S> for Two<A> {
    const N: usize = 2 * A::N;
    const SLICED: bool = A::SLICED;
    const FILLS: bool = true;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        let both = A::splat(isa, state);
        Self(both, both)
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self(A::load(isa, bytes), A::load(isa, &bytes[16 * A::N..]))
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        let mut both = sink.part(at, 16 * Self::N);
        self.0.store(&mut both, 0);
        self.1.store(&mut both, 16 * A::N);
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        self.0.store_one(sink, at);
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        let second = low.wrapping_add(A::N as u64);
        Self(A::counters(isa, template, endian, low), A::counters(isa, template, endian, second))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0.and(other.0), self.1.and(other.1))
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        Self(self.0.enc(key.0), self.1.enc(key.1))
    }
    #[inline(always)]
    fn round(self, key: Self) -> Self {
        Self(self.0.round(key.0), self.1.round(key.1))
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        Self(self.0.enc_last(key.0), self.1.enc_last(key.1))
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        Self(self.0.dec(key.0), self.1.dec(key.1))
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        Self(self.0.dec_last(key.0), self.1.dec_last(key.1))
    }
}
