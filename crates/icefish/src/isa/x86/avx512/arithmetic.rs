//! Vectors of 512 bits as operands of `+`, `-`, `^`, `&`, `|` and `!`.
#![allow(unsafe_code)]

use super::{Vec512, vec};
use core::arch::x86_64::*;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

impl<W> BitXor for Vec512<W> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
}
impl<W> BitAnd for Vec512<W> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_and_si512(self.0, other.0) })
    }
}
impl<W> BitOr for Vec512<W> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_or_si512(self.0, other.0) })
    }
}
impl<W> Not for Vec512<W> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_xor_si512(self.0, _mm512_set1_epi64(-1)) })
    }
}
impl Add for Vec512<u32> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_add_epi32(self.0, other.0) })
    }
}
impl Sub for Vec512<u32> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_sub_epi32(self.0, other.0) })
    }
}
impl Add for Vec512<u64> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_add_epi64(self.0, other.0) })
    }
}
impl Sub for Vec512<u64> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_sub_epi64(self.0, other.0) })
    }
}
