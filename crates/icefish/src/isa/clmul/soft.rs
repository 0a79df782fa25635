//! Carry-less multiplication without instructions for it, in constant time.

use crate::isa::{Extension, Isa, Lanes, Polynomials, Task};

/// One polynomial as a number.
#[derive(Clone, Copy, Debug)]
pub struct SoftPoly(u128);

/// Bits 0, 5, 10, ..., 125.
const EVERY_FIFTH: u128 = 0x2108_4210_8421_0842_1084_2108_4210_8421;

/// The product of two polynomials of 64 bits.
///
/// Factors whose bits are five apart leave room for sums of up to 13 products before a carry reaches the next bit that counts: 25
/// ordinary products, without tables and branches. The idea is that of BearSSL's `ctmul64`, which has bits four apart and
/// computes half of the product. It is constant-time if the CPU's multiplication is.
#[inline(always)]
fn clmul_inline(a: u64, b: u64) -> u128 {
    let mut product = 0;
    for residue in 0..5 {
        let mut sum = 0;
        for i in 0..5 {
            let x = a & (EVERY_FIFTH as u64) << i;
            let y = b & (EVERY_FIFTH as u64) << ((residue + 5 - i) % 5);
            sum ^= u128::from(x) * u128::from(y);
        }
        product ^= sum & EVERY_FIFTH << residue;
    }
    product
}

/// The same as a call that all instruction sets share.
#[inline(never)]
fn clmul(a: u64, b: u64) -> u128 {
    clmul_inline(a, b)
}

/// `t` times x, in the field of XTS.
#[inline(always)]
pub(crate) fn times_x(t: u128) -> u128 {
    let carry = (t as i128 >> 127) as u128;
    t << 1 ^ carry & 0x87
}

/// `t` times x^`power`, below x^64, in the field of XTS.
#[inline(always)]
pub(in crate::isa) fn times_power(t: u128, power: u32) -> u128 {
    let out = t.checked_shr(128 - power).unwrap_or(0);
    t << power ^ out ^ out << 1 ^ out << 2 ^ out << 7
}

/// For a byte shuffle: the orders that move the bytes of a row `bytes` places up, and 16 - `bytes` down. A missing byte has a
/// number that is too large, which gives zero.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub(in crate::isa) fn moves(bytes: usize) -> [&'static [u8]; 2] {
    const NONE: u128 = u128::MAX;
    const ORDERS: [[u8; 16]; 3] = [
        NONE.to_le_bytes(),
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        NONE.to_le_bytes(),
    ];
    let orders = ORDERS.as_flattened();
    let (up, down) = (16 - bytes % 16, 32 - bytes % 16);
    [&orders[up..up + 16], &orders[down..down + 16]]
}

/// [`Polynomials::products`] as a call: it has 75 ordinary products, and is used in dozens of places. It is for sets with vectors. Those
/// of x86-64 have BMI2, whose multiplication leaves its operands where they are: GCM of 1 KiB and more takes up to 10 % less time than
/// with a call for each product. `Scalar` would take 6 % more, and has a call for each (Intel family 6 model 167).
struct Products {
    a: SoftPoly,
    b: SoftPoly,
    sum: u64,
}

impl Task for Products {
    type Out = [u128; 3];
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> [u128; 3] {
        let Self { a, b, sum } = self;
        [
            clmul_inline(a.low(), b.low()),
            clmul_inline(a.low() ^ a.high(), sum),
            clmul_inline(a.high(), b.high()),
        ]
    }
}

impl SoftPoly {
    #[inline(always)]
    fn low(self) -> u64 {
        self.0 as u64
    }
    #[inline(always)]
    fn high(self) -> u64 {
        (self.0 >> 64) as u64
    }
}

impl<S: Isa> Polynomials<S> for SoftPoly {
    const N: usize = 1;
    const SUM: usize = 4;

    #[inline(always)]
    fn splat(_: S, bytes: &[u8; 16]) -> Self {
        Self(u128::from_le_bytes(*bytes))
    }
    #[inline(always)]
    fn first(isa: S, bytes: &[u8; 16]) -> Self {
        <Self as Polynomials<S>>::splat(isa, bytes)
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        <Self as Polynomials<S>>::splat(isa, bytes[..16].try_into().expect("16 bytes"))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes[..16].copy_from_slice(&self.0.to_le_bytes());
    }
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
    #[inline(always)]
    fn reverse_bytes(self) -> Self {
        Self(self.0.swap_bytes())
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        Self(self.0.rotate_left(64))
    }
    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        Self(clmul(self.low(), other.low()))
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        Self(clmul(self.high(), other.high()))
    }
    #[inline(always)]
    fn products(self, isa: S, other: Self, sum: Self) -> [Self; 3] {
        if S::U64::N == 1 {
            let own = clmul(self.low() ^ self.high(), sum.low());
            let [low, high] = [clmul(self.low(), other.low()), clmul(self.high(), other.high())];
            return [Self(low), Self(own), Self(high)];
        }
        let [low, middle, high] = isa.run(Products { a: self, b: other, sum: sum.low() });
        [Self(low), Self(middle), Self(high)]
    }
    #[inline(always)]
    fn low_folded(self, _: S) -> Self {
        let low = u128::from(self.low());
        Self(low << 63 ^ low << 62 ^ low << 57)
    }
    #[inline(always)]
    fn times_x8(self, _: S, bytes: usize) -> Self {
        let out = self.0 >> (128 - 8 * bytes);
        Self(self.0 << (8 * bytes) ^ out ^ out << 1 ^ out << 2 ^ out << 7)
    }
}

#[cfg(test)]
mod tests {
    use super::clmul;

    #[test]
    fn products_are_those_of_the_definition() {
        let mut a = 0x9e37_79b9_7f4a_7c15u64;
        for b in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef, 1 << 63] {
            for a in [a, u64::MAX, 1 << 63] {
                let bits = (0..64).filter(|i| b >> i & 1 == 1);
                assert_eq!(clmul(a, b), bits.fold(0, |sum, i| sum ^ u128::from(a) << i));
            }
            a = a.wrapping_mul(a | 1);
        }
    }
}
