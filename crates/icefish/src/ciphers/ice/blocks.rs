//! Blocks for look-ups in tables.

use crate::cipher::Wide;
use crate::isa::{Endian, Isa, Rows, Sink};

/// Blocks as big-endian numbers, one in each word.
#[derive(Clone, Copy)]
pub struct WordBlocks<const M: usize>(pub(super) [u64; M]);

impl<S: Isa, const M: usize> Wide<S> for WordBlocks<M> {
    const BLOCKS: usize = M;
    /// At most four.
    type Bytes = [u8; 32];

    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let mut blocks = [0; M];
        for (block, bytes) in blocks.iter_mut().zip(bytes.chunks_exact(8)) {
            *block = u64::from_be_bytes(bytes.try_into().expect("an ICE block"));
        }
        Self(blocks)
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        for i in (0..M).rev() {
            sink.put(8 * i, self.0[i].to_be_bytes());
        }
    }
    #[inline(always)]
    fn counters(_: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let mut blocks = [0; M];
        for (i, block) in blocks.iter_mut().enumerate() {
            let count = low.wrapping_add(i as u64);
            *block = if endian == Endian::Big { count } else { count.swap_bytes() };
        }
        Self(blocks)
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut blocks = self.0;
        for i in 0..M {
            blocks[i] ^= other.0[i];
        }
        Self(blocks)
    }
}

/// Blocks as they are in memory, two in each of `P` rows.
#[derive(Clone, Copy)]
pub(super) struct RowBlocks<R, const P: usize>(pub(super) [R; P]);

impl<S: Isa, const P: usize> Wide<S> for RowBlocks<S::Row32, P> {
    const BLOCKS: usize = 2 * P;
    /// At most four.
    type Bytes = [u8; 32];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self(S::Row32::gather(isa, bytes))
    }
    #[inline(always)]
    fn store(&mut self, _: S, sink: Sink<'_>) {
        S::Row32::scatter(self.0, sink);
    }
    #[inline(always)]
    fn counters(isa: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let mut bytes = [0; 32];
        for (i, block) in bytes[..16 * P].chunks_exact_mut(8).enumerate() {
            endian.set_low(block, low.wrapping_add(i as u64));
        }
        Self(S::Row32::gather(isa, &bytes))
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut rows = self.0;
        for i in 0..P {
            rows[i] = rows[i] ^ other.0[i];
        }
        Self(rows)
    }
}
