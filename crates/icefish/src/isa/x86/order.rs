//! Optimisation barriers that keep the order of rounds, and of what is interleaved with them.
#![allow(unsafe_code)]

use core::arch::asm;
use core::arch::x86_64::{__m128i, __m512i};

/// The same value, and no instruction. The compiler keeps such barriers in the order of the program, because they are not `pure`.
#[inline(always)]
pub(super) fn in_order(mut v: __m128i) -> __m128i {
    if cfg!(icefish_msan) {
        return core::hint::black_box(v);
    }
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(xmm_reg) v, options(nomem, nostack, preserves_flags)) };
    v
}

/// [`AesRounds::after`](crate::isa::AesRounds::after) for registers of 512 bits.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn after(mut v: __m512i, [a, b, c, d]: [__m512i; 4]) -> __m512i {
    if cfg!(icefish_msan) {
        return core::hint::black_box(v);
    }
    // SAFETY: no instruction.
    unsafe {
        asm!(
            "/* {0} {1} {2} {3} {4} */",
            inout(zmm_reg) v, in(zmm_reg) a, in(zmm_reg) b, in(zmm_reg) c, in(zmm_reg) d,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    v
}

/// [`in_order`] for 512 bits.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn in_order_512(mut v: __m512i) -> __m512i {
    if cfg!(icefish_msan) {
        return core::hint::black_box(v);
    }
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", inout(zmm_reg) v, options(nomem, nostack, preserves_flags)) };
    v
}
