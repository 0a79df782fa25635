//! One block, in the form with the lowest latency.

use super::halves::{self, Halves};
use super::rounds::SameTweak;
use super::{Threefish, Words};
use crate::cipher::{Direction, Pass, Wide};
use crate::isa::{Endian, Isa, Lanes, Sink, forms};
use core::num::Wrapping;

/// A block in general registers or in two vectors. The compiler knows which; the other is zeros that are never read.
#[derive(Clone, Copy)]
pub struct WordsOrHalves<V, const W: usize> {
    words: Words<Wrapping<u64>, W, 1>,
    halves: Halves<V, W>,
}

/// Whether a block of `words` words in a chain is in two vectors of `lanes` lanes. That is so for Threefish-1024 with 8 lanes:
/// its 16 words do not fit in the general registers. The others are faster in general registers.
pub(super) const fn in_vectors(words: usize, lanes: usize) -> bool {
    words == 16 && lanes == 8
}

impl<const W: usize, const B: usize> Threefish<W, B> {
    /// One block in registers.
    #[inline(always)]
    pub(super) fn single<S: Isa, D: Direction>(
        &self,
        isa: S,
        mut block: WordsOrHalves<S::U64, W>,
    ) -> WordsOrHalves<S::U64, W> {
        if !const { in_vectors(W, <S::U64 as crate::isa::Lanes<S, u64>>::N) } {
            block.words = self.words::<S, D, Wrapping<u64>, _, 1>(isa, SameTweak, block.words);
            return block;
        }
        block.halves = if D::ENCRYPT {
            halves::encrypt(isa, &self.subkeys, block.halves)
        } else {
            halves::decrypt(isa, &self.subkeys, block.halves)
        };
        block
    }

    /// One block on which no other depends. Modes that chain blocks keep them in vectors even where this function uses words:
    /// the conversion would take more time than words save.
    #[inline(always)]
    pub(super) fn alone<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, at: usize) {
        let fits = const { in_vectors(W, <S::U64 as crate::isa::Lanes<S, u64>>::N) };
        if fits && forms().threefish_1024_in_vectors[usize::from(!D::ENCRYPT)] {
            let x: WordsOrHalves<S::U64, W> = pass.enter(isa, at, 1);
            let mut x = self.single::<S, D>(isa, x);
            pass.leave(isa, at, 1, &mut x);
        } else {
            let x: Words<Wrapping<u64>, W, 1> = pass.enter(isa, at, 1);
            let mut x = self.words::<S, D, Wrapping<u64>, _, 1>(isa, SameTweak, x);
            pass.leave(isa, at, 1, &mut x);
        }
    }
}

impl<S: Isa, V: Lanes<S, u64>, const W: usize> Wide<S> for WordsOrHalves<V, W> {
    const BLOCKS: usize = 1;
    type Bytes = [u8; 128];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let mut block = Self { words: Words::zero(), halves: Halves::zero(isa) };
        if const { in_vectors(W, V::N) } {
            let (low, high) = bytes[..8 * W].split_at(4 * W);
            block.halves = Halves::new(isa, V::load(isa, low), V::load(isa, high));
        } else {
            block.words = Wide::<S>::load(isa, bytes);
        }
        block
    }
    #[inline(always)]
    fn store(&mut self, isa: S, mut sink: Sink<'_>) {
        if const { in_vectors(W, V::N) } {
            let (low, high) = self.halves.words(isa);
            high.put(sink.part(4 * W, 4 * W));
            low.put(sink.part(0, 4 * W));
        } else {
            self.words.store(isa, sink);
        }
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let words = Words::counters(isa, template, endian, low);
        if const { in_vectors(W, V::N) } {
            let mut bytes = [0; 8 * 16];
            let mut words: Words<Wrapping<u64>, W, 1> = words;
            words.store(isa, Sink::new(&mut bytes[..8 * W]));
            return Self::load(isa, &bytes[..8 * W]);
        }
        Self { words, halves: Halves::zero(isa) }
    }
    #[inline(always)]
    fn xor(self, isa: S, other: Self) -> Self {
        if const { in_vectors(W, V::N) } {
            Self { halves: self.halves.xor(other.halves), ..self }
        } else {
            Self { words: self.words.xor(isa, other.words), ..self }
        }
    }
}
