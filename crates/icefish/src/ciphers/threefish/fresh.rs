//! Threefish with a key that changes with every block, as Skein uses it: subkeys are made where they are added.

use super::one::in_vectors;
use super::rounds::{Groups, round};
use super::schedule::PARITY;
use super::{halves, halves::Halves};
use crate::isa::{Gain, Isa, Lanes, Places, Scalar, Task};
use core::num::Wrapping;

/// A key, its parity word, and a tweak, of one block or of a block in every lane. Only the first W + 1 words of the key count.
#[derive(Clone, Copy)]
struct Fresh<V> {
    key: [V; 17],
    tweak: [V; 3],
}

impl<V> Fresh<V> {
    #[inline(always)]
    fn new<S: Isa, const W: usize>(isa: S, key: &[V; W], tweak: [V; 2]) -> Self
    where
        V: Lanes<S, u64>,
    {
        let mut words = [V::splat(isa, PARITY); 17];
        let mut parity = words[W];
        for i in 0..W {
            words[i] = key[i];
            parity = parity ^ key[i];
        }
        words[W] = parity;
        Self { key: words, tweak: [tweak[0], tweak[1], tweak[0] ^ tweak[1]] }
    }

    /// Adds subkey `s`, a constant: every word of it is then known by its place. The compiler is kept from vectorising a single block
    /// across its words, which is slower.
    #[inline(always)]
    fn add<S: Isa, const W: usize>(&self, isa: S, x: &mut Groups<V, W, 1>, s: usize)
    where
        V: Lanes<S, u64>,
    {
        for i in 0..W {
            let mut k = self.key[(s + i) % (W + 1)];
            if i == W - 3 {
                k = k + self.tweak[s % 3];
            }
            if i == W - 2 {
                k = k + self.tweak[(s + 1) % 3];
            }
            if i == W - 1 {
                k = k + V::splat(isa, s as u64);
            }
            x[0][i] = x[0][i] + k;
            if V::N == 1 {
                x[0][i] = x[0][i].opaque();
            }
        }
    }

    /// Subkeys `s` and `s + 1`, each with four rounds; `s` is even.
    #[inline(always)]
    fn eight<S: Isa, const W: usize>(&self, isa: S, x: &mut Groups<V, W, 1>, s: usize)
    where
        V: Lanes<S, u64>,
    {
        self.add(isa, x, s);
        round::<S, V, W, 1, 0>(x);
        round::<S, V, W, 1, 1>(x);
        round::<S, V, W, 1, 2>(x);
        round::<S, V, W, 1, 3>(x);
        self.add(isa, x, s + 1);
        round::<S, V, W, 1, 4>(x);
        round::<S, V, W, 1, 5>(x);
        round::<S, V, W, 1, 6>(x);
        round::<S, V, W, 1, 7>(x);
    }
}

/// The encryption of `x` with a key and a tweak. All rounds are written out: the place of a key's word in a subkey repeats itself
/// only after 9 subkeys or more.
#[inline(always)]
pub(crate) fn encrypt<S: Isa, V: Lanes<S, u64>, const W: usize>(
    isa: S,
    key: &[V; W],
    tweak: [V; 2],
    x: [V; W],
) -> [V; W] {
    let fresh = Fresh::new(isa, key, tweak);
    let mut x = [x];
    fresh.eight(isa, &mut x, 0);
    fresh.eight(isa, &mut x, 2);
    fresh.eight(isa, &mut x, 4);
    fresh.eight(isa, &mut x, 6);
    fresh.eight(isa, &mut x, 8);
    fresh.eight(isa, &mut x, 10);
    fresh.eight(isa, &mut x, 12);
    fresh.eight(isa, &mut x, 14);
    fresh.eight(isa, &mut x, 16);
    if W == 16 {
        fresh.eight(isa, &mut x, 18);
        fresh.add(isa, &mut x, 20);
    } else {
        fresh.add(isa, &mut x, 18);
    }
    x[0]
}

/// In the second word of a tweak: the block is the first of its chain (Skein 1.3, section 3.5.1).
pub(crate) const FIRST: u64 = 1 << 62;

/// Whole blocks of one chain: each is encrypted with the value of the chain as its key, and XORed with the result, which is the next
/// value (Skein 1.3, section 3.4).
pub(crate) struct Chained<'a, const W: usize> {
    pub(crate) chain: &'a mut [u64; W],
    /// The tweak of the block before. Its first word, a position, grows by `step` with every block.
    pub(crate) tweak: &'a mut [u64; 2],
    pub(crate) step: u64,
    pub(crate) data: &'a [u8],
}

impl<const W: usize> Task for Chained<'_, W> {
    type Out = ();
    const GAIN: Gain = Gain::Nothing;
    /// Words in general registers gain nothing from vectors, so that they are compiled once.
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        if const { in_vectors(W, <S::U64 as Lanes<S, u64>>::N) } {
            self.in_vectors(isa);
        } else {
            Scalar.run(InWords(self));
        }
    }
}

struct InWords<'a, const W: usize>(Chained<'a, W>);

impl<const W: usize> Task for InWords<'_, W> {
    type Out = ();
    const GAIN: Gain = Gain::Nothing;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let run = self.0;
        let mut chain = [Wrapping(0); W];
        for i in 0..W {
            chain[i].0 = run.chain[i];
        }
        for block in run.data.chunks_exact(8 * W) {
            run.tweak[0] = run.tweak[0].wrapping_add(run.step);
            let x: [Wrapping<u64>; W] = <Wrapping<u64> as Lanes<S, u64>>::gather(isa, block);
            let tweak = [Wrapping(run.tweak[0]), Wrapping(run.tweak[1])];
            chain = encrypt(isa, &chain, tweak, x);
            let x: [Wrapping<u64>; W] = <Wrapping<u64> as Lanes<S, u64>>::gather(isa, block);
            for i in 0..W {
                chain[i] = <Wrapping<u64> as Lanes<S, u64>>::opaque(chain[i] ^ x[i]);
            }
            run.tweak[1] &= !FIRST;
        }
        for i in 0..W {
            run.chain[i] = chain[i].0;
        }
    }
}

impl<const W: usize> Chained<'_, W> {
    /// The same for blocks in two vectors.
    #[inline(always)]
    fn in_vectors<S: Isa>(self, isa: S) {
        let (low, high) = self.chain.split_at(W / 2);
        let mut chain = (S::U64::of(isa, low), S::U64::of(isa, high));
        for block in self.data.chunks_exact(8 * W) {
            self.tweak[0] = self.tweak[0].wrapping_add(self.step);
            let schedule = halves::Fresh::new(isa, chain, *self.tweak);
            let (low, high) = block.split_at(4 * W);
            let x = Halves::<S::U64, W>::new(isa, S::U64::load(isa, low), S::U64::load(isa, high));
            chain = halves::encrypt_fresh(isa, &schedule, x).xor(x).words(isa);
            self.tweak[1] &= !FIRST;
        }
        let mut bytes = [0; 128];
        chain.0.store(&mut bytes[..4 * W]);
        chain.1.store(&mut bytes[4 * W..8 * W]);
        for i in 0..W {
            self.chain[i] = super::schedule::word(&bytes, i);
        }
        crate::isa::erase(&mut bytes);
    }
}
