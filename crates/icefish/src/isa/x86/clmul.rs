//! Carry-less multiplication, for GHASH and POLYVAL: PCLMULQDQ for one polynomial, VPCLMULQDQ for two or four.
#![allow(unsafe_code)]

use super::avx2::HasAvx2;
use crate::isa::{Avx512Vaes, Isa, Polynomials};
use core::arch::x86_64::*;

/// Tokens that prove PCLMULQDQ and SSSE3.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasClmul: Isa {}

/// Tokens that prove VPCLMULQDQ and AVX2.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasClmul256: HasAvx2 {}

/// x^128 modulo x^128 + x^7 + x^2 + x + 1.
const XTS: i32 = 0x87;

/// [`crate::isa::clmul::soft::moves`] in registers.
#[inline(always)]
fn moves(bytes: usize) -> [__m128i; 2] {
    let [up, down] = crate::isa::clmul::soft::moves(bytes);
    // SAFETY: 16 readable bytes each; every x86-64 CPU has SSE2.
    unsafe { [_mm_loadu_si128(up.as_ptr().cast()), _mm_loadu_si128(down.as_ptr().cast())] }
}

/// One polynomial in an XMM register, made with a token of [`HasClmul`] or from other such values.
#[derive(Clone, Copy, Debug)]
pub struct Clmul(__m128i);

impl<S: HasClmul> Polynomials<S> for Clmul {
    const N: usize = 1;
    const SUM: usize = 8;

    #[inline(always)]
    fn splat(_: S, bytes: &[u8; 16]) -> Self {
        // SAFETY: 16 readable bytes.
        Self(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
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
        bytes[..16].copy_from_slice(&<Self as Polynomials<S>>::sum(self));
    }
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: 16 writable bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) };
        bytes
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove SSE2.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }
    #[inline(always)]
    fn reverse_bytes(self) -> Self {
        // SAFETY: the value proves SSSE3.
        Self(unsafe {
            let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            _mm_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        // SAFETY: the value proves SSE2.
        Self(unsafe { _mm_shuffle_epi32::<0b01_00_11_10>(self.0) })
    }
    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        // SAFETY: the values prove PCLMULQDQ.
        Self(unsafe { _mm_clmulepi64_si128::<0x00>(self.0, other.0) })
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        // SAFETY: the values prove PCLMULQDQ.
        Self(unsafe { _mm_clmulepi64_si128::<0x11>(self.0, other.0) })
    }
    #[inline(always)]
    fn times_powers(isa: S, t: &[u8; 16], from: usize) -> Self {
        let Self(t) = Self::splat(isa, t);
        // SAFETY: the token proves PCLMULQDQ.
        Self(unsafe {
            let left = _mm_sll_epi64(t, _mm_cvtsi64_si128(from as i64));
            let out = _mm_srl_epi64(t, _mm_cvtsi64_si128(64 - from as i64));
            let back = _mm_clmulepi64_si128::<0x01>(out, _mm_cvtsi32_si128(XTS));
            _mm_xor_si128(_mm_xor_si128(left, _mm_slli_si128::<8>(out)), back)
        })
    }
    #[inline(always)]
    fn times_x8(self, _: S, bytes: usize) -> Self {
        // SAFETY: the value proves PCLMULQDQ and SSSE3.
        Self(unsafe {
            let [left, right] = moves(bytes);
            let out = _mm_shuffle_epi8(self.0, right);
            let back = _mm_clmulepi64_si128::<0x00>(out, _mm_cvtsi32_si128(XTS));
            _mm_xor_si128(_mm_shuffle_epi8(self.0, left), back)
        })
    }
    const HAS_TIMES_X: bool = true;
    /// The sign of word 0 of the result is the coefficient of x^127; that of word 2, of x^63, moves to the high half. The bits
    /// below are the next signs: a reduction changes only bits far below.
    #[inline(always)]
    fn signs(self) -> Self {
        // SAFETY: the value proves SSE2.
        Self(unsafe { _mm_shuffle_epi32::<0b00_01_00_11>(self.0) })
    }
    /// Without PCLMULQDQ, which is four operations on AMD.
    #[inline(always)]
    fn times_x(self, signs: &mut Self) -> Self {
        // SAFETY: the value proves SSE2.
        Self(unsafe {
            // Without the first barrier the compiler takes masks of AVX-512, which are slower. Without the second it shifts the
            // initial signs instead of doubling these: a Zen 3 has two units for shifts, and four for additions.
            let now = super::order::in_order(_mm_srai_epi32::<31>(signs.0));
            signs.0 = super::order::in_order(_mm_add_epi32(signs.0, signs.0));
            let back = _mm_and_si128(now, _mm_set_epi64x(1, i64::from(XTS)));
            _mm_xor_si128(_mm_add_epi64(self.0, self.0), back)
        })
    }
    #[inline(always)]
    fn in_order(self) -> Self {
        Self(super::order::in_order(self.0))
    }
}

/// Two polynomials, made with a token of [`HasClmul256`] or from other such values.
#[derive(Clone, Copy, Debug)]
pub struct Clmul256(__m256i);

impl<S: HasClmul256> Polynomials<S> for Clmul256 {
    const N: usize = 2;
    const SUM: usize = 16;

    #[inline(always)]
    fn splat(_: S, bytes: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX2; 16 readable bytes.
        Self(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }
    #[inline(always)]
    fn first(_: S, bytes: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX2; 16 readable bytes.
        Self(unsafe { _mm256_zextsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        Self(super::avx2::load(bytes))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        super::avx2::put(&mut crate::isa::Sink::new(&mut bytes[..32]), 0, self.0);
    }
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: the value proves AVX2; 16 writable bytes.
        unsafe {
            let high = _mm256_extracti128_si256::<1>(self.0);
            let sum = _mm_xor_si128(_mm256_castsi256_si128(self.0), high);
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), sum);
        }
        bytes
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn reverse_bytes(self) -> Self {
        // SAFETY: the value proves AVX2.
        Self(unsafe {
            let order = _mm_set_epi64x(0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f);
            _mm256_shuffle_epi8(self.0, _mm256_broadcastsi128_si256(order))
        })
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        // SAFETY: the value proves AVX2.
        Self(unsafe { _mm256_shuffle_epi32::<0b01_00_11_10>(self.0) })
    }
    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        // SAFETY: the values prove VPCLMULQDQ.
        Self(unsafe { _mm256_clmulepi64_epi128::<0x00>(self.0, other.0) })
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        // SAFETY: the values prove VPCLMULQDQ.
        Self(unsafe { _mm256_clmulepi64_epi128::<0x11>(self.0, other.0) })
    }
    #[inline(always)]
    fn times_powers(isa: S, t: &[u8; 16], from: usize) -> Self {
        let (Self(t), n) = (Self::splat(isa, t), from as i64);
        // SAFETY: the token proves AVX2 and VPCLMULQDQ.
        Self(unsafe {
            let by = _mm256_setr_epi64x(n, n, n + 1, n + 1);
            let left = _mm256_sllv_epi64(t, by);
            let out = _mm256_srlv_epi64(t, _mm256_sub_epi64(_mm256_set1_epi64x(64), by));
            let modulus = _mm256_broadcastsi128_si256(_mm_cvtsi32_si128(XTS));
            let back = _mm256_clmulepi64_epi128::<0x01>(out, modulus);
            let left = _mm256_xor_si256(left, _mm256_slli_si256::<8>(out));
            _mm256_xor_si256(left, back)
        })
    }
    #[inline(always)]
    fn times_x8(self, _: S, bytes: usize) -> Self {
        // SAFETY: the value proves AVX2 and VPCLMULQDQ.
        Self(unsafe {
            let [left, right] = moves(bytes);
            let (left, right) =
                (_mm256_broadcastsi128_si256(left), _mm256_broadcastsi128_si256(right));
            let out = _mm256_shuffle_epi8(self.0, right);
            let modulus = _mm256_broadcastsi128_si256(_mm_cvtsi32_si128(XTS));
            let back = _mm256_clmulepi64_epi128::<0x00>(out, modulus);
            _mm256_xor_si256(_mm256_shuffle_epi8(self.0, left), back)
        })
    }
}

/// Four polynomials, made with a token of [`Avx512Vaes`] or from other such values.
#[derive(Clone, Copy, Debug)]
pub struct Clmul512(__m512i);

impl Polynomials<Avx512Vaes> for Clmul512 {
    const N: usize = 4;
    const SUM: usize = 32;

    #[inline(always)]
    fn splat(_: Avx512Vaes, bytes: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX-512; 16 readable bytes.
        Self(unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }
    #[inline(always)]
    fn first(_: Avx512Vaes, bytes: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX-512; 16 readable bytes.
        Self(unsafe { _mm512_zextsi128_si512(_mm_loadu_si128(bytes.as_ptr().cast())) })
    }
    #[inline(always)]
    fn load(_: Avx512Vaes, bytes: &[u8]) -> Self {
        Self(super::avx512::load(bytes))
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        super::avx512::put(&mut crate::isa::Sink::new(&mut bytes[..64]), 0, self.0);
    }
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: the value proves AVX-512; 16 writable bytes.
        unsafe {
            let high = _mm512_extracti64x4_epi64::<1>(self.0);
            let half = _mm256_xor_si256(_mm512_castsi512_si256(self.0), high);
            let high = _mm256_extracti128_si256::<1>(half);
            let sum = _mm_xor_si128(_mm256_castsi256_si128(half), high);
            _mm_storeu_si128(bytes.as_mut_ptr().cast(), sum);
        }
        bytes
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn in_order(self) -> Self {
        // SAFETY: the value proves AVX-512.
        Self(unsafe { super::order::in_order_512(self.0) })
    }
    #[inline(always)]
    fn reverse_bytes(self) -> Self {
        // SAFETY: the value proves AVX-512.
        Self(unsafe {
            let order = _mm512_set4_epi32(0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f);
            _mm512_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn swap_halves(self) -> Self {
        // SAFETY: the value proves AVX-512.
        Self(unsafe { _mm512_shuffle_epi32::<0b01_00_11_10>(self.0) })
    }
    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        // SAFETY: the values prove VPCLMULQDQ.
        Self(unsafe { _mm512_clmulepi64_epi128::<0x00>(self.0, other.0) })
    }
    #[inline(always)]
    fn mul_high(self, other: Self) -> Self {
        // SAFETY: the values prove VPCLMULQDQ.
        Self(unsafe { _mm512_clmulepi64_epi128::<0x11>(self.0, other.0) })
    }
    #[inline(always)]
    fn times_powers(isa: Avx512Vaes, t: &[u8; 16], from: usize) -> Self {
        let (Self(t), n) = (Self::splat(isa, t), from as i64);
        // SAFETY: the token proves AVX-512 and VPCLMULQDQ.
        Self(unsafe {
            let by = _mm512_setr_epi64(n, n, n + 1, n + 1, n + 2, n + 2, n + 3, n + 3);
            let left = _mm512_sllv_epi64(t, by);
            let out = _mm512_srlv_epi64(t, _mm512_sub_epi64(_mm512_set1_epi64(64), by));
            let modulus = _mm512_broadcast_i32x4(_mm_cvtsi32_si128(XTS));
            let back = _mm512_clmulepi64_epi128::<0x01>(out, modulus);
            let left = _mm512_xor_si512(left, _mm512_bslli_epi128::<8>(out));
            _mm512_xor_si512(left, back)
        })
    }
    #[inline(always)]
    fn times_x8(self, _: Avx512Vaes, bytes: usize) -> Self {
        // SAFETY: the value proves AVX-512 and VPCLMULQDQ.
        Self(unsafe {
            let [left, right] = moves(bytes);
            let (left, right) = (_mm512_broadcast_i32x4(left), _mm512_broadcast_i32x4(right));
            let out = _mm512_shuffle_epi8(self.0, right);
            let modulus = _mm512_broadcast_i32x4(_mm_cvtsi32_si128(XTS));
            let back = _mm512_clmulepi64_epi128::<0x00>(out, modulus);
            _mm512_xor_si512(_mm512_shuffle_epi8(self.0, left), back)
        })
    }
}
