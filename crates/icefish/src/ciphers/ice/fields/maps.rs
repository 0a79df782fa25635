//! S-boxes as affine maps to the field of the instructions, and back.
//!
//! A column `x` is mapped to `u = c (f(x) + f(offset))`, where `f` is the isomorphism from the field of its row. The factor `c`
//! is the inverse of `f(offset)`, so that all rows add 1. `u (u^-1)^32` is `u^224`, the 32nd power of `u^7`. The map back undoes
//! that power, the seventh power of `c`, and `f`.

use super::super::columns::position;
use super::super::expansion::expansion;
use super::super::tables::{MODULUS, OFFSET, P};
use crate::isa::{Matrix, product};

/// Matrix `4 s + r`, for row `r` of S-box `s`, maps a column to the field of the instructions. The one [`BACK`] further on maps
/// to the output of the S-box, with its bits at their [`goal`]s. The last is [`POWER_32`].
type Matrices = [Matrix; 33];

pub(super) const BACK: usize = 16;
/// The 32nd power, which is linear.
pub(super) const POWER_32: usize = 32;

static MATRICES: Matrices = matrices();
static DIFFERENCES: Matrices = differences();

/// The matrices for maps that are chosen. For maps that are summed, the matrix of row 1 adds to that of row 0 if the low bit of a
/// row is set, that of row 2 if the high bit is set, and that of row 3 if both are set.
#[inline(always)]
pub(super) fn of(chosen: bool) -> &'static Matrices {
    if chosen { &MATRICES } else { &DIFFERENCES }
}

/// `x`, squared `times` times.
const fn squared(mut x: u8, times: usize) -> u8 {
    let mut i = 0;
    while i < times {
        x = product(x, x);
        i += 1;
    }
    x
}

/// The matrix with these columns. The first is the image of bit 0.
const fn matrix(columns: [u8; 8]) -> Matrix {
    let (mut rows, mut at) = (0, 0);
    while at < 64 {
        let (row, column) = (at / 8, at % 8);
        rows |= ((columns[column] >> row & 1) as u64) << (8 * (7 - row) + column);
        at += 1;
    }
    Matrix::new(rows)
}

/// Powers 0 to 7 of a root of `modulus` in the field of the instructions: the images of the bits under the isomorphism.
const fn images(modulus: u32) -> [u8; 8] {
    let mut root = 2;
    loop {
        let (mut powers, mut power, mut value, mut i) = ([0; 8], 1, 0, 0);
        while i < 9 {
            if i < 8 {
                powers[i] = power;
            }
            if modulus >> i & 1 != 0 {
                value ^= power;
            }
            power = product(power, root);
            i += 1;
        }
        if value == 0 {
            return powers;
        }
        root += 1;
    }
}

/// The image of `x`.
const fn image(images: &[u8; 8], x: u8) -> u8 {
    let (mut image, mut i) = (0, 0);
    while i < 8 {
        if x >> i & 1 != 0 {
            image ^= images[i];
        }
        i += 1;
    }
    image
}

/// The `x` whose image is `y`.
const fn origin(images: &[u8; 8], y: u8) -> u8 {
    let mut x = 0;
    while image(images, x) != y {
        x += 1;
    }
    x
}

/// The column of bit `bit` of a half, and the position in it.
const fn place(bit: usize) -> (usize, usize) {
    let mut at = 0;
    while at < 32 {
        let (s, i) = (at / 8, at % 8);
        if expansion(s / 2, 10 * (1 - s % 2) + 1 + i) == bit {
            return (s, position(s, i));
        }
        at += 1;
    }
    panic!("every bit of a half is in a column")
}

/// The place to which P moves bit `i` of the output of S-box `s`.
const fn goal(s: usize, i: usize) -> (usize, usize) {
    place(P[24 - 8 * s + i] as usize)
}

/// The positions at which the output of S-box `s` goes to column `column`.
pub(super) const fn share(s: usize, column: usize) -> u8 {
    let (mut share, mut i) = (0, 0);
    while i < 8 {
        let goal = goal(s, i);
        if goal.0 == column {
            share |= 1 << goal.1;
        }
        i += 1;
    }
    share
}

const fn matrices() -> Matrices {
    let (mut matrices, mut at) = ([Matrix::new(0); 33], 0);
    while at < 16 {
        let (s, row) = (at / 4, at % 4);
        let images = images(MODULUS[s][row]);
        let offset = image(&images, OFFSET[s][row] as u8);
        // x^254 is x^2 x^4 x^8 ... x^128.
        let (mut inverse, mut i) = (1, 1);
        while i < 8 {
            inverse = product(inverse, squared(offset, i));
            i += 1;
        }
        let seventh = product(offset, product(squared(offset, 1), squared(offset, 2)));
        let (mut there, mut back, mut i) = ([0; 8], [0; 8], 0);
        while i < 8 {
            there[position(s, i)] = product(inverse, images[i]);
            // The 32nd root is the eighth power.
            let x = origin(&images, product(seventh, squared(1 << i, 3)));
            let mut bit = 0;
            while bit < 8 {
                back[i] |= (x >> bit & 1) << goal(s, bit).1;
                bit += 1;
            }
            i += 1;
        }
        matrices[at] = matrix(there);
        matrices[BACK + at] = matrix(back);
        at += 1;
    }
    let (mut powers, mut i) = ([0; 8], 0);
    while i < 8 {
        powers[i] = squared(1 << i, 5);
        i += 1;
    }
    matrices[POWER_32] = matrix(powers);
    matrices
}

const fn differences() -> Matrices {
    let (mut matrices, mut at) = (matrices(), 0);
    while at < POWER_32 {
        let [a, b, c, d] = [
            matrices[at].rows(),
            matrices[at + 1].rows(),
            matrices[at + 2].rows(),
            matrices[at + 3].rows(),
        ];
        matrices[at + 1] = Matrix::new(a ^ b);
        matrices[at + 2] = Matrix::new(a ^ c);
        matrices[at + 3] = Matrix::new(a ^ b ^ c ^ d);
        at += 4;
    }
    matrices
}
