//! The rounds bit-sliced: 64 blocks a lane, each bit of the blocks in a plane of its own.
//!
//! Constant time: no branch or address depends on key or data. The S-boxes are Boolean networks
//! (`tools/ice-sbox` derives them); the expansion and the permutation P are wiring and cost nothing.

use super::schedule::{Masks, Wires, source};
use super::tables::P;
use super::{network2, network3};
use crate::cipher::{Direction, Wide};
use crate::isa::{Endian, Isa, Lanes, Sink, Task};
use core::marker::PhantomData;
use core::num::Wrapping;

/// Which lanes the planes are in.
pub(crate) trait Planar: Copy + Send + Sync + 'static {
    /// The vectors.
    type Lanes<S: Isa>: Lanes<S, u64>;
}

/// Planes as wide as a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers;

/// Planes of 64 bits: where fewer blocks are enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word;

impl Planar for Registers {
    type Lanes<S: Isa> = S::U64;
}

impl Planar for Word {
    type Lanes<S: Isa> = Wrapping<u64>;
}

/// 64 planes; plane `i`, at [`row`]`(i)`, holds bit `i` of every block, read as a big-endian number.
/// In memory, because no CPU has as many registers.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Planes<K> {
    bytes: [u8; 4096],
    lanes: PhantomData<K>,
}

impl<K: Planar> Planes<K> {
    #[inline(always)]
    fn get<S: Isa>(&self, isa: S, i: usize) -> K::Lanes<S> {
        let size = 8 * K::Lanes::<S>::N;
        K::Lanes::<S>::load(isa, &self.bytes[size * i..size * (i + 1)])
    }
    #[inline(always)]
    fn set<S: Isa>(&mut self, _: S, i: usize, plane: K::Lanes<S>) {
        let size = 8 * K::Lanes::<S>::N;
        plane.store(&mut self.bytes[size * i..size * (i + 1)]);
    }
}

/// Where plane `i` lies: blocks are big-endian, and a transposition leaves byte 0 of the blocks first.
#[inline(always)]
const fn row(i: usize) -> usize {
    8 * (7 - i / 8) + i % 8
}

/// Three stages of the transposition of a bit matrix, on eight vectors: fields of `STEP` bits are
/// exchanged between vectors four apart, of `STEP / 2` two apart, of `STEP / 4` next to each other.
#[inline(always)]
fn stages<S: Isa, V: Lanes<S, u64>>(isa: S, x: &mut [V; 8], coarse: bool) {
    for i in 0..4 {
        exchange(isa, x, i, i + 4, if coarse { 32 } else { 4 });
    }
    for i in [0, 1, 4, 5] {
        exchange(isa, x, i, i + 2, if coarse { 16 } else { 2 });
    }
    for i in [0, 2, 4, 6] {
        exchange(isa, x, i, i + 1, if coarse { 8 } else { 1 });
    }
}

#[inline(always)]
fn exchange<S: Isa, V: Lanes<S, u64>>(isa: S, x: &mut [V; 8], i: usize, j: usize, step: u32) {
    let low = V::splat(isa, u64::MAX / ((1 << step) + 1));
    (x[i], x[j]) = V::exchange(low, x[i], x[j], step);
}

impl<S: Isa, K: Planar> Wide<S> for Planes<K> {
    const BLOCKS: usize = 64 * K::Lanes::<S>::N;
    /// Eight lanes.
    type Bytes = [u8; 4096];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let size = 8 * K::Lanes::<S>::N;
        let bytes = &bytes[..64 * size];
        let mut planes = Self { bytes: [0; 4096], lanes: PhantomData };
        for i in 0..8 {
            let mut x = [K::Lanes::<S>::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = K::Lanes::<S>::load(isa, &bytes[size * (8 * j + i)..]);
            }
            stages(isa, &mut x, true);
            for j in 0..8 {
                planes.set(isa, 8 * j + i, x[j]);
            }
        }
        for i in 0..8 {
            let mut x = [K::Lanes::<S>::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = planes.get(isa, 8 * i + j);
            }
            stages(isa, &mut x, false);
            for j in 0..8 {
                planes.set(isa, 8 * i + j, x[j]);
            }
        }
        planes
    }
    #[inline(always)]
    fn store(&mut self, isa: S, mut sink: Sink<'_>) {
        let size = 8 * K::Lanes::<S>::N;
        for i in 0..8 {
            let mut x = [K::Lanes::<S>::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = self.get(isa, 8 * j + i);
            }
            stages(isa, &mut x, true);
            for j in 0..8 {
                self.set(isa, 8 * j + i, x[j]);
            }
        }
        // The stages may come in any order; this one leaves rows that are written last to first.
        for i in (0..8).rev() {
            let mut x = [K::Lanes::<S>::splat(isa, 0); 8];
            for j in 0..8 {
                x[j] = self.get(isa, 8 * i + j);
            }
            stages(isa, &mut x, false);
            for j in (0..8).rev() {
                x[j].put(sink.part(size * (8 * i + j), size));
            }
        }
    }
    #[inline(always)]
    fn counters(isa: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let mut room = [0; 4096];
        for (i, block) in room[..512 * K::Lanes::<S>::N].chunks_exact_mut(8).enumerate() {
            let count = low.wrapping_add(i as u64);
            block.copy_from_slice(&match endian {
                Endian::Big => count.to_be_bytes(),
                Endian::Little => count.to_le_bytes(),
            });
        }
        Self::load(isa, &room)
    }
    #[inline(always)]
    fn xor(self, isa: S, other: Self) -> Self {
        let mut planes = self;
        for i in 0..64 {
            planes.set(isa, i, self.get(isa, i) ^ other.get(isa, i));
        }
        planes
    }
}

/// All rounds of blocks in planes. A task, so that its thousands of instructions exist once for each
/// direction and instruction set.
pub(super) struct Rounds<'a, K, D> {
    key: &'a [u64],
    rounds: usize,
    planes: &'a mut Planes<K>,
    direction: PhantomData<D>,
}

impl<'a, K, D> Rounds<'a, K, D> {
    /// `key` is 8 bytes of the key a word, big-endian.
    #[inline(always)]
    pub(super) fn new(key: &'a [u64], rounds: usize, planes: &'a mut Planes<K>) -> Self {
        Self { key, rounds, planes, direction: PhantomData }
    }
}

impl<K: Planar, D: Direction> Task for Rounds<'_, K, D> {
    type Out = ();
    const VAES: bool = false;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut masks = Masks::new(self.key[0]);
        let mut part = 0;
        for i in 0..self.rounds {
            let round = if D::ENCRYPT { i } else { self.rounds - 1 - i };
            let (now, wires) = source(round, self.rounds);
            if now != part {
                (masks, part) = (Masks::new(self.key[now]), now);
            }
            // The right half, the low bits, lies after the left one.
            let from = if i % 2 == 0 { 32 } else { 0 };
            f(isa, self.planes, from, &masks, wires);
        }
        // The last round has no exchange of halves.
        for i in 0..32 {
            let (low, high) = (self.planes.get(isa, i), self.planes.get(isa, 32 + i));
            self.planes.set(isa, i, high);
            self.planes.set(isa, 32 + i, low);
        }
    }
}

/// The bit of the half that bit `b` of the left (0) or the right (1) half of its expansion E is.
const fn expansion(side: usize, b: usize) -> usize {
    match (side, b < 10) {
        (0, true) => 16 + b,
        (0, false) => (b + 14) % 32,
        (_, true) => b,
        (_, false) => b - 2,
    }
}

/// The round function of the half that begins at row `from`, XORed into the other half.
#[inline(always)]
fn f<S: Isa, K: Planar>(isa: S, planes: &mut Planes<K>, from: usize, masks: &Masks, wires: &Wires) {
    substitute::<S, K, 0>(isa, planes, from, masks, wires);
    substitute::<S, K, 1>(isa, planes, from, masks, wires);
    substitute::<S, K, 2>(isa, planes, from, masks, wires);
    substitute::<S, K, 3>(isa, planes, from, masks, wires);
}

/// Bit `B` of the expanded half that S-box `BOX` belongs to, permuted and XORed with the subkey. The
/// keyed permutation exchanges bits of the two halves where the salt is set.
#[inline(always)]
fn input<S: Isa, K: Planar, const BOX: usize, const I: usize>(
    isa: S,
    planes: &Planes<K>,
    from: usize,
    masks: &Masks,
    wires: &Wires,
) -> K::Lanes<S> {
    let (side, bit) = (BOX / 2, if BOX.is_multiple_of(2) { 19 - I } else { 9 - I });
    let mine = planes.get(isa, from + row(32 + expansion(side, bit)));
    let other = planes.get(isa, from + row(32 + expansion(1 - side, bit)));
    let salt = K::Lanes::<S>::splat(isa, masks.get(wires[40 + bit]));
    let key = K::Lanes::<S>::splat(isa, masks.get(wires[20 * side + bit]));
    K::Lanes::<S>::ternary::<0xca>(salt, other, mine) ^ key
}

/// S-box `BOX` of its half, through P and into the half that does not begin at row `from`.
#[inline(always)]
fn substitute<S: Isa, K: Planar, const BOX: usize>(
    isa: S,
    planes: &mut Planes<K>,
    from: usize,
    masks: &Masks,
    wires: &Wires,
) {
    let x = [
        input::<S, K, BOX, 0>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 1>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 2>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 3>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 4>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 5>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 6>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 7>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 8>(isa, planes, from, masks, wires),
        input::<S, K, BOX, 9>(isa, planes, from, masks, wires),
    ];
    let into = 32 - from;
    let mut out = [x[0]; 8];
    for i in 0..8 {
        out[i] = planes.get(isa, into + row(32 + P[31 - 8 * BOX - i] as usize));
    }
    match (K::Lanes::<S>::TERNARY, BOX) {
        (true, 0) => network3::sbox0::<S, _>(x, &mut out),
        (true, 1) => network3::sbox1::<S, _>(x, &mut out),
        (true, 2) => network3::sbox2::<S, _>(x, &mut out),
        (true, _) => network3::sbox3::<S, _>(x, &mut out),
        (false, 0) => network2::sbox0::<S, _>(x, &mut out),
        (false, 1) => network2::sbox1::<S, _>(x, &mut out),
        (false, 2) => network2::sbox2::<S, _>(x, &mut out),
        (false, _) => network2::sbox3::<S, _>(x, &mut out),
    }
    for i in 0..8 {
        planes.set(isa, into + row(32 + P[31 - 8 * BOX - i] as usize), out[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::sbox;
    use super::*;
    use crate::isa::Scalar;

    /// All 1,024 inputs, 64 at a time, through a network.
    fn check(s: usize, network: fn([Wrapping<u64>; 10], &mut [Wrapping<u64>; 8])) {
        for group in 0..16 {
            let mut x = [Wrapping(0u64); 10];
            let mut expected = [Wrapping(0u64); 8];
            for lane in 0..64 {
                let input = 64 * group + lane;
                for i in 0..10 {
                    x[i] |= Wrapping((input as u64 >> (9 - i) & 1) << lane);
                }
                for i in 0..8 {
                    expected[i] |= Wrapping(u64::from(sbox(s, input) >> (7 - i) & 1) << lane);
                }
            }
            let before = Wrapping(0x0123_4567_89ab_cdef);
            let mut out = [before; 8];
            network(x, &mut out);
            assert_eq!(out.map(|o| o ^ before), expected, "S-box {s}");
        }
    }

    #[test]
    fn both_networks_are_the_s_boxes() {
        check(0, network2::sbox0::<Scalar, _>);
        check(1, network2::sbox1::<Scalar, _>);
        check(2, network2::sbox2::<Scalar, _>);
        check(3, network2::sbox3::<Scalar, _>);
        check(0, network3::sbox0::<Scalar, _>);
        check(1, network3::sbox1::<Scalar, _>);
        check(2, network3::sbox2::<Scalar, _>);
        check(3, network3::sbox3::<Scalar, _>);
    }

    #[test]
    fn networks_are_as_small_as_promised() {
        assert!(network3::OPERATIONS.iter().all(|&n| n <= 170), "{:?}", network3::OPERATIONS);
        assert!(network2::OPERATIONS.iter().all(|&n| n <= 265), "{:?}", network2::OPERATIONS);
    }

    #[test]
    fn planes_are_the_bits_of_the_blocks() {
        let mut bytes = [0; 512];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = (i * i * 31 + i) as u8;
        }
        let mut planes = <Planes<Word> as Wide<Scalar>>::load(Scalar, &bytes);
        for (b, block) in bytes.chunks_exact(8).enumerate() {
            let block = u64::from_be_bytes(block.try_into().unwrap());
            for i in 0..64 {
                assert_eq!(
                    planes.get(Scalar, row(i)).0 >> b & 1,
                    block >> i & 1,
                    "block {b} bit {i}"
                );
            }
        }
        let mut back = [0; 512];
        planes.store(Scalar, Sink::new(&mut back));
        assert_eq!(back, bytes);
    }
}
