//! Where a kernel's stack begins.
#![allow(unsafe_code)]

/// Makes the frame of the function that this is inlined into begin at a multiple of 64.
///
/// Registers that the compiler writes to the stack do not make it do so: they lie at multiples of 16, across two lines of
/// the cache half of the time or always, and are then slow to come back. For kernels that have more values than registers.
#[inline(always)]
pub(crate) fn aligned_frame() {
    #[cfg(target_arch = "x86_64")]
    {
        #[repr(align(64))]
        struct Line {
            _bytes: [u8; 64],
        }
        let line = core::mem::MaybeUninit::<Line>::uninit();
        // SAFETY: no instruction. It is not `pure`, so there must be a line.
        unsafe {
            core::arch::asm!(
                "/* {0} */", in(reg) (&raw const line).addr(), options(nomem, nostack, preserves_flags)
            );
        }
    }
}
