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

/// The same reference or none, behind an optimisation barrier that emits no instruction on x86-64. The compiler does not compile what
/// lies between an earlier test and this one twice.
#[inline(always)]
// The pointer is a value here: the block does not access memory through it.
#[allow(clippy::pointers_in_nomem_asm_block)]
pub(crate) fn opaque_option<T>(value: Option<&mut T>) -> Option<&mut T> {
    #[cfg(target_arch = "x86_64")]
    {
        let mut at: *mut T = match value {
            Some(value) => value,
            None => core::ptr::null_mut(),
        };
        // SAFETY: no instruction.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) at, options(pure, nomem, nostack, preserves_flags));
        }
        // SAFETY: null, or the same reference.
        unsafe { at.as_mut() }
    }
    #[cfg(not(target_arch = "x86_64"))]
    value
}

/// Nothing, on x86-64 as an optimisation barrier that emits no instruction: the compiler does not merge a branch after it with one before
/// it.
#[inline(always)]
pub(crate) fn barrier() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("", options(nomem, nostack, preserves_flags));
    }
}

/// The same bytes, on x86-64 in one register. The compiler would store a row that it has in two halves by two stores, and a load of
/// the whole row would then wait until they are done.
#[inline(always)]
pub(crate) fn whole_row(row: [u8; 16]) -> [u8; 16] {
    #[cfg(all(target_arch = "x86_64", not(icefish_msan)))]
    {
        use core::arch::x86_64::__m128i;
        // SAFETY: any bytes are valid in either type; no instruction.
        unsafe {
            let mut whole: __m128i = core::mem::transmute(row);
            core::arch::asm!("/* {0} */", inout(xmm_reg) whole, options(pure, nomem, nostack, preserves_flags));
            core::mem::transmute(whole)
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(icefish_msan))))]
    row
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

/// The same value, which is public from here on: MemorySanitizer (`--cfg icefish_msan`) follows it no longer.
#[inline(always)]
pub(crate) fn public<T: Copy>(value: T) -> T {
    #[cfg(icefish_msan)]
    let value = {
        // Notes are of memory: of a place of its own, which the compiler takes for changed.
        let mut noted = value;
        sanitizer::forget((&raw mut noted).cast(), size_of::<T>());
        noted
    };
    value
}

/// The same value, each `UNIT` bytes of which depend on the same bytes of `of`. MemorySanitizer does not follow assembly, and takes
/// for public what a look-up, a difference or a multiplication spreads: from here on it takes all of a unit for secret if a bit
/// of it in `of` is.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", feature = "ice"))]
#[inline(always)]
pub(crate) fn mixed<const UNIT: usize, T: Copy>(value: T, of: T) -> T {
    #[cfg(icefish_msan)]
    let value = {
        let (mut noted, of) = (value, of);
        sanitizer::mix((&raw mut noted).cast(), (&raw const of).cast(), size_of::<T>(), UNIT);
        noted
    };
    #[cfg(not(icefish_msan))]
    let _ = of;
    value
}

/// Requests to the sanitizer's run time (sanitizer/msan_interface.h). It has notes of all memory, and touches no other.
#[cfg(icefish_msan)]
mod sanitizer {
    unsafe extern "C" {
        fn __msan_poison(at: *mut u8, len: usize);
        fn __msan_unpoison(at: *mut u8, len: usize);
        fn __msan_test_shadow(at: *const u8, len: usize) -> isize;
    }

    pub(super) fn forget(at: *mut u8, len: usize) {
        // SAFETY: changes notes only.
        unsafe { __msan_unpoison(at, len) };
    }

    // A call: compiled into each look-up, it would be most of the code.
    #[inline(never)]
    pub(super) fn mix(at: *mut u8, of: *const u8, len: usize, unit: usize) {
        for i in (0..len).step_by(unit) {
            // SAFETY: reads and changes notes only.
            unsafe {
                if __msan_test_shadow(of.wrapping_add(i), unit) >= 0 {
                    __msan_poison(at.wrapping_add(i), unit);
                }
            }
        }
    }
}
