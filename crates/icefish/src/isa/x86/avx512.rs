//! Vectors of AVX-512 F, BW, DQ and VL: eight lanes of 64 bits, sixteen of 32.
#![allow(unsafe_code)]

mod arithmetic;
mod memory;

use crate::isa::lanes::ternary_by_mux;
use crate::isa::{Isa, Lanes, Sink};
use core::arch::asm;
use core::arch::x86_64::*;
use core::marker::PhantomData;
pub(super) use memory::{counters, load, masked, put, put_masked};
use memory::{gather_apart, gather_pieces, scatter_pieces, transpose_words};

/// Tokens that prove AVX-512 F, BW, DQ and VL.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasAvx512: Isa {}

/// 512 bits as words of type `W`.
#[derive(Clone, Copy, Debug)]
pub struct Vec512<W>(pub(super) __m512i, PhantomData<W>);

/// Every value of `Vec512` was made with a token of [`HasAvx512`] or from such values. That makes the intrinsics of this file
/// legal.
#[inline(always)]
pub(super) fn vec<W>(v: __m512i) -> Vec512<W> {
    Vec512(v, PhantomData)
}

impl<S: HasAvx512> Lanes<S, u64> for Vec512<u64> {
    const N: usize = 8;
    const TERNARY: bool = true;
    #[inline(always)]
    fn splat(_: S, w: u64) -> Self {
        // SAFETY: the token proves AVX-512.
        vec(unsafe { _mm512_set1_epi64(w as i64) })
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        // SAFETY: the token proves AVX-512.
        vec(unsafe { _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        vec(load(bytes))
    }
    #[inline(always)]
    fn put(self, mut sink: Sink<'_>) {
        put(&mut sink, 0, self.0);
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        put(&mut Sink::new(&mut bytes[..64]), 0, self.0);
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        transpose_pairs(gather_pieces::<K>(blocks))
    }
    #[inline(always)]
    fn gather_at<const K: usize>(_: S, rows: &[&[u8]], at: usize) -> [Self; K] {
        transpose_pairs(gather_apart::<K>(rows, at))
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], sink: Sink<'_>) {
        const { assert!(K.is_multiple_of(2)) };
        let mut p = [words[0].0; K];
        for c in 0..K / 2 {
            let (a, b) = (words[2 * c].0, words[2 * c + 1].0);
            // SAFETY: the values prove AVX-512.
            (p[c], p[K / 2 + c]) =
                unsafe { (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)) };
        }
        scatter_pieces(p, sink);
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_rolv_epi64(self.0, _mm512_set1_epi64(i64::from(r))) })
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_rorv_epi64(self.0, _mm512_set1_epi64(i64::from(r))) })
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_sllv_epi64(self.0, _mm512_set1_epi64(i64::from(r))) })
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_srlv_epi64(self.0, _mm512_set1_epi64(i64::from(r))) })
    }
    #[inline(always)]
    fn exchange(low: Self, a: Self, b: Self, step: u32) -> (Self, Self) {
        let (a, b) = (a.0, b.0);
        // SAFETY: the values prove AVX-512.
        let (a, b) = unsafe {
            match step {
                // Fields of whole bytes are exchanged by masked shuffles.
                32 => (
                    _mm512_mask_shuffle_epi32::<0xb1>(a, 0xaaaa, b),
                    _mm512_mask_shuffle_epi32::<0xb1>(b, 0x5555, a),
                ),
                16 => (
                    _mm512_mask_shuffle_epi8(a, 0xcccc_cccc_cccc_cccc, b, pairs()),
                    _mm512_mask_shuffle_epi8(b, 0x3333_3333_3333_3333, a, pairs()),
                ),
                8 => (
                    _mm512_mask_shuffle_epi8(a, 0xaaaa_aaaa_aaaa_aaaa, b, bytes()),
                    _mm512_mask_shuffle_epi8(b, 0x5555_5555_5555_5555, a, bytes()),
                ),
                _ => {
                    let shift = _mm512_set1_epi64(i64::from(step));
                    // Selects the second operand where `low` is set, and the third elsewhere.
                    (
                        ternary::<0xca>(low.0, a, _mm512_sllv_epi64(b, shift)),
                        ternary::<0xca>(low.0, _mm512_srlv_epi64(a, shift), b),
                    )
                }
            }
        };
        (vec(a), vec(b))
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { opaque(self.0) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe {
            let order = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
            _mm512_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        vec(ternary::<TABLE>(a.0, b.0, c.0))
    }
    #[inline(always)]
    fn of(_: S, words: &[u64]) -> Self {
        let row: &[u64; 8] = words[..8].try_into().expect("8 words");
        // SAFETY: 64 readable bytes; the token proves AVX-512.
        vec(unsafe { _mm512_loadu_si512(row.as_ptr().cast()) })
    }
    #[inline(always)]
    fn pick(_: S, low: Self, high: Self, from: &[usize; 8]) -> Self {
        let mut lanes = [0u64; 8];
        for j in 0..8 {
            assert!(from[j] < 16);
            lanes[j] = from[j] as u64;
        }
        // SAFETY: 64 readable bytes; the token proves AVX-512. The lanes are constants, so the compiler selects the fastest
        // instruction for them.
        vec(unsafe {
            let lanes = _mm512_loadu_si512(lanes.as_ptr().cast());
            _mm512_permutex2var_epi64(low.0, lanes, high.0)
        })
    }
    #[inline(always)]
    fn rotl_each(self, _: S, bits: &[u32; 8]) -> Self {
        let mut counts = [0u64; 8];
        for j in 0..8 {
            counts[j] = bits[j].into();
        }
        // SAFETY: 64 readable bytes; the value proves AVX-512.
        vec(unsafe { _mm512_rolv_epi64(self.0, _mm512_loadu_si512(counts.as_ptr().cast())) })
    }
}

impl<S: HasAvx512> Lanes<S, u32> for Vec512<u32> {
    const N: usize = 16;
    const TERNARY: bool = true;
    #[inline(always)]
    fn splat(_: S, w: u32) -> Self {
        // SAFETY: the token proves AVX-512.
        vec(unsafe { _mm512_set1_epi32(w as i32) })
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        // SAFETY: the token proves AVX-512.
        vec(unsafe { _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        vec(load(bytes))
    }
    #[inline(always)]
    fn put(self, mut sink: Sink<'_>) {
        put(&mut sink, 0, self.0);
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        put(&mut Sink::new(&mut bytes[..64]), 0, self.0);
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        const { assert!(K.is_multiple_of(4)) };
        let p = gather_pieces::<K>(blocks);
        let mut words = [vec(p[0]); K];
        for c in 0..K / 4 {
            let q = K / 4;
            let t = transpose_words([p[c], p[q + c], p[2 * q + c], p[3 * q + c]]);
            for i in 0..4 {
                words[4 * c + i] = vec(t[i]);
            }
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], sink: Sink<'_>) {
        const { assert!(K.is_multiple_of(4)) };
        let mut p = [words[0].0; K];
        for c in 0..K / 4 {
            let w = &words[4 * c..];
            let t = transpose_words([w[0].0, w[1].0, w[2].0, w[3].0]);
            for i in 0..4 {
                p[i * (K / 4) + c] = t[i];
            }
        }
        scatter_pieces(p, sink);
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_rolv_epi32(self.0, _mm512_set1_epi32(r as i32)) })
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_rorv_epi32(self.0, _mm512_set1_epi32(r as i32)) })
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_sllv_epi32(self.0, _mm512_set1_epi32(r as i32)) })
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe { _mm512_srlv_epi32(self.0, _mm512_set1_epi32(r as i32)) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the value proves AVX-512.
        vec(unsafe {
            let order = _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
            _mm512_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        vec(ternary::<TABLE>(a.0, b.0, c.0))
    }
}

/// The words of blocks from pieces, by transposing pairs of words of 64 bits. A run of `K` pieces is two blocks of `K` words.
#[inline(always)]
fn transpose_pairs<const K: usize>(p: [__m512i; K]) -> [Vec512<u64>; K] {
    const { assert!(K.is_multiple_of(2)) };
    let mut words = [vec(p[0]); K];
    for c in 0..K / 2 {
        let (even, odd) = (p[c], p[K / 2 + c]);
        // SAFETY: only called where a token proves AVX-512.
        words[2 * c] = vec(unsafe { _mm512_unpacklo_epi64(even, odd) });
        // SAFETY: as above.
        words[2 * c + 1] = vec(unsafe { _mm512_unpackhi_epi64(even, odd) });
    }
    words
}

/// For each bit of `a`, `b` and `c`: bit `4 a + 2 b + c` of `TABLE`.
#[inline(always)]
pub(super) fn ternary<const TABLE: i32>(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    if cfg!(icefish_msan) {
        return ternary_by_mux::<TABLE, Vec512<u64>>(vec(a), vec(b), vec(c)).0;
    }
    // SAFETY: only called where a value proves AVX-512.
    unsafe { _mm512_ternarylogic_epi64::<TABLE>(a, b, c) }
}

/// An optimisation barrier: the same value, and no instruction. Like an intrinsic, it is inlined only where the feature is enabled,
/// because the register does not exist without it.
#[target_feature(enable = "avx512f")]
#[inline]
fn opaque(mut v: __m512i) -> __m512i {
    if cfg!(icefish_msan) {
        return core::hint::black_box(v);
    }
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(zmm_reg) v, options(pure, nomem, nostack, preserves_flags)) };
    v
}

/// For a byte shuffle: exchanges the words of each pair of 16-bit words.
#[inline(always)]
fn pairs() -> __m512i {
    // SAFETY: only called where a value proves AVX-512.
    unsafe { _mm512_set4_epi32(0x0d0c_0f0e, 0x0908_0b0a, 0x0504_0706, 0x0100_0302) }
}

/// For a byte shuffle: exchanges the bytes of each pair of bytes.
#[inline(always)]
fn bytes() -> __m512i {
    // SAFETY: only called where a value proves AVX-512.
    unsafe { _mm512_set4_epi32(0x0e0f_0c0d, 0x0a0b_0809, 0x0607_0405, 0x0203_0001) }
}
