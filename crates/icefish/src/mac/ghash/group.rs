//! A group: blocks that share one reduction.

use super::sum::{Sum, ordered};
use super::{Order, Powers};
use crate::isa::{AesRounds, Isa, Polynomials};

/// The state of a hash between groups.
#[derive(Clone, Copy)]
pub(crate) struct SoFar {
    /// The hash to be added to the next block.
    pub(super) sum: [u8; 16],
    /// The pending vector: the last vector of the group before, plus the reduced sum of the products of that group's other vectors
    /// and of the vector that was pending before it. The next group multiplies it as one more vector. Its lanes are thus added up
    /// only at the end of the hash.
    pub(super) lanes: [u8; 64],
    /// Length of the pending vector in bytes, or 0.
    pub(super) len: usize,
}

impl SoFar {
    /// The state after blocks whose hash is `sum`.
    #[inline(always)]
    pub(crate) fn new(sum: [u8; 16]) -> Self {
        Self { sum, lanes: [0; 64], len: 0 }
    }
}

/// A group in steps ([`Powers::group`]), which ciphers interleave with their rounds: one step for each vector, and a last one for
/// the reduction.
///
/// `PART` is 1, or 2 for half a group. A message of few groups is faster with halves, although it has more reductions: less
/// is encrypted before hashing can begin, and less is hashed after encryption has ended.
pub(crate) struct Group<P, const PART: usize> {
    total: Sum<P>,
    /// With AVX-512, the product of an even step, which the next step adds together with its own: an XOR of three is one operation.
    /// Intel CPUs have two ports for operations on 512 bits, and 512 bytes of GCM take 182 operations this way, and 194 otherwise.
    /// Opening 1 to 8 KiB with AES-128 takes 5 % less time (family 6 model 167).
    pending: Sum<P>,
}

impl<P, const PART: usize> Group<P, PART> {
    /// Number of blocks on the instruction set `S`.
    #[inline(always)]
    pub(crate) fn blocks<S: Isa>() -> usize
    where
        P: Polynomials<S>,
    {
        P::SUM / PART
    }

    /// Whether it has at most `steps` steps on the instruction set `S`.
    #[inline(always)]
    pub(crate) fn fits<S: Isa>(steps: usize) -> bool
    where
        P: Polynomials<S>,
    {
        Self::blocks::<S>() / P::N < steps
    }

    #[inline(always)]
    pub(crate) fn new<S: Isa>(isa: S) -> Self
    where
        P: Polynomials<S>,
    {
        Self { total: Sum::zero(isa), pending: Sum::zero(isa) }
    }

    /// Step `STEP` for the blocks of `data`. The pending vector of the group before is taken last, because it may not be ready
    /// earlier. The step after that updates `so_far`, and further ones do nothing.
    ///
    /// `ORDERED`: the vectors are taken from the first on, which is the order that CPUs prefetch, and barriers keep the steps in the order
    /// of the program. Otherwise the compiler places them, and the vectors are taken from the last on: that is 2 to 4 % faster (Zen 4).
    #[inline(always)]
    pub(crate) fn step<S: Isa<Poly = P>, O: Order, const ORDERED: bool, const STEP: usize>(
        &mut self,
        isa: S,
        powers: &Powers,
        so_far: &mut SoFar,
        data: &[u8],
    ) where
        P: Polynomials<S>,
    {
        let (vectors, size) = const { (P::SUM / PART / P::N, 16 * P::N) };
        if const { STEP > P::SUM / PART / P::N } {
            return;
        }
        let load = |i: usize| ordered::<S, P, O>(isa, &data[size * i..]);
        if const { STEP == P::SUM / PART / P::N } {
            // The last vector, plus the reduced sum of all products, is the next pending vector.
            let lanes = self.total.reduced(isa).xor(load(vectors - 1));
            lanes.store(&mut so_far.lanes[..size]);
            so_far.sum = [0; 16];
            so_far.len = size;
            return;
        }
        let (x, after) = if const { STEP + 1 == P::SUM / PART / P::N } {
            (P::load(isa, &so_far.lanes), vectors)
        } else {
            let i = if ORDERED { STEP } else { vectors - 2 - STEP };
            let x = if i == 0 { load(i).xor(P::first(isa, &so_far.sum)) } else { load(i) };
            (x, vectors - 1 - i)
        };
        let (power, sum) = powers.splat(isa, P::N * after);
        let mut product = Sum::product_with(isa, x, power, sum);
        if S::Aes::ORDERS {
            const { assert!(!S::Aes::ORDERS || (P::SUM / PART / P::N).is_multiple_of(2)) };
            if const { STEP.is_multiple_of(2) } {
                self.pending = if ORDERED { product.in_order() } else { product };
                return;
            }
            product = self.pending.plus(product);
        }
        self.total = self.total.plus(product);
        if ORDERED {
            self.total = self.total.in_order();
        }
    }
}
