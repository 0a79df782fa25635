//! The key schedule (Kwan, section 2.5).
//!
//! Every subkey bit is a bit of the key or its complement, and which one does not depend on the key. [`WIRING`] is computed at
//! compile time, and all forms of the rounds take their subkeys through it. No branch or address depends on the key.

use super::expansion::in_place;
use crate::isa::{erase, mixed};

/// Bits of a subkey, 20 each: two halves that are XORed with the expanded block, and the salt.
pub(super) const BITS: usize = 60;

/// The sources of the bits of a round's subkey: first those of the left half from bit 0 on, then those of the right half, then
/// those of the salt. `i` below 64 is bit `i` of the 8 key bytes, read as a big-endian number; `64 + i` is its complement.
pub(super) type Wires = [u8; BITS];

/// For 8 key bytes, which key 16 rounds: those of the 8 in the first half of the cipher, and of the 8 in the second, which are
/// mirrored.
pub(super) static WIRING: [[Wires; 8]; 2] = wiring();

/// In each of its 16 steps, the schedule starts at this one of the four 16-bit key words.
const ROTATIONS: [usize; 16] = [0, 1, 2, 3, 2, 1, 3, 0, 1, 3, 2, 0, 3, 1, 0, 2];

const fn wiring() -> [[Wires; 8]; 2] {
    // Bit t of word w of the schedule is at w 16 + t. Values are those of `Wires`.
    let mut words = [[0u8; 16]; 4];
    let mut i = 0;
    while i < 64 {
        words[i / 16][i % 16] = i as u8;
        i += 1;
    }
    let mut wiring = [[[0; BITS]; 8]; 2];
    let mut step = 0;
    while step < 16 {
        let mut j = 0;
        while j < BITS {
            // Groups of four bits go to the three parts in turn, the most significant group first.
            let (part, nth) = (j / 4 % 3, j / 12 * 4 + j % 4);
            let word = &mut words[(ROTATIONS[step] + j) & 3];
            wiring[step / 8][step % 8][20 * part + 19 - nth] = word[0];
            // The word is shifted right by one bit, and the complement of that bit enters from the left.
            let out = word[0] ^ 64;
            let mut t = 0;
            while t < 15 {
                word[t] = word[t + 1];
                t += 1;
            }
            word[15] = out;
            j += 1;
        }
        step += 1;
    }
    wiring
}

/// The number of the 8 key bytes, and the wires, of a round out of `rounds`.
#[inline(always)]
pub(super) fn source(round: usize, rounds: usize) -> (usize, &'static Wires) {
    if rounds == 8 || round < rounds / 2 {
        (round / 8, &WIRING[0][round % 8])
    } else {
        ((rounds - 1 - round) / 8, &WIRING[1][round % 8])
    }
}

/// A round's subkey as numbers in the layout of an expanded half.
#[derive(Clone, Copy, Default)]
pub(super) struct ExpandedSubkey {
    /// XORed with the halves of the expansion.
    pub(super) key: u64,
    /// The salt, for both halves.
    pub(super) salt: u64,
}

impl ExpandedSubkey {
    /// Makes a subkey from 8 key bytes, read as a big-endian number.
    pub(super) fn new(key: u64, wires: &Wires) -> Self {
        let part = |at: usize| {
            let mut bits = 0;
            for (i, &wire) in wires[at..at + 20].iter().enumerate() {
                let complement = u64::from(wire >> 6);
                bits |= ((key >> (wire & 63) ^ complement) & 1) << i;
            }
            bits
        };
        let salt = part(40);
        Self { key: in_place(part(0), part(20)), salt: in_place(salt, salt) }
    }
}

/// Every bit of 8 key bytes, and every complement, as a word of 64 equal bits.
pub(super) struct Masks {
    /// As many words as there are values of a wire, so that a look-up needs no bounds check. The second half is never used.
    words: [u64; 256],
    /// The number of the 8 bytes.
    part: Option<usize>,
}

impl Masks {
    /// No bytes yet.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self { words: [0; 256], part: None }
    }

    /// Fills in the masks of 8 bytes of `key`, unless they are there already.
    #[inline(always)]
    pub(super) fn fill(&mut self, key: &[u64], part: usize) {
        if self.part != Some(part) {
            self.part = Some(part);
            for i in 0..64 {
                let bit = key[part] >> i & 1;
                let mask = mixed::<8, _>(0u64.wrapping_sub(bit), bit);
                (self.words[i], self.words[64 + i]) = (mask, !mask);
            }
        }
    }

    /// The word for a wire.
    #[inline(always)]
    pub(super) fn get(&self, wire: u8) -> u64 {
        self.words[usize::from(wire)]
    }
}

impl Drop for Masks {
    #[inline(always)]
    fn drop(&mut self) {
        erase(&mut self.words[..128]);
    }
}
