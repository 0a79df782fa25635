//! Alignment of a kernel's stack frame.
#![allow(unsafe_code)]

/// Aligns the frame of the function that this is inlined into to 64 bytes, if the registers `V` are wider than 16 bytes.
///
/// For kernels that have more values than registers. The compiler places spilled registers at multiples of 16 bytes, so that half
/// or all of the wider ones cross a cache line, which makes reloading them slow. An aligned frame takes a general register. Kernels
/// that compute in general registers cannot spare it: Xoodoo in words takes 1.1 times as long with an aligned frame.
#[inline(always)]
pub(crate) fn aligned_frame<V>() {
    #[cfg(target_arch = "x86_64")]
    if align_of::<V>() > 16 {
        #[repr(align(64))]
        struct CacheLine {
            _bytes: [u8; 64],
        }
        let line = core::mem::MaybeUninit::<CacheLine>::uninit();
        // SAFETY: no instruction. It is not `pure`, so the line must exist.
        unsafe {
            core::arch::asm!(
                "/* {0} */", in(reg) (&raw const line).addr(), options(nomem, nostack, preserves_flags)
            );
        }
    }
}
