//! One block in two vectors, with a key of its own: subkeys are made where they are added.

use super::halves::{Halves, SubkeyHalves, eight, four, last};
use super::schedule::PARITY;
use crate::isa::{Isa, Lanes};

/// The key and the tweak of one block, from which subkeys are made where they are added.
pub(super) struct FreshHalves<V> {
    /// The words of the key, its parity word, and the same again: subkey `s` begins at word `s`.
    ring: [u8; 8 * 42],
    /// Entry `i`: the tweak words of subkeys `i`, `i + 3` and so on, in the lanes of the second half of a block.
    tweaks: [V; 3],
    /// All ones in the last lane, to which the number of a subkey is added.
    last: V,
}

impl<V> FreshHalves<V> {
    /// The schedule of a key, given as the first and the second half of its words.
    #[inline(always)]
    pub(super) fn new<S: Isa>(isa: S, key: (V, V), tweak: [u64; 2]) -> Self
    where
        V: Lanes<S, u64>,
    {
        let (n, t) = (V::N, [tweak[0], tweak[1], tweak[0] ^ tweak[1]]);
        let mut parity = key.0 ^ key.1;
        let mut mask = n / 2;
        while mask > 0 {
            parity = parity ^ parity.swap(isa, mask);
            mask /= 2;
        }
        let parity = parity ^ V::splat(isa, PARITY);
        let mut ring = [0; 8 * 42];
        key.0.store(&mut ring);
        key.1.store(&mut ring[8 * n..]);
        parity.store(&mut ring[16 * n..]);
        key.0.store(&mut ring[16 * n + 8..]);
        key.1.store(&mut ring[24 * n + 8..]);
        parity.store(&mut ring[32 * n + 8..]);
        key.0.store(&mut ring[32 * n + 16..]);
        Self {
            ring,
            tweaks: [
                ends(isa, [t[0], t[1], 0]),
                ends(isa, [t[1], t[2], 0]),
                ends(isa, [t[2], t[0], 0]),
            ],
            last: ends(isa, [0, 0, u64::MAX]),
        }
    }
}

/// Words in the last three lanes, and zeros in the others.
#[inline(always)]
fn ends<S: Isa, V: Lanes<S, u64>>(isa: S, words: [u64; 3]) -> V {
    let mut lanes = [0; 8];
    lanes[V::N.max(3) - 3..V::N.max(3)].copy_from_slice(&words);
    V::of(isa, &lanes)
}

impl<S: Isa, V: Lanes<S, u64>, const W: usize> SubkeyHalves<S, V, W> for FreshHalves<V> {
    #[inline(always)]
    fn halves(&self, isa: S, s: usize) -> Halves<V, W> {
        let low = V::load(isa, &self.ring[8 * s..]);
        let high = V::load(isa, &self.ring[8 * (s + V::N)..]);
        let number = V::splat(isa, s as u64) & self.last;
        Halves::new(isa, low, high + (self.tweaks[s % 3] + number))
    }
}

/// All rounds of a block of 16 words with a key of its own. They are written out, so that the places of subkeys are constants.
#[inline(always)]
pub(super) fn encrypt<S: Isa, V: Lanes<S, u64>, const W: usize>(
    isa: S,
    key: &FreshHalves<V>,
    x: Halves<V, W>,
) -> Halves<V, W> {
    let x = four::<S, V, W, 0>(isa, x, 0, key.halves(isa, 0));
    let x = eight(isa, key, x, 1);
    let x = eight(isa, key, x, 3);
    let x = eight(isa, key, x, 5);
    let x = eight(isa, key, x, 7);
    let x = eight(isa, key, x, 9);
    let x = eight(isa, key, x, 11);
    let x = eight(isa, key, x, 13);
    let x = eight(isa, key, x, 15);
    let x = eight(isa, key, x, 17);
    last(isa, key, x)
}
