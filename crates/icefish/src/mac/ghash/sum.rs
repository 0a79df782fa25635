//! Sums of products, and their reduction.

use super::{Order, Powers};
use crate::isa::{Isa, Polynomials};

/// A sum of unreduced products, of three multiplications each (Karatsuba). `middle` is the sum of (a0 + a1)(b0 + b1), where a0 and
/// a1 are the halves of one factor, and b0 and b1 those of the other. `low` and `high` are subtracted from `middle` later.
/// Multiplications take most of the time: on Zen 5, one of a 512-bit vector takes as long as four rounds of AES.
#[derive(Clone, Copy)]
pub(super) struct Sum<P> {
    low: P,
    middle: P,
    high: P,
}

impl<P> Sum<P> {
    #[inline(always)]
    pub(super) fn product<S: Isa>(isa: S, a: P, b: P) -> Self
    where
        P: Polynomials<S>,
    {
        Self::product_with(isa, a, b, b.xor(b.swap_halves()))
    }

    /// The product, given the sum of the halves of `b`.
    #[inline(always)]
    pub(super) fn product_with<S: Isa>(isa: S, a: P, b: P, sum_b: P) -> Self
    where
        P: Polynomials<S>,
    {
        let [low, middle, high] = a.products(isa, b, sum_b);
        Self { low, middle, high }
    }

    /// The product of blocks and powers. The blocks, the powers, and the sums of the halves of the powers are in memory.
    #[inline(always)]
    pub(super) fn of<S: Isa, O: Order>(isa: S, blocks: &[u8], power: &[u8], sum: &[u8]) -> Self
    where
        P: Polynomials<S>,
    {
        let (power, sum) = (P::load(isa, power), P::load(isa, sum));
        Self::product_with(isa, ordered::<S, P, O>(isa, blocks), power, sum)
    }

    #[inline(always)]
    pub(super) fn zero<S: Isa>(isa: S) -> Self
    where
        P: Polynomials<S>,
    {
        let zero = P::splat(isa, &[0; 16]);
        Self { low: zero, middle: zero, high: zero }
    }

    /// XORs `first` into a block, and adds the product of the result and the power at byte `at` of `powers`.
    #[inline(always)]
    pub(super) fn add<S: Isa, O: Order>(
        self,
        isa: S,
        first: P,
        block: &[u8],
        powers: &Powers,
        at: usize,
    ) -> Self
    where
        P: Polynomials<S>,
    {
        let x = ordered::<S, P, O>(isa, block);
        let (power, sum) = powers.load(isa, at);
        self.plus(Self::product_with(isa, x.xor(first), power, sum))
    }

    #[inline(always)]
    pub(super) fn plus<S: Isa>(self, other: Self) -> Self
    where
        P: Polynomials<S>,
    {
        Self {
            low: self.low.xor(other.low),
            middle: self.middle.xor(other.middle),
            high: self.high.xor(other.high),
        }
    }

    /// [`Polynomials::in_order`].
    #[inline(always)]
    pub(super) fn in_order<S: Isa>(self) -> Self
    where
        P: Polynomials<S>,
    {
        Self {
            low: self.low.in_order(),
            middle: self.middle.in_order(),
            high: self.high.in_order(),
        }
    }

    /// Adds up the polynomials of each vector.
    #[inline(always)]
    pub(super) fn folded<S: Isa>(self, isa: S) -> Sum<S::PolyOne>
    where
        P: Polynomials<S>,
    {
        Sum {
            low: S::PolyOne::first(isa, &self.low.sum()),
            middle: S::PolyOne::first(isa, &self.middle.sum()),
            high: S::PolyOne::first(isa, &self.high.sum()),
        }
    }

    /// Divides by x^128 modulo x^128 + x^127 + x^126 + x^121 + 1. The two lowest quarters, of 64 coefficients, are cancelled one
    /// after the other by adding a multiple of the modulus (the reduction of Gueron and Kounavis, in the bit order for which
    /// POLYVAL was designed).
    #[inline(always)]
    pub(super) fn reduced<S: Isa>(self, isa: S) -> P
    where
        P: Polynomials<S>,
    {
        let cross = self.middle.xor(self.low).xor(self.high);
        let middle = cross.xor(self.low.swap_halves()).xor(self.low.low_folded(isa));
        self.high.xor(middle.swap_halves()).xor(middle.low_folded(isa))
    }
}

/// Loads blocks in their byte order.
#[inline(always)]
pub(super) fn ordered<S: Isa, P: Polynomials<S>, O: Order>(isa: S, blocks: &[u8]) -> P {
    let x = P::load(isa, blocks);
    if O::REVERSED { x.reverse_bytes() } else { x }
}
