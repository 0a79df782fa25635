//! Reading anew what has been read.
#![allow(unsafe_code)]

/// The same reference, of which the compiler does not know that it is the same: what is read through it is not taken
/// from what has been read before. Costs no instruction.
#[inline(always)]
// The pointer is a value here: nothing is read or written behind it.
#[allow(clippy::pointers_in_nomem_asm_block)]
pub(crate) fn anew<T>(value: &T) -> &T {
    #[cfg(target_arch = "x86_64")]
    {
        let mut at: *const T = value;
        // SAFETY: no instruction. Two such blocks are never one, because it is not `pure`.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) at, options(nomem, nostack, preserves_flags));
        }
        // SAFETY: the same reference.
        unsafe { &*at }
    }
    #[cfg(not(target_arch = "x86_64"))]
    value
}
