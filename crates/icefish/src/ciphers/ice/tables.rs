//! The round function by table: four tables, each an S-box with the permutation P and the expansion E of
//! the next round applied.

use super::schedule::Subkey;
use crate::isa::{Isa, Lanes};
use core::num::Wrapping;

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
            tables[s][input] = expand(permuted);
            input += 1;
        }
        s += 1;
    }
    tables
}

static TABLES: [[u64; 1024]; 4] = tables();

/// The expansion E: two halves of 20 bits, the left one from bit 32 on.
pub(super) const fn expand(half: u32) -> u64 {
    let left = half >> 16 & 0x3ff | half.rotate_right(14) & 0xf_fc00;
    let right = half & 0x3ff | half << 2 & 0xf_fc00;
    (left as u64) << 32 | right as u64
}

/// What [`expand`] expands to `expanded`; one of `M` blocks.
#[inline(always)]
pub(super) fn contract<S: Isa, const M: usize>(expanded: u64) -> u32 {
    let low = expanded & 0x3ff | expanded >> 10 << 8 & 0x3_ff00;
    let high = expanded >> 16 & 0x3ff_0000 | expanded >> 42 << 24;
    // The compiler would do four shifts in a vector: good for several blocks, slow for one or two.
    let low = if M <= 2 { in_a_register::<S>(low) } else { low };
    (low | high) as u32
}

/// A round (Kwan, section 2): `left` XORed with F of `right`, both expanded. E of the next round is linear
/// in what the tables hold, so that halves stay expanded from the first round to the last.
#[inline(always)]
pub(super) fn round<S: Isa>(left: u64, right: u64, subkey: &Subkey) -> u64 {
    // Keyed permutation: the salt's bits swap the bits of the halves of the expansion. The key does not
    // wait for that.
    let swap = subkey.salt & (right ^ right.rotate_left(32));
    let x = in_a_register::<S>(right ^ subkey.key) ^ swap;
    let low = left ^ TABLES[2][(x >> 10 & 0x3ff) as usize] ^ TABLES[3][(x & 0x3ff) as usize];
    let high = TABLES[0][(x >> 42 & 0x3ff) as usize] ^ TABLES[1][(x >> 32 & 0x3ff) as usize];
    in_a_register::<S>(low ^ high)
}

/// The compiler would join several words to vectors, and take them apart again to look up their elements.
#[inline(always)]
fn in_a_register<S: Isa>(word: u64) -> u64 {
    <Wrapping<u64> as Lanes<S, u64>>::opaque(Wrapping(word)).0
}
