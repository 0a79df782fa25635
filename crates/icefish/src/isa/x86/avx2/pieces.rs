//! Transpositions of blocks, by pieces of 128 bits.
#![allow(unsafe_code)]

use super::{Vec256, load, put, vec};
use crate::isa::Sink;
use core::arch::x86_64::*;

/// Transposes the 2x2 matrix of 128-bit pieces.
#[inline(always)]
fn transpose_pieces(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // SAFETY: only called where a value proves AVX2.
    unsafe { (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)) }
}

/// Two runs of `K` pieces of 16 bytes: 128-bit lane `i` of vector `q` is piece `q` of run `i`.
#[inline(always)]
pub(super) fn gather_pieces<const K: usize>(bytes: &[u8]) -> [__m256i; K] {
    let bytes = &bytes[..32 * K];
    pieces::<K>(|i, c| load(&bytes[16 * K * i + 32 * c..]))
}

/// The same from the vectors of the runs: `row` loads vector `c` of run `i`.
#[inline(always)]
pub(super) fn pieces<const K: usize>(row: impl Fn(usize, usize) -> __m256i) -> [__m256i; K] {
    let mut pieces = [row(0, 0); K];
    for c in 0..K / 2 {
        (pieces[2 * c], pieces[2 * c + 1]) = transpose_pieces(row(0, c), row(1, c));
    }
    pieces
}

/// The words of blocks from pieces, by transposing pairs of words of 64 bits. A run of `K` pieces is two blocks of `K` words.
#[inline(always)]
pub(super) fn transpose_pairs<const K: usize>(p: [__m256i; K]) -> [Vec256<u64>; K] {
    const { assert!(K.is_multiple_of(2)) };
    let mut words = [vec(p[0]); K];
    for c in 0..K / 2 {
        let (even, odd) = (p[c], p[K / 2 + c]);
        // SAFETY: only called where a token proves AVX2.
        words[2 * c] = vec(unsafe { _mm256_unpacklo_epi64(even, odd) });
        // SAFETY: as above.
        words[2 * c + 1] = vec(unsafe { _mm256_unpackhi_epi64(even, odd) });
    }
    words
}

/// The inverse of [`gather_pieces`]. Rows are written from the last to the first.
#[inline(always)]
pub(super) fn scatter_pieces<const K: usize>(p: [__m256i; K], mut sink: Sink<'_>) {
    for i in (0..2).rev() {
        for c in (0..K / 2).rev() {
            let rows = transpose_pieces(p[2 * c], p[2 * c + 1]);
            put(&mut sink, 16 * K * i + 32 * c, if i == 0 { rows.0 } else { rows.1 });
        }
    }
}
