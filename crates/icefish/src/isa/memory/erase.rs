//! Erasing secrets at the speed of memory.
#![allow(unsafe_code)]

/// Sets all of `words` to zero, even if they are never read again.
///
/// The `zeroize` crate guarantees the same by one volatile write per element. For a block of bytes, that takes longer than
/// encrypting it.
#[inline(always)]
pub(crate) fn erase<T: Copy + Default>(words: &mut [T]) {
    words.fill(T::default());
    keep(words.as_ptr());
}

/// Keeps the compiler from removing writes to what is at this address.
#[inline(always)]
pub(super) fn keep<T>(at: *const T) {
    // SAFETY: no instruction. The compiler must assume that the assembler block reads memory.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) at, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    core::hint::black_box(at);
}

/// Bytes of the stack that making a key may use. Bit-sliced kernels have the largest buffers, and more of them without
/// optimisation.
#[cfg(feature = "alloc")]
const STACK: usize = if cfg!(debug_assertions) { 512 } else { 32 } * 1024;

/// Overwrites what earlier calls have left on the stack below the caller's frame.
#[cfg(feature = "alloc")]
#[inline(never)]
pub(crate) fn erase_stack() {
    erase(&mut [0u64; STACK / 8]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_zero() {
        let (mut bytes, mut words) = ([7u8; 19], [7u64; 5]);
        erase(&mut bytes);
        erase(&mut words);
        assert_eq!((bytes, words), ([0; 19], [0; 5]));
    }
}
