//! The key schedule (Kwan, section 2.5): no data-dependent branch or address.

use super::Subkey;

/// By how many of the four 16-bit key words the schedule starts further on, in each of its 8 steps:
/// the first row for the first half of the rounds, the second for the other.
const ROTATIONS: [[usize; 8]; 2] = [[0, 1, 2, 3, 2, 1, 3, 0], [1, 3, 2, 0, 3, 1, 0, 2]];

/// Eight subkeys from 64 bits of the key, as four words with the most significant last.
fn eight(subkeys: &mut [Subkey], words: &mut [u16; 4], rotations: [usize; 8]) {
    for (subkey, rotation) in subkeys.iter_mut().zip(rotations) {
        let mut parts = [0u32; 3];
        for j in 0..15 {
            for k in 0..4 {
                let word = &mut words[(rotation + k) & 3];
                let bit = *word & 1;
                parts[j % 3] = parts[j % 3] << 1 | u32::from(bit);
                *word = *word >> 1 | (bit ^ 1) << 15;
            }
        }
        let [left, right, salt] = parts;
        *subkey = Subkey { left, right, salt };
    }
}

/// The subkeys of all rounds: 8 for Thin-ICE, else 16 for every 8 bytes of the key, the second 8 of
/// them counted from the end.
pub(super) fn expand(subkeys: &mut [Subkey], key: &[u8]) {
    let rounds = subkeys.len();
    for (i, part) in key.chunks_exact(8).enumerate() {
        let mut words = [0; 4];
        for (j, pair) in part.chunks_exact(2).enumerate() {
            words[3 - j] = u16::from_be_bytes([pair[0], pair[1]]);
        }
        // The words are not set back in between: 120 of their 16 bits have moved on, half inverted.
        eight(&mut subkeys[8 * i..8 * i + 8], &mut words, ROTATIONS[0]);
        if rounds > 8 {
            eight(&mut subkeys[rounds - 8 - 8 * i..rounds - 8 * i], &mut words, ROTATIONS[1]);
        }
    }
}
