//! What the tool that follows secrets is told. Valgrind understands a sequence of instructions; MemorySanitizer is a library.

use std::fmt::Arguments;
use std::hint::black_box;

/// Bytes that are secret.
pub fn secret(len: usize) -> Vec<u8> {
    let bytes = vec![0x5a; len];
    watch(&bytes);
    black_box(bytes)
}

/// Valgrind's request to memcheck, "make memory undefined": six words, and a sequence of rotations that
/// leaves everything as it was (valgrind.h, memcheck.h).
#[cfg(all(target_arch = "x86_64", not(icefish_msan)))]
fn watch(bytes: &[u8]) {
    const MAKE_MEM_UNDEFINED: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16 | 1;
    let request = [MAKE_MEM_UNDEFINED, bytes.as_ptr() as u64, bytes.len() as u64, 0, 0, 0];
    // SAFETY: rotations by 128 bits in all, and an exchange of a register with itself.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") request.as_ptr(),
            inout("rdx") 0u64 => _,
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", icefish_msan)))]
fn watch(_: &[u8]) {
    panic!("Only x86-64 is known here.");
}

#[cfg(icefish_msan)]
mod msan {
    use std::ffi::c_int;

    // The interface of the sanitizer's run time (sanitizer/msan_interface.h).
    unsafe extern "C" {
        pub fn __msan_poison(at: *const u8, len: usize);
        pub fn __msan_test_shadow(at: *const u8, len: usize) -> isize;
        pub fn __msan_set_expect_umr(expect: c_int);
    }
}

#[cfg(icefish_msan)]
fn watch(bytes: &[u8]) {
    // SAFETY: changes what is noted of these bytes, not the bytes.
    unsafe { msan::__msan_poison(bytes.as_ptr(), bytes.len()) };
}

/// That all bits of an output are secret, and that a branch and an address that depend on it are found. Ends the program if one is
/// not. For MemorySanitizer: under Valgrind it does nothing.
#[cfg(icefish_msan)]
pub fn must_be_found(what: Arguments, bytes: &[u8]) {
    for (at, byte) in bytes.iter().enumerate() {
        for i in 0..8 {
            let bit = black_box(byte >> i & 1);
            // SAFETY: reads what is noted of one byte.
            let public = unsafe { msan::__msan_test_shadow(&bit, 1) } < 0;
            assert!(!public, "{what}: bit {i} of byte {at} of {} is taken for public", bytes.len());
        }
    }
    let (first, last) = (bytes[0], bytes[bytes.len() - 1]);
    must_leak(|| if first == 7 { black_box(1) } else { 2 });
    must_leak(|| usize::from(black_box(&[3u8; 256])[usize::from(last)]));
}

/// Runs what must be found, and ends the program if nothing is.
#[cfg(icefish_msan)]
#[inline(never)]
pub fn must_leak<T>(leak: impl FnOnce() -> T) -> T {
    // SAFETY: between these calls a finding is noted, and is no error.
    unsafe { msan::__msan_set_expect_umr(1) };
    let result = black_box(leak());
    // SAFETY: as above.
    unsafe { msan::__msan_set_expect_umr(0) };
    result
}

#[cfg(not(icefish_msan))]
pub fn must_be_found(_: Arguments, _: &[u8]) {}

#[cfg(not(icefish_msan))]
pub fn must_leak<T>(leak: impl FnOnce() -> T) -> T {
    leak()
}
