//! The key schedule (Skein 1.3, section 3.3.2).

use crate::isa::erase;
use zeroize::Zeroize;

/// C240: the parity word of the key is the XOR of this and the key's words.
pub(super) const PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;

/// The largest number of subkeys: one for every four of 80 rounds, and one more.
const MOST: usize = 21;

/// The number of rounds (section 3.3, table 2).
pub(super) const fn rounds(words: usize) -> usize {
    if words == 16 { 80 } else { 72 }
}

/// The number of key words with repetitions: enough that every subkey `s` is in [`Subkeys::words`], from word `s` on.
const WORDS: usize = 16 + MOST;

/// Subkey `s` is added before round `4 s`, the last one after the last round.
///
/// Subkeys overlap: except for its last three words, subkey `s` is the repeated words of the key from word `s` on. The schedule
/// of Threefish-1024 is thus a third as long as with every subkey written out, and all words of a subkey are at fixed distances
/// from word `s`.
#[derive(Clone)]
pub(super) struct Subkeys<const W: usize> {
    /// k_0 to k_W, then the same words again.
    words: [u64; WORDS],
    /// Words W - 3, W - 2 and W - 1 of every subkey, which include the tweak and the number of the subkey.
    ends: [[u64; MOST]; 3],
}

/// The words of one subkey.
#[derive(Clone, Copy)]
pub(super) struct Subkey<'a, const W: usize> {
    words: &'a [u64; W],
    ends: [&'a u64; 3],
}

impl<'a, const W: usize> Subkey<'a, W> {
    /// Word `i`.
    #[inline(always)]
    pub(super) fn word(&self, i: usize) -> u64 {
        if i < W - 3 { self.words[i] } else { *self.ends[i + 3 - W] }
    }

    /// All words, of which the last three are not those of the subkey.
    #[inline(always)]
    pub(super) fn words(&self) -> &'a [u64; W] {
        self.words
    }
}

impl<const W: usize> Zeroize for Subkeys<W> {
    fn zeroize(&mut self) {
        erase(&mut self.words);
        erase(self.ends.as_flattened_mut());
    }
}

/// Word `i`.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], i: usize) -> u64 {
    let mut w = [0; 8];
    w.copy_from_slice(&bytes[8 * i..8 * i + 8]);
    u64::from_le_bytes(w)
}

/// The three tweak words of section 3.3.2.
#[inline(always)]
pub(super) fn tweak_words(tweak: &[u8]) -> [u64; 3] {
    let (t0, t1) = (word(tweak, 0), word(tweak, 1));
    [t0, t1, t0 ^ t1]
}

impl<const W: usize> Subkeys<W> {
    /// Room for subkeys.
    #[inline(always)]
    pub(super) fn blank() -> Self {
        Self { words: [0; WORDS], ends: [[0; MOST]; 3] }
    }

    /// The subkeys of a key of `W` words and a tweak of zeros.
    #[inline(always)]
    pub(super) fn make(&mut self, key: &[u8]) {
        let mut parity = PARITY;
        for i in 0..W {
            self.words[i] = word(key, i);
            parity ^= self.words[i];
        }
        self.words[W] = parity;
        for i in W + 1..WORDS {
            self.words[i] = self.words[i - W - 1];
        }
        for j in 0..3 {
            self.ends[j].copy_from_slice(&self.words[W - 3 + j..][..MOST]);
        }
        for s in 0..MOST {
            self.ends[2][s] = self.ends[2][s].wrapping_add(s as u64);
        }
    }

    /// The number of the last subkey.
    pub(super) const LAST: usize = rounds(W) / 4;

    /// Subkey `s`, at most [`Subkeys::LAST`].
    #[inline(always)]
    pub(super) fn subkey(&self, s: usize) -> Subkey<'_, W> {
        let words = self.words[s..s + W].try_into().expect("W words");
        Subkey { words, ends: [&self.ends[0][s], &self.ends[1][s], &self.ends[2][s]] }
    }

    /// Adds `t` to the words that tweaks are added to.
    #[inline(always)]
    pub(super) fn add_tweak(&mut self, t: [u64; 3]) {
        for s in 0..MOST {
            self.ends[0][s] = self.ends[0][s].wrapping_add(t[s % 3]);
            self.ends[1][s] = self.ends[1][s].wrapping_add(t[(s + 1) % 3]);
        }
    }
}
