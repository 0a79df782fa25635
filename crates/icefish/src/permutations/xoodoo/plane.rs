//! Planes of states in registers: [`Slices`], [`PlaneRow`], or two of either. The rounds have one source for all.

use super::Word;
use crate::isa::{Isa, Lanes, Rows, Sink};

/// Plane `y` of [`Form::STATES`] states. Its words are lanes `(x, y)` for all `x`.
pub trait Plane<S, W>: Copy {
    /// Whether the registers can hold a second copy of the state.
    const ROOM: bool;
    /// Whether a round is latency-bound, and rotations are so cheap that a shorter dependency chain of more instructions may pay.
    const MAY_SHORTEN: bool = false;
    /// Whether complemented planes pay, because `!a & b` is two instructions.
    const COMPLEMENTS: bool = false;
    fn xor(self, other: Self) -> Self;
    fn xor3(self, b: Self, c: Self) -> Self;
    fn not(self) -> Self;
    /// For each bit of `self`, `b` and `c`: bit `4 self + 2 b + c` of `TABLE`.
    fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self;
    /// Moves lane `x` to lane `x + lanes`, cyclically, and rotates it left by `bits`.
    fn turn(self, lanes: usize, bits: u32) -> Self;
    /// XORs `w` into lane 0.
    fn add_first(self, isa: S, w: W) -> Self;
    /// The same plane. Where the compiler would vectorise the rounds, it is an optimisation barrier.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// States of three planes, consecutive in memory.
pub trait Form<S, W>: Plane<S, W> {
    /// Number of states.
    const STATES: usize;
    fn gather(isa: S, states: &[u8]) -> [Self; 3];
    fn scatter(planes: [Self; 3], sink: Sink<'_>);
}

/// States that may also be interleaved in memory, word by word.
pub trait Columns<S, W>: Form<S, W> {
    /// Word `i` of the first state is at byte `stride * i`.
    fn load(isa: S, words: &[u8], stride: usize) -> [Self; 3];
    fn store(planes: [Self; 3], words: &mut [u8], stride: usize);
}

/// Whether complemented planes pay: on x86, `!a & b` is one instruction only with BMI1, which the sets with
/// vectors have. A state of six words is
/// latency-bound, and takes 3 % longer with complements (Zen 3).
const fn complements<S: Isa, W: Word>() -> bool {
    W::BITS == 32 && S::U32::N == 1 && cfg!(any(target_arch = "x86", target_arch = "x86_64"))
}

/// State `n` is in word `n` of each vector: vector `x` holds lane `x` of every state, so that moving a lane is a renaming.
#[derive(Clone, Copy)]
pub struct Slices<V, const P: usize>(pub(crate) [V; P]);

impl<S: Isa, W: Word, V: Lanes<S, W>, const P: usize> Plane<S, W> for Slices<V, P> {
    // Two copies fit in 32 vector registers. Six vectors, a state of words of 64 bits, fit twice in 16 registers.
    const ROOM: bool = V::TERNARY || W::BITS == 64 || cfg!(target_arch = "aarch64");
    const COMPLEMENTS: bool = V::N == 1 && complements::<S, W>();
    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        for x in 0..P {
            self.0[x] = self.0[x] ^ other.0[x];
        }
        self
    }
    #[inline(always)]
    fn xor3(mut self, b: Self, c: Self) -> Self {
        for x in 0..P {
            self.0[x] = self.0[x].xor3(b.0[x], c.0[x]);
        }
        self
    }
    #[inline(always)]
    fn not(mut self) -> Self {
        for x in 0..P {
            self.0[x] = !self.0[x];
        }
        self
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(mut self, b: Self, c: Self) -> Self {
        for x in 0..P {
            self.0[x] = V::ternary::<TABLE>(self.0[x], b.0[x], c.0[x]);
        }
        self
    }
    #[inline(always)]
    fn turn(self, lanes: usize, bits: u32) -> Self {
        let mut turned = self;
        for x in 0..P {
            let lane = self.0[(x + P - lanes % P) % P];
            turned.0[x] = if bits == 0 { lane } else { lane.rotl(bits) };
        }
        turned
    }
    #[inline(always)]
    fn add_first(mut self, isa: S, w: W) -> Self {
        self.0[0] = self.0[0] ^ V::splat(isa, w);
        self
    }
    #[inline(always)]
    fn opaque(mut self) -> Self {
        if <Self as Plane<S, W>>::COMPLEMENTS {
            for x in 0..P {
                self.0[x] = self.0[x].opaque();
            }
        }
        self
    }
}

impl<S: Isa, W: Word, V: Lanes<S, W>, const P: usize> Columns<S, W> for Slices<V, P>
where
    Self: Form<S, W>,
{
    #[inline(always)]
    fn load(isa: S, words: &[u8], stride: usize) -> [Self; 3] {
        let mut planes = [Self([V::load(isa, words); P]); 3];
        for y in 0..3 {
            for x in 0..P {
                planes[y].0[x] = V::load(isa, &words[stride * (P * y + x)..]);
            }
        }
        planes
    }
    #[inline(always)]
    fn store(planes: [Self; 3], words: &mut [u8], stride: usize) {
        for y in 0..3 {
            for x in 0..P {
                planes[y].0[x].store(&mut words[stride * (P * y + x)..]);
            }
        }
    }
}

impl<S: Isa, V: Lanes<S, u32>> Form<S, u32> for Slices<V, 4> {
    const STATES: usize = V::N;
    #[inline(always)]
    fn gather(isa: S, states: &[u8]) -> [Self; 3] {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = V::gather::<12>(isa, states);
        [Self([a, b, c, d]), Self([e, f, g, h]), Self([i, j, k, l])]
    }
    #[inline(always)]
    fn scatter([p, q, r]: [Self; 3], sink: Sink<'_>) {
        let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (p.0, q.0, r.0);
        V::scatter::<12>([a, b, c, d, e, f, g, h, i, j, k, l], sink);
    }
}

impl<S: Isa, V: Lanes<S, u64>> Form<S, u64> for Slices<V, 2> {
    const STATES: usize = V::N;
    #[inline(always)]
    fn gather(isa: S, states: &[u8]) -> [Self; 3] {
        let [a, b, c, d, e, f] = V::gather::<6>(isa, states);
        [Self([a, b]), Self([c, d]), Self([e, f])]
    }
    #[inline(always)]
    fn scatter([p, q, r]: [Self; 3], sink: Sink<'_>) {
        V::scatter::<6>([p.0[0], p.0[1], q.0[0], q.0[1], r.0[0], r.0[1]], sink);
    }
}

/// A plane in a row: of one state, or of several in parallel.
#[derive(Clone, Copy)]
pub struct PlaneRow<R>(pub(crate) R);

impl<S: Isa, W: Word, R: Rows<S, W>> Plane<S, W> for PlaneRow<R> {
    // The general registers of x86-64 hold two copies of a state of six words, but not two copies of one of twelve.
    const ROOM: bool = R::REGISTER || W::BITS == 64 || cfg!(target_arch = "aarch64");
    const MAY_SHORTEN: bool = R::ROTATES;
    const COMPLEMENTS: bool = !R::REGISTER && complements::<S, W>();
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        Self(R::ternary::<0x96>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(R::ternary::<TABLE>(self.0, b.0, c.0))
    }
    #[inline(always)]
    fn turn(self, lanes: usize, bits: u32) -> Self {
        Self(self.0.turn(lanes, bits))
    }
    #[inline(always)]
    fn add_first(self, isa: S, w: W) -> Self {
        Self(self.0 ^ R::first(isa, w))
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        Self(self.0.opaque())
    }
}

impl<S: Isa, W: Word, R: Rows<S, W>> Form<S, W> for PlaneRow<R> {
    const STATES: usize = R::N;
    #[inline(always)]
    fn gather(isa: S, states: &[u8]) -> [Self; 3] {
        let [p, q, r] = R::gather::<3>(isa, states);
        [Self(p), Self(q), Self(r)]
    }
    #[inline(always)]
    fn scatter([p, q, r]: [Self; 3], sink: Sink<'_>) {
        R::scatter::<3>([p.0, q.0, r.0], sink);
    }
}

/// Twice as many states, so that the work on one half hides the latency of the other.
#[derive(Clone, Copy)]
pub struct Two<P>(P, P);

impl<P: Copy> Two<P> {
    #[inline(always)]
    pub(crate) fn join([a, b, c]: [P; 3], [d, e, f]: [P; 3]) -> [Self; 3] {
        [Self(a, d), Self(b, e), Self(c, f)]
    }
    #[inline(always)]
    pub(crate) fn split([p, q, r]: [Self; 3]) -> ([P; 3], [P; 3]) {
        ([p.0, q.0, r.0], [p.1, q.1, r.1])
    }
}

impl<S: Isa, W: Word, P: Plane<S, W>> Plane<S, W> for Two<P> {
    const ROOM: bool = false;
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        Self(self.0.xor3(b.0, c.0), self.1.xor3(b.1, c.1))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.not(), self.1.not())
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        Self(self.0.ternary::<TABLE>(b.0, c.0), self.1.ternary::<TABLE>(b.1, c.1))
    }
    #[inline(always)]
    fn turn(self, lanes: usize, bits: u32) -> Self {
        Self(self.0.turn(lanes, bits), self.1.turn(lanes, bits))
    }
    #[inline(always)]
    fn add_first(self, isa: S, w: W) -> Self {
        Self(self.0.add_first(isa, w), self.1.add_first(isa, w))
    }
}

impl<S: Isa, W: Word, P: Form<S, W>> Form<S, W> for Two<P> {
    const STATES: usize = 2 * P::STATES;
    #[inline(always)]
    fn gather(isa: S, states: &[u8]) -> [Self; 3] {
        Self::join(P::gather(isa, states), P::gather(isa, &states[48 * P::STATES..]))
    }
    #[inline(always)]
    fn scatter(planes: [Self; 3], mut sink: Sink<'_>) {
        let half = 48 * P::STATES;
        let (low, high) = Self::split(planes);
        P::scatter(high, sink.part(half, half));
        P::scatter(low, sink.part(0, half));
    }
}

impl<S: Isa, W: Word, P: Columns<S, W>> Columns<S, W> for Two<P> {
    #[inline(always)]
    fn load(isa: S, words: &[u8], stride: usize) -> [Self; 3] {
        let high = &words[P::STATES * size_of::<W>()..];
        Self::join(P::load(isa, words, stride), P::load(isa, high, stride))
    }
    #[inline(always)]
    fn store(planes: [Self; 3], words: &mut [u8], stride: usize) {
        let (low, high) = Self::split(planes);
        P::store(low, words, stride);
        P::store(high, &mut words[P::STATES * size_of::<W>()..], stride);
    }
}
