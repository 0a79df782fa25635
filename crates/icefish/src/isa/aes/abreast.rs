//! AES states side by side, for constructions that use the round function alone, such as AEGIS.

use super::AesRounds;
use crate::isa::{Isa, Sink};

/// A fixed number of AES states (FIPS 197, section 3.4), in as many registers as they take, on the instruction set `S`.
pub trait Abreast<S: Isa>: Copy {
    /// Number of states.
    const N: usize;
    /// The same 16 bytes in every state.
    fn splat(isa: S, state: &[u8; 16]) -> Self;
    /// `N` consecutive states.
    ///
    /// # Panics
    /// If `bytes` is shorter than `N` states.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// Writes the states to `sink`, from byte `at` on.
    ///
    /// # Panics
    /// If `sink` ends before `at + 16 N`.
    fn store(self, sink: &mut Sink<'_>, at: usize);
    /// XOR, state by state.
    fn xor(self, other: Self) -> Self;
    /// AND of all bits.
    fn and(self, other: Self) -> Self;
    /// MixColumns(ShiftRows(SubBytes(state))) ^ key.
    fn round(self, key: Self) -> Self;
}

/// `R` registers of AES states.
#[derive(Clone, Copy, Debug)]
pub struct Joined<A, const R: usize>([A; R]);

impl<S: Isa, A: AesRounds<S>, const R: usize> Abreast<S> for Joined<A, R> {
    const N: usize = R * A::N;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        Self([A::splat(isa, state); R])
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let bytes = &bytes[..16 * R * A::N];
        let mut x = [A::load(isa, bytes); R];
        for i in 1..R {
            x[i] = A::load(isa, &bytes[16 * A::N * i..]);
        }
        Self(x)
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        for i in (0..R).rev() {
            self.0[i].store(sink, at + 16 * A::N * i);
        }
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        let mut x = self.0;
        for i in 0..R {
            x[i] = x[i].xor(other.0[i]);
        }
        Self(x)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        let mut x = self.0;
        for i in 0..R {
            x[i] = x[i].and(other.0[i]);
        }
        Self(x)
    }
    #[inline(always)]
    fn round(self, key: Self) -> Self {
        let mut x = self.0;
        for i in 0..R {
            x[i] = x[i].round(key.0[i]);
        }
        Self(x)
    }
}
