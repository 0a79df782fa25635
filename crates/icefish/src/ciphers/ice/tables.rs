//! The round function by table. Each of the four tables is an S-box with the permutation P and the expansion E of the next round
//! applied.

use super::expansion::{PLACES, expansion};
use super::schedule::ExpandedSubkey;
use crate::isa::{Isa, Lanes};
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

/// Splits a block, a big-endian number, into its expanded halves.
#[inline(always)]
pub(super) fn split(block: u64) -> (u64, u64) {
    let (left, right) = (block >> 32, block & 0xffff_ffff);
    (expand(left << 32 | left), expand(right << 32 | right))
}

/// The inverse of [`split`], for one of `M` blocks.
#[inline(always)]
pub(super) fn join<S: Isa, const M: usize>(left: u64, right: u64) -> u64 {
    contract::<S, M>(left) << 32 | contract::<S, M>(right)
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
