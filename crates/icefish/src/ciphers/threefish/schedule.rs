//! The key schedule (Skein 1.3, section 3.3.2).

use crate::isa::erase;
use zeroize::Zeroize;

/// C240: the key's parity word starts from it.
const PARITY: u64 = 0x1bd1_1bda_a9fc_1a22;

/// Most subkeys that a variant has: one for every four of its 80 rounds, and one.
const MOST: usize = 21;

/// The number of rounds (section 3.3, table 2).
pub(super) const fn rounds(words: usize) -> usize {
    if words == 16 { 80 } else { 72 }
}

/// Subkey `s` is added before round `4 s`; the last one after the last round.
#[derive(Clone)]
pub(super) struct Subkeys<const W: usize>(pub(super) [[u64; W]; MOST]);

impl<const W: usize> Zeroize for Subkeys<W> {
    fn zeroize(&mut self) {
        erase(self.0.as_flattened_mut());
    }
}

#[inline(always)]
fn word(bytes: &[u8], i: usize) -> u64 {
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
    /// Adds `t` to the words that tweaks are added to.
    #[inline(always)]
    pub(super) fn add_tweak(&mut self, t: [u64; 3]) {
        for s in 0..rounds(W) / 4 + 1 {
            let subkey = &mut self.0[s];
            subkey[W - 3] = subkey[W - 3].wrapping_add(t[s % 3]);
            subkey[W - 2] = subkey[W - 2].wrapping_add(t[(s + 1) % 3]);
        }
    }
}

/// All subkeys of a key of `W` words and a tweak of zeros.
#[inline(always)]
pub(super) fn expand<const W: usize>(key: &[u8]) -> Subkeys<W> {
    // k_0 .. k_W, then the same words again, so that subkey s is W of them from word s on.
    let mut k = [0; 16 + 1 + MOST];
    let mut parity = PARITY;
    for i in 0..W {
        k[i] = word(key, i);
        parity ^= k[i];
    }
    k[W] = parity;
    for i in W + 1..W + MOST {
        k[i] = k[i - W - 1];
    }
    let mut subkeys = [[0; W]; MOST];
    for s in 0..rounds(W) / 4 + 1 {
        subkeys[s].copy_from_slice(&k[s..s + W]);
        subkeys[s][W - 1] = subkeys[s][W - 1].wrapping_add(s as u64);
    }
    erase(&mut k);
    Subkeys(subkeys)
}
