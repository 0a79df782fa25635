//! Carry-less multiplication: what GHASH, POLYVAL and XTS need of an instruction set.
//!
//! On x86-64 the instructions are PCLMULQDQ for one polynomial and VPCLMULQDQ for two or four (`x86/clmul.rs`), on AArch64 with
//! the AES extension PMULL (`arm/clmul.rs`). All other sets use `soft`.

pub(super) mod soft;

use soft::times_power;
pub(crate) use soft::times_x;

/// Polynomials over GF(2) of 128 coefficients, as many as fill a register, on the instruction set `S`.
///
/// The coefficient of x^i is bit `i % 8` of byte `i / 8`, as in POLYVAL (RFC 8452, section 3).
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{Isa, Polynomials, Task};
///
/// struct Example;
/// impl Task for Example {
///     type Out = u8;
///     #[inline(always)]
///     fn call<S: Isa>(self, isa: S) -> u8 {
///         // (x + 1) (x + 1) = x^2 + 1
///         let mut x = [0; 16];
///         x[0] = 3;
///         let x = S::PolyOne::first(isa, &x);
///         x.mul_low(x).sum()[0]
///     }
/// }
///
/// assert_eq!(Backend::best().run(Example), 5);
/// ```
pub trait Polynomials<S>: Copy {
    /// Number of polynomials.
    const N: usize;
    /// How many products are summed before they are reduced once: a multiple of `N`, at most 32.
    const SUM: usize;
    /// The same polynomial `N` times.
    fn splat(isa: S, bytes: &[u8; 16]) -> Self;
    /// One polynomial; the others are zero.
    fn first(isa: S, bytes: &[u8; 16]) -> Self;
    /// `N` consecutive polynomials.
    ///
    /// # Panics
    /// If `bytes` is shorter.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// Writes all polynomials, one after the other.
    ///
    /// # Panics
    /// If `bytes` is shorter.
    fn store(self, bytes: &mut [u8]);
    /// The sum of all polynomials.
    fn sum(self) -> [u8; 16];
    /// The sum of each polynomial and its counterpart.
    fn xor(self, other: Self) -> Self;
    /// The 16 bytes of each in reverse order.
    fn reverse_bytes(self) -> Self;
    /// Exchanges the low and the high 64 coefficients of each.
    fn swap_halves(self) -> Self;
    /// Product of the low halves.
    fn mul_low(self, other: Self) -> Self;
    /// Product of the high halves.
    fn mul_high(self, other: Self) -> Self;
    /// The product of the low halves, that of the sums of both halves, and that of the high halves. `sum` has the sum of the halves of
    /// `other` in its low half.
    #[inline(always)]
    fn products(self, _: S, other: Self, sum: Self) -> [Self; 3] {
        let own = self.xor(self.swap_halves());
        [self.mul_low(other), own.mul_low(sum), self.mul_high(other)]
    }
    /// The product of the low half and x^63 + x^62 + x^57, by which POLYVAL's reduction multiplies.
    #[inline(always)]
    fn low_folded(self, isa: S) -> Self {
        let mut constant = [0; 16];
        constant[7] = 0xc2;
        self.mul_low(Self::splat(isa, &constant))
    }
    /// `N` products: `t` times x^`from`, times the next power of x, and so on, modulo x^128 + x^7 + x^2 + x + 1. All exponents must
    /// be below 8. This is the field of XTS (IEEE 1619, section 5.2), not of POLYVAL.
    #[inline(always)]
    fn times_powers(isa: S, t: &[u8; 16], from: usize) -> Self {
        let mut bytes = [0; 64];
        for (i, product) in bytes.chunks_exact_mut(16).take(Self::N).enumerate() {
            let t = u128::from_le_bytes(*t);
            product.copy_from_slice(&times_power(t, (from + i) as u32).to_le_bytes());
        }
        Self::load(isa, &bytes)
    }
    /// Each polynomial times x^(8 `bytes`), for 1 to 8 bytes, in the same field.
    fn times_x8(self, isa: S, bytes: usize) -> Self;
    /// Whether there is [`Polynomials::times_x`].
    const HAS_TIMES_X: bool = false;
    /// What decides how each polynomial is reduced when it is multiplied by x, and up to 30 times by x again.
    #[inline(always)]
    #[must_use]
    fn signs(self) -> Self {
        unreachable!("only called where `HAS_TIMES_X` says so")
    }
    /// Each polynomial times x, in the same field. `signs` are its [`Polynomials::signs`], and then those of the product.
    #[inline(always)]
    #[must_use]
    fn times_x(self, signs: &mut Self) -> Self {
        let _ = signs;
        unreachable!("only called where `HAS_TIMES_X` says so")
    }
    /// As [`AesRounds::in_order`](crate::isa::AesRounds::in_order).
    #[inline(always)]
    #[must_use]
    fn in_order(self) -> Self {
        self
    }
}
