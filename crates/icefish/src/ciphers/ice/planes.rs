//! Blocks as bit planes. The conversion in both directions is a transposition of bit matrices in each lane.

use crate::cipher::Wide;
use crate::isa::{Endian, Extension, Isa, Lanes, Sink, Task};

/// 64 planes. Plane `i` holds bit `i` of every block, read as a big-endian number. They are in memory, because no CPU has as many
/// registers.
#[derive(Clone, Copy)]
pub(crate) struct BlockPlanes<V> {
    /// Plane `i` is row [`row`]`(i)`. The first 32 rows are the left half.
    pub(super) halves: [[V; 32]; 2],
    /// Whether the halves are exchanged.
    pub(super) exchanged: bool,
}

impl<V: Copy> BlockPlanes<V> {
    /// All zero.
    #[inline(always)]
    pub(crate) fn new<S: Isa>(isa: S) -> Self
    where
        V: Lanes<S, u64>,
    {
        Self { halves: [[V::splat(isa, 0); 32]; 2], exchanged: false }
    }
    /// Row `i`.
    #[inline(always)]
    fn at(&mut self, i: usize) -> &mut V {
        let half = i / 32 % 2;
        &mut self.halves[half ^ usize::from(self.exchanged)][i % 32]
    }
}

/// The row of plane `i`: blocks are big-endian, and a transposition puts byte 0 of the blocks first.
#[inline(always)]
pub(super) const fn row(i: usize) -> usize {
    8 * (7 - i / 8) + i % 8
}

/// A mask of the low field of each two fields of `step` bits.
#[inline(always)]
fn low<S: Isa, V: Lanes<S, u64>>(isa: S, step: u32) -> V {
    V::splat(isa, u64::MAX / ((1 << step) + 1))
}

/// The byte moves of the transposition of a bit matrix: between eight vectors whose numbers differ by eight.
#[inline(always)]
fn exchange_bytes<S: Isa, V: Lanes<S, u64>>(isa: S, x: &mut [V; 8]) {
    *x = V::exchange_bytes(*x, [low(isa, 32), low(isa, 16), low(isa, 8)]);
}

/// The bit moves within bytes of the transposition of a bit matrix: between eight consecutive vectors.
#[inline(always)]
fn exchange_bits<S: Isa, V: Lanes<S, u64>>(isa: S, x: &mut [V; 8]) {
    for i in 0..4 {
        (x[i], x[i + 4]) = V::exchange(low(isa, 4), x[i], x[i + 4], 4);
    }
    for i in [0, 1, 4, 5] {
        (x[i], x[i + 2]) = V::exchange(low(isa, 2), x[i], x[i + 2], 2);
    }
    for i in [0, 2, 4, 6] {
        (x[i], x[i + 1]) = V::exchange(low(isa, 1), x[i], x[i + 1], 1);
    }
}

impl<S: Isa, V: Lanes<S, u64>> Wide<S> for BlockPlanes<V> {
    const BLOCKS: usize = 64 * V::N;
    /// Eight lanes.
    type Bytes = [u8; 4096];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let mut planes = Self::new(isa);
        planes.reload(isa, bytes);
        planes
    }
    #[inline(always)]
    fn reload(&mut self, isa: S, bytes: &[u8]) {
        isa.run(ToPlanes { isa, bytes, planes: self });
    }
    #[inline(always)]
    fn store(&mut self, isa: S, sink: Sink<'_>) {
        isa.run(FromPlanes { isa, planes: self, sink });
    }
    /// An addition in planes: `low`, the same for all blocks, plus the number of the block.
    #[inline(always)]
    fn counters(isa: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let (zero, one) = (V::splat(isa, 0), V::splat(isa, 1));
        let mut planes = Self::new(isa);
        let mut carry = zero;
        for i in 0..64u32 {
            let low = V::splat(isa, 0u64.wrapping_sub(low >> i & 1));
            let number = match i.checked_sub(V::N.ilog2()) {
                // Block `b` is bit `b / N` of lane `b % N`.
                None => zero - (V::index(isa).shr(i) & one),
                Some(k @ 0..6) => {
                    let run = 1u32 << k;
                    V::splat(isa, (u64::MAX / ((1 << run) + 1)) << run)
                }
                Some(_) => zero,
            };
            let plane = if endian == Endian::Big { i } else { i ^ 56 };
            *planes.at(row(plane as usize)) = V::xor3(number, low, carry);
            carry = V::ternary::<0xe8>(number, low, carry);
        }
        planes
    }
    #[inline(always)]
    fn xor(mut self, _: S, mut other: Self) -> Self {
        for i in 0..64 {
            *self.at(i) = *self.at(i) ^ *other.at(i);
        }
        self
    }
}

/// Converts blocks to planes. A task, so that all modes share the code.
struct ToPlanes<'a, S, V> {
    isa: S,
    bytes: &'a [u8],
    planes: &'a mut BlockPlanes<V>,
}

impl<T: Isa, V: Lanes<T, u64>> Task for ToPlanes<'_, T, V> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) {
        let Self { isa, bytes, planes } = self;
        let size = 8 * V::N;
        let bytes = &bytes[..64 * size];
        planes.exchanged = false;
        for i in 0..8 {
            let mut x = [V::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = V::load(isa, &bytes[size * (8 * j + i)..]);
            }
            exchange_bytes(isa, &mut x);
            for j in 0..8 {
                *planes.at(8 * j + i) = x[j];
            }
        }
        for i in 0..8 {
            let mut x = [V::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = *planes.at(8 * i + j);
            }
            exchange_bits(isa, &mut x);
            for j in 0..8 {
                *planes.at(8 * i + j) = x[j];
            }
        }
    }
}

/// Converts planes to blocks.
struct FromPlanes<'a, S, V> {
    isa: S,
    planes: &'a mut BlockPlanes<V>,
    sink: Sink<'a>,
}

impl<T: Isa, V: Lanes<T, u64>> Task for FromPlanes<'_, T, V> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(mut self, _: S) {
        let (isa, size) = (self.isa, 8 * V::N);
        for i in 0..8 {
            let mut x = [V::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = *self.planes.at(8 * j + i);
            }
            exchange_bytes(isa, &mut x);
            for j in 0..8 {
                *self.planes.at(8 * j + i) = x[j];
            }
        }
        // The two steps may come in any order. In this order, rows can be written from the last to the first.
        for i in (0..8).rev() {
            let mut x = [V::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = *self.planes.at(8 * i + j);
            }
            exchange_bits(isa, &mut x);
            for j in (0..8).rev() {
                x[j].put(self.sink.part(size * (8 * i + j), size));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Scalar;
    use core::num::Wrapping;

    #[test]
    fn planes_are_the_bits_of_the_blocks() {
        let mut bytes = [0; 512];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = (i * i * 31 + i) as u8;
        }
        let mut planes = <BlockPlanes<Wrapping<u64>> as Wide<Scalar>>::load(Scalar, &bytes);
        for (b, block) in bytes.chunks_exact(8).enumerate() {
            let block = u64::from_be_bytes(block.try_into().unwrap());
            for i in 0..64 {
                assert_eq!(planes.at(row(i)).0 >> b & 1, block >> i & 1, "block {b} bit {i}");
            }
        }
        let mut back = [0; 512];
        Wide::<Scalar>::store(&mut planes, Scalar, Sink::new(&mut back));
        assert_eq!(back, bytes);
    }
}
