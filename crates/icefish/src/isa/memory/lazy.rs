//! A value that is made on first use.
#![allow(unsafe_code)]

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU8, Ordering};

/// Plain data that the first caller makes in place. Callers at the same time wait for it.
#[repr(C)]
pub(crate) struct Lazy<T> {
    value: UnsafeCell<MaybeUninit<T>>,
    state: AtomicU8,
}

const BLANK: u8 = 0;
const BUSY: u8 = 1;
const MADE: u8 = 2;

// SAFETY: the value is written once, by the thread that changed `BLANK` to `BUSY`, and read only by threads that then saw `MADE`.
unsafe impl<T: Send + Sync> Sync for Lazy<T> {}

impl<T: Copy> Lazy<T> {
    /// A value that is not made yet.
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { state: AtomicU8::new(BLANK), value: UnsafeCell::new(MaybeUninit::uninit()) }
    }

    /// The value. The first call makes it: `make` turns `blank` into it. `make` must not panic, because other callers would wait
    /// for ever.
    #[inline(always)]
    pub(crate) fn get(&self, blank: T, make: impl FnOnce(&mut T)) -> &T {
        if self.state.load(Ordering::Acquire) != MADE {
            self.fill(blank, make);
        }
        // SAFETY: it is made, and not written again while `self` is borrowed.
        unsafe { (*self.value.get()).assume_init_ref() }
    }

    /// The value, if it is made.
    pub(crate) fn made(&mut self) -> Option<&mut T> {
        // SAFETY: it is made.
        (*self.state.get_mut() == MADE).then(|| unsafe { self.value.get_mut().assume_init_mut() })
    }

    #[cold]
    #[inline(never)]
    fn fill(&self, blank: T, make: impl FnOnce(&mut T)) {
        let first =
            self.state.compare_exchange(BLANK, BUSY, Ordering::Acquire, Ordering::Acquire).is_ok();
        if first {
            // SAFETY: no other thread reads or writes it while the state is `BUSY`.
            make(unsafe { (*self.value.get()).write(blank) });
            self.state.store(MADE, Ordering::Release);
        }
        while self.state.load(Ordering::Acquire) != MADE {
            core::hint::spin_loop();
        }
    }
}

impl<T: Copy> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        let new = Self::new();
        if self.state.load(Ordering::Acquire) == MADE {
            // SAFETY: it is made, and not written again while `self` is borrowed.
            new.get(unsafe { (*self.value.get()).assume_init() }, |_| ());
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once() {
        let mut lazy = Lazy::new();
        assert_eq!(lazy.made(), None);
        assert!(lazy.clone().made().is_none());
        assert_eq!((*lazy.get(1, |x| *x += 1), *lazy.get(5, |x| *x += 1)), (2, 2));
        assert_eq!(lazy.clone().made(), Some(&mut 2));
        assert_eq!(lazy.made(), Some(&mut 2));
    }

    #[cfg(feature = "std")]
    #[test]
    fn threads_have_one_value() {
        for _ in 0..100 {
            let lazy = &Lazy::new();
            std::thread::scope(|scope| {
                let all = [0, 1, 2, 3].map(|i| scope.spawn(move || *lazy.get([i; 64], |_| ())));
                let all = all.map(|thread| thread.join().expect("no panic"));
                assert!(all.iter().all(|one| *one == all[0] && one.iter().all(|j| *j == one[0])));
            });
        }
    }
}
