//! A reload that the compiler cannot merge with an earlier load.
#![allow(unsafe_code)]

/// The same reference, behind an optimisation barrier that emits no instruction. Values read through it are loaded again instead
/// of being kept from earlier loads.
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
