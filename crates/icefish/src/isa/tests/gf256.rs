//! GF(2^8), on sets with instructions for it and on those without.

use super::super::gf256::product;
use super::super::{Extension, Gf256, Isa, Lanes, Matrix, Task};
use super::{on_every_backend, random};
use std::vec::Vec;

#[derive(Clone, Copy)]
struct Operations;

/// Eight vectors of bytes. A call, so that it is compiled once.
#[inline(never)]
fn planes<S: Isa>(isa: S, data: &[u8]) -> [S::Gf256; 8] {
    S::Gf256::of_words(isa, core::array::from_fn(|i| S::U64::load(isa, &data[8 * S::U64::N * i..])))
}

/// The bytes of eight vectors of bytes.
#[inline(never)]
fn bytes<S: Isa>(isa: S, planes: [S::Gf256; 8]) -> Vec<u8> {
    let words = S::Gf256::to_words(isa, planes);
    let mut bytes = std::vec![0; 64 * S::U64::N];
    for (row, word) in bytes.chunks_exact_mut(8 * S::U64::N).zip(words) {
        word.store(row);
    }
    bytes
}

/// Takes eight vectors of bytes, and applies an operation to the first.
fn map<S: Isa>(isa: S, data: &[u8], f: impl Fn([S::Gf256; 8]) -> S::Gf256) -> Vec<u8> {
    let mut planes = planes(isa, data);
    planes[0] = f(planes);
    bytes(isa, planes)
}

/// The product of a matrix and a vector, bit by bit.
fn image(matrix: u64, x: u8) -> u8 {
    let bit =
        |i: u32| (0..8).fold(0, |sum, j| sum ^ (matrix >> (8 * (7 - i) + j) & 1) as u8 & x >> j);
    (0..8).fold(0, |image, i| image | (bit(i) & 1) << i)
}

impl Task for Operations {
    type Out = ();
    const EXTENSION: Extension = Extension::Gf256;
    fn call<S: Isa>(self, isa: S) {
        for seed in 0..20 {
            let data = random(seed, 64 * S::U64::N);
            let matrix = u64::from_le_bytes(random(seed + 100, 8).try_into().unwrap());
            let matrices = [0, 0, matrix, 0].map(Matrix::new);
            let check = |name: &str, got: Vec<u8>, expected: &dyn Fn(&[u8]) -> u8| {
                for (at, block) in data.chunks_exact(8).enumerate() {
                    assert_eq!(got[8 * at], expected(block), "{name}, block {at}");
                    assert_eq!(got[8 * at + 1..8 * at + 8], block[1..], "{name}, block {at}");
                }
            };
            check("splat", map(isa, &data, |_| S::Gf256::splat(isa, 0xa7)), &|_| 0xa7);
            let repeated = |_: [S::Gf256; 8]| S::Gf256::repeat(isa, 0x6c6c_6c6c);
            check("repeat", map(isa, &data, repeated), &|_| 0x6c);
            check("xor", map(isa, &data, |x| x[1] ^ x[2]), &|x| x[1] ^ x[2]);
            check("and", map(isa, &data, |x| x[1] & x[7]), &|x| x[1] & x[7]);
            let choice = |x: [S::Gf256; 8]| S::Gf256::ternary::<0xca>(x[3], x[4], x[5]);
            check("ternary", map(isa, &data, choice), &|x| x[3] & x[4] | !x[3] & x[5]);
            let affine = |x: [S::Gf256; 8]| x[6].affine::<2, 0xb3>(isa, &matrices);
            check("affine", map(isa, &data, affine), &|x| image(matrix, x[6]) ^ 0xb3);
            let choice = |x: [S::Gf256; 8]| S::Gf256::choose(x[2].test::<5>(isa), x[3], x[4]);
            let mixed = |x: &[u8]| if x[2] & 0x20 != 0 { x[3] } else { x[4] };
            check("choose", map(isa, &data, choice), &mixed);
            let some = |x: [S::Gf256; 8]| x[4].only(x[6].test::<0>(isa));
            check("only", map(isa, &data, some), &|x| x[4] * (x[6] & 1));
            let affine = |x: [S::Gf256; 8]| {
                x[5].affine_where::<2, 0x5a>(isa, x[4].test::<7>(isa), &matrices, x[3])
            };
            let mixed = |x: &[u8]| {
                if x[4] & 0x80 != 0 { image(matrix, x[5]) ^ 0x5a } else { x[3] }
            };
            check("affine_where", map(isa, &data, affine), &mixed);
            check("multiply", map(isa, &data, |x| x[0].multiply(x[1])), &|x| product(x[0], x[1]));
            let inverse = |x: u8| (0..=255).find(|&y| product(x, y) == 1).unwrap_or(0);
            let image_of_inverse = |x: [S::Gf256; 8]| x[5].inverse::<2>(isa, &matrices);
            check("inverse", map(isa, &data, image_of_inverse), &|x| image(matrix, inverse(x[5])));
        }
    }
}

#[test]
fn arithmetic_of_bytes_on_every_backend() {
    on_every_backend(Operations);
}

/// FIPS 197, section 4.2.
#[test]
fn products_are_those_of_the_standard() {
    assert_eq!(product(0x57, 0x83), 0xc1);
    assert_eq!(product(0x57, 0x13), 0xfe);
}
