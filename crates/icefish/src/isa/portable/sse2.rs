//! Two lanes of 64 bits in a register of SSE2, which is part of x86-64: for bit-sliced AES on the set [`Scalar`].
#![allow(unsafe_code)]

use super::Scalar;
use crate::isa::x86::put;
use crate::isa::{Lanes, Sink};
use core::arch::x86_64::*;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// 128 bits as two words.
#[derive(Clone, Copy, Debug)]
pub struct Pair(__m128i);

impl BitXor for Pair {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }
}
impl BitAnd for Pair {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }
}
impl BitOr for Pair {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }
}
impl Not for Pair {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_xor_si128(self.0, _mm_set1_epi64x(-1)) })
    }
}
impl Add for Pair {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_add_epi64(self.0, other.0) })
    }
}
impl Sub for Pair {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_sub_epi64(self.0, other.0) })
    }
}

impl Lanes<Scalar, u64> for Pair {
    const N: usize = 2;
    #[inline(always)]
    fn splat(_: Scalar, w: u64) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_set1_epi64x(w as i64) })
    }
    #[inline(always)]
    fn index(_: Scalar) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_set_epi64x(1, 0) })
    }
    #[inline(always)]
    fn load(_: Scalar, bytes: &[u8]) -> Self {
        let row = &bytes[..16];
        // SAFETY: 16 readable bytes; every x86-64 CPU has SSE2.
        Self(unsafe { _mm_loadu_si128(row.as_ptr().cast()) })
    }
    #[inline(always)]
    fn put(self, mut sink: Sink<'_>) {
        put(&mut sink, 0, self.0);
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        put(&mut Sink::new(&mut bytes[..16]), 0, self.0);
    }
    #[inline(always)]
    fn gather<const K: usize>(isa: Scalar, blocks: &[u8]) -> [Self; K] {
        let mut words = [Self::splat(isa, 0); K];
        for c in 0..K / 2 {
            let a = Self::load(isa, &blocks[16 * c..]);
            let b = Self::load(isa, &blocks[8 * K + 16 * c..]);
            (words[2 * c], words[2 * c + 1]) = transposed(a, b);
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], mut sink: Sink<'_>) {
        for block in [1, 0] {
            for c in (0..K / 2).rev() {
                let (first, second) = transposed(words[2 * c], words[2 * c + 1]);
                let row = if block == 0 { first } else { second };
                put(&mut sink, 8 * K * block + 16 * c, row.0);
            }
        }
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        self.shl(r) | self.shr(64 - r)
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        self.shr(r) | self.shl(64 - r)
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_sll_epi64(self.0, _mm_cvtsi32_si128(r as i32)) })
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe { _mm_srl_epi64(self.0, _mm_cvtsi32_si128(r as i32)) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // Swaps the two bytes of each field of 16 bits, then reverses the four fields of each word.
        // SAFETY: every x86-64 CPU has SSE2.
        Self(unsafe {
            let x = _mm_or_si128(_mm_slli_epi16::<8>(self.0), _mm_srli_epi16::<8>(self.0));
            let x = _mm_shufflelo_epi16::<0b00_01_10_11>(x);
            _mm_shufflehi_epi16::<0b00_01_10_11>(x)
        })
    }
}

/// The first words of both, and the second words.
#[inline(always)]
fn transposed(a: Pair, b: Pair) -> (Pair, Pair) {
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { (Pair(_mm_unpacklo_epi64(a.0, b.0)), Pair(_mm_unpackhi_epi64(a.0, b.0))) }
}
