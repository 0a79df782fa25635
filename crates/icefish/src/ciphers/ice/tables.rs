//! The round function by table. Each of the four tables is an S-box with the permutation P and the expansion E of the next round
//! applied.

use super::blocks::{RowBlocks, WordBlocks};
use super::expansion::{PLACES, expansion};
use super::schedule::ExpandedSubkey;
use crate::Block;
use crate::cipher::Wide;
use crate::isa::{Isa, Lanes, Rows, Sink};
use core::num::Wrapping;

/// The moduli of the four fields of each S-box (Kwan, table 1).
pub(super) const MODULUS: [[u32; 4]; 4] =
    [[333, 313, 505, 369], [379, 375, 319, 391], [361, 445, 451, 397], [397, 425, 395, 505]];

/// The constants that are XORed with the column in each row of each S-box (Kwan, table 2).
pub(super) const OFFSET: [[u32; 4]; 4] = [
    [0x83, 0x85, 0x9b, 0xcd],
    [0xcc, 0xa7, 0xad, 0x41],
    [0x4b, 0x2e, 0xd4, 0x33],
    [0xea, 0xcb, 0x2e, 0x04],
];

/// The permutation P: the destination of each bit of the S-boxes' output, from bit 0 on.
pub(super) const P: [u32; 32] = [
    0, 7, 10, 13, 19, 21, 24, 30, 3, 5, 8, 14, 16, 23, 26, 29, 2, 4, 9, 15, 17, 22, 27, 28, 1, 6,
    11, 12, 18, 20, 25, 31,
];

/// The product of two elements of GF(2^8) with the given modulus.
const fn multiply(mut a: u32, mut b: u32, modulus: u32) -> u32 {
    let mut product = 0;
    while b != 0 {
        if b & 1 != 0 {
            product ^= a;
        }
        a <<= 1;
        if a & 256 != 0 {
            a ^= modulus;
        }
        b >>= 1;
    }
    product
}

const fn seventh_power(x: u32, modulus: u32) -> u32 {
    let square = multiply(x, x, modulus);
    let sixth = multiply(multiply(square, square, modulus), square, modulus);
    multiply(sixth, x, modulus)
}

/// S-box `s` of a 10-bit input. The outer two bits are the row, the inner eight are the column.
pub(super) const fn sbox(s: usize, input: usize) -> u32 {
    let column = (input >> 1 & 0xff) as u32;
    let row = input >> 8 & 2 | input & 1;
    seventh_power(column ^ OFFSET[s][row], MODULUS[s][row])
}

/// The S-boxes with P applied.
const fn permuted() -> [[u32; 1024]; 4] {
    let mut tables = [[0; 1024]; 4];
    let mut s = 0;
    while s < 4 {
        let mut input = 0;
        while input < 1024 {
            let bits = sbox(s, input) << (24 - 8 * s);
            let mut i = 0;
            while i < 32 {
                tables[s][input] |= (bits >> i & 1) << P[i];
                i += 1;
            }
            input += 1;
        }
        s += 1;
    }
    tables
}

/// The same with E of the next round applied.
const fn permuted_and_expanded() -> [[u64; 1024]; 4] {
    let (permuted, mut tables) = (permuted(), [[0; 1024]; 4]);
    let mut s = 0;
    while s < 4 {
        let mut input = 0;
        while input < 1024 {
            tables[s][input] = expanded(permuted[s][input]);
            input += 1;
        }
        s += 1;
    }
    tables
}

static EXPANDED: [[u64; 1024]; 4] = permuted_and_expanded();

/// The expansion E, which the next round applies to the tables' output.
const fn expanded(half: u32) -> u64 {
    let (mut expanded, mut b) = (0, 0);
    while b < 40 {
        let bit = half >> expansion(b / 20, 19 - b % 20) & 1;
        expanded |= (bit as u64) << (PLACES[b / 10] + 9 - b as u32 % 10);
        b += 1;
    }
    expanded
}

/// The expansion E of words that hold a half twice. The S-boxes' inputs start at every byte.
#[inline(always)]
const fn expand(twice: u64) -> u64 {
    twice << (PLACES[0] - 24) & 0x3ff << PLACES[0]
        | twice << (PLACES[1] - 16) & 0x3ff << PLACES[1]
        | twice << (PLACES[2] - 8) & 0x3ff << PLACES[2]
        | twice & 0x3ff
}

/// The inverse of E: the half is a byte of each S-box's input. For one of `M` blocks.
#[inline(always)]
fn contract<S: Isa, const M: usize>(expanded: u64) -> u64 {
    let low = expanded >> (PLACES[2] - 8) & 0xff00 | expanded & 0xff;
    let high =
        expanded >> (PLACES[0] - 24) & 0xff00_0000 | expanded >> (PLACES[1] - 16) & 0xff_0000;
    // The compiler would vectorise the four shifts. That is fast for several blocks, and slow for one or two.
    high | if M <= 2 { in_a_register::<S>(low) } else { low }
}

/// The left and the right halves of `M` blocks, expanded.
pub(super) type Expanded<const M: usize> = [[u64; M]; 2];

/// `M` blocks that become expanded halves, and are made of them again.
pub(super) trait Halves<S: Isa, const M: usize>: Wide<S> {
    /// The halves.
    fn split(self, isa: S) -> Expanded<M>;
    /// The inverse of [`Halves::split`].
    fn join(isa: S, halves: Expanded<M>) -> Self;
}

impl<S: Isa, const M: usize> Halves<S, M> for WordBlocks<M> {
    #[inline(always)]
    fn split(self, _: S) -> Expanded<M> {
        let (mut left, mut right) = (self.0, self.0);
        for i in 0..M {
            let block = self.0[i];
            left[i] = expand(block >> 32 << 32 | block >> 32);
            right[i] = expand(block << 32 | block & 0xffff_ffff);
        }
        [left, right]
    }
    #[inline(always)]
    fn join(_: S, [left, right]: Expanded<M>) -> Self {
        let mut blocks = left;
        for i in 0..M {
            blocks[i] = contract::<S, M>(left[i]) << 32 | contract::<S, M>(right[i]);
        }
        Self(blocks)
    }
}

/// Of one half of each of two blocks: the bytes that the inputs of the S-boxes are in, two in the low and two in the high 16 bits of
/// each word.
const SPREAD: [[u8; 16]; 2] = [
    [3, 2, 2, 1, 1, 0, 0, 3, 11, 10, 10, 9, 9, 8, 8, 11],
    [7, 6, 6, 5, 5, 4, 4, 7, 15, 14, 14, 13, 13, 12, 12, 15],
];

/// For one half of two blocks, whose words have two bytes of it each: where the blocks take the bytes from. They are byte 0 of the
/// words if `of` is 0, and byte 3 if it is 1. All other bytes of the blocks are zero.
const fn gathered(half: usize, of: usize) -> [u8; 16] {
    let (mut from, mut word) = ([0x80; 16], 0);
    while word < 4 {
        from[8 * (word / 2) + 4 * half + 3 - 2 * (word % 2) - of] = (4 * word + 3 * of) as u8;
        word += 1;
    }
    from
}

/// [`gathered`] of the left and of the right half.
const GATHERED: [[[u8; 16]; 2]; 2] =
    [[gathered(0, 0), gathered(0, 1)], [gathered(1, 0), gathered(1, 1)]];

impl<S: Isa, const P: usize, const M: usize> Halves<S, M> for RowBlocks<S::Row32, P> {
    #[inline(always)]
    fn split(self, isa: S) -> Expanded<M> {
        const { assert!(M == 2 * P, "two blocks in a row") };
        let low = word_in_each::<S>(isa, 0x3ff);
        let high = word_in_each::<S>(isa, 0x3ff << PLACES[2]);
        let mut halves = [[0; M]; 2];
        for (half, spread) in SPREAD.iter().enumerate() {
            for i in 0..P {
                let x = self.0[i].pick(isa, spread);
                let x = x & low | x.shl(PLACES[2] - 16) & high;
                let mut bytes = [0; 16];
                S::Row32::scatter([x], Sink::new(&mut bytes));
                halves[half][2 * i] = u64::from_le_bytes(Block::take(&bytes));
                halves[half][2 * i + 1] = u64::from_le_bytes(Block::take(&bytes[8..]));
            }
        }
        halves
    }
    #[inline(always)]
    fn join(isa: S, halves: Expanded<M>) -> Self {
        let mut blocks = [word_in_each::<S>(isa, 0); P];
        for (half, gathered) in GATHERED.iter().enumerate() {
            for i in 0..P {
                let mut bytes = [0; 16];
                bytes[..8].copy_from_slice(&halves[half][2 * i].to_le_bytes());
                bytes[8..].copy_from_slice(&halves[half][2 * i + 1].to_le_bytes());
                let [x] = S::Row32::gather(isa, &bytes);
                // The upper input of a word begins in the middle of a byte.
                let upper = x.shl(24 - PLACES[2]).pick(isa, &gathered[1]);
                blocks[i] = blocks[i] | x.pick(isa, &gathered[0]) | upper;
            }
        }
        Self(blocks)
    }
}

/// A row with the same word four times.
#[inline(always)]
fn word_in_each<S: Isa>(isa: S, word: u32) -> S::Row32 {
    let mut bytes = [0; 16];
    for part in bytes.chunks_exact_mut(4) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    let [row] = S::Row32::gather(isa, &bytes);
    row
}

/// A round (Kwan, section 2): `left` XORed with F of `right`, both expanded. E is linear, so the tables hold outputs with E of
/// the next round applied, and halves stay expanded from the first round to the last.
#[inline(always)]
pub(super) fn round<S: Isa>(left: u64, right: u64, subkey: &ExpandedSubkey) -> u64 {
    // The keyed permutation exchanges the halves of the expansion where the salt is set. There are three operations from `right`
    // to `x`.
    let straight = in_a_register::<S>(right & !subkey.salt ^ subkey.key);
    let x = straight ^ (right.rotate_left(32) & subkey.salt);
    let [a, b, c, d] = PLACES.map(|place| (x >> place & 0x3ff) as usize);
    let outer = left ^ EXPANDED[3][d] ^ EXPANDED[0][a];
    let inner = EXPANDED[1][b] ^ EXPANDED[2][c];
    in_a_register::<S>(in_a_register::<S>(outer) ^ inner)
}

/// Keeps the compiler from joining several words into vectors, from which it would have to extract them again for the look-ups.
#[inline(always)]
fn in_a_register<S: Isa>(word: u64) -> u64 {
    <Wrapping<u64> as Lanes<S, u64>>::opaque(Wrapping(word)).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Backend, Extension, Task};

    /// Rows and words have the same halves, and give back the same blocks.
    #[derive(Clone, Copy)]
    struct RowsAndWords;

    impl Task for RowsAndWords {
        type Out = ();
        const EXTENSION: Extension = Extension::Gf256;
        fn call<S: Isa>(self, isa: S) {
            for seed in 0..64u64 {
                let mut bytes = [0; 32];
                for (i, byte) in bytes.iter_mut().enumerate() {
                    let mixed = (32 * seed + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    *byte = (mixed >> 40) as u8;
                }
                compare::<S, WordBlocks<4>, RowBlocks<S::Row32, 2>, 4>(isa, &bytes);
                compare::<S, WordBlocks<2>, RowBlocks<S::Row32, 1>, 2>(isa, &bytes[..16]);
            }
        }
    }

    fn compare<S: Isa, A: Halves<S, M>, B: Halves<S, M>, const M: usize>(isa: S, bytes: &[u8]) {
        let halves = A::load(isa, bytes).split(isa);
        assert_eq!(B::load(isa, bytes).split(isa), halves);
        let mut stored = [[0; 32]; 2];
        A::join(isa, halves).store(isa, Sink::new(&mut stored[0][..8 * M]));
        B::join(isa, halves).store(isa, Sink::new(&mut stored[1][..8 * M]));
        assert_eq!(stored.map(|stored| stored[..8 * M] == *bytes), [true; 2]);
    }

    #[test]
    fn rows_are_words() {
        for backend in Backend::available() {
            backend.run(RowsAndWords);
        }
    }
}
