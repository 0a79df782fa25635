//! Blocks for look-ups in tables.

use crate::cipher::Wide;
use crate::isa::{Endian, Isa, Sink};

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
