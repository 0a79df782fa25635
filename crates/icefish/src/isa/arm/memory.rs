//! Loading and storing vectors, and their transpositions.
#![allow(unsafe_code)]
// The intrinsics are inlined nevertheless, once the caller is inlined into a function `compiled` of a set.
#![allow(inline_always_mismatching_target_features)]

use crate::isa::Sink;
use core::arch::aarch64::*;

/// The first 16 bytes.
#[inline(always)]
pub(super) fn load(bytes: &[u8]) -> uint64x2_t {
    let row: &[u8; 16] = bytes[..16].try_into().expect("16 bytes");
    // SAFETY: 16 readable bytes; only called where a token proves NEON.
    unsafe { vreinterpretq_u64_u8(vld1q_u8(row.as_ptr())) }
}

/// Stores a row of 16 bytes at `at`.
#[inline(always)]
pub(super) fn put(sink: &mut Sink<'_>, at: usize, row: uint64x2_t) {
    let (output, xor) = sink.pointers(at, 16);
    // SAFETY: `pointers` checked 16 bytes behind each; only called where a value proves NEON.
    unsafe {
        let row = match xor {
            Some(p) => veorq_u64(row, vreinterpretq_u64_u8(vld1q_u8(p))),
            None => row,
        };
        vst1q_u8(output, vreinterpretq_u8_u64(row));
    }
}

/// Transposes the 2x2 matrix of 64-bit words.
#[inline(always)]
pub(super) fn transpose(a: uint64x2_t, b: uint64x2_t) -> (uint64x2_t, uint64x2_t) {
    // SAFETY: only called where a value proves NEON.
    unsafe { (vtrn1q_u64(a, b), vtrn2q_u64(a, b)) }
}

/// Transposes the 4x4 matrix of 32-bit words.
#[inline(always)]
pub(super) fn transpose_words(r: [uint64x2_t; 4]) -> [uint64x2_t; 4] {
    let pair = |a: uint64x2_t, b: uint64x2_t| {
        // SAFETY: only called where a value proves NEON.
        unsafe {
            let (a, b) = (vreinterpretq_u32_u64(a), vreinterpretq_u32_u64(b));
            let (low, high) = (vtrn1q_u32(a, b), vtrn2q_u32(a, b));
            (vreinterpretq_u64_u32(low), vreinterpretq_u64_u32(high))
        }
    };
    let ((a, b), (c, d)) = (pair(r[0], r[1]), pair(r[2], r[3]));
    let ((w0, w2), (w1, w3)) = (transpose(a, c), transpose(b, d));
    [w0, w1, w2, w3]
}
