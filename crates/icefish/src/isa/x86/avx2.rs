//! Vectors of AVX2: four lanes of 64 bits, eight of 32.
#![allow(unsafe_code)]

mod arithmetic;
mod pieces;

use super::aes::outside_counter;
use crate::isa::{self, Endian, Isa, Lanes, Sink};
use core::arch::asm;
use core::arch::x86_64::*;
use core::marker::PhantomData;
use pieces::{gather_pieces, pieces, scatter_pieces, transpose_pairs};

/// Tokens that prove AVX2.
///
/// # Safety
/// A value of the type must exist only on a CPU that has it.
pub(super) unsafe trait HasAvx2: Isa {}

/// 256 bits as words of type `W`.
#[derive(Clone, Copy, Debug)]
pub struct Vec256<W>(pub(super) __m256i, PhantomData<W>);

/// Every value of `Vec256` was made with a token of [`HasAvx2`] or from such values. That makes the intrinsics of this file legal.
#[inline(always)]
pub(super) fn vec<W>(v: __m256i) -> Vec256<W> {
    Vec256(v, PhantomData)
}

impl<S: HasAvx2> Lanes<S, u64> for Vec256<u64> {
    const N: usize = 4;
    #[inline(always)]
    fn splat(_: S, w: u64) -> Self {
        // SAFETY: the token proves AVX2.
        vec(unsafe { _mm256_set1_epi64x(w as i64) })
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        // SAFETY: the token proves AVX2.
        vec(unsafe { _mm256_setr_epi64x(0, 1, 2, 3) })
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
        put(&mut Sink::new(&mut bytes[..32]), 0, self.0);
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        transpose_pairs(gather_pieces::<K>(blocks))
    }
    #[inline(always)]
    fn gather_at<const K: usize>(_: S, rows: &[&[u8]], at: usize) -> [Self; K] {
        // A run of pieces is two blocks.
        let half = |i: usize, c: usize| load(&rows[2 * i + 4 * c / K][at + 32 * c % (8 * K)..]);
        transpose_pairs(pieces::<K>(half))
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], sink: Sink<'_>) {
        const { assert!(K.is_multiple_of(2)) };
        let mut p = [words[0].0; K];
        for c in 0..K / 2 {
            let (a, b) = (words[2 * c].0, words[2 * c + 1].0);
            // SAFETY: the values prove AVX2.
            (p[c], p[K / 2 + c]) =
                unsafe { (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)) };
        }
        scatter_pieces(p, sink);
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        <Self as Lanes<S, u64>>::shl(self, r) | <Self as Lanes<S, u64>>::shr(self, 64 - r)
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        <Self as Lanes<S, u64>>::shr(self, r) | <Self as Lanes<S, u64>>::shl(self, 64 - r)
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(r as i32)) })
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(r as i32)) })
    }
    #[inline(always)]
    fn opaque(self) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe { opaque(self.0) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe {
            let order = _mm256_set1_epi64x(0x0001_0203_0405_0607);
            let order = _mm256_or_si256(
                order,
                _mm256_set_epi64x(0x0808_0808_0808_0808, 0, 0x0808_0808_0808_0808, 0),
            );
            _mm256_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn exchange_bytes(x: [Self; 8], _: [Self; 3]) -> [Self; 8] {
        // Pairs of vectors are interleaved three times by bytes, and then by lanes. Byte `k` of all eight is then in one lane.
        let (mut low, mut high, mut y) = ([x[0].0; 4], [x[0].0; 4], [x[0].0; 8]);
        // SAFETY: the values prove AVX2.
        unsafe {
            for i in 0..4 {
                low[i] = _mm256_unpacklo_epi8(x[i].0, x[i + 4].0);
                high[i] = _mm256_unpackhi_epi8(x[i].0, x[i + 4].0);
            }
            for lane in [&mut low, &mut high] {
                for _ in 0..2 {
                    let [a, b, c, d] = *lane;
                    *lane = [
                        _mm256_unpacklo_epi8(a, c),
                        _mm256_unpackhi_epi8(a, c),
                        _mm256_unpacklo_epi8(b, d),
                        _mm256_unpackhi_epi8(b, d),
                    ];
                }
            }
            for i in 0..4 {
                y[2 * i] = _mm256_unpacklo_epi64(low[i], high[i]);
                y[2 * i + 1] = _mm256_unpackhi_epi64(low[i], high[i]);
            }
        }
        [vec(y[0]), vec(y[1]), vec(y[2]), vec(y[3]), vec(y[4]), vec(y[5]), vec(y[6]), vec(y[7])]
    }
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_andnot_si256(self.0, other.0) })
    }
}

impl<S: HasAvx2> Lanes<S, u32> for Vec256<u32> {
    const N: usize = 8;
    #[inline(always)]
    fn splat(_: S, w: u32) -> Self {
        // SAFETY: the token proves AVX2.
        vec(unsafe { _mm256_set1_epi32(w as i32) })
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        // SAFETY: the token proves AVX2.
        vec(unsafe { _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7) })
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
        put(&mut Sink::new(&mut bytes[..32]), 0, self.0);
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
        <Self as Lanes<S, u32>>::shl(self, r) | <Self as Lanes<S, u32>>::shr(self, 32 - r)
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        <Self as Lanes<S, u32>>::shr(self, r) | <Self as Lanes<S, u32>>::shl(self, 32 - r)
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe { _mm256_sll_epi32(self.0, _mm_cvtsi32_si128(r as i32)) })
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe { _mm256_srl_epi32(self.0, _mm_cvtsi32_si128(r as i32)) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the value proves AVX2.
        vec(unsafe {
            let order = _mm256_set_epi32(
                0x0c0d_0e0f,
                0x0809_0a0b,
                0x0405_0607,
                0x0001_0203,
                0x0c0d_0e0f,
                0x0809_0a0b,
                0x0405_0607,
                0x0001_0203,
            );
            _mm256_shuffle_epi8(self.0, order)
        })
    }
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        vec(unsafe { _mm256_andnot_si256(self.0, other.0) })
    }
}

/// An optimisation barrier: the same value, and no instruction. Like an intrinsic, it is inlined only where the feature is enabled,
/// because the register does not exist without it.
#[target_feature(enable = "avx2")]
#[inline]
fn opaque(mut v: __m256i) -> __m256i {
    if cfg!(icefish_msan) {
        return core::hint::black_box(v);
    }
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(ymm_reg) v, options(pure, nomem, nostack, preserves_flags)) };
    v
}

/// The first 32 bytes.
#[inline(always)]
pub(super) fn load(bytes: &[u8]) -> __m256i {
    let row = &bytes[..32];
    // SAFETY: 32 readable bytes; only called where a token proves AVX2.
    unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
}

/// `R` vectors of two counter blocks, as [`AesRounds::next_counters`](crate::isa::AesRounds::next_counters).
#[inline(always)]
pub(super) fn counters<const R: usize>(
    template: &[u8; 16],
    endian: Endian,
    low: u64,
    next: &mut Option<__m256i>,
) -> [__m256i; R] {
    // SAFETY: only called where a token proves AVX2; 16 readable bytes behind each pointer.
    unsafe {
        let order = _mm_loadu_si128(endian.order().as_ptr().cast());
        let order = _mm256_broadcastsi128_si256(order);
        let rest = _mm256_broadcastsi128_si256(outside_counter(template, endian));
        // A full batch has neighbours, and time counts more than latency. Moves from general registers and shuffles take units of AES
        // rounds: so the counter comes from memory or from the batch before, and additions have no shuffles. AES-128 of 4 KiB takes
        // 705 cycles instead of 815, and 733 if each counter comes from memory (Zen 3). Fifteen of 256 batches have a carry.
        if R == 8 && low as u8 <= u8::MAX - 15 {
            let first = match *next {
                Some(first) => first,
                None => {
                    let all = _mm256_set1_epi64x(*isa::opaque(&low) as i64);
                    _mm256_xor_si256(_mm256_shuffle_epi8(all, order), rest)
                }
            };
            let steps = endian.steps().as_chunks::<2>().0;
            let mut x = [first; R];
            for i in 0..R {
                x[i] = _mm256_add_epi8(first, load(steps[i].as_flattened()));
            }
            let whole = _mm_loadu_si128(endian.steps()[2 * R].as_ptr().cast());
            let after = _mm256_add_epi8(first, _mm256_broadcastsi128_si256(whole));
            *next = if low as u8 <= u8::MAX - 31 { Some(after) } else { None };
            return x;
        }
        *next = None;
        let all = _mm256_set1_epi64x(low as i64);
        let mut x = [all; R];
        for i in 0..R {
            let n = 2 * i as i64;
            let at = _mm256_setr_epi64x(n, n, n + 1, n + 1);
            let count = _mm256_shuffle_epi8(_mm256_add_epi64(all, at), order);
            x[i] = _mm256_xor_si256(count, rest);
        }
        x
    }
}

/// Stores a row of 32 bytes at `at`.
#[inline(always)]
pub(super) fn put(sink: &mut Sink<'_>, at: usize, row: __m256i) {
    let row = masked(sink, at, row);
    put_masked(sink, at, row);
}

/// `row`, XORed with what `sink` XORs with the row at `at`.
#[inline(always)]
pub(super) fn masked(sink: &mut Sink<'_>, at: usize, row: __m256i) -> __m256i {
    match sink.pointers(at, 32).1 {
        // SAFETY: `pointers` checked 32 bytes behind each; only called where a value proves AVX2.
        Some(p) => unsafe { _mm256_xor_si256(row, _mm256_loadu_si256(p.cast())) },
        None => row,
    }
}

/// Stores at `at` what [`masked`] made, or what comes from it.
#[inline(always)]
pub(super) fn put_masked(sink: &mut Sink<'_>, at: usize, row: __m256i) {
    let (output, _) = sink.pointers(at, 32);
    // SAFETY: `pointers` checked 32 bytes behind each; only called where a value proves AVX2.
    unsafe { _mm256_storeu_si256(output.cast(), row) }
}

/// Transposes the two 4x4 matrices of 32-bit words, one in each 128-bit lane.
#[inline(always)]
fn transpose_words(r: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: only called where a value proves AVX2.
    unsafe {
        let (a, b) = (_mm256_unpacklo_epi32(r[0], r[1]), _mm256_unpackhi_epi32(r[0], r[1]));
        let (c, d) = (_mm256_unpacklo_epi32(r[2], r[3]), _mm256_unpackhi_epi32(r[2], r[3]));
        [
            _mm256_unpacklo_epi64(a, c),
            _mm256_unpackhi_epi64(a, c),
            _mm256_unpacklo_epi64(b, d),
            _mm256_unpackhi_epi64(b, d),
        ]
    }
}
