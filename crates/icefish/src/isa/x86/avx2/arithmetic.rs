//! Vectors of 256 bits as operands of `+`, `-`, `^`, `&`, `|` and `!`.
#![allow(unsafe_code)]

use super::{Vec256, vec};
use core::arch::x86_64::*;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

impl<W> BitXor for Vec256<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
}
impl<W> BitAnd for Vec256<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_and_si256(self.0, other.0) })
    }
}
impl<W> BitOr for Vec256<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_or_si256(self.0, other.0) })
    }
}
impl<W> Not for Vec256<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi64x(-1)) })
    }
}
impl Add for Vec256<u32> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_add_epi32(self.0, other.0) })
    }
}
impl Sub for Vec256<u32> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_sub_epi32(self.0, other.0) })
    }
}
impl Add for Vec256<u64> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_add_epi64(self.0, other.0) })
    }
}
impl Sub for Vec256<u64> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_sub_epi64(self.0, other.0) })
    }
}
