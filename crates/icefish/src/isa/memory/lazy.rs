//! Blocks that are made on first use.
#![allow(unsafe_code)]

use super::erase;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// `N` blocks, which the first caller makes in place, from zeros. Concurrent callers wait until they are made. Until then, their
/// memory is not initialised. Dropping the value erases them.
#[repr(C)]
pub(crate) struct Lazy<const N: usize> {
    blocks: UnsafeCell<MaybeUninit<[[u8; 16]; N]>>,
    state: AtomicU8,
    /// Whether [`Lazy::needed_first`] was called.
    asked: AtomicBool,
}

const BLANK: u8 = 0;
const BUSY: u8 = 1;
const MADE: u8 = 2;

// SAFETY: through a shared reference, the blocks are written only by the thread that changed `BLANK` to `BUSY`, and read only by
// threads that then saw `MADE`. `clear` has exclusive access.
unsafe impl<const N: usize> Sync for Lazy<N> {}

impl<const N: usize> Lazy<N> {
    /// Blocks that are not made yet.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        let blocks = UnsafeCell::new(MaybeUninit::uninit());
        Self { blocks, state: AtomicU8::new(BLANK), asked: AtomicBool::new(false) }
    }

    /// The blocks. The first call makes them from zeros. `make` must not panic, because other callers would wait for ever.
    #[inline(always)]
    pub(crate) fn get(&self, make: impl FnOnce(&mut [[u8; 16]; N])) -> &[[u8; 16]; N] {
        if self.state.load(Ordering::Acquire) != MADE {
            self.fill(make);
        }
        // SAFETY: they are made, and not written again while `self` is borrowed.
        unsafe { (*self.blocks.get()).assume_init_ref() }
    }

    /// The blocks, if they are made.
    #[inline(always)]
    pub(crate) fn made(&self) -> Option<&[[u8; 16]; N]> {
        if self.state.load(Ordering::Acquire) != MADE {
            // So that callers in a loop have the other path inside of it: decryption of 64 bytes in XTS takes 63.5 cycles, and 64.6
            // otherwise (AVX-512 with VAES, Intel family 6 model 167).
            core::hint::cold_path();
            return None;
        }
        // SAFETY: as in `get`.
        Some(unsafe { (*self.blocks.get()).assume_init_ref() })
    }

    /// Whether the blocks may be needed only once: no caller that had none has asked this before. Such a caller should compute them
    /// without storing them. Concurrent callers may all be the first.
    #[inline(always)]
    pub(crate) fn needed_first(&self) -> bool {
        let first = !self.asked.load(Ordering::Relaxed);
        if first {
            self.asked.store(true, Ordering::Relaxed);
        }
        first
    }

    /// Erases the blocks. The next [`Lazy::get`] makes them again.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        *self.asked.get_mut() = false;
        if *self.state.get_mut() != BLANK {
            // SAFETY: they were made, in a call that has ended.
            erase(unsafe { self.blocks.get_mut().assume_init_mut() }.as_flattened_mut());
            *self.state.get_mut() = BLANK;
        }
    }

    #[cold]
    #[inline(never)]
    fn fill(&self, make: impl FnOnce(&mut [[u8; 16]; N])) {
        let first =
            self.state.compare_exchange(BLANK, BUSY, Ordering::Acquire, Ordering::Acquire).is_ok();
        if first {
            // SAFETY: no other thread reads or writes them while the state is `BUSY`.
            make(unsafe { (*self.blocks.get()).write([[0; 16]; N]) });
            self.state.store(MADE, Ordering::Release);
        }
        while self.state.load(Ordering::Acquire) != MADE {
            core::hint::spin_loop();
        }
    }
}

impl<const N: usize> Drop for Lazy<N> {
    fn drop(&mut self) {
        self.clear();
    }
}

impl<const N: usize> Clone for Lazy<N> {
    fn clone(&self) -> Self {
        let new = Self::new();
        if self.state.load(Ordering::Acquire) == MADE {
            new.get(|blocks| blocks.copy_from_slice(self.get(|_| ())));
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once() {
        let mut lazy = Lazy::<1>::new();
        assert_eq!(lazy.clone().get(|blocks| blocks[0][0] += 7), &[with(7)]);
        assert_eq!(lazy.get(|blocks| blocks[0][0] += 2), &[with(2)]);
        assert_eq!(lazy.get(|blocks| blocks[0][0] += 5), &[with(2)]);
        assert_eq!(lazy.clone().get(|blocks| blocks[0][0] += 5), &[with(2)]);
        lazy.clear();
        assert_eq!(lazy.get(|blocks| blocks[0][0] += 9), &[with(9)]);
    }

    #[test]
    fn it_is_needed_first_once() {
        let mut lazy = Lazy::<1>::new();
        for first in [5, 7] {
            assert!(lazy.made().is_none() && lazy.needed_first());
            assert!(lazy.made().is_none() && !lazy.needed_first());
            lazy.get(|blocks| blocks[0][0] += first);
            assert_eq!(lazy.made(), Some(&[with(first)]));
            lazy.clear();
        }
    }

    /// A block that begins with `first`.
    fn with(first: u8) -> [u8; 16] {
        u128::from(first).to_le_bytes()
    }

    #[cfg(feature = "std")]
    #[test]
    #[cfg_attr(target_family = "wasm", ignore = "no threads")]
    fn threads_have_one_value() {
        for _ in 0..100 {
            let lazy = &Lazy::<4>::new();
            std::thread::scope(|scope| {
                let all =
                    [0, 1, 2, 3].map(|i| scope.spawn(move || *lazy.get(|x| *x = [[i; 16]; 4])));
                let all = all.map(|thread| thread.join().expect("no panic"));
                assert!(all.iter().all(|one| one == &all[0]));
            });
        }
    }
}
