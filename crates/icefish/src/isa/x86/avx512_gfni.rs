//! GFNI at 512 bits: 64 elements of GF(2^8) in a register.
//!
//! Vectors of bytes belong to this set alone: every way to make one from something else takes the token, which proves GFNI. Vectors
//! of words are shared with sets without GFNI, and have no method here.
#![allow(unsafe_code)]

use super::avx512::{Vec512, ternary, vec};
use crate::isa::{Avx512Vaes, Gf256, Matrix, mixed, public};
use core::arch::asm;
use core::arch::x86_64::*;

/// Interleaves 16-bit words of pairs of vectors. Three such steps transpose: word `i` of each row of 16 bytes of vector `j` is then
/// word `j` of vector `i`.
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
    const MASKS: bool = true;
    type Mask = __mmask64;
    #[inline(always)]
    fn splat(_: Avx512Vaes, byte: u8) -> Self {
        // SAFETY: the token proves AVX-512.
        vec(unsafe { _mm512_set1_epi8(byte as i8) })
    }
    #[inline(always)]
    fn repeat(_: Avx512Vaes, bytes: u32) -> Self {
        // SAFETY: the token proves AVX-512.
        vec(unsafe { _mm512_set1_epi32(bytes as i32) })
    }
    #[inline(always)]
    fn of_words(_: Avx512Vaes, words: [Vec512<u64>; 8]) -> [Self; 8] {
        let mut x = [words[0].0; 8];
        for i in 0..8 {
            // Interleaves the bytes of two words.
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
        vec(ternary::<TABLE>(a.0, b.0, c.0))
    }
    #[inline(always)]
    fn test<const BIT: usize>(self, _: Avx512Vaes) -> __mmask64 {
        // SAFETY: the token proves AVX-512.
        unsafe { test(self.0, _mm512_set1_epi8((1u8 << BIT) as i8)) }
    }
    #[inline(always)]
    fn only(self, mask: __mmask64) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { choose(mask, self.0, _mm512_setzero_si512()) })
    }
    #[inline(always)]
    fn choose(mask: __mmask64, a: Self, b: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        vec(unsafe { choose(mask, a.0, b.0) })
    }
    #[inline(always)]
    fn affine<const AT: usize, const ADD: i32>(self, _: Avx512Vaes, matrices: &[Matrix]) -> Self {
        assert!(AT < matrices.len());
        // SAFETY: the token proves GFNI; the matrix is in the slice.
        vec(unsafe { affine::<AT, ADD>(self.0, matrices.as_ptr()) })
    }
    #[inline(always)]
    fn affine_where<const AT: usize, const ADD: i32>(
        self,
        _: Avx512Vaes,
        mask: __mmask64,
        matrices: &[Matrix],
        other: Self,
    ) -> Self {
        assert!(AT < matrices.len());
        // SAFETY: the token proves GFNI; the matrix is in the slice.
        vec(unsafe { affine_where::<AT, ADD>(self.0, mask, matrices.as_ptr(), other.0) })
    }
    #[inline(always)]
    fn inverse<const AT: usize>(self, _: Avx512Vaes, matrices: &[Matrix]) -> Self {
        // SAFETY: the token proves GFNI.
        let product = unsafe {
            let matrix = _mm512_set1_epi64(matrices[AT].rows() as i64);
            _mm512_gf2p8affineinv_epi64_epi8::<0>(public(self.0), matrix)
        };
        vec(mixed::<1, _>(product, self.0))
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        // SAFETY: values of bytes are only made with a token that proves GFNI.
        let product = unsafe { _mm512_gf2p8mul_epi8(self.0, other.0) };
        vec(mixed::<1, _>(product, product))
    }
}

// The blocks below are not `pure`, which keeps their order. Intrinsics would also be rewritten: the compiler turns tests and
// selections into shifts, negations and masks in memory, loads a matrix once for many vectors, and then spills registers.

/// The mask of the bytes of `x` that have any of the `bits` set.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn test(x: __m512i, bits: __m512i) -> __mmask64 {
    if cfg!(icefish_msan) {
        return _mm512_test_epi8_mask(x, bits);
    }
    let mask;
    // SAFETY: no memory is touched.
    unsafe {
        asm!(
            "vptestmb {mask}, {x}, {bits}",
            mask = out(kreg) mask, x = in(zmm_reg) x, bits = in(zmm_reg) bits,
            options(nomem, nostack, preserves_flags)
        );
    }
    mask
}

/// The bytes of `a` where `mask` is set, and of `b` elsewhere.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn choose(mask: __mmask64, a: __m512i, mut b: __m512i) -> __m512i {
    if cfg!(icefish_msan) {
        return _mm512_mask_blend_epi8(mask, b, a);
    }
    // SAFETY: no memory is touched.
    unsafe {
        asm!(
            "vmovdqu8 {b}{{{mask}}}, {a}",
            mask = in(kreg) mask, a = in(zmm_reg) a, b = inout(zmm_reg) b,
            options(nomem, nostack, preserves_flags)
        );
    }
    b
}

/// The product of the matrix at `matrices[AT]` and each byte, plus `ADD`.
///
/// # Safety
/// `matrices[AT]` is readable.
#[target_feature(enable = "avx512f,gfni")]
#[inline]
unsafe fn affine<const AT: usize, const ADD: i32>(x: __m512i, matrices: *const Matrix) -> __m512i {
    let product;
    // SAFETY: reads only `matrices[AT]`, which the caller guarantees to be readable.
    unsafe {
        asm!(
            "vgf2p8affineqb {y}, {x}, qword ptr [{matrices} + {at}]{{1to8}}, {add}",
            y = out(zmm_reg) product, x = in(zmm_reg) public(x), matrices = in(reg) matrices,
            at = const 32 * AT, add = const ADD, options(readonly, nostack, preserves_flags)
        );
    }
    mixed::<1, _>(product, x)
}

/// The same where `mask` is set, and `other` elsewhere.
///
/// # Safety
/// `matrices[AT]` is readable.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
#[inline]
unsafe fn affine_where<const AT: usize, const ADD: i32>(
    x: __m512i,
    mask: __mmask64,
    matrices: *const Matrix,
    other: __m512i,
) -> __m512i {
    if cfg!(icefish_msan) {
        // SAFETY: as the caller guarantees.
        return choose(mask, unsafe { affine::<AT, ADD>(x, matrices) }, other);
    }
    let mut product = other;
    // SAFETY: reads only `matrices[AT]`, which the caller guarantees to be readable.
    unsafe {
        asm!(
            "vgf2p8affineqb {y}{{{mask}}}, {x}, qword ptr [{matrices} + {at}]{{1to8}}, {add}",
            y = inout(zmm_reg) product, x = in(zmm_reg) x, mask = in(kreg) mask,
            matrices = in(reg) matrices, at = const 32 * AT, add = const ADD,
            options(readonly, nostack, preserves_flags)
        );
    }
    product
}
