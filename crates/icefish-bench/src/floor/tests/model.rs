//! Xoodoo as its specification has it (Xoodoo Cookbook, section 2), on words that count: the kernels of the library do
//! not run on lanes of others.

use icefish::permutations::{Permutation, Word, Xoodoo, Xoodoo64};
use icefish::{Backend, isa::Scalar};

use super::super::counts;
use super::{counted, plain, rotation};

const CONSTANTS: [u64; 12] =
    [0x58, 0x38, 0x3c0, 0xd0, 0x120, 0x14, 0x60, 0x2c, 0x380, 0xf0, 0x1a0, 0x12];

/// Lanes of `bits` bits in `u64`, with or without functions of three operands.
#[derive(Clone, Copy)]
struct Words {
    bits: u32,
    ternary: bool,
}

impl Words {
    fn rotl(self, word: u64, by: u32) -> u64 {
        rotation(self.ternary, by);
        let mask = u64::MAX >> (64 - self.bits);
        (word << by | word >> (self.bits - by)) & mask
    }

    fn xor3(self, a: u64, b: u64, c: u64) -> u64 {
        if self.ternary { plain(a ^ b ^ c) } else { plain(plain(a ^ b) ^ c) }
    }

    /// `a ^ (!b & c)`; the AND with a complement is one operation everywhere.
    fn chi(self, a: u64, b: u64, c: u64) -> u64 {
        if self.ternary { plain(a ^ (!b & c)) } else { plain(a ^ plain(!b & c)) }
    }

    /// Adds the parity of the column before, turned twice. Its sum is made once, unless it is free.
    fn theta<const X: usize>(self, a: &mut [[u64; X]; 3], by: [u32; 2]) {
        let mut parity = [0; X];
        for x in 0..X {
            parity[x] = self.xor3(a[0][x], a[1][x], a[2][x]);
        }
        for x in 0..X {
            let before = parity[(x + X - 1) % X];
            let (e, f) = (self.rotl(before, by[0]), self.rotl(before, by[1]));
            if self.ternary {
                (0..3).for_each(|y| a[y][x] = self.xor3(a[y][x], e, f));
            } else {
                let sum = plain(e ^ f);
                (0..3).for_each(|y| a[y][x] = plain(a[y][x] ^ sum));
            }
        }
    }

    /// Planes move by whole lanes for nothing.
    fn permute<W: Word, const X: usize>(self, a: &mut [[u64; X]; 3]) {
        for constant in CONSTANTS {
            self.theta(a, W::THETA);
            a[1].rotate_right(1);
            a[2] = a[2].map(|word| self.rotl(word, W::WEST));
            a[0][0] = plain(a[0][0] ^ constant);
            for x in 0..X {
                let [p, q, r] = [a[0][x], a[1][x], a[2][x]];
                a[0][x] = self.chi(p, q, r);
                a[1][x] = self.chi(q, r, p);
                a[2][x] = self.chi(r, p, q);
            }
            a[1] = a[1].map(|word| self.rotl(word, 1));
            a[2].rotate_right(W::EAST_LANES);
            a[2] = a[2].map(|word| self.rotl(word, W::EAST));
        }
    }
}

fn check<W: Word, const X: usize>(ternary: bool) {
    let words = Words { bits: W::BITS, ternary };
    let bytes = W::BITS as usize / 8;
    let mut state: [u8; 48] = std::array::from_fn(|i| (7 * i) as u8);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    let mut a = [[0; X]; 3];
    for (i, bytes) in state.chunks(bytes).enumerate() {
        a[i / X][i % X] = word(bytes);
    }
    let [plain, shifts, _] = counted(|| words.permute::<W, X>(&mut a));
    let scalar = Backend::Scalar(Scalar);
    Permutation::<W>::permute(scalar, 12, &mut state).expect("twelve rounds");
    for (i, bytes) in state.chunks(bytes).enumerate() {
        assert_eq!(a[i / X][i % X], word(bytes), "the model is not the permutation");
    }
    let count = counts::xoodoo(12, W::BITS as usize, ternary);
    assert_eq!((plain as f64, shifts as f64), (count.plain, count.shifts), "{ternary}");
}

#[test]
fn xoodoo_has_these_operations() {
    for ternary in [false, true] {
        check::<u32, 4>(ternary);
        check::<u64, 2>(ternary);
    }
    assert_eq!((Xoodoo::ROUNDS, Xoodoo64::ROUNDS), (12, 12));
}
