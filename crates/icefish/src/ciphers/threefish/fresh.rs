//! Threefish with a key that changes with every block, as Skein uses it: subkeys are made where they are added.

use super::one::in_vectors;
use super::rounds::{Groups, round};
use super::schedule::{PARITY, rounds};
use super::{fresh_halves, halves::Halves};
use crate::isa::{Extension, Isa, Lanes, Scalar, Task};
use core::num::Wrapping;

/// The words that are added to the blocks, in the same groups: the key and its parity word, and the tweak. Only the first W + 1
/// words of the key count.
#[derive(Clone, Copy)]
struct Fresh<V, const M: usize> {
    key: [[V; 17]; M],
    tweak: [[V; 3]; M],
}

impl<V, const M: usize> Fresh<V, M> {
    #[inline(always)]
    fn new<S: Isa, const W: usize>(isa: S, key: &Groups<V, W, M>, tweak: &[[V; 2]; M]) -> Self
    where
        V: Lanes<S, u64>,
    {
        let zero = V::splat(isa, 0);
        let mut fresh = Self { key: [[zero; 17]; M], tweak: [[zero; 3]; M] };
        for m in 0..M {
            let mut parity = V::splat(isa, PARITY);
            for i in 0..W {
                fresh.key[m][i] = key[m][i];
                parity = parity ^ key[m][i];
            }
            fresh.key[m][W] = parity;
            fresh.tweak[m] = [tweak[m][0], tweak[m][1], tweak[m][0] ^ tweak[m][1]];
        }
        fresh
    }

    /// Adds subkey `s`. Once this is inlined, `s` is a constant, so the indices of its words are constants too.
    #[inline(always)]
    fn add<S: Isa, const W: usize>(&self, isa: S, x: &mut Groups<V, W, M>, s: usize)
    where
        V: Lanes<S, u64>,
    {
        for m in 0..M {
            for i in 0..W {
                let mut k = self.key[m][(s + i) % (W + 1)];
                if i == W - 3 {
                    k = k + self.tweak[m][s % 3];
                }
                if i == W - 2 {
                    k = k + self.tweak[m][(s + 1) % 3];
                }
                if i == W - 1 {
                    // Not `(x + k) + s`, which would be the compiler's order: x is ready last.
                    k = (k + V::splat(isa, s as u64)).opaque();
                }
                x[m][i] = alone::<S, V>(x[m][i] + k);
            }
        }
    }

    /// Subkeys `s` and `s + 1`, each with four rounds; `s` is even.
    #[inline(always)]
    fn eight<S: Isa, const W: usize>(&self, isa: S, x: &mut Groups<V, W, M>, s: usize)
    where
        V: Lanes<S, u64>,
    {
        self.add(isa, x, s);
        rounds_0_to_3::<S, V, W, M>(x);
        self.add(isa, x, s + 1);
        rounds_4_to_7::<S, V, W, M>(x);
    }
}

/// Keeps the compiler from vectorising a single block across its words, which is slower.
#[inline(always)]
fn alone<S: Isa, V: Lanes<S, u64>>(word: V) -> V {
    if V::N == 1 { word.opaque() } else { word }
}

/// Whether mixes are reversed in every second round ([`round`]). On a Zen 3, blocks of 4 and 16 words then take 0.95 and 0.9 of the
/// time, and blocks of 8 words 1.02.
#[inline(always)]
const fn reverses<S: Isa, V: Lanes<S, u64>, const W: usize>() -> bool {
    V::N == 1 && W != 8
}

#[inline(always)]
fn rounds_0_to_3<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
    x: &mut Groups<V, W, M>,
) {
    round::<S, V, W, M, 0>(x, reverses::<S, V, W>());
    round::<S, V, W, M, 1>(x, reverses::<S, V, W>());
    round::<S, V, W, M, 2>(x, reverses::<S, V, W>());
    round::<S, V, W, M, 3>(x, reverses::<S, V, W>());
}

#[inline(always)]
fn rounds_4_to_7<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
    x: &mut Groups<V, W, M>,
) {
    round::<S, V, W, M, 4>(x, reverses::<S, V, W>());
    round::<S, V, W, M, 5>(x, reverses::<S, V, W>());
    round::<S, V, W, M, 6>(x, reverses::<S, V, W>());
    round::<S, V, W, M, 7>(x, reverses::<S, V, W>());
}

/// The encryption of `x` with a key and a tweak.
#[inline(always)]
pub(crate) fn encrypt<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
    isa: S,
    ring: &mut Ring<V, M>,
    key: &Groups<V, W, M>,
    tweak: &[[V; 2]; M],
    mut x: Groups<V, W, M>,
) -> Groups<V, W, M> {
    let fresh = Fresh::new(isa, key, tweak);
    if W * M == 16 && V::N == 1 {
        return fresh.in_a_loop(isa, x);
    }
    if W * M == 16 {
        return ring.encrypt(isa, &fresh, x);
    }
    // Written out: the place of a key's word in a subkey repeats only after W + 1 subkeys.
    fresh.eight(isa, &mut x, 0);
    fresh.eight(isa, &mut x, 2);
    fresh.eight(isa, &mut x, 4);
    fresh.eight(isa, &mut x, 6);
    fresh.eight(isa, &mut x, 8);
    fresh.eight(isa, &mut x, 10);
    fresh.eight(isa, &mut x, 12);
    fresh.eight(isa, &mut x, 14);
    fresh.eight(isa, &mut x, 16);
    fresh.add(isa, &mut x, 18);
    x
}

/// The number of the last subkey.
const fn last(words: usize) -> usize {
    rounds(words) / 4
}

impl<V, const M: usize> Fresh<V, M> {
    /// All rounds of a block of 16 words in general registers: the key is in memory, twice, and subkey `s` begins at word `s`. A
    /// [`Ring`] takes almost twice as long there (Zen 5, Skein-1024 of 16 KiB).
    #[inline(always)]
    fn in_a_loop<S: Isa, const W: usize>(&self, isa: S, mut x: Groups<V, W, M>) -> Groups<V, W, M>
    where
        V: Lanes<S, u64>,
    {
        let mut keys = [[V::splat(isa, 0); 17 + last(16)]; M];
        for m in 0..M {
            for i in 0..17 + last(16) {
                keys[m][i] = self.key[m][i % 17];
            }
        }
        let mut tweak = self.tweak;
        for s in (0..last(16)).step_by(2) {
            step(isa, &keys, &mut tweak, &mut x, s);
            rounds_0_to_3::<S, V, W, M>(&mut x);
            step(isa, &keys, &mut tweak, &mut x, s + 1);
            rounds_4_to_7::<S, V, W, M>(&mut x);
        }
        step(isa, &keys, &mut tweak, &mut x, last(16));
        x
    }
}

/// Adds subkey `s`, and moves the tweak to the next one.
#[inline(always)]
fn step<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
    isa: S,
    keys: &[[V; 17 + last(16)]; M],
    tweak: &mut [[V; 3]; M],
    x: &mut Groups<V, W, M>,
    s: usize,
) {
    for m in 0..M {
        let key: &[V; W] = keys[m][s..s + W].try_into().expect("W words");
        let [a, b, c] = tweak[m];
        for i in 0..W {
            let mut word = x[m][i] + key[i];
            if i == W - 3 {
                word = word + a;
            }
            if i == W - 2 {
                word = word + b;
            }
            if i == W - 1 {
                word = word + V::splat(isa, s as u64);
            }
            x[m][i] = alone::<S, V>(word);
        }
        tweak[m] = [b, c, a];
    }
}

/// Memory for the keys of blocks that have more words than there are registers for keys: k_0 to k_W, then the same words again, so
/// that subkey `s` begins at word `s`. It is made once for consecutive blocks of a chain.
pub(crate) struct Ring<V, const M: usize>([[V; 18 + last(16)]; M]);

impl<V, const M: usize> Ring<V, M> {
    #[inline(always)]
    pub(crate) fn new<S: Isa>(isa: S) -> Self
    where
        V: Lanes<S, u64>,
    {
        Self([[V::splat(isa, 0); 18 + last(16)]; M])
    }

    /// All rounds. The first subkey is added from registers: it is the value of a chain, which has only now become known.
    #[inline(always)]
    fn encrypt<S: Isa, const W: usize>(
        &mut self,
        isa: S,
        fresh: &Fresh<V, M>,
        mut x: Groups<V, W, M>,
    ) -> Groups<V, W, M>
    where
        V: Lanes<S, u64>,
    {
        for m in 0..M {
            for i in 0..W + 1 {
                self.0[m][i] = fresh.key[m][i];
            }
            self.0[m][W + 1] = fresh.key[m][0];
        }
        fresh.add(isa, &mut x, 0);
        let (mut tweak, mut number) = (fresh.tweak, V::splat(isa, 0));
        for s in (0..last(W)).step_by(2) {
            rounds_0_to_3::<S, V, W, M>(&mut x);
            self.add(isa, &mut tweak, &mut number, &mut x, s + 1);
            rounds_4_to_7::<S, V, W, M>(&mut x);
            self.add(isa, &mut tweak, &mut number, &mut x, s + 2);
        }
        x
    }

    /// Moves the tweak and the number to subkey `s`, and adds that subkey.
    #[inline(always)]
    fn add<S: Isa, const W: usize>(
        &mut self,
        isa: S,
        tweak: &mut [[V; 3]; M],
        number: &mut V,
        x: &mut Groups<V, W, M>,
        s: usize,
    ) where
        V: Lanes<S, u64>,
    {
        *number = *number + V::splat(isa, 1);
        for m in 0..M {
            let key: [V; W] = self.0[m][s..s + W].try_into().expect("W words");
            self.0[m][s + W + 1] = key[0];
            let [c, a, b] = tweak[m];
            for i in 0..W {
                let k = match W - i {
                    3 => (key[i] + a).opaque(),
                    2 => (key[i] + b).opaque(),
                    1 => (key[i] + *number).opaque(),
                    _ => key[i],
                };
                x[m][i] = alone::<S, V>(x[m][i] + k);
            }
            tweak[m] = [a, b, c];
        }
    }
}

/// The flag "first block" in the second word of a tweak (Skein 1.3, section 3.5.1).
pub(crate) const FIRST: u64 = 1 << 62;

/// Whole blocks of one chain: each is encrypted with the value of the chain as its key. The XOR of the block and the encrypted
/// block is the next value (Skein 1.3, section 3.4).
pub(crate) struct Chained<'a, const W: usize> {
    pub(crate) chain: &'a mut [u64; W],
    /// The tweak of the next block, less `step` in its first word, which is a position. Every block adds `step` to that word.
    pub(crate) tweak: &'a mut [u64; 2],
    pub(crate) step: u64,
    pub(crate) data: &'a [u8],
}

impl<const W: usize> Task for Chained<'_, W> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    /// Blocks in general registers: one function serves all backends.
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
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let run = self.0;
        let (mut chain, mut ring) = ([Wrapping(0); W], Ring::new(isa));
        for i in 0..W {
            chain[i].0 = run.chain[i];
        }
        for block in run.data.chunks_exact(8 * W) {
            run.tweak[0] = run.tweak[0].wrapping_add(run.step);
            let x: [Wrapping<u64>; W] = <Wrapping<u64> as Lanes<S, u64>>::gather(isa, block);
            let tweak = [Wrapping(run.tweak[0]), Wrapping(run.tweak[1])];
            [chain] = encrypt(isa, &mut ring, &[chain], &[tweak], [x]);
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
            let schedule = fresh_halves::FreshHalves::new(isa, chain, *self.tweak);
            let (low, high) = block.split_at(4 * W);
            let x = Halves::<S::U64, W>::new(isa, S::U64::load(isa, low), S::U64::load(isa, high));
            chain = fresh_halves::encrypt(isa, &schedule, x).xor(x).words(isa);
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
