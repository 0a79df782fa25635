//! How a task reaches the function that is compiled for an instruction set.
//!
//! The compiler passes a value of more than two words through memory: the caller stores it word by word, and the function loads it.
//! For one block this delay is measurable. A task of three to six words is therefore passed in registers, as far as the platform
//! has as many for arguments (System V on x86-64 has six, AArch64 eight). A larger task goes through memory. So does one that is
//! aligned more strictly than a word, as vectors are.
#![allow(unsafe_code)]

use super::Task;
use core::mem::MaybeUninit;

/// A word of a task: a pointer, or a part of anything else. Any byte may be uninitialised: padding, or past the task.
pub(super) type Word = MaybeUninit<*mut ()>;

/// The words of a task.
pub(super) type Words = [Word; 6];

/// The function of a task that goes through memory.
type Whole<T> = unsafe fn(T) -> <T as Task>::Out;

/// The function of a task that goes in registers.
type InWords<T> = unsafe fn(Word, Word, Word, Word, Word, Word) -> <T as Task>::Out;

/// The function that is compiled for a task and an instruction set. Which field is initialised depends on the type of the task
/// alone.
pub(super) union Entry<T: Task> {
    whole: Whole<T>,
    in_words: InWords<T>,
}

impl<T: Task> Entry<T> {
    /// Whether the task goes in registers. The compiler already passes up to two words so.
    pub(super) const IN_WORDS: bool = align_of::<T>() <= align_of::<Word>()
        && size_of::<T>() > 2 * size_of::<Word>()
        && size_of::<T>() <= size_of::<Words>();

    /// The one of the two functions that is for this task.
    ///
    /// # Safety
    /// On a CPU that [`Entry::run`] is allowed on, `whole` can be called with any task, and `in_words` with the words of any task:
    /// it passes them to [`received`] once.
    pub(super) const unsafe fn new(whole: Whole<T>, in_words: InWords<T>) -> Self {
        if Self::IN_WORDS { Self { in_words } } else { Self { whole } }
    }

    /// Runs `task`.
    ///
    /// # Safety
    /// The CPU has the features that the function is compiled for.
    #[inline(always)]
    pub(super) unsafe fn run(self, task: T) -> T::Out {
        if !Self::IN_WORDS {
            // SAFETY: `new` initialised this field; the caller vouches for the CPU.
            return unsafe { (self.whole)(task) };
        }
        let [a, b, c, d, e, f] = sent(task);
        // SAFETY: `new` initialised this field; these are the words of a task; the caller vouches for the CPU.
        unsafe { (self.in_words)(a, b, c, d, e, f) }
    }
}

/// The words of a task that goes in registers.
#[inline(always)]
pub(super) fn sent<T: Task>(task: T) -> Words {
    assert!(Entry::<T>::IN_WORDS, "a task of three to six words");
    let mut words: Words = [Word::uninit(); 6];
    // SAFETY: the task fits there, and needs no stricter alignment, as `IN_WORDS` says.
    unsafe { words.as_mut_ptr().cast::<T>().write(task) };
    words
}

/// The task that arrived in `words`.
///
/// # Safety
/// They are the arguments that [`Entry::run`] passed for a task of this type, and this is called once for them.
#[inline(always)]
pub(super) unsafe fn received<T: Task>(words: Words) -> T {
    assert!(Entry::<T>::IN_WORDS, "a task of three to six words");
    // SAFETY: the bytes of a task, at an address that is aligned for it, as `IN_WORDS` says.
    unsafe { words.as_ptr().cast::<T>().read() }
}

/// Makes the functions in which tasks are compiled for an instruction set: of each kind of task one for those that go in registers, and
/// one for the others. `entry` chooses one for a backend, and `call` for code of the same set. The others are never instantiated, as
/// long as `entry` is evaluated in a `const` block.
///
/// A generic function with `inline(never)` is compiled in the first crate that needs it, and other crates use that one, by way of a table
/// of addresses. A short task is compiled in each crate that needs it, and the jump to it needs no table. Code without the features of
/// the set cannot inline it.
macro_rules! compiled {
    (@functions $token:expr, $($feature:literal)?, $whole:ident $in_words:ident $(#[$inline:meta])?) => {
        /// [`Isa::run`] as a function without a token.
        ///
        /// # Safety
        /// The CPU has the features.
        $(#[target_feature(enable = $feature)])?
        $(#[$inline])?
        unsafe fn $whole<T: $crate::isa::Task>(task: T) -> T::Out {
            task.call($token)
        }

        /// The same, for a task that goes in registers.
        ///
        /// # Safety
        /// As `received`.
        $(#[target_feature(enable = $feature)])?
        $(#[$inline])?
        unsafe fn $in_words<T: $crate::isa::Task>(
            a: $crate::isa::entry::Word,
            b: $crate::isa::entry::Word,
            c: $crate::isa::entry::Word,
            d: $crate::isa::entry::Word,
            e: $crate::isa::entry::Word,
            f: $crate::isa::entry::Word,
        ) -> T::Out {
            // SAFETY: the caller passes what `received` asks for.
            let task: T = unsafe { $crate::isa::entry::received([a, b, c, d, e, f]) };
            task.call($token)
        }
    };
    ($set:ident, $token:expr $(, enable = $features:literal)?) => {
        impl $set {
            $crate::isa::entry::compiled!(@functions $token, $($features)?, compiled compiled_in_words #[inline(never)]);
            $crate::isa::entry::compiled!(@functions $token, $($features)?, compiled_short compiled_short_in_words);

            /// The one of them that is for `T`.
            pub(in crate::isa) const fn entry<T: $crate::isa::Task>() -> $crate::isa::entry::Entry<T> {
                // SAFETY: all need the features of this set and no more, and the second of each kind passes its words on to `received`.
                unsafe {
                    if T::SHORT {
                        $crate::isa::entry::Entry::new(Self::compiled_short::<T>, Self::compiled_short_in_words::<T>)
                    } else {
                        $crate::isa::entry::Entry::new(Self::compiled::<T>, Self::compiled_in_words::<T>)
                    }
                }
            }
        }
        $(
            impl $set {
                /// Whether the whole program is compiled for CPUs that have the features, so that code of this set can be inlined anywhere.
                #[allow(dead_code, reason = "not every set is inlined")]
                pub(in crate::isa) const EVERYWHERE: bool = $crate::isa::enabled::enabled($features);

                #[doc = concat!("Runs a task from code that is compiled for this set: with ", $features, ".")]
                ///
                /// rustc 1.95 does not pass `inline(never)` on for functions that enable features, and LLVM inlines what is called
                /// at one place only: a short message would get the stack frame of a long one. A second use prevents that.
                ///
                /// # Safety
                /// The CPU has the features.
                #[inline(always)]
                unsafe fn call<T: $crate::isa::Task>(task: T) -> T::Out {
                    use core::arch::asm;
                    if T::SHORT {
                        // SAFETY: the caller vouches for the CPU.
                        return unsafe { const { Self::entry::<T>() }.run(task) };
                    }
                    if !$crate::isa::entry::Entry::<T>::IN_WORDS {
                        // SAFETY: no instruction; the caller vouches for the CPU.
                        return unsafe {
                            asm!("/* {} */", sym Self::compiled::<T>, options(nomem, nostack, preserves_flags));
                            Self::compiled(task)
                        };
                    }
                    let [a, b, c, d, e, f] = $crate::isa::entry::sent(task);
                    // SAFETY: no instruction; these are the words of a task; the caller vouches for the CPU.
                    unsafe {
                        asm!("/* {} */", sym Self::compiled_in_words::<T>, options(nomem, nostack, preserves_flags));
                        Self::compiled_in_words::<T>(a, b, c, d, e, f)
                    }
                }
            }
        )?
    };
}
pub(super) use compiled;

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::isa::{Backend, Isa};
    use std::sync::Arc;
    use std::vec::Vec;

    /// `N` words and a rest, with something that must be dropped once.
    struct Sum<T, const N: usize> {
        words: [usize; N],
        rest: T,
        dropped: Arc<()>,
    }

    impl<T: Into<u64>, const N: usize> Task for Sum<T, N> {
        type Out = (Vec<usize>, [u64; 5]);
        #[inline(always)]
        fn call<S: Isa>(self, _: S) -> Self::Out {
            assert!(N == 0 || self.words != [9; N], "a panic");
            let mut out = [0; 5];
            out[4] = self.rest.into() + Arc::strong_count(&self.dropped) as u64;
            (self.words.to_vec(), out)
        }
    }

    #[repr(align(32))]
    struct Strict(u16);

    impl From<Strict> for u64 {
        fn from(strict: Strict) -> Self {
            strict.0.into()
        }
    }

    fn arrives<T: Into<u64>, const N: usize>(rest: impl Fn() -> T, in_words: bool) {
        assert_eq!(Entry::<Sum<T, N>>::IN_WORDS, in_words, "{N} words");
        for backend in Backend::available() {
            let dropped = Arc::new(());
            let words = core::array::from_fn(|i| 3 * i + 1);
            let expected = (words.to_vec(), [0, 0, 0, 0, rest().into() + 2]);
            let sum = |words| Sum { words, rest: rest(), dropped: Arc::clone(&dropped) };
            assert_eq!(backend.run(sum(words)), expected, "{N} words on {backend}");
            assert_eq!(Arc::strong_count(&dropped), 1, "{N} words on {backend}");
            if N > 0 && !cfg!(panic = "abort") {
                let call = std::panic::AssertUnwindSafe(|| backend.run(sum([9; N])));
                assert!(std::panic::catch_unwind(call).is_err());
                assert_eq!(Arc::strong_count(&dropped), 1, "{N} words on {backend}, panicking");
            }
        }
    }

    /// A task of any size and alignment is the same task in the function, and is dropped once.
    #[test]
    fn tasks_arrive_whole() {
        arrives::<u16, 0>(|| 0xfedc, false);
        arrives::<u16, 1>(|| 0xfedc, true);
        arrives::<u32, 3>(|| 0xfedc_ba98, true);
        arrives::<u16, 4>(|| 0xfedc, true);
        arrives::<u16, 5>(|| 0xfedc, false);
        arrives::<Strict, 0>(|| Strict(0xfedc), false);
    }
}
