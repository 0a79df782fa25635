//! Carry-less multiplication by PMULL, which CPUs with the AES extension have: one polynomial.
#![allow(unsafe_code)]
// The intrinsics are inlined nevertheless, once the caller is inlined into a function `compiled` of a set.
#![allow(inline_always_mismatching_target_features)]

use super::aes::HasArmAes;
use super::memory::{load, put};
use crate::isa::clmul::soft::moves;
use crate::isa::{Polynomials, Sink, mixed, public};
use core::arch::aarch64::*;

/// x^128 modulo x^128 + x^7 + x^2 + x + 1.
const XTS: u64 = 0x87;

/// One polynomial, made with a token of [`HasArmAes`] or from such values.
#[derive(Clone, Copy, Debug)]
pub struct Pmull(uint64x2_t);

impl Pmull {
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        // SAFETY: the value proves NEON.
        unsafe { vreinterpretq_u8_u64(self.0) }
    }
    #[inline(always)]
    fn from_bytes(bytes: uint8x16_t) -> Self {
        // SAFETY: only called where a token or a value proves NEON.
        Self(unsafe { vreinterpretq_u64_u8(bytes) })
    }
}

impl<S: HasArmAes> Polynomials<S> for Pmull {
    const N: usize = 1;
    const SUM: usize = 8;

    #[inline(always)]
    fn splat(_: S, bytes: &[u8; 16]) -> Self {
        Self(load(bytes))
    }
    #[inline(always)]
    fn first(_: S, bytes: &[u8; 16]) -> Self {
        Self(load(bytes))
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        Self(load(bytes))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        put(&mut Sink::new(&mut bytes[..16]), 0, self.0);
    }
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        put(&mut Sink::new(&mut bytes), 0, self.0);
        bytes
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        Self(unsafe { veorq_u64(self.0, other.0) })
    }
    #[inline(always)]
    fn reverse_bytes(self) -> Self {
        // SAFETY: the value proves NEON.
        let halves = Self::from_bytes(unsafe { vrev64q_u8(self.bytes()) });
        <Self as Polynomials<S>>::swap_halves(halves)
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        // SAFETY: the value proves NEON.
        Self(unsafe { vextq_u64::<1>(self.0, self.0) })
    }
    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        let [a, b] = [public(self.0), public(other.0)];
        // SAFETY: the values prove PMULL.
        unsafe {
            let product = vmull_p64(vgetq_lane_u64::<0>(a), vgetq_lane_u64::<0>(b));
            Self(mixed::<16, _>(vreinterpretq_u64_p128(product), veorq_u64(self.0, other.0)))
        }
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        let [a, b] = [public(self.0), public(other.0)];
        // SAFETY: the values prove PMULL.
        unsafe {
            let product = vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b));
            Self(mixed::<16, _>(vreinterpretq_u64_p128(product), veorq_u64(self.0, other.0)))
        }
    }
    #[inline(always)]
    fn times_powers(_: S, t: &[u8; 16], from: usize) -> Self {
        let t = load(t);
        // SAFETY: the token proves NEON and PMULL.
        unsafe {
            let left = vshlq_u64(t, vdupq_n_s64(from as i64));
            let out = vshlq_u64(t, vdupq_n_s64(from as i64 - 64));
            let over = Self(vextq_u64::<1>(vdupq_n_u64(0), out));
            let back = <Self as Polynomials<S>>::mul_high(Self(out), Self(vdupq_n_u64(XTS)));
            let sum = <Self as Polynomials<S>>::xor(Self(left), over);
            <Self as Polynomials<S>>::xor(sum, back)
        }
    }
    #[inline(always)]
    fn times_x8(self, _: S, bytes: usize) -> Self {
        let [up, down] = moves(bytes);
        // SAFETY: the value proves NEON and PMULL.
        unsafe {
            let up = vqtbl1q_u8(self.bytes(), vreinterpretq_u8_u64(load(up)));
            let out = Self::from_bytes(vqtbl1q_u8(self.bytes(), vreinterpretq_u8_u64(load(down))));
            let back = <Self as Polynomials<S>>::mul_low(out, Self(vdupq_n_u64(XTS)));
            <Self as Polynomials<S>>::xor(Self::from_bytes(up), back)
        }
    }
}
