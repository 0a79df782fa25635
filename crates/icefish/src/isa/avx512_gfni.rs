//! GFNI at 512 bits: 64 elements of GF(2^8) a register.
#![allow(unsafe_code)]

use super::avx512::{Vec512, vec};
use super::{Avx512Vaes, Gf256};
use core::arch::x86_64::*;

/// Exchanges neighbouring 16-bit words with neighbouring vectors: after three times, word `i` of each
/// row of 16 bytes of vector `j` is word `j` of vector `i`.
#[inline(always)]
fn transpose(mut x: [__m512i; 8]) -> [__m512i; 8] {
    for _ in 0..3 {
        let y = x;
        for i in 0..4 {
            // SAFETY: only called where a value proves AVX-512.
            (x[2 * i], x[2 * i + 1]) = unsafe {
                (_mm512_unpacklo_epi16(y[i], y[i + 4]), _mm512_unpackhi_epi16(y[i], y[i + 4]))
            };
        }
    }
    x
}

impl Gf256<Avx512Vaes> for Vec512<u8> {
    const FAST: bool = true;
    type Mask = __mmask64;
    #[inline(always)]
    fn splat(_: Avx512Vaes, byte: u8) -> Self {
        // SAFETY: the token proves AVX-512.
        vec(unsafe { _mm512_set1_epi8(byte as i8) })
    }
    #[inline(always)]
    fn of_words(_: Avx512Vaes, words: [Vec512<u64>; 8]) -> [Self; 8] {
        let mut x = [words[0].0; 8];
        for i in 0..8 {
            // The bytes of two words, in turn.
            // SAFETY: the token proves AVX-512.
            x[i] = unsafe {
                let order = _mm512_set4_epi32(0x0f07_0e06, 0x0d05_0c04, 0x0b03_0a02, 0x0901_0800);
                _mm512_shuffle_epi8(words[i].0, order)
            };
        }
        let x = transpose(x);
        let mut bytes = [vec(x[0]); 8];
        for i in 0..8 {
            bytes[i] = vec(x[i]);
        }
        bytes
    }
    #[inline(always)]
    fn to_words(_: Avx512Vaes, bytes: [Self; 8]) -> [Vec512<u64>; 8] {
        let mut x = [bytes[0].0; 8];
        for i in 0..8 {
            x[i] = bytes[i].0;
        }
        let pairs = transpose(x);
        let mut words = [vec(pairs[0]); 8];
        for i in 0..8 {
            // SAFETY: the token proves AVX-512.
            words[i] = vec(unsafe {
                let order = _mm512_set4_epi32(0x0f0d_0b09, 0x0705_0301, 0x0e0c_0a08, 0x0604_0200);
                _mm512_shuffle_epi8(pairs[i], order)
            });
        }
        words
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_ternarylogic_epi64::<TABLE>(a.0, b.0, c.0) })
    }
    #[inline(always)]
    fn test(self, _: Avx512Vaes, bits: u8) -> __mmask64 {
        // SAFETY: the token proves AVX-512.
        unsafe { _mm512_test_epi8_mask(self.0, _mm512_set1_epi8(bits as i8)) }
    }
    #[inline(always)]
    fn choose(mask: __mmask64, a: Self, b: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { _mm512_mask_blend_epi8(mask, b.0, a.0) })
    }
    #[inline(always)]
    fn affine_where<const ADD: i32>(
        self,
        _: Avx512Vaes,
        mask: __mmask64,
        matrix: u64,
        other: Self,
    ) -> Self {
        // SAFETY: the token proves GFNI.
        vec(unsafe {
            let matrix = _mm512_set1_epi64(matrix as i64);
            _mm512_mask_gf2p8affine_epi64_epi8::<ADD>(other.0, mask, self.0, matrix)
        })
    }
    #[inline(always)]
    fn affine<const ADD: i32>(self, _: Avx512Vaes, matrix: u64) -> Self {
        // SAFETY: the token proves GFNI.
        vec(unsafe {
            _mm512_gf2p8affine_epi64_epi8::<ADD>(self.0, _mm512_set1_epi64(matrix as i64))
        })
    }
    #[inline(always)]
    fn inverse(self, _: Avx512Vaes, matrix: u64) -> Self {
        // SAFETY: the token proves GFNI.
        vec(unsafe {
            _mm512_gf2p8affineinv_epi64_epi8::<0>(self.0, _mm512_set1_epi64(matrix as i64))
        })
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        // SAFETY: values of bytes are only made with a token that proves GFNI.
        vec(unsafe { _mm512_gf2p8mul_epi8(self.0, other.0) })
    }
}
