//! The states of AEGIS in registers: those of one message, side by side (RFC 10032, sections 3 to 5).

use crate::isa::{Abreast, AesRounds, Isa, Sink, Task, erase};
use core::marker::PhantomData;

/// Bytes of the largest state, that of AEGIS-128X4.
const STATE: usize = 512;
/// Bytes of the largest step, that of AEGIS-128X4.
pub(super) const RATE: usize = 128;

/// A state between calls.
#[derive(Clone)]
pub(super) struct Saved([u8; STATE]);

impl Saved {
    /// Room for a state.
    pub(super) const NEW: Self = Self([0; STATE]);

    /// The first of `degree` states.
    pub(super) fn first(&self, degree: usize) -> Self {
        let mut first = Self::NEW;
        let blocks = self.0.chunks(16 * degree);
        for (to, from) in first.0.chunks_mut(16).zip(blocks) {
            to.copy_from_slice(&from[..16]);
        }
        first
    }

    #[cfg(test)]
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        erase(&mut self.0);
    }
}

/// How many states a message has.
pub(super) trait Degree: 'static {
    /// The number.
    const DEGREE: usize;
    /// A block of each state.
    type Blocks<S: Isa>: Abreast<S>;
}

/// C0 and C1 (section 2): the Fibonacci sequence modulo 256.
const C: [[u8; 16]; 2] = {
    let (mut c, mut pair, mut i) = ([[0; 16]; 2], (0u8, 1u8), 0u8);
    while i < 32 {
        c[i as usize / 16][i as usize % 16] = pair.0;
        pair = (pair.1, pair.0.wrapping_add(pair.1));
        i += 1;
    }
    c
};

/// The blocks of the states: `B` are 8 in AEGIS-128L and 6 in AEGIS-256. A step takes `M` blocks of data for each state, 2 or 1.
pub(super) struct State<S: Isa, G: Degree, const B: usize, const M: usize> {
    isa: S,
    s: [G::Blocks<S>; B],
}

impl<S: Isa, G: Degree, const B: usize, const M: usize> State<S, G, B, M> {
    /// Bytes of data that a step takes.
    pub(super) const RATE: usize = 16 * G::DEGREE * M;
    /// Whether rounds are so long that each step is a call of one function.
    const CALLED: bool = S::Aes::SLICED;

    /// Init (sections 3.4, 4.4, 5.4.2 and 5.5.2).
    #[inline(always)]
    pub(super) fn begin(isa: S, key: &[u8], nonce: &[u8]) -> Self {
        let block = |bytes: &[u8]| G::Blocks::<S>::splat(isa, bytes.try_into().expect("a block"));
        let [c0, c1] = [block(&C[0]), block(&C[1])];
        if B == 8 {
            let (key, nonce) = (block(key), block(nonce));
            let both = key.xor(nonce);
            let mut state = Self { isa, s: [both; B] };
            state.set(1, [c1, c0, c1]);
            state.set(5, [key.xor(c0), key.xor(c1), key.xor(c0)]);
            for _ in 0..10 {
                state.separate();
                state.step(both_of(nonce, key));
            }
            return state;
        }
        let (k0, k1) = (block(&key[..16]), block(&key[16..]));
        let (b0, b1) = (k0.xor(block(&nonce[..16])), k1.xor(block(&nonce[16..])));
        let mut state = Self { isa, s: [b0; B] };
        state.set(1, [b1, c1, c0]);
        state.set(4, [k0.xor(c0), k1.xor(c1)]);
        for _ in 0..4 {
            for m in [k0, k1, b0, b1] {
                state.separate();
                state.step([m; M]);
            }
        }
        state
    }

    #[inline(always)]
    fn set<const N: usize>(&mut self, at: usize, blocks: [G::Blocks<S>; N]) {
        for i in 0..N {
            self.s[at + i] = blocks[i];
        }
    }

    /// Adds the context, in which the states differ. That of a state alone is zero.
    #[inline(always)]
    fn separate(&mut self) {
        if G::DEGREE == 1 {
            return;
        }
        let mut contexts = [0; 64];
        for i in 0..G::DEGREE {
            (contexts[16 * i], contexts[16 * i + 1]) = (i as u8, G::DEGREE as u8 - 1);
        }
        let contexts = G::Blocks::<S>::load(self.isa, &contexts);
        self.s[3] = self.s[3].xor(contexts);
        self.s[B - 1] = self.s[B - 1].xor(contexts);
    }

    #[inline(always)]
    pub(super) fn load(isa: S, saved: &Saved) -> Self {
        let mut s = [G::Blocks::<S>::load(isa, &saved.0); B];
        for i in 1..B {
            s[i] = G::Blocks::<S>::load(isa, &saved.0[16 * G::DEGREE * i..]);
        }
        Self { isa, s }
    }

    #[inline(always)]
    pub(super) fn store(&self, saved: &mut Saved) {
        let mut sink = Sink::new(&mut saved.0);
        for i in 0..B {
            self.s[i].store(&mut sink, 16 * G::DEGREE * i);
        }
    }

    /// Update (sections 3.3 and 4.3): every block becomes a round of the one before it, with itself as the key. The data is XORed
    /// into keys, which takes it off the dependency chain.
    #[inline(always)]
    pub(super) fn step(&mut self, m: [G::Blocks<S>; M]) {
        if Self::CALLED {
            self.isa.run(Rotate::<S, G::Blocks<S>> { blocks: &mut self.s, isa: PhantomData });
            self.add(m);
            return;
        }
        let old = self.s;
        self.add(m);
        for i in 0..B {
            self.s[i] = old[(i + B - 1) % B].round(self.s[i]);
        }
    }

    /// XORs data into blocks 0 and 4.
    #[inline(always)]
    fn add(&mut self, m: [G::Blocks<S>; M]) {
        for i in 0..M {
            self.s[4 * i] = self.s[4 * i].xor(m[i]);
        }
    }

    /// The keystream of the next step (sections 3.6 and 4.6).
    #[inline(always)]
    pub(super) fn keystream(&self) -> [G::Blocks<S>; M] {
        let s = &self.s;
        if B == 8 {
            let z0 = s[6].xor(s[1]).xor(s[2].and(s[3]));
            return both_of(z0, s[2].xor(s[5]).xor(s[6].and(s[7])));
        }
        [s[1].xor(s[4]).xor(s[5]).xor(s[2].and(s[3])); M]
    }

    /// The steps of Finalize (sections 3.9 and 4.9), with the two lengths.
    #[inline(always)]
    pub(super) fn end(&mut self, lengths: u128) {
        let lengths = G::Blocks::<S>::splat(self.isa, &lengths.to_le_bytes());
        let t = self.s[if B == 8 { 2 } else { 3 }].xor(lengths);
        for _ in 0..7 {
            self.step([t; M]);
        }
    }

    /// The tags of all states: the first halves of tags of 32 bytes, and the second halves from byte 64 on. A `short` tag is in the
    /// place of the first half.
    #[inline(always)]
    pub(super) fn tags(&self, short: bool, tags: &mut [u8; RATE]) {
        let (mut first, mut second) = (self.s[0], self.s[B / 2]);
        for i in 1..B / 2 {
            first = first.xor(self.s[i]);
        }
        for i in B / 2 + 1..B - 1 {
            second = second.xor(self.s[i]);
        }
        // Of AEGIS-128L, the last block is not part of a short tag.
        let all = if B == 8 { second } else { second.xor(self.s[B - 1]) };
        second = second.xor(self.s[B - 1]);
        if short {
            first = first.xor(all);
        }
        let mut sink = Sink::new(tags);
        first.store(&mut sink, 0);
        second.store(&mut sink, 64);
    }

    /// The blocks of data in the first bytes of `bytes`.
    #[inline(always)]
    pub(super) fn data(&self, bytes: &[u8]) -> [G::Blocks<S>; M] {
        let bytes = &bytes[..Self::RATE];
        let mut m = [G::Blocks::<S>::load(self.isa, bytes); M];
        for i in 1..M {
            m[i] = G::Blocks::<S>::load(self.isa, &bytes[16 * G::DEGREE * i..]);
        }
        m
    }
}

/// `[a, b]`, where `M` is 2.
#[inline(always)]
fn both_of<A: Copy, const M: usize>(a: A, b: A) -> [A; M] {
    let mut both = [a; M];
    both[M - 1] = b;
    both
}

/// A step without data, of states in memory.
struct Rotate<'a, S, A> {
    blocks: &'a mut [A],
    isa: PhantomData<S>,
}

impl<S: Isa, A: Abreast<S>> Task for Rotate<'_, S, A> {
    type Out = ();
    #[inline(always)]
    fn call<T: Isa>(self, _: T) {
        let [.., last] = *self.blocks else { return };
        let mut before = last;
        for block in self.blocks {
            let old = *block;
            *block = before.round(old);
            before = old;
        }
    }
}
