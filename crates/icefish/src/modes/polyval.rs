//! POLYVAL (RFC 8452, section 3) and GHASH (NIST SP 800-38D, section 6.4), which is POLYVAL with the
//! bytes of everything reversed and the key times x (RFC 8452, appendix A).

#[cfg(test)]
mod tests;

use crate::isa::{Isa, Polynomials, Task};
use core::marker::PhantomData;

/// Most blocks that are summed before a reduction ([`Polynomials::SUM`] is not larger).
const MOST: usize = 32;

/// The powers of a key, the highest first: H is the last of [`MOST`]. Aligned as the widest loads.
#[repr(C, align(64))]
#[derive(Clone)]
pub(super) struct Powers {
    bytes: [u8; 16 * MOST],
    /// The sum of the halves of each, twice.
    sums: [u8; 16 * MOST],
    /// How many there are.
    count: usize,
}

impl Drop for Powers {
    fn drop(&mut self) {
        let from = 16 * (MOST - self.count);
        crate::isa::erase(&mut self.bytes[from..]);
        crate::isa::erase(&mut self.sums[from..]);
    }
}

/// The order of bytes.
pub(super) trait Order {
    /// Whether the bytes of a block are reversed on their way in.
    const REVERSED: bool;
}

/// POLYVAL's order, as [`Powers`] has it.
pub(super) struct Polyval;
/// GHASH's order.
pub(super) struct Ghash;

impl Order for Polyval {
    const REVERSED: bool = false;
}
impl Order for Ghash {
    const REVERSED: bool = true;
}

/// Products that are not reduced yet, of three multiplications each (Karatsuba's): `middle` is that of the sums of
/// halves, from which `low` and `high` are still to be taken away. Multiplications are what takes longest: on Zen 5, one
/// of a 512-bit vector takes as long as four rounds of AES.
#[derive(Clone, Copy)]
struct Sum<P> {
    low: P,
    middle: P,
    high: P,
}

impl<P> Sum<P> {
    #[inline(always)]
    fn product<S: Isa>(a: P, b: P) -> Self
    where
        P: Polynomials<S>,
    {
        Self::product_with(a, b, b.xor(b.swap_halves()))
    }

    /// The same, with the sum of the halves of `b` at hand.
    #[inline(always)]
    fn product_with<S: Isa>(a: P, b: P, sum_b: P) -> Self
    where
        P: Polynomials<S>,
    {
        let sum_a = a.xor(a.swap_halves());
        Self { low: a.mul_low(b), middle: sum_a.mul_low(sum_b), high: a.mul_high(b) }
    }

    #[inline(always)]
    fn zero<S: Isa>(isa: S) -> Self
    where
        P: Polynomials<S>,
    {
        let zero = P::splat(isa, &[0; 16]);
        Self { low: zero, middle: zero, high: zero }
    }

    /// With the products of the blocks of a vector, the first after an XOR, with their powers: those from byte `at` of
    /// `powers` on.
    #[inline(always)]
    fn add<S: Isa, O: Order>(
        self,
        isa: S,
        first: P,
        blocks: &[u8],
        powers: &Powers,
        at: usize,
    ) -> Self
    where
        P: Polynomials<S>,
    {
        let x = P::load(isa, blocks);
        let x = if O::REVERSED { x.reverse_bytes() } else { x };
        let (power, sum) = powers.load(isa, at);
        self.plus(Self::product_with(x.xor(first), power, sum))
    }

    #[inline(always)]
    fn plus<S: Isa>(self, other: Self) -> Self
    where
        P: Polynomials<S>,
    {
        Self {
            low: self.low.xor(other.low),
            middle: self.middle.xor(other.middle),
            high: self.high.xor(other.high),
        }
    }

    /// The sums of all polynomials of a vector.
    #[inline(always)]
    fn folded<S: Isa>(self, isa: S) -> Sum<S::PolyOne>
    where
        P: Polynomials<S>,
    {
        Sum {
            low: S::PolyOne::first(isa, &self.low.sum()),
            middle: S::PolyOne::first(isa, &self.middle.sum()),
            high: S::PolyOne::first(isa, &self.high.sum()),
        }
    }

    /// Divided by x^128 modulo x^128 + x^127 + x^126 + x^121 + 1: each half of what is below x^128 is
    /// added to what makes it vanish, 64 coefficients at a time (Gueron and Kounavis' reduction, in
    /// the order of bits that POLYVAL was made for).
    #[inline(always)]
    fn reduced<S: Isa>(self, isa: S) -> P
    where
        P: Polynomials<S>,
    {
        let mut constant = [0; 16];
        constant[7] = 0xc2;
        let constant = P::splat(isa, &constant);
        let cross = self.middle.xor(self.low).xor(self.high);
        let middle = cross.xor(self.low.swap_halves()).xor(self.low.mul_low(constant));
        self.high.xor(middle.swap_halves()).xor(middle.mul_low(constant))
    }
}

/// x times an element.
#[inline(always)]
fn times_x(element: u128) -> u128 {
    let out = ((element as i128) >> 127) as u128;
    (element << 1) ^ (out & (0xc2 << 120 | 1))
}

impl Powers {
    /// A place for powers.
    #[inline(always)]
    pub(super) fn blank() -> Self {
        Self { bytes: [0; 16 * MOST], sums: [0; 16 * MOST], count: 0 }
    }

    /// Makes the powers of POLYVAL's key `h`, as many as `blocks` blocks need.
    #[inline(always)]
    pub(super) fn polyval<S: Isa>(&mut self, isa: S, h: &[u8; 16], blocks: usize) {
        let n = S::Poly::N;
        // The last blocks are up to two.
        self.count = blocks.clamp(2, S::Poly::SUM).next_multiple_of(n);
        self.put::<S, _>(16 * (MOST - 1), S::PolyOne::first(isa, h));
        let mut done = 1;
        while done < self.count {
            if done < n {
                self.add::<S, S::PolyOne>(isa, done);
            } else {
                self.add::<S, S::Poly>(isa, done);
            }
            done *= 2;
        }
    }

    /// With `done` powers there, those times the highest, so that a chain of few products leads to all.
    #[inline(always)]
    fn add<S: Isa, P: Polynomials<S>>(&mut self, isa: S, done: usize) {
        let highest = 16 * (MOST - done);
        let step = P::splat(isa, self.bytes[highest..highest + 16].try_into().expect("a power"));
        for i in (0..done.min(self.count - done)).step_by(P::N) {
            let at = 16 * (MOST - P::N - i);
            let power = P::load(isa, &self.bytes[at..]);
            self.put::<S, P>(at - 16 * done, Sum::product(power, step).reduced(isa));
        }
    }

    /// Writes powers, and the sums of their halves, from byte `at` on.
    #[inline(always)]
    fn put<S: Isa, P: Polynomials<S>>(&mut self, at: usize, power: P) {
        power.store(&mut self.bytes[at..at + 16 * P::N]);
        power.xor(power.swap_halves()).store(&mut self.sums[at..at + 16 * P::N]);
    }

    /// The powers from byte `at` on, and the sums of their halves.
    #[inline(always)]
    fn load<S: Isa, P: Polynomials<S>>(&self, isa: S, at: usize) -> (P, P) {
        let part = at..at + 16 * P::N;
        (P::load(isa, &self.bytes[part.clone()]), P::load(isa, &self.sums[part]))
    }

    /// Whether there are powers for `len` bytes and the lengths.
    #[inline(always)]
    pub(super) fn takes(&self, len: usize) -> bool {
        len.div_ceil(16) < self.count
    }

    /// Makes the powers of GHASH's key `h`.
    #[inline(always)]
    pub(super) fn ghash<S: Isa>(&mut self, isa: S, h: &[u8; 16]) {
        self.polyval(isa, &times_x(u128::from_be_bytes(*h)).to_le_bytes(), MOST);
    }

    /// `sum` becomes (..((`sum` + X1) H + X2) H ..) H for as many blocks X1, X2, ... as are worth a
    /// reduction ([`Polynomials::SUM`]); there are as many powers.
    #[inline(always)]
    pub(super) fn group<S: Isa, O: Order>(&self, isa: S, sum: &mut [u8; 16], data: &[u8]) {
        self.parts::<S, O>(isa, sum, &data[..16 * S::Poly::SUM], &Last::default());
    }

    /// The same for the blocks of `data` and then `last`, together at most as many as there are
    /// powers: whole vectors, then what is left one by one.
    #[inline(always)]
    pub(super) fn parts<S: Isa, O: Order>(
        &self,
        isa: S,
        sum: &mut [u8; 16],
        data: &[u8],
        last: &Last,
    ) {
        let from = 16 * MOST - data.len() - last.len();
        let step = 16 * S::Poly::N;
        let mut at = 0;
        let mut total = Sum::<S::PolyOne>::zero(isa);
        let mut before = S::PolyOne::first(isa, sum);
        if data.len() >= step {
            // From the last vector to the first, because the first has to wait for the sum before.
            let zero = S::Poly::splat(isa, &[0; 16]);
            let mut wide = Sum::<S::Poly>::zero(isa);
            let end = data.len() / step * step;
            at = end - step;
            while at > 0 {
                wide = wide.add::<S, O>(isa, zero, &data[at..at + step], self, from + at);
                at -= step;
            }
            let first = S::Poly::first(isa, sum);
            total = wide.add::<S, O>(isa, first, &data[..step], self, from).folded(isa);
            at = end;
            before = S::PolyOne::splat(isa, &[0; 16]);
        }
        while at < data.len() {
            total = total.add::<S, O>(isa, before, &data[at..at + 16], self, from + at);
            before = S::PolyOne::splat(isa, &[0; 16]);
            at += 16;
        }
        if let Some(part) = &last.part {
            total = total.add::<S, O>(isa, before, part, self, from + at);
            before = S::PolyOne::splat(isa, &[0; 16]);
        }
        if let Some(lengths) = last.lengths {
            let lengths = S::PolyOne::first(isa, &lengths.to_le_bytes());
            let (power, halves) = self.load(isa, 16 * (MOST - 1));
            total = total.plus(Sum::product_with(lengths.xor(before), power, halves));
        }
        *sum = total.reduced(isa).sum();
    }
}

/// As many blocks as are worth a reduction ([`Powers::group`]), a vector a step and the reduction as the last: for ciphers
/// to go between their rounds.
pub(super) struct Group<P> {
    total: Sum<P>,
}

impl<P> Group<P> {
    /// Whether it takes that many steps on the instruction set `S`.
    #[inline(always)]
    pub(super) fn fits<S: Isa>(steps: usize) -> bool
    where
        P: Polynomials<S>,
    {
        P::SUM / P::N + 1 == steps
    }

    #[inline(always)]
    pub(super) fn new<S: Isa>(isa: S) -> Self
    where
        P: Polynomials<S>,
    {
        Self { total: Sum::zero(isa) }
    }

    /// Step `step`, from the last vector to the first, which has to wait for the sum before; after the last step `sum` is the
    /// new one.
    #[inline(always)]
    pub(super) fn step<S: Isa<Poly = P>, O: Order>(
        &mut self,
        isa: S,
        powers: &Powers,
        sum: &mut [u8; 16],
        data: &[u8],
        step: usize,
    ) where
        P: Polynomials<S>,
    {
        let vectors = P::SUM / P::N;
        if step == vectors {
            *sum = self.total.folded(isa).reduced(isa).sum();
            return;
        }
        let first = if step + 1 == vectors { P::first(isa, sum) } else { P::splat(isa, &[0; 16]) };
        let at = 16 * P::N * (vectors - 1 - step);
        let from = 16 * (MOST - P::SUM) + at;
        self.total = self.total.add::<S, O>(isa, first, &data[at..], powers, from);
    }
}

/// What ends a hash.
#[derive(Clone, Copy, Default)]
pub(super) struct Last {
    /// The last part of a block, filled up with zeros.
    part: Option<[u8; 16]>,
    lengths: Option<u128>,
}

impl Last {
    /// The last part of a block, which may be empty, and a block of lengths in the order of [`Powers`].
    #[inline(always)]
    pub(super) fn new(part: &[u8], lengths: Option<u128>) -> Self {
        let mut block = [0; 16];
        block[..part.len()].copy_from_slice(part);
        Self { part: (!part.is_empty()).then_some(block), lengths }
    }

    /// How many bytes its blocks have.
    #[inline(always)]
    fn len(&self) -> usize {
        16 * (usize::from(self.part.is_some()) + usize::from(self.lengths.is_some()))
    }
}

/// Whole blocks and the last ones, as a call of its own. The result is the sum after them.
pub(super) struct Hash<'a, O> {
    powers: &'a Powers,
    sum: [u8; 16],
    data: &'a [u8],
    last: Last,
    order: PhantomData<O>,
}

impl<'a, O> Hash<'a, O> {
    /// `data` of any length, filled up with zeros.
    #[inline(always)]
    pub(super) fn padded(powers: &'a Powers, sum: [u8; 16], data: &'a [u8]) -> Self {
        let (data, part) = data.split_at(data.len() / 16 * 16);
        Self { powers, sum, data, last: Last::new(part, None), order: PhantomData }
    }
}

impl<O: Order> Hash<'_, O> {
    /// The sum after the blocks of `data` and then `last`.
    #[inline(always)]
    pub(super) fn end<S: Isa>(
        isa: S,
        powers: &Powers,
        sum: [u8; 16],
        data: &[u8],
        last: Last,
    ) -> [u8; 16] {
        isa.run(Hash::<O> { powers, sum, data, last, order: PhantomData })
    }
}

impl<O: Order> Task for Hash<'_, O> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        let Self { powers, mut sum, mut data, .. } = self;
        let last = &self.last;
        let most = 16 * powers.count;
        // The length of whole groups is a constant, so that their loop has no others inside.
        while powers.count == S::Poly::SUM && data.len() >= most {
            powers.group::<S, O>(isa, &mut sum, data);
            data = &data[most..];
        }
        while data.len() + last.len() > most {
            let (now, rest) = data.split_at(data.len().min(most));
            powers.parts::<S, O>(isa, &mut sum, now, &Last::default());
            data = rest;
        }
        if data.len() + last.len() > 0 {
            powers.parts::<S, O>(isa, &mut sum, data, last);
        }
        sum
    }
}
