//! ICE: Kwan, "The Design of the ICE Encryption Algorithm", FSE 1997, a bit at a time and without tables. Level 0 is Thin-ICE.

use super::BlockCipher;

/// A subkey for each round: two of 20 bits, which are added to the expanded halves, and a salt of 20 bits, which swaps them.
pub struct Ice {
    subkeys: Vec<[u32; 3]>,
}

/// The moduli of the S-boxes' fields, and what is added to their columns: four rows for each S-box.
const MODULI: [[u32; 4]; 4] =
    [[333, 313, 505, 369], [379, 375, 319, 391], [361, 445, 451, 397], [397, 425, 395, 505]];
const OFFSETS: [[u32; 4]; 4] = [
    [0x83, 0x85, 0x9b, 0xcd],
    [0xcc, 0xa7, 0xad, 0x41],
    [0x4b, 0x2e, 0xd4, 0x33],
    [0xea, 0xcb, 0x2e, 0x04],
];
/// Bit i of the S-boxes' outputs becomes bit `P[i]`.
const P: [u32; 32] = [
    0, 7, 10, 13, 19, 21, 24, 30, 3, 5, 8, 14, 16, 23, 26, 29, 2, 4, 9, 15, 17, 22, 27, 28, 1, 6,
    11, 12, 18, 20, 25, 31,
];
/// The word of the key that each round of a half schedule begins with.
const ROTATIONS: [[usize; 8]; 2] = [[0, 1, 2, 3, 2, 1, 3, 0], [1, 3, 2, 0, 3, 1, 0, 2]];

/// Multiplication in GF(2^8).
fn product(a: u32, b: u32, modulus: u32) -> u32 {
    let mut long = (0..8).fold(0, |sum, i| if b >> i & 1 == 1 { sum ^ a << i } else { sum });
    for i in (8..16).rev() {
        if long >> i & 1 == 1 {
            long ^= modulus << (i - 8);
        }
    }
    long
}

/// S-box `s` of 10 bits: the seventh power of a sum, in the field of the row that the outer bits choose.
fn substitute(s: usize, input: u32) -> u32 {
    let row = (input >> 8 & 2 | input & 1) as usize;
    let column = (input >> 1 & 0xff) ^ OFFSETS[s][row];
    (0..6).fold(column, |power, _| product(power, column, MODULI[s][row]))
}

/// The round function.
fn f(half: u32, [left_key, right_key, salt]: [u32; 3]) -> u32 {
    let bit = |i: u32| half >> (i % 32) & 1;
    let expand = |at: &dyn Fn(u32) -> u32| (0..20).fold(0, |sum, i| sum | bit(at(i)) << i);
    let left = expand(&|i| if i < 10 { 16 + i } else { 14 + i });
    let right = expand(&|i| if i < 10 { i } else { i - 2 });
    let swap = salt & (left ^ right);
    let (left, right) = (left ^ swap ^ left_key, right ^ swap ^ right_key);
    let inputs = [left >> 10, left & 1023, right >> 10, right & 1023];
    let outputs = (0..4).fold(0, |sum, s| sum << 8 | substitute(s, inputs[s]));
    (0..32).fold(0, |sum, i| sum | (outputs >> i & 1) << P[i as usize])
}

impl Ice {
    /// The key schedule of a level, for a key of 8 bytes, times the level if it is above 1.
    pub fn new(level: usize, key: &[u8]) -> Self {
        let parts = key.len() / 8;
        let rounds = if level == 0 { 8 } else { 16 * level };
        let mut subkeys = vec![[0; 3]; rounds];
        for (n, part) in key.chunks(8).enumerate() {
            let mut words: Vec<u32> =
                part.rchunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).collect();
            let halves = if level == 0 { &ROTATIONS[..1] } else { &ROTATIONS[..] };
            for (half, rotations) in halves.iter().enumerate() {
                for (step, rotation) in rotations.iter().enumerate() {
                    let round = if half == 0 { 8 * n } else { 8 * (2 * parts - 1 - n) } + step;
                    for group in 0..15 {
                        for k in 0..4 {
                            let word = &mut words[(rotation + k) % 4];
                            let bit = *word & 1;
                            let part = &mut subkeys[round][group % 3];
                            *part = *part << 1 | bit;
                            *word = *word >> 1 | (bit ^ 1) << 15;
                        }
                    }
                }
            }
        }
        Self { subkeys }
    }
}

/// A Feistel network, whose last swap is undone.
fn network<'a>(block: &[u8], subkeys: impl Iterator<Item = &'a [u32; 3]>) -> Vec<u8> {
    let half = |i: usize| u32::from_be_bytes(block[i..i + 4].try_into().unwrap());
    let (mut left, mut right) = (half(0), half(4));
    for subkey in subkeys {
        (left, right) = (right, left ^ f(right, *subkey));
    }
    [right.to_be_bytes(), left.to_be_bytes()].concat()
}

impl BlockCipher for Ice {
    fn size(&self) -> usize {
        8
    }

    fn encrypt(&self, block: &[u8]) -> Vec<u8> {
        network(block, self.subkeys.iter())
    }

    fn decrypt(&self, block: &[u8]) -> Vec<u8> {
        network(block, self.subkeys.iter().rev())
    }
}
