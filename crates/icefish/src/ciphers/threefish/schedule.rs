//! The key schedule (Skein 1.3, section 3.3.2).

use crate::isa::{erase, opaque};
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

/// The number of words from the first to the last word of a subkey.
const SPAN: usize = WORDS + 2 * MOST + 1;

/// Subkey `s` is added before round `4 s`, the last one after the last round.
///
/// Subkeys overlap: except for its last three words, subkey `s` is the repeated words of the key from word `s` on. The schedule
/// of Threefish-1024 is thus a third as long as with every subkey written out, and all words of a subkey are at fixed distances
/// from word `s`.
#[derive(Clone)]
pub(super) struct Subkeys<const W: usize> {
    /// k_0 to k_W, then the same words again, [`WORDS`] in all. Then words W - 3 of all subkeys, words W - 2 and words W - 1, [`MOST`]
    /// of each, which include the tweak and the number of the subkey.
    words: [u64; WORDS + 3 * MOST],
}

/// The words of one subkey: the words of all subkeys from word `s` on.
#[derive(Clone, Copy)]
pub(super) struct Subkey<'a, const W: usize>(&'a [u64; SPAN]);

impl<'a, const W: usize> Subkey<'a, W> {
    /// Word `i`.
    #[inline(always)]
    pub(super) fn word(&self, i: usize) -> u64 {
        if i < W - 3 { self.0[i] } else { self.0[WORDS + (i + 3 - W) * MOST] }
    }

    /// All words, of which the last three are not those of the subkey.
    #[inline(always)]
    pub(super) fn words(&self) -> &'a [u64; W] {
        self.0.first_chunk().expect("W is at most 16")
    }
}

/// The words of two subkeys, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Two<'a, const W: usize>(&'a [u64; SPAN + 1]);

impl<'a, const W: usize> Two<'a, W> {
    /// The first of them.
    #[inline(always)]
    pub(super) fn first(self) -> Subkey<'a, W> {
        Subkey(self.0.first_chunk().expect("SPAN words"))
    }

    /// To be asked for after the first is used: the compiler would otherwise load words that both have once, and spill them.
    #[inline(always)]
    pub(super) fn second(self) -> Subkey<'a, W> {
        Subkey(opaque(self.0).last_chunk().expect("SPAN words"))
    }
}

impl<const W: usize> Zeroize for Subkeys<W> {
    fn zeroize(&mut self) {
        erase(&mut self.words);
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
        Self { words: [0; WORDS + 3 * MOST] }
    }

    /// The subkeys of a key of `W` words and a tweak of zeros.
    #[inline(always)]
    pub(super) fn make(&mut self, key: &[u8]) {
        let (words, ends) = self.words.split_at_mut(WORDS);
        let mut parity = PARITY;
        for i in 0..W {
            words[i] = word(key, i);
            parity ^= words[i];
        }
        words[W] = parity;
        for i in W + 1..WORDS {
            words[i] = words[i - W - 1];
        }
        for (j, ends) in ends.chunks_exact_mut(MOST).enumerate() {
            ends.copy_from_slice(&words[W - 3 + j..][..MOST]);
        }
        for s in 0..MOST {
            ends[2 * MOST + s] = ends[2 * MOST + s].wrapping_add(s as u64);
        }
    }

    /// The number of the last subkey.
    pub(super) const LAST: usize = rounds(W) / 4;

    /// Subkey `s`, at most [`Subkeys::LAST`].
    #[inline(always)]
    pub(super) fn subkey(&self, s: usize) -> Subkey<'_, W> {
        Subkey(self.words[s..s + SPAN].try_into().expect("SPAN words"))
    }

    /// Subkeys `s` and `s + 1`, at most [`Subkeys::LAST`]. Their address is in one register: the compiler would take two, for the
    /// schedule and for `s`.
    #[inline(always)]
    pub(super) fn two(&self, s: usize) -> Two<'_, W> {
        Two(opaque(self.words[s..s + SPAN + 1].try_into().expect("SPAN words and one")))
    }

    /// Adds `t` to the words that tweaks are added to.
    #[inline(always)]
    pub(super) fn add_tweak(&mut self, t: [u64; 3]) {
        let ends = &mut self.words[WORDS..];
        for s in 0..MOST {
            ends[s] = ends[s].wrapping_add(t[s % 3]);
            ends[MOST + s] = ends[MOST + s].wrapping_add(t[(s + 1) % 3]);
        }
    }
}
