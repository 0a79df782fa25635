//! Blocks in registers in the byte order of memory, for any cipher.
// Only strips load several blocks at once, and only AES has strips.
#![cfg_attr(not(feature = "aes"), allow(dead_code))]

use super::Wide;
use crate::Block;
use crate::isa::{Endian, Isa, Lanes, Sink};
use core::marker::PhantomData;

/// `R` registers of blocks in the byte order of memory.
#[derive(Clone, Copy)]
pub(super) struct ByteBlocks<V, B, const R: usize>([V; R], PhantomData<B>);

/// Masks of 64-bit words: every word, and every second, fourth, eighth and sixteenth word, is all ones; the others are zero.
static EVERY: [[u8; 256]; 5] = {
    let mut words = [[0; 256]; 5];
    let mut i = 0usize;
    while i < 5 * 256 {
        if (i % 256 / 8).is_multiple_of(1 << (i / 256)) {
            words[i / 256][i % 256] = 0xff;
        }
        i += 1;
    }
    words
};

impl<S: Isa, V: Lanes<S, u64>, B: Block, const R: usize> Wide<S> for ByteBlocks<V, B, R> {
    const BLOCKS: usize = 8 * R * V::N / B::LEN;
    type Bytes = [u8; 512];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        assert!(<Self as Wide<S>>::BLOCKS > 0, "a block that is longer than the registers");
        let bytes = &bytes[..8 * R * V::N];
        let mut x = [V::load(isa, bytes); R];
        for (i, word) in x.iter_mut().enumerate() {
            *word = V::load(isa, &bytes[8 * V::N * i..]);
        }
        Self(x, PhantomData)
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        for i in (0..R).rev() {
            self.0[i].put(sink.part(8 * V::N * i, 8 * V::N));
        }
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let words = const { B::LEN / 8 };
        let counter = if endian == Endian::Big { words - 1 } else { 0 };
        let mut x = [V::splat(isa, 0); R];
        for (i, x) in x.iter_mut().enumerate() {
            let number = V::index(isa) + V::splat(isa, (V::N * i) as u64);
            let count = number.shr(const { (B::LEN / 8).ilog2() }) + V::splat(isa, low);
            for w in 0..words {
                // In this register, word `w` of a block is at lanes `from`, `from + words` and so on.
                let from = (words + w - V::N * i % words) % words;
                let mask = V::load(
                    isa,
                    &EVERY[const { (B::LEN / 8).ilog2() } as usize][8 * ((words - from) % words)..],
                );
                let word = if w == counter {
                    if endian == Endian::Big { count.swap_bytes() } else { count }
                } else {
                    V::splat(isa, u64::from_le_bytes(<[u8; 8]>::take(&template[8 * w..])))
                };
                *x = *x | (word & mask);
            }
        }
        Self(x, PhantomData)
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut x = self.0;
        for i in 0..R {
            x[i] = x[i] ^ other.0[i];
        }
        Self(x, PhantomData)
    }
}

/// One block in the byte order of memory: the [`BlockCipher::One`](super::BlockCipher::One) of a cipher that needs no layout of its
/// own.
///
/// ```
/// use icefish::cipher::{ByteBlock, Wide};
/// use icefish::isa::Scalar;
/// let (a, b) = (ByteBlock([1, 2, 3, 4]), ByteBlock([4, 4, 4, 4]));
/// assert_eq!(Wide::<Scalar>::xor(a, Scalar, b).0, [5, 6, 7, 0]);
/// ```
#[derive(Clone, Copy)]
pub struct ByteBlock<B>(
    /// Its bytes.
    pub B,
);

impl<S: Isa, B: Block> Wide<S> for ByteBlock<B> {
    const BLOCKS: usize = 1;
    type Bytes = B;

    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        Self(B::take(bytes))
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        if B::LEN.is_multiple_of(16) {
            // Whole rows: a kernel's load is wider than a word, and words that are being stored cannot be forwarded to it.
            for (i, row) in self.0.as_ref().as_chunks::<16>().0.iter().enumerate().rev() {
                sink.put(16 * i, *row);
            }
            return;
        }
        let (words, rest) = self.0.as_ref().as_chunks::<8>();
        for (i, byte) in rest.iter().enumerate().rev() {
            sink.put(8 * words.len() + i, [*byte]);
        }
        for (i, word) in words.iter().enumerate().rev() {
            sink.put(8 * i, *word);
        }
    }
    #[inline(always)]
    fn counters(_: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let mut block = B::take(template);
        endian.set_low(block.as_mut(), low);
        Self(block)
    }
    #[inline(always)]
    fn xor(mut self, _: S, other: Self) -> Self {
        let (words, rest) = self.0.as_mut().as_chunks_mut::<8>();
        let (others, other_rest) = other.0.as_ref().as_chunks::<8>();
        for (word, other) in words.iter_mut().zip(others) {
            *word = (u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other)).to_le_bytes();
        }
        for (byte, other) in rest.iter_mut().zip(other_rest) {
            *byte ^= other;
        }
        self
    }
}
