//! Values of which the compiler does not know where they are from.
#![allow(unsafe_code)]

/// The same reference, on x86-64 behind an optimisation barrier that emits no instruction: values read through it are loaded
/// again instead of being kept from earlier loads. Elsewhere there is no barrier.
#[inline(always)]
// The pointer is a value here: the block does not access memory through it.
#[allow(clippy::pointers_in_nomem_asm_block)]
pub(crate) fn opaque<T>(value: &T) -> &T {
    #[cfg(target_arch = "x86_64")]
    {
        let mut at: *const T = value;
        // SAFETY: no instruction. It is not `pure`, so two such blocks are never merged.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) at, options(nomem, nostack, preserves_flags));
        }
        // SAFETY: the same reference.
        unsafe { &*at }
    }
    #[cfg(not(target_arch = "x86_64"))]
    value
}

/// The same number, behind an optimisation barrier that emits no instruction on x86-64. A loop of so many turns is not unrolled.
#[inline(always)]
pub(crate) fn opaque_count(n: usize) -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        let mut count = n;
        // SAFETY: no instruction.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) count, options(pure, nomem, nostack, preserves_flags));
        }
        count
    }
    #[cfg(not(target_arch = "x86_64"))]
    core::hint::black_box(n)
}
