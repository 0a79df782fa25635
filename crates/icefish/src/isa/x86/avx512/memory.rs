//! Loading and storing vectors, with the transpositions that blocks need.
#![allow(unsafe_code)]

use crate::isa::x86::aes::outside_counter;
use crate::isa::{Endian, Sink};
use core::arch::x86_64::*;

/// The first 64 bytes.
#[inline(always)]
pub(in crate::isa) fn load(bytes: &[u8]) -> __m512i {
    let row = &bytes[..64];
    // SAFETY: 64 readable bytes; only called where a token proves AVX-512.
    unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
}

/// Stores a row of 64 bytes at `at`.
#[inline(always)]
pub(in crate::isa) fn put(sink: &mut Sink<'_>, at: usize, row: __m512i) {
    let row = masked(sink, at, row);
    put_masked(sink, at, row);
}

/// `row`, XORed with what `sink` XORs with the row at `at`.
#[inline(always)]
pub(in crate::isa) fn masked(sink: &mut Sink<'_>, at: usize, row: __m512i) -> __m512i {
    match sink.pointers(at, 64).1 {
        // SAFETY: `pointers` checked 64 bytes behind each; only called where a value proves AVX-512.
        Some(p) => unsafe { _mm512_xor_si512(row, _mm512_loadu_si512(p.cast())) },
        None => row,
    }
}

/// Stores at `at` what [`masked`] made, or what comes from it.
#[inline(always)]
pub(in crate::isa) fn put_masked(sink: &mut Sink<'_>, at: usize, row: __m512i) {
    let (output, _) = sink.pointers(at, 64);
    // SAFETY: `pointers` checked 64 bytes behind each; only called where a value proves AVX-512.
    unsafe { _mm512_storeu_si512(output.cast(), row) }
}

/// `R` vectors of four counter blocks, as [`AesRounds::counter_batch`](crate::isa::AesRounds::counter_batch). There is no branch on
/// the byte order, and no shuffle of two sources, which is three micro-operations on Intel CPUs.
#[inline(always)]
pub(in crate::isa) fn counters<const R: usize>(
    template: &[u8; 16],
    endian: Endian,
    low: u64,
) -> [__m512i; R] {
    // SAFETY: only called where a token proves AVX-512; 16 readable bytes behind each pointer.
    unsafe {
        let order = _mm_loadu_si128(endian.order().as_ptr().cast());
        let order = _mm512_broadcast_i32x4(order);
        let rest = _mm512_broadcast_i32x4(outside_counter(template, endian));
        let low = _mm512_set1_epi64(low as i64);
        let mut x = [low; R];
        for i in 0..R {
            let n = 4 * i as i64;
            let at = _mm512_setr_epi64(n, n, n + 1, n + 1, n + 2, n + 2, n + 3, n + 3);
            let count = _mm512_shuffle_epi8(_mm512_add_epi64(low, at), order);
            x[i] = _mm512_xor_si512(count, rest);
        }
        x
    }
}

/// Transposes the four 4x4 matrices of 32-bit words, one in each 128-bit lane.
#[inline(always)]
pub(super) fn transpose_words(r: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: only called where a value proves AVX-512.
    unsafe {
        let (a, b) = (_mm512_unpacklo_epi32(r[0], r[1]), _mm512_unpackhi_epi32(r[0], r[1]));
        let (c, d) = (_mm512_unpacklo_epi32(r[2], r[3]), _mm512_unpackhi_epi32(r[2], r[3]));
        [
            _mm512_unpacklo_epi64(a, c),
            _mm512_unpackhi_epi64(a, c),
            _mm512_unpacklo_epi64(b, d),
            _mm512_unpackhi_epi64(b, d),
        ]
    }
}

/// Transposes the 4x4 matrix of 128-bit pieces.
#[inline(always)]
fn transpose_pieces(r: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: only called where a value proves AVX-512.
    unsafe {
        let a = _mm512_shuffle_i64x2::<0x44>(r[0], r[1]);
        let b = _mm512_shuffle_i64x2::<0xee>(r[0], r[1]);
        let c = _mm512_shuffle_i64x2::<0x44>(r[2], r[3]);
        let d = _mm512_shuffle_i64x2::<0xee>(r[2], r[3]);
        [
            _mm512_shuffle_i64x2::<0x88>(a, c),
            _mm512_shuffle_i64x2::<0xdd>(a, c),
            _mm512_shuffle_i64x2::<0x88>(b, d),
            _mm512_shuffle_i64x2::<0xdd>(b, d),
        ]
    }
}

/// Four runs of `K` pieces of 16 bytes: 128-bit lane `i` of vector `q` is piece `q` of run `i`.
#[inline(always)]
pub(super) fn gather_pieces<const K: usize>(bytes: &[u8]) -> [__m512i; K] {
    let bytes = &bytes[..64 * K];
    let mut pieces = [load(bytes); K];
    for c in 0..K / 4 {
        let row = |i: usize| load(&bytes[16 * K * i + 64 * c..]);
        let t = transpose_pieces([row(0), row(1), row(2), row(3)]);
        for q in 0..4 {
            pieces[4 * c + q] = t[q];
        }
    }
    if K % 4 == 2 {
        let half = |i: usize| {
            let at = 16 * K * i + 16 * (K - 2);
            let row: &[u8; 32] = bytes[at..at + 32].try_into().expect("32 bytes");
            // SAFETY: 32 readable bytes; only called where a token proves AVX-512.
            unsafe { _mm512_castsi256_si512(_mm256_loadu_si256(row.as_ptr().cast())) }
        };
        // SAFETY: as above.
        unsafe {
            let a = _mm512_shuffle_i64x2::<0x44>(half(0), half(1));
            let b = _mm512_shuffle_i64x2::<0x44>(half(2), half(3));
            pieces[K - 2] = _mm512_shuffle_i64x2::<0x88>(a, b);
            pieces[K - 1] = _mm512_shuffle_i64x2::<0xdd>(a, b);
        }
    }
    pieces
}

/// The same for runs of two blocks of `8 K` bytes, a multiple of 32, that each have their place: that of block `j` is byte `at` of
/// `rows[j]`.
#[inline(always)]
pub(super) fn gather_apart<const K: usize>(rows: &[&[u8]], at: usize) -> [__m512i; K] {
    const { assert!(K.is_multiple_of(4)) };
    let mut pieces = [row::<K>(rows, at, 0, 0); K];
    for c in 0..K / 4 {
        let t = transpose_pieces([
            row::<K>(rows, at, 0, c),
            row::<K>(rows, at, 1, c),
            row::<K>(rows, at, 2, c),
            row::<K>(rows, at, 3, c),
        ]);
        for q in 0..4 {
            pieces[4 * c + q] = t[q];
        }
    }
    pieces
}

/// Register `i` of part `c` of [`gather_apart`].
#[inline(always)]
fn row<const K: usize>(rows: &[&[u8]], at: usize, i: usize, c: usize) -> __m512i {
    if K == 4 {
        let (low, high) = (half(&rows[2 * i][at..]), half(&rows[2 * i + 1][at..]));
        // SAFETY: only called where a token proves AVX-512.
        return unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high) };
    }
    load(&rows[2 * i + 8 * c / K][at + 64 * c % (8 * K)..])
}

/// The first 32 bytes.
#[inline(always)]
fn half(bytes: &[u8]) -> __m256i {
    let row: &[u8; 32] = bytes[..32].try_into().expect("32 bytes");
    // SAFETY: 32 readable bytes; only called where a token proves AVX-512.
    unsafe { _mm256_loadu_si256(row.as_ptr().cast()) }
}

/// The inverse of [`gather_pieces`]. Rows are written from the last to the first.
#[inline(always)]
pub(super) fn scatter_pieces<const K: usize>(p: [__m512i; K], mut sink: Sink<'_>) {
    if K == 2 {
        // Whole vectors, so that a vector load that follows is forwarded from the store.
        // SAFETY: only called where a value proves AVX-512.
        let (front, back) = unsafe {
            (
                _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15),
            )
        };
        for (i, order) in [(1, back), (0, front)] {
            // SAFETY: as above.
            let row = unsafe { _mm512_permutex2var_epi64(p[0], order, p[1]) };
            put(&mut sink, 64 * i, row);
        }
        return;
    }
    let mut rows = [[p[0]; 4]; K];
    for c in 0..K / 4 {
        rows[c] = transpose_pieces([p[4 * c], p[4 * c + 1], p[4 * c + 2], p[4 * c + 3]]);
    }
    for i in (0..4).rev() {
        if K % 4 == 2 {
            put_half(&mut sink, 16 * K * i + 16 * (K - 2), p[K - 2], p[K - 1], i);
        }
        for c in (0..K / 4).rev() {
            put(&mut sink, 16 * K * i + 64 * c, rows[c][i]);
        }
    }
}

/// Stores 128-bit lanes `i` of `a` and `b` as a row of 32 bytes.
#[inline(always)]
fn put_half(sink: &mut Sink<'_>, at: usize, a: __m512i, b: __m512i, i: usize) {
    let (output, xor) = sink.pointers(at, 32);
    // SAFETY: `pointers` checked 32 bytes behind each; only called where a value proves AVX-512.
    unsafe {
        let lane = |v: __m512i| match i {
            0 => _mm512_extracti64x2_epi64::<0>(v),
            1 => _mm512_extracti64x2_epi64::<1>(v),
            2 => _mm512_extracti64x2_epi64::<2>(v),
            _ => _mm512_extracti64x2_epi64::<3>(v),
        };
        let row = _mm256_set_m128i(lane(b), lane(a));
        let row = match xor {
            Some(p) => _mm256_xor_si256(row, _mm256_loadu_si256(p.cast())),
            None => row,
        };
        _mm256_storeu_si256(output.cast(), row);
    }
}
