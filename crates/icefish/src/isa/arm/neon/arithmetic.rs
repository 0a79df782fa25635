//! Vectors of 128 bits as operands of `+`, `-`, `^`, `&`, `|` and `!`.
#![allow(unsafe_code)]
// The intrinsics are inlined nevertheless, once the caller is inlined into a function `compiled` of a set.
#![allow(inline_always_mismatching_target_features)]

use super::{Vec128, vec, vec32};
use core::arch::aarch64::*;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

impl<W, const SHA3: bool> BitXor for Vec128<W, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        vec(unsafe { veorq_u64(self.0, other.0) })
    }
}
impl<W, const SHA3: bool> BitAnd for Vec128<W, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        vec(unsafe { vandq_u64(self.0, other.0) })
    }
}
impl<W, const SHA3: bool> BitOr for Vec128<W, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        vec(unsafe { vorrq_u64(self.0, other.0) })
    }
}
impl<W, const SHA3: bool> Not for Vec128<W, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the value proves NEON.
        vec(unsafe { veorq_u64(self.0, vdupq_n_u64(!0)) })
    }
}
impl<const SHA3: bool> Add for Vec128<u32, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        vec32(unsafe { vaddq_u32(self.words(), other.words()) })
    }
}
impl<const SHA3: bool> Sub for Vec128<u32, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        vec32(unsafe { vsubq_u32(self.words(), other.words()) })
    }
}
impl<const SHA3: bool> Add for Vec128<u64, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        vec(unsafe { vaddq_u64(self.0, other.0) })
    }
}
impl<const SHA3: bool> Sub for Vec128<u64, SHA3> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        vec(unsafe { vsubq_u64(self.0, other.0) })
    }
}
