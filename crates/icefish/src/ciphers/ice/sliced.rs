//! The rounds, bit-sliced: 64 blocks in each lane, with each bit of the blocks in a plane of its own.
//!
//! Constant-time: no branch or address depends on key or data. The S-boxes are Boolean networks (`tools/ice-sbox` derives them).
//! The expansion and the permutation P are wiring and take no instructions.

use super::expansion::expansion;
use super::planes::{BlockPlanes, row};
use super::schedule::{Masks, Wires, source};
use super::tables::P;
use super::terminals::Terminals;
use super::{network2, network3};
use crate::cipher::Direction;
use crate::isa::{Extension, Isa, Lanes, Task, aligned_frame};
use core::marker::PhantomData;

/// All rounds of blocks in planes, by networks of three-input or two-input operations. A task, so that its thousands of
/// instructions exist once for each direction and instruction set. It must run on the set of `isa`.
pub(super) struct SlicedRounds<'a, S, V, D, const THREE: bool> {
    isa: S,
    key: &'a [u64],
    rounds: usize,
    masks: &'a mut Masks,
    planes: &'a mut BlockPlanes<V>,
    direction: PhantomData<D>,
}

impl<'a, S, V, D, const THREE: bool> SlicedRounds<'a, S, V, D, THREE> {
    /// `key` has 8 bytes of the key in each word, big-endian. `masks` are new, or of the same key.
    #[inline(always)]
    pub(super) fn new(
        isa: S,
        key: &'a [u64],
        rounds: usize,
        masks: &'a mut Masks,
        planes: &'a mut BlockPlanes<V>,
    ) -> Self {
        Self { isa, key, rounds, masks, planes, direction: PhantomData }
    }
}
impl<T: Isa, V: Lanes<T, u64>, D: Direction, const THREE: bool> Task
    for SlicedRounds<'_, T, V, D, THREE>
{
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) {
        aligned_frame::<V>();
        let (isa, masks) = (self.isa, self.masks);
        for i in 0..self.rounds {
            let round = if D::ENCRYPT { i } else { self.rounds - 1 - i };
            let (part, wires) = source(round, self.rounds);
            masks.fill(self.key, part);
            let halves = &mut self.planes.halves;
            let mut round = Round { isa, halves, right: (i + 1) % 2, masks, wires };
            if THREE {
                network3::sboxes02::<T, V>(&mut round);
                network3::sboxes13::<T, V>(&mut round);
            } else {
                network2::sboxes02::<T, V>(&mut round);
                network2::sboxes13::<T, V>(&mut round);
            }
        }
        // The last round does not exchange the halves. The exchanges so far were renamings.
        self.planes.exchanged ^= true;
    }
}

/// A round of blocks in planes.
struct Round<'a, S, V> {
    isa: S,
    halves: &'a mut [[V; 32]; 2],
    /// The number of the half that is now the right one.
    right: usize,
    masks: &'a Masks,
    wires: &'a Wires,
}

impl<S: Isa, V: Lanes<S, u64>> Round<'_, S, V> {
    /// Bit `i` of the round's subkey.
    #[inline(always)]
    fn mask(&self, i: usize) -> V {
        V::splat(self.isa, self.masks.get(self.wires[i]))
    }
}

impl<S: Isa, V: Lanes<S, u64>> Terminals<V> for Round<'_, S, V> {
    /// The keyed permutation exchanges bits of the two halves of the expansion where the salt is set.
    #[inline(always)]
    fn inputs<const BOX: usize, const I: usize>(&self) -> (V, V) {
        let bit = 19 - 10 * BOX - I;
        let half = &self.halves[self.right % 2];
        let left = half[row(expansion(0, bit)) % 32];
        let right = half[row(expansion(1, bit)) % 32];
        let exchanged = (left ^ right) & self.mask(40 + bit);
        (left.xor3(exchanged, self.mask(bit)), right.xor3(exchanged, self.mask(20 + bit)))
    }
    #[inline(always)]
    fn output<const BOX: usize, const I: usize>(&mut self, bit: V) {
        let plane = row(P[31 - 8 * BOX - I] as usize) % 32;
        let left = &mut self.halves[(self.right + 1) % 2][plane];
        *left = *left ^ bit;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::sbox;
    use super::*;
    use crate::cipher::{Decrypt, Encrypt, Wide};
    use crate::isa::{Backend, Extension, Scalar, Sink};
    use core::num::Wrapping;

    type Word = Wrapping<u64>;

    /// The inputs and outputs of the four S-boxes.
    struct Bench {
        inputs: [Word; 10],
        outputs: [[Word; 8]; 4],
    }

    impl Terminals<Word> for Bench {
        fn inputs<const BOX: usize, const I: usize>(&self) -> (Word, Word) {
            (self.inputs[I], self.inputs[I])
        }
        fn output<const BOX: usize, const I: usize>(&mut self, bit: Word) {
            self.outputs[BOX][I] ^= bit;
        }
    }

    /// Checks the networks of all S-boxes on all 1,024 inputs, 64 at a time.
    fn check(networks: [fn(&mut Bench); 2]) {
        let before = Wrapping(0x0123_4567_89ab_cdef);
        for group in 0..16 {
            let mut bench = Bench { inputs: [Wrapping(0); 10], outputs: [[before; 8]; 4] };
            let mut expected = [[before; 8]; 4];
            for lane in 0..64 {
                let input = 64 * group + lane;
                for i in 0..10 {
                    bench.inputs[i] |= Wrapping((input as u64 >> (9 - i) & 1) << lane);
                }
                for s in 0..4 {
                    for i in 0..8 {
                        expected[s][i] ^=
                            Wrapping(u64::from(sbox(s, input) >> (7 - i) & 1) << lane);
                    }
                }
            }
            for network in networks {
                network(&mut bench);
            }
            assert_eq!(bench.outputs, expected, "inputs from {}", 64 * group);
        }
    }

    #[test]
    fn both_networks_are_the_s_boxes() {
        check([network2::sboxes02::<Scalar, _>, network2::sboxes13::<Scalar, _>]);
        check([network3::sboxes02::<Scalar, _>, network3::sboxes13::<Scalar, _>]);
    }

    #[test]
    fn networks_are_as_small_as_promised() {
        assert!(network3::OPERATIONS.iter().all(|&n| n <= 167), "{:?}", network3::OPERATIONS);
        assert!(network2::OPERATIONS.iter().all(|&n| n <= 256), "{:?}", network2::OPERATIONS);
    }

    /// Encrypts with Thin-ICE through one network, and decrypts through the other.
    struct ThereAndBack;

    impl Task for ThereAndBack {
        type Out = ();
        const EXTENSION: Extension = Extension::None;
        fn call<S: Isa>(self, isa: S) {
            let (key, mut bytes) = ([0x0123_4567_89ab_cdef], [0; 4096]);
            for (i, byte) in bytes.iter_mut().enumerate() {
                *byte = (i * i * 31 + i) as u8;
            }
            let before = bytes;
            let some = 512 * S::U64::N;
            let mut planes = <BlockPlanes<S::U64> as Wide<S>>::load(isa, &bytes);
            isa.run(SlicedRounds::<S, S::U64, Encrypt, true>::new(
                isa,
                &key,
                8,
                &mut Masks::new(),
                &mut planes,
            ));
            planes.store(isa, Sink::new(&mut bytes[..some]));
            assert_ne!(bytes[..some], before[..some]);
            planes.reload(isa, &bytes);
            isa.run(SlicedRounds::<S, S::U64, Decrypt, false>::new(
                isa,
                &key,
                8,
                &mut Masks::new(),
                &mut planes,
            ));
            planes.store(isa, Sink::new(&mut bytes[..some]));
            assert_eq!(bytes, before, "by two inputs what was encrypted by three");
        }
    }

    #[test]
    fn both_networks_on_every_backend() {
        for backend in Backend::available() {
            backend.run(ThereAndBack);
        }
    }
}
