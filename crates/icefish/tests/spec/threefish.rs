//! Threefish: "The Skein Hash Function Family", version 1.3, section 3.3.

use super::BlockCipher;

/// The extended key of n + 1 words, and the extended tweak.
pub struct Threefish {
    key: Vec<u64>,
    tweak: [u64; 3],
}

/// Table 4: the rotations of 8 rounds, which repeat.
const ROTATIONS_256: [[u32; 2]; 8] =
    [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];
const ROTATIONS_512: [[u32; 4]; 8] = [
    [46, 36, 19, 37],
    [33, 27, 14, 42],
    [17, 49, 36, 39],
    [44, 9, 54, 56],
    [39, 30, 34, 24],
    [13, 50, 10, 17],
    [25, 29, 39, 43],
    [8, 35, 56, 22],
];
const ROTATIONS_1024: [[u32; 8]; 8] = [
    [24, 13, 8, 47, 8, 17, 22, 37],
    [38, 19, 10, 55, 49, 18, 23, 52],
    [33, 4, 51, 13, 34, 41, 59, 17],
    [5, 20, 48, 41, 47, 28, 16, 25],
    [41, 9, 37, 31, 12, 47, 44, 30],
    [16, 34, 56, 51, 4, 53, 42, 41],
    [31, 44, 47, 46, 19, 42, 44, 25],
    [9, 48, 35, 52, 23, 31, 37, 20],
];

/// Table 3: word i after the permutation is word `PERMUTATION[i]` before it.
const PERMUTATION_256: [usize; 4] = [0, 3, 2, 1];
const PERMUTATION_512: [usize; 8] = [2, 1, 4, 7, 6, 5, 0, 3];
const PERMUTATION_1024: [usize; 16] = [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1];

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks(8).map(|w| u64::from_le_bytes(w.try_into().unwrap())).collect()
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

impl Threefish {
    /// A key of 32, 64 or 128 bytes and a tweak of 16. An empty tweak is zeros.
    pub fn new(key: &[u8], tweak: &[u8]) -> Self {
        let mut key = words(key);
        key.push(key.iter().fold(0x1bd1_1bda_a9fc_1a22, |sum, word| sum ^ word));
        let tweak = if tweak.is_empty() { vec![0, 0] } else { words(tweak) };
        Self { key, tweak: [tweak[0], tweak[1], tweak[0] ^ tweak[1]] }
    }

    /// Words in a block.
    fn n(&self) -> usize {
        self.key.len() - 1
    }

    fn rounds(&self) -> usize {
        if self.n() == 16 { 80 } else { 72 }
    }

    fn rotation(&self, round: usize, pair: usize) -> u32 {
        match self.n() {
            4 => ROTATIONS_256[round % 8][pair],
            8 => ROTATIONS_512[round % 8][pair],
            _ => ROTATIONS_1024[round % 8][pair],
        }
    }

    fn permutation(&self) -> &'static [usize] {
        match self.n() {
            4 => &PERMUTATION_256,
            8 => &PERMUTATION_512,
            _ => &PERMUTATION_1024,
        }
    }

    /// Word `i` of subkey `s` (section 3.3.2).
    fn subkey(&self, s: usize, i: usize) -> u64 {
        let n = self.n();
        let word = self.key[(s + i) % (n + 1)];
        match n - i {
            3 => word.wrapping_add(self.tweak[s % 3]),
            2 => word.wrapping_add(self.tweak[(s + 1) % 3]),
            1 => word.wrapping_add(s as u64),
            _ => word,
        }
    }
}

impl BlockCipher for Threefish {
    fn size(&self) -> usize {
        8 * self.n()
    }

    fn encrypt(&self, block: &[u8]) -> Vec<u8> {
        let mut v = words(block);
        for round in 0..self.rounds() {
            if round % 4 == 0 {
                for i in 0..v.len() {
                    v[i] = v[i].wrapping_add(self.subkey(round / 4, i));
                }
            }
            for pair in 0..v.len() / 2 {
                let (x, y) = (v[2 * pair], v[2 * pair + 1]);
                v[2 * pair] = x.wrapping_add(y);
                v[2 * pair + 1] = y.rotate_left(self.rotation(round, pair)) ^ v[2 * pair];
            }
            v = self.permutation().iter().map(|&from| v[from]).collect();
        }
        for i in 0..v.len() {
            v[i] = v[i].wrapping_add(self.subkey(self.rounds() / 4, i));
        }
        bytes(&v)
    }

    fn decrypt(&self, block: &[u8]) -> Vec<u8> {
        let mut v = words(block);
        for i in 0..v.len() {
            v[i] = v[i].wrapping_sub(self.subkey(self.rounds() / 4, i));
        }
        for round in (0..self.rounds()).rev() {
            let after = v.clone();
            for (i, &from) in self.permutation().iter().enumerate() {
                v[from] = after[i];
            }
            for pair in 0..v.len() / 2 {
                let y = (v[2 * pair] ^ v[2 * pair + 1]).rotate_right(self.rotation(round, pair));
                v[2 * pair + 1] = y;
                v[2 * pair] = v[2 * pair].wrapping_sub(y);
            }
            if round % 4 == 0 {
                for i in 0..v.len() {
                    v[i] = v[i].wrapping_sub(self.subkey(round / 4, i));
                }
            }
        }
        bytes(&v)
    }
}
