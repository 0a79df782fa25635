//! The round function by table: four tables, each an S-box with the permutation P and the expansion E of
//! the next round applied.

use super::schedule::Subkey;
use crate::isa::{Isa, Lanes, Places};

/// The moduli of the four fields of each S-box (Kwan, table 1).
const MODULUS: [[u32; 4]; 4] =
    [[333, 313, 505, 369], [379, 375, 319, 391], [361, 445, 451, 397], [397, 425, 395, 505]];

/// What the column is XORed with in each row of each S-box (Kwan, table 2).
const OFFSET: [[u32; 4]; 4] = [
    [0x83, 0x85, 0x9b, 0xcd],
    [0xcc, 0xa7, 0xad, 0x41],
    [0x4b, 0x2e, 0xd4, 0x33],
    [0xea, 0xcb, 0x2e, 0x04],
];

/// The permutation P: where each bit of the S-boxes' output goes, bit 0 first.
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

/// S-box `s` of a 10-bit input: the outer bits choose the row, the inner eight are the column.
pub(super) const fn sbox(s: usize, input: usize) -> u32 {
    let column = (input >> 1 & 0xff) as u32;
    let row = input >> 8 & 2 | input & 1;
    seventh_power(column ^ OFFSET[s][row], MODULUS[s][row])
}

const fn tables() -> [[u64; 1024]; 4] {
    let mut tables = [[0; 1024]; 4];
    let mut s = 0;
    while s < 4 {
        let mut input = 0;
        while input < 1024 {
            let bits = sbox(s, input) << (24 - 8 * s);
            let (mut permuted, mut i) = (0, 0);
            while i < 32 {
                permuted |= (bits >> i & 1) << P[i];
                i += 1;
            }
            tables[s][input] = expanded(permuted);
            input += 1;
        }
        s += 1;
    }
    tables
}

static TABLES: [[u64; 1024]; 4] = tables();

/// The bit of the half that bit `b` of the left (0) or the right (1) half of its expansion E is.
pub(super) const fn expansion(side: usize, b: usize) -> usize {
    match (side, b < 10) {
        (0, true) => 16 + b,
        (0, false) => (b + 14) % 32,
        (_, true) => b,
        (_, false) => b - 2,
    }
}

/// Where the inputs of the S-boxes, 10 bits each, lie in an expanded half. The first ends the word, so that
/// a shift alone extracts it.
const PLACES: [u32; 4] = [54, 32, 22, 0];

/// What a round does to the tables' output in the next one: the expansion E.
const fn expanded(half: u32) -> u64 {
    let (mut expanded, mut b) = (0, 0);
    while b < 40 {
        let bit = half >> expansion(b / 20, 19 - b % 20) & 1;
        expanded |= (bit as u64) << (PLACES[b / 10] + 9 - b as u32 % 10);
        b += 1;
    }
    expanded
}

/// Ten bits at each of [`PLACES`].
const fn fields(ten: u64) -> [u64; 4] {
    [ten << PLACES[0], ten << PLACES[1], ten << PLACES[2], ten << PLACES[3]]
}

/// Bits of a subkey, the left 20 and the right 20, in the places of an expanded half.
pub(super) const fn in_place(left: u64, right: u64) -> u64 {
    (left >> 10) << PLACES[0]
        | (left & 0x3ff) << PLACES[1]
        | (right >> 10) << PLACES[2]
        | (right & 0x3ff) << PLACES[3]
}

/// The expansion E of words that hold a half twice: the S-boxes' inputs start a byte apart.
#[inline(always)]
fn expand<S: Isa, V: Lanes<S, u64>>(isa: S, twice: V) -> V {
    let [a, b, c, d] = fields(0x3ff).map(|mask| V::splat(isa, mask));
    (twice.shl(PLACES[0] - 24) & a | twice.shl(PLACES[1] - 16) & b)
        | (twice.shl(PLACES[2] - 8) & c | twice & d)
}

/// The half of which this is the expansion E, once: a byte of each S-box's input.
#[inline(always)]
fn contract<S: Isa, V: Lanes<S, u64>>(isa: S, expanded: V) -> V {
    let byte = |i: u32| V::splat(isa, 0xff << (8 * i));
    let high = expanded.shr(PLACES[0] - 24) & byte(3) | expanded.shr(PLACES[1] - 16) & byte(2);
    let low = expanded.shr(PLACES[2] - 8) & byte(1) | expanded & byte(0);
    // The compiler would do shifts of one word in a vector.
    high.opaque() | low
}

/// Blocks as big-endian numbers, to their halves, expanded.
#[inline(always)]
pub(super) fn split<S: Isa, V: Lanes<S, u64>>(isa: S, block: V) -> (V, V) {
    let high = V::splat(isa, !0 << 32);
    let left = block & high | block.shr(32);
    let right = block.shl(32) | high.andnot(block);
    (expand(isa, left), expand(isa, right))
}

/// The inverse of [`split`].
#[inline(always)]
pub(super) fn join<S: Isa, V: Lanes<S, u64>>(isa: S, left: V, right: V) -> V {
    contract(isa, left).shl(32) | contract(isa, right)
}

/// A round (Kwan, section 2): `left` XORed with F of `right`, both expanded. E of the next round is linear
/// in what the tables hold, so that halves stay expanded from the first round to the last.
#[inline(always)]
pub(super) fn round<S: Isa, V: Places<S>>(isa: S, left: V, right: V, subkey: &Subkey) -> V {
    // The keyed permutation exchanges the halves of the expansion where the salt is set. `opaque`: three
    // operations from `right` to `x`, and one word stays in one register.
    let (key, salt) = (V::splat(isa, subkey.key), V::splat(isa, subkey.salt));
    let x = (salt.andnot(right) ^ key).opaque() ^ (right.rotl(32) & salt);
    let [a, b, c, d] = &TABLES;
    let outer = left ^ x.look_up(isa, d) ^ x.shr(PLACES[0]).look_up(isa, a);
    let inner = x.shr(PLACES[1]).look_up(isa, b) ^ x.shr(PLACES[2]).look_up(isa, c);
    (outer.opaque() ^ inner).opaque()
}
