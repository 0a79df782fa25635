//! One lane: words of the language. The reference for every other backend.

use super::sliced_aes::Sliced;
use super::soft_clmul::SoftPoly;
use super::{Isa, Lanes, Sink, Task};
use core::num::Wrapping;

/// Any CPU. AES rounds are bit-sliced, in constant time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar;

impl Isa for Scalar {
    type U32 = Wrapping<u32>;
    type U64 = Wrapping<u64>;
    type Aes = Sliced<Scalar, Wrapping<u64>>;
    type AesOne = Self::Aes;
    type Poly = SoftPoly;
    type PolyOne = SoftPoly;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Out {
        #[inline(never)]
        fn inner<T: Task>(isa: Scalar, task: T) -> T::Out {
            task.call(isa)
        }
        inner(self, task)
    }
}

/// One word is a vector of one lane, on every instruction set: one-block calls use it everywhere.
impl<S: Isa> Lanes<S, u32> for Wrapping<u32> {
    const N: usize = 1;
    #[inline(always)]
    fn splat(_: S, w: u32) -> Self {
        Self(w)
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        Self(0)
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let mut word = [0; 4];
        word.copy_from_slice(&bytes[..4]);
        Self(u32::from_le_bytes(word))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes[..4].copy_from_slice(&self.0.to_le_bytes());
    }
    #[inline(always)]
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K] {
        let mut words = [Self(0); K];
        for (i, w) in words.iter_mut().enumerate() {
            *w = <Self as Lanes<S, u32>>::load(isa, &blocks[4 * i..]);
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], mut sink: Sink<'_>) {
        for i in (0..K).rev() {
            sink.put(4 * i, words[i].0.to_le_bytes());
        }
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        Self(self.0.rotate_left(r))
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        Self(self.0.rotate_right(r))
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        Self(self.0 << r)
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        Self(self.0 >> r)
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl<S: Isa> Lanes<S, u64> for Wrapping<u64> {
    const N: usize = 1;
    #[inline(always)]
    fn splat(_: S, w: u64) -> Self {
        Self(w)
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        Self(0)
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[..8]);
        Self(u64::from_le_bytes(word))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.0.to_le_bytes());
    }
    #[inline(always)]
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K] {
        let mut words = [Self(0); K];
        for (i, w) in words.iter_mut().enumerate() {
            *w = <Self as Lanes<S, u64>>::load(isa, &blocks[8 * i..]);
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], mut sink: Sink<'_>) {
        for i in (0..K).rev() {
            sink.put(8 * i, words[i].0.to_le_bytes());
        }
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        Self(self.0.rotate_left(r))
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        Self(self.0.rotate_right(r))
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        Self(self.0 << r)
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        Self(self.0 >> r)
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(self.0.swap_bytes())
    }
}
