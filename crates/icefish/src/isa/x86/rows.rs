//! Rows of 128 bits on x86-64: one, or as many as fill a register.
#![allow(unsafe_code)]

use super::avx2::{HasAvx2, Vec256, vec as vec256};
use super::avx512::{HasAvx512, Vec512, vec as vec512};
use crate::isa::{Isa, Lanes, Rows, Sink, ternary_by_mux, turn_bytes};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// One row of words of type `W`, with AVX-512 VL if `VL`, else with AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Row128<W, const VL: bool>(pub(super) __m128i, PhantomData<W>);

/// Tokens that prove AVX2 and, if `VL`, AVX-512 F and VL.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasRow128<const VL: bool>: Isa {}

// SAFETY: `HasAvx2` guarantees the same.
unsafe impl<S: HasAvx2> HasRow128<false> for S {}
// SAFETY: `HasAvx512` guarantees the same; AVX-512 F implies AVX2.
unsafe impl<S: HasAvx512> HasRow128<true> for S {}

/// Words of 32 or 64 bits.
pub(super) trait RowWord: Copy {
    const BITS: u32;
    fn widen(self) -> i64;
    /// Shifts every word left.
    fn shl(v: __m128i, r: __m128i) -> __m128i;
    /// Shifts every word right.
    fn shr(v: __m128i, r: __m128i) -> __m128i;
}

impl RowWord for u32 {
    const BITS: u32 = u32::BITS;
    #[inline(always)]
    fn widen(self) -> i64 {
        i64::from(self)
    }
    #[inline(always)]
    fn shl(v: __m128i, r: __m128i) -> __m128i {
        // SAFETY: every x86-64 CPU has SSE2.
        unsafe { _mm_sll_epi32(v, r) }
    }
    #[inline(always)]
    fn shr(v: __m128i, r: __m128i) -> __m128i {
        // SAFETY: every x86-64 CPU has SSE2.
        unsafe { _mm_srl_epi32(v, r) }
    }
}

impl RowWord for u64 {
    const BITS: u32 = u64::BITS;
    #[inline(always)]
    fn widen(self) -> i64 {
        self as i64
    }
    #[inline(always)]
    fn shl(v: __m128i, r: __m128i) -> __m128i {
        // SAFETY: every x86-64 CPU has SSE2.
        unsafe { _mm_sll_epi64(v, r) }
    }
    #[inline(always)]
    fn shr(v: __m128i, r: __m128i) -> __m128i {
        // SAFETY: every x86-64 CPU has SSE2.
        unsafe { _mm_srl_epi64(v, r) }
    }
}

/// Every value of `Row128` was made with a token of [`HasRow128`] or from such values. That makes the intrinsics of this file
/// legal.
#[inline(always)]
pub(super) fn row<W, const VL: bool>(v: __m128i) -> Row128<W, VL> {
    Row128(v, PhantomData)
}

impl<W, const VL: bool> BitXor for Row128<W, VL> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        row(unsafe { _mm_xor_si128(self.0, other.0) })
    }
}
impl<W, const VL: bool> BitAnd for Row128<W, VL> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        row(unsafe { _mm_and_si128(self.0, other.0) })
    }
}
impl<W, const VL: bool> BitOr for Row128<W, VL> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        row(unsafe { _mm_or_si128(self.0, other.0) })
    }
}
impl<W, const VL: bool> Not for Row128<W, VL> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        row(unsafe { _mm_xor_si128(self.0, _mm_set1_epi64x(-1)) })
    }
}

impl<S: HasRow128<VL>, W: RowWord, const VL: bool> Rows<S, W> for Row128<W, VL> {
    const N: usize = 1;
    const REGISTER: bool = true;
    const ROTATES: bool = VL;
    #[inline(always)]
    fn first(_: S, w: W) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        row(unsafe { _mm_cvtsi64_si128(w.widen()) })
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        let blocks = &blocks[..16 * K];
        let mut rows = [row(load(blocks)); K];
        for i in 1..K {
            rows[i] = row(load(&blocks[16 * i..]));
        }
        rows
    }
    #[inline(always)]
    fn scatter<const K: usize>(rows: [Self; K], mut sink: Sink<'_>) {
        for i in (0..K).rev() {
            super::aes::put(&mut sink, 16 * i, rows[i].0);
        }
    }
    #[inline(always)]
    fn turn(self, words: usize, bits: u32) -> Self {
        let byte_wise = bits.is_multiple_of(8);
        let order = turn_bytes(W::BITS, words, if byte_wise { bits } else { 0 });
        // SAFETY: the value proves AVX2.
        unsafe {
            let v = _mm_shuffle_epi8(self.0, order_128(order));
            if byte_wise {
                return row(v);
            }
            let left = W::shl(v, _mm_cvtsi32_si128(bits as i32));
            let right = W::shr(v, _mm_cvtsi32_si128((W::BITS - bits) as i32));
            row(_mm_or_si128(left, right))
        }
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        row(W::shl(self.0, unsafe { _mm_cvtsi32_si128(r as i32) }))
    }
    const PICKS: bool = true;
    #[inline(always)]
    fn pick(self, _: S, from: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX2.
        row(unsafe { _mm_shuffle_epi8(self.0, load(from)) })
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        if VL && !cfg!(icefish_msan) {
            // SAFETY: the values prove AVX-512 VL.
            row(unsafe { _mm_ternarylogic_epi64::<TABLE>(a.0, b.0, c.0) })
        } else {
            ternary_by_mux::<TABLE, Self>(a, b, c)
        }
    }
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        // SAFETY: every x86-64 CPU has SSE2.
        row(unsafe { _mm_andnot_si128(self.0, other.0) })
    }
}

/// Two rows.
impl<S: HasAvx2, W: RowWord> Rows<S, W> for Vec256<W>
where
    Vec256<W>: Lanes<S, W>,
{
    const N: usize = 2;
    const REGISTER: bool = true;
    #[inline(always)]
    fn first(_: S, w: W) -> Self {
        // SAFETY: the token proves AVX2.
        vec256(unsafe { _mm256_setr_epi64x(w.widen(), 0, w.widen(), 0) })
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        let blocks = &blocks[..32 * K];
        let mut rows = [vec256(pair(blocks, 0, 16 * K)); K];
        for i in 1..K {
            rows[i] = vec256(pair(blocks, 16 * i, 16 * (K + i)));
        }
        rows
    }
    #[inline(always)]
    fn scatter<const K: usize>(rows: [Self; K], mut sink: Sink<'_>) {
        for j in (0..2).rev() {
            for i in (0..K).rev() {
                let v = rows[i].0;
                // SAFETY: the values prove AVX2.
                let piece = unsafe {
                    if j == 0 {
                        _mm256_castsi256_si128(v)
                    } else {
                        _mm256_extracti128_si256::<1>(v)
                    }
                };
                super::aes::put(&mut sink, 16 * (K * j + i), piece);
            }
        }
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        <Self as Lanes<S, W>>::shl(self, r)
    }
    #[inline(always)]
    fn turn(self, words: usize, bits: u32) -> Self {
        let byte_wise = bits.is_multiple_of(8);
        let order = turn_bytes(W::BITS, words, if byte_wise { bits } else { 0 });
        // SAFETY: the value proves AVX2.
        let v = vec256(unsafe {
            let order = _mm256_broadcastsi128_si256(order_128(order));
            _mm256_shuffle_epi8(self.0, order)
        });
        if byte_wise { v } else { <Self as Lanes<S, W>>::rotl(v, bits) }
    }
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        <Self as Lanes<S, W>>::andnot(self, other)
    }
}

/// Four rows.
impl<S: HasAvx512, W: RowWord> Rows<S, W> for Vec512<W>
where
    Vec512<W>: Lanes<S, W>,
{
    const N: usize = 4;
    const REGISTER: bool = true;
    #[inline(always)]
    fn first(_: S, w: W) -> Self {
        // SAFETY: the token proves AVX-512.
        vec512(unsafe { _mm512_maskz_set1_epi64(0b0101_0101, w.widen()) })
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        let blocks = &blocks[..64 * K];
        let mut rows = [vec512(quad(blocks, 0, 16 * K)); K];
        for i in 1..K {
            rows[i] = vec512(quad(blocks, 16 * i, 16 * K));
        }
        rows
    }
    #[inline(always)]
    fn scatter<const K: usize>(rows: [Self; K], mut sink: Sink<'_>) {
        for j in (0..4).rev() {
            for i in (0..K).rev() {
                let v = rows[i].0;
                // SAFETY: the values prove AVX-512.
                let piece = unsafe {
                    match j {
                        0 => _mm512_castsi512_si128(v),
                        1 => _mm512_extracti64x2_epi64::<1>(v),
                        2 => _mm512_extracti64x2_epi64::<2>(v),
                        _ => _mm512_extracti64x2_epi64::<3>(v),
                    }
                };
                super::aes::put(&mut sink, 16 * (K * j + i), piece);
            }
        }
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        <Self as Lanes<S, W>>::shl(self, r)
    }
    #[inline(always)]
    fn turn(self, words: usize, bits: u32) -> Self {
        let byte_wise = bits.is_multiple_of(8);
        let order = turn_bytes(W::BITS, words, if byte_wise { bits } else { 0 });
        // SAFETY: the value proves AVX-512.
        let v = vec512(unsafe {
            let order = _mm512_broadcast_i32x4(order_128(order));
            _mm512_shuffle_epi8(self.0, order)
        });
        if byte_wise { v } else { <Self as Lanes<S, W>>::rotl(v, bits) }
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        <Self as Lanes<S, W>>::ternary::<TABLE>(a, b, c)
    }
}

/// The first 16 bytes.
#[inline(always)]
pub(super) fn load(bytes: &[u8]) -> __m128i {
    let piece: &[u8; 16] = bytes[..16].try_into().expect("16 bytes");
    // SAFETY: 16 readable bytes; every x86-64 CPU has SSE2.
    unsafe { _mm_loadu_si128(piece.as_ptr().cast()) }
}

/// 16 bytes from `low` on, and 16 from `high` on.
#[inline(always)]
fn pair(bytes: &[u8], low: usize, high: usize) -> __m256i {
    // SAFETY: only called where a token proves AVX2.
    unsafe { _mm256_set_m128i(load(&bytes[high..]), load(&bytes[low..])) }
}

/// Four pieces of 16 bytes from `at` on, `stride` apart.
#[inline(always)]
fn quad(bytes: &[u8], at: usize, stride: usize) -> __m512i {
    let low = pair(bytes, at, at + stride);
    let high = pair(bytes, at + 2 * stride, at + 3 * stride);
    // SAFETY: only called where a token proves AVX-512.
    unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high) }
}

#[inline(always)]
fn order_128(order: u128) -> __m128i {
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { _mm_set_epi64x((order >> 64) as i64, order as i64) }
}
