//! The blocks of AEGIS in registers, and what a step does to them (RFC 10032, sections 3 and 4).

use super::variant::KeyNonce;
use crate::isa::{AesRounds, Isa, Sink, Task, opaque, opaque_count};
use core::marker::PhantomData;

/// C0 and C1 (section 2): the Fibonacci sequence modulo 256.
const C: [[u8; 16]; 2] = {
    let (mut c, mut pair, mut i) = ([[0; 16]; 2], (0u8, 1u8), 0);
    while i < 32 {
        c[i / 16][i % 16] = pair.0;
        pair = (pair.1, pair.0.wrapping_add(pair.1));
        i += 1;
    }
    c
};

/// The contexts of 1, 2 or 4 states: the number of the state and that of the last one (sections 5.4.2 and 5.5.2). Those of 1 are
/// zero.
static CONTEXTS: [[[u8; 16]; 4]; 3] = {
    let (mut contexts, mut i) = ([[[0; 16]; 4]; 3], 0);
    while i < 4 {
        (contexts[1][i][0], contexts[1][i][1]) = (i as u8, 1);
        (contexts[2][i][0], contexts[2][i][1]) = (i as u8, 3);
        i += 1;
    }
    contexts
};

/// As many states as a register has blocks: `s[i]` has block `i` of each of them. `B`, the number of blocks of a state, is 8 in
/// AEGIS-128L and 6 in AEGIS-256. A step takes `M` blocks of data for each state, 2 or 1.
#[derive(Clone, Copy)]
pub(super) struct StateRing<S, A, const B: usize, const M: usize> {
    pub(super) isa: S,
    pub(super) s: [A; B],
}

impl<S: Isa, A: AesRounds<S>, const B: usize, const M: usize> StateRing<S, A, B, M> {
    /// Init (sections 3.4, 4.4, 5.4.2 and 5.5.2) of one ring. In memory, block `i` of all `degree` states is one row. `at` is the
    /// byte offset of the ring's blocks in each row: 16 times the number of the ring's first state.
    #[inline(always)]
    pub(super) fn begin(isa: S, new: KeyNonce<'_>, at: usize, degree: usize) -> Self {
        let context = load(isa, &CONTEXTS[degree / 2].as_flattened()[at..]);
        let [c0, c1] = [splat::<S, A>(isa, &C[0]), splat::<S, A>(isa, &C[1])];
        let [key, nonce] = new.ends();
        if B == 8 {
            let (key, nonce) = (splat::<S, A>(isa, key[0]), splat::<S, A>(isa, nonce[0]));
            let mut ring = Self { isa, s: [key.xor(nonce); B] };
            ring.set(1, [c1, c0, c1]);
            ring.set(5, [key.xor(c0), key.xor(c1), key.xor(c0)]);
            for _ in 0..opaque_count(10) {
                ring.separate(context, degree);
                ring.step::<false>(pair(nonce, key));
            }
            return ring;
        }
        let [k0, k1] = key.map(|block| splat::<S, A>(isa, block));
        let [n0, n1] = nonce.map(|block| splat::<S, A>(isa, block));
        let (b0, b1) = (k0.xor(n0), k1.xor(n1));
        let mut ring = Self { isa, s: [b0; B] };
        ring.set(1, [b1, c1, c0]);
        ring.set(4, [k0.xor(c0), k1.xor(c1)]);
        // Four calls and not a loop over an array of the blocks: an array with a variable index would lie in memory.
        for _ in 0..opaque_count(4) {
            ring.mix(k0, context, degree);
            ring.mix(k1, context, degree);
            ring.mix(b0, context, degree);
            ring.mix(b1, context, degree);
        }
        ring
    }

    #[inline(always)]
    fn set<const N: usize>(&mut self, at: usize, blocks: [A; N]) {
        self.s[at..at + N].copy_from_slice(&blocks);
    }

    /// A step of Init of AEGIS-256.
    #[inline(always)]
    fn mix(&mut self, data: A, context: A, degree: usize) {
        self.separate(context, degree);
        self.step::<false>([data; M]);
    }

    #[inline(always)]
    fn separate(&mut self, context: A, degree: usize) {
        if degree > 1 {
            self.s[3] = self.s[3].xor(context);
            self.s[B - 1] = self.s[B - 1].xor(context);
        }
    }

    /// Update (sections 3.3 and 4.3): every block becomes a round of the one before it, with itself as the key.
    ///
    /// With AES instructions, where data enters, the data is the key of the round, and the block is XORed after the round. The
    /// dependency chain from this block to itself in the next step is then only that XOR. On x86-64, the instruction for a round
    /// waits for its key. With the XOR of block and data as the key, the chain would be an XOR and a round. `LATE` data is
    /// computed from the blocks. As the key, it would make that instruction wait for the keystream, so it is XORed after the
    /// round, too. The key is then zero, or, if [`AesRounds::FILLS`], the block, which saves an XOR. Without AES instructions,
    /// all data is XORed after the round.
    #[inline(always)]
    pub(super) fn step<const LATE: bool>(&mut self, m: [A; M]) {
        let old = self.s;
        self.rounds::<LATE>(m);
        self.enter::<LATE>(m, &old);
    }

    /// The rounds of a step, without data that is `LATE`. Without AES instructions, they are a call, and take no data at all.
    #[inline(always)]
    pub(super) fn rounds<const LATE: bool>(&mut self, m: [A; M]) {
        if S::Aes::SLICED {
            return self.isa.run(Rotate::<S, A> { blocks: &mut self.s, isa: PhantomData });
        }
        let (old, zero) = (self.s, A::splat(self.isa, &[0; 16]));
        for i in (0..B).rev() {
            let enters = i % 4 == 0 && i < 4 * M;
            let key = match (enters, LATE) {
                (true, false) => m[i / 4],
                (true, true) if !A::FILLS => zero,
                _ => old[i],
            };
            self.s[i] = old[(i + B - 1) % B].round(key);
        }
    }

    /// The XORs of a step, whose blocks were `old`.
    #[inline(always)]
    pub(super) fn enter<const LATE: bool>(&mut self, m: [A; M], old: &[A; B]) {
        for i in 0..M {
            let rest = match (S::Aes::SLICED || LATE && A::FILLS, LATE) {
                (true, _) => m[i],
                (false, true) => old[4 * i].xor(m[i]),
                (false, false) => old[4 * i],
            };
            self.s[4 * i] = self.s[4 * i].xor(rest);
        }
    }

    /// The keystream of the next step (sections 3.6 and 4.6).
    #[inline(always)]
    pub(super) fn keystream(&self) -> [A; M] {
        let s = &self.s;
        if B == 8 {
            let z0 = self.and(2).xor(s[6].xor(s[1]));
            return pair(z0, self.and(6).xor(s[2].xor(s[5])));
        }
        [self.and(2).xor(s[1]).xor(s[4].xor(s[5])); M]
    }

    /// The AND of a block and the next one.
    #[inline(always)]
    fn and(&self, i: usize) -> A {
        let (a, b) = (self.s[i], self.s[i + 1]);
        if S::Aes::SLICED { self.isa.run(And(a, b, PhantomData::<S>)) } else { a.and(b) }
    }

    /// The steps of Finalize (sections 3.9 and 4.9), with the two lengths.
    #[inline(always)]
    pub(super) fn end(&mut self, lengths: &[u64; 2]) {
        // Read one by one, as they were written: a load of both would wait until the two stores are done.
        let [first, second] = lengths.each_ref().map(|length| *opaque(length));
        let lengths = u128::from(first) | u128::from(second) << 64;
        let lengths = splat::<S, A>(self.isa, &lengths.to_le_bytes());
        let t = self.s[if B == 8 { 2 } else { 3 }].xor(lengths);
        for _ in 0..opaque_count(7) {
            self.step::<false>([t; M]);
        }
    }

    /// The halves of the states' tags. A `short` tag is in the place of the first half, and zeros are in that of the second.
    #[inline(always)]
    pub(super) fn tags(&self, short: bool) -> [A; 2] {
        let (mut first, mut second) = (self.s[0], self.s[B / 2]);
        for i in 1..B / 2 {
            first = first.xor(self.s[i]);
        }
        for i in B / 2 + 1..B - 1 {
            second = second.xor(self.s[i]);
        }
        let all = second.xor(self.s[B - 1]);
        if short {
            // Of AEGIS-128L, the last block is not part of a short tag.
            first = first.xor(if B == 8 { second } else { all });
            return [first, all.xor(all)];
        }
        [first, all]
    }

    /// Reads blocks that are `stride` bytes apart.
    #[inline(always)]
    pub(super) fn blocks<const N: usize>(isa: S, bytes: &[u8], stride: usize) -> [A; N] {
        let (mut blocks, mut rest) = ([load(isa, bytes); N], bytes);
        // From block to block: the products `stride * i` would need five more registers, which every call would have to save.
        for i in 1..N {
            rest = &rest[stride..];
            blocks[i] = load(isa, rest);
        }
        blocks
    }

    /// Writes blocks `stride` bytes apart.
    #[inline(always)]
    pub(super) fn put<const N: usize>(isa: S, blocks: [A; N], sink: &mut Sink<'_>, stride: usize) {
        for i in 0..N {
            store::<S, A>(isa, blocks[i], sink, stride * i);
        }
    }
}

/// `[a, b]`, where `M` is 2.
#[inline(always)]
fn pair<A: Copy, const M: usize>(a: A, b: A) -> [A; M] {
    let mut both = [a; M];
    both[M - 1] = b;
    both
}

// Without AES instructions, converting states to the form that rounds take and back is long code. It is a call, so that it exists
// once.

/// Reads states.
#[inline(always)]
pub(super) fn load<S: Isa, A: AesRounds<S>>(isa: S, bytes: &[u8]) -> A {
    if S::Aes::SLICED {
        isa.run(Load::<S, A>(bytes, isa, PhantomData))
    } else {
        A::load(isa, bytes)
    }
}

/// The same block in every state.
#[inline(always)]
fn splat<S: Isa, A: AesRounds<S>>(isa: S, block: &[u8; 16]) -> A {
    if S::Aes::SLICED { load(isa, [*block; 4].as_flattened()) } else { A::splat(isa, block) }
}

/// Writes states.
#[inline(always)]
pub(super) fn store<S: Isa, A: AesRounds<S>>(isa: S, states: A, sink: &mut Sink<'_>, at: usize) {
    if S::Aes::SLICED {
        isa.run(Store(states, sink.part(at, 16 * A::N), PhantomData::<S>));
    } else {
        states.store(sink, at);
    }
}

struct Load<'a, S, A>(&'a [u8], S, PhantomData<A>);

impl<T: Isa, A: AesRounds<T>> Task for Load<'_, T, A> {
    type Out = A;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> A {
        A::load(self.1, self.0)
    }
}

struct Store<'a, S, A>(A, Sink<'a>, PhantomData<S>);

impl<T: Isa, A: AesRounds<T>> Task for Store<'_, T, A> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(mut self, _: S) {
        self.0.store(&mut self.1, 0);
    }
}

struct And<S, A>(A, A, PhantomData<S>);

impl<T: Isa, A: AesRounds<T>> Task for And<T, A> {
    type Out = A;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> A {
        self.0.and(self.1)
    }
}

/// A round of every block, with the next block as the key.
struct Rotate<'a, S, A> {
    blocks: &'a mut [A],
    isa: PhantomData<S>,
}

impl<T: Isa, A: AesRounds<T>> Task for Rotate<'_, T, A> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, _: S) {
        let blocks = self.blocks;
        let [.., last] = *blocks else { return };
        let mut before = last;
        for block in blocks {
            let old = *block;
            *block = before.round(old);
            before = old;
        }
    }
}
