//! AES: FIPS 197.

use super::BlockCipher;

/// A key schedule. A state is a column after a column: row r of column c is byte r + 4c.
pub struct Aes {
    round_keys: Vec<[u8; 16]>,
}

/// Multiplication in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (section 4.2).
const fn times(mut a: u8, b: u8) -> u8 {
    let (mut product, mut i) = (0, 0);
    while i < 8 {
        if b >> i & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
        i += 1;
    }
    product
}

/// The S-box (section 5.1.1): the inverse a^254, then an affine map.
const S: [u8; 256] = {
    let (mut table, mut a) = ([0; 256], 0);
    while a < 256 {
        let (mut inverse, mut i) = (1, 0);
        while i < 254 {
            inverse = times(inverse, a as u8);
            i += 1;
        }
        table[a] = inverse
            ^ inverse.rotate_left(1)
            ^ inverse.rotate_left(2)
            ^ inverse.rotate_left(3)
            ^ inverse.rotate_left(4)
            ^ 0x63;
        a += 1;
    }
    table
};

/// The inverse of the S-box.
const S_INVERSE: [u8; 256] = {
    let (mut table, mut a) = ([0; 256], 0);
    while a < 256 {
        table[S[a] as usize] = a as u8;
        a += 1;
    }
    table
};

impl Aes {
    /// Key expansion (section 5.2) for a key of 16, 24 or 32 bytes.
    pub fn new(key: &[u8]) -> Self {
        let words_in_key = key.len() / 4;
        let rounds = words_in_key + 6;
        let mut words: Vec<[u8; 4]> = key.chunks(4).map(|w| w.try_into().unwrap()).collect();
        let mut constant = 1;
        for i in words_in_key..4 * (rounds + 1) {
            let mut word = words[i - 1];
            if i % words_in_key == 0 {
                word.rotate_left(1);
                word = word.map(|b| S[usize::from(b)]);
                word[0] ^= constant;
                constant = times(constant, 2);
            } else if words_in_key == 8 && i % 8 == 4 {
                word = word.map(|b| S[usize::from(b)]);
            }
            let before = words[i - words_in_key];
            words.push([0, 1, 2, 3].map(|j| word[j] ^ before[j]));
        }
        let round_keys = words.chunks(4).map(|w| w.concat().try_into().unwrap()).collect();
        Self { round_keys }
    }
}

fn add_round_key(state: &mut [u8; 16], key: &[u8; 16]) {
    for i in 0..16 {
        state[i] ^= key[i];
    }
}

/// Moves row r by r columns to the left.
fn shift_rows(state: [u8; 16]) -> [u8; 16] {
    let mut shifted = [0; 16];
    for column in 0..4 {
        for row in 0..4 {
            shifted[row + 4 * column] = state[row + 4 * ((column + row) % 4)];
        }
    }
    shifted
}

/// Multiplies every column, a polynomial over GF(2^8), by `by` modulo x^4 + 1.
fn mix_columns(state: [u8; 16], by: [u8; 4]) -> [u8; 16] {
    let mut mixed = [0; 16];
    for column in 0..4 {
        for row in 0..4 {
            for i in 0..4 {
                mixed[row + 4 * column] ^= times(state[i + 4 * column], by[(4 + row - i) % 4]);
            }
        }
    }
    mixed
}

/// A round without its key (sections 5.1.1 to 5.1.3).
pub fn round(state: [u8; 16]) -> [u8; 16] {
    mix_columns(shift_rows(state.map(|b| S[usize::from(b)])), [2, 1, 1, 3])
}

impl BlockCipher for Aes {
    fn size(&self) -> usize {
        16
    }

    /// Section 5.1.
    fn encrypt(&self, block: &[u8]) -> Vec<u8> {
        let last = self.round_keys.len() - 1;
        let mut state: [u8; 16] = block.try_into().unwrap();
        add_round_key(&mut state, &self.round_keys[0]);
        for round in 1..=last {
            state = if round < last {
                self::round(state)
            } else {
                shift_rows(state.map(|b| S[usize::from(b)]))
            };
            add_round_key(&mut state, &self.round_keys[round]);
        }
        state.to_vec()
    }

    /// Section 5.3: the inverse of each step, in the opposite order.
    fn decrypt(&self, block: &[u8]) -> Vec<u8> {
        let last = self.round_keys.len() - 1;
        let mut state: [u8; 16] = block.try_into().unwrap();
        for round in (1..=last).rev() {
            add_round_key(&mut state, &self.round_keys[round]);
            if round < last {
                state = mix_columns(state, [14, 9, 13, 11]);
            }
            // Four times four shifts are none: three shifts undo one.
            state = shift_rows(shift_rows(shift_rows(state))).map(|b| S_INVERSE[usize::from(b)]);
        }
        add_round_key(&mut state, &self.round_keys[0]);
        state.to_vec()
    }
}
