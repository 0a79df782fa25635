//! How a task reaches the function that is compiled for an instruction set.
//!
//! The compiler passes a value of more than two words through memory: the caller stores it word by word, and the function loads it.
//! A message of one block is short enough for that to show, so a task of three to six words goes in registers. A larger one, and
//! one that holds vectors, goes through memory.
#![allow(unsafe_code)]

use super::Task;
use core::mem::{ManuallyDrop, MaybeUninit};

/// A word of a task. It may be a pointer, a number, or bytes of padding, which are not initialised.
pub(super) type Word = MaybeUninit<*mut ()>;

/// The words of a task. System V has six registers for arguments, AArch64 eight.
pub(super) type Words = [Word; 6];

/// The function of a task that goes through memory.
type Whole<T> = unsafe fn(T) -> <T as Task>::Out;

/// The function of a task that goes in registers.
type InWords<T> = unsafe fn(Word, Word, Word, Word, Word, Word) -> <T as Task>::Out;

/// The function that is compiled for a task and an instruction set. Which field is there depends on the type of the task alone.
#[derive(Clone, Copy)]
pub(super) union Entry<T: Task> {
    whole: Whole<T>,
    in_words: InWords<T>,
}

impl<T: Task> Entry<T> {
    /// Whether the task goes in registers. The compiler by itself passes up to two words so.
    const IN_WORDS: bool = align_of::<T>() <= align_of::<Word>()
        && size_of::<T>() > 2 * size_of::<Word>()
        && size_of::<T>() <= size_of::<Words>();

    /// The one of the two functions that is for this task. `in_words` takes its arguments to [`received`].
    pub(super) const fn new(whole: Whole<T>, in_words: InWords<T>) -> Self {
        if Self::IN_WORDS { Self { in_words } } else { Self { whole } }
    }

    /// Runs `task`.
    ///
    /// # Safety
    /// The CPU has the features that the function is compiled for.
    #[inline(always)]
    pub(super) unsafe fn run(self, task: T) -> T::Out {
        if !Self::IN_WORDS {
            // SAFETY: `new` made this field; the caller vouches for the CPU.
            return unsafe { (self.whole)(task) };
        }
        let task = ManuallyDrop::new(task);
        let mut words: Words = [Word::uninit(); 6];
        // SAFETY: the task fits, as `IN_WORDS` says. It is not used any more: its bytes move.
        unsafe {
            words
                .as_mut_ptr()
                .cast::<ManuallyDrop<T>>()
                .copy_from_nonoverlapping(&raw const task, 1)
        };
        let [a, b, c, d, e, f] = words;
        // SAFETY: `new` made this field; the words are a task; the caller vouches for the CPU.
        unsafe { (self.in_words)(a, b, c, d, e, f) }
    }
}

/// The task that arrived in `words`.
///
/// # Safety
/// They are the arguments that [`Entry::run`] passed for a task of this type, and this is called once for them.
#[inline(always)]
pub(super) unsafe fn received<T: Task>(words: Words) -> T {
    const { assert!(Entry::<T>::IN_WORDS) };
    // SAFETY: the bytes of a task, at an address that is aligned for it, as `IN_WORDS` says.
    unsafe { words.as_ptr().cast::<T>().read() }
}

/// Makes the two functions in which tasks are compiled for an instruction set, and `entry`, which chooses one. No code refers to
/// the other, so it does not exist.
macro_rules! compiled {
    ($set:ident, $token:expr $(, enable = $features:literal)?) => {
        impl $set {
            /// [`Isa::run`] as a function without a token.
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            fn compiled<T: Task>(task: T) -> T::Out {
                task.call($token)
            }

            /// The same, for a task that goes in registers.
            ///
            /// # Safety
            /// As `received`.
            $(#[target_feature(enable = $features)])?
            #[inline(never)]
            unsafe fn compiled_in_words<T: Task>(
                a: Word, b: Word, c: Word, d: Word, e: Word, f: Word,
            ) -> T::Out {
                // SAFETY: the caller passes what `received` asks for.
                let task: T = unsafe { received([a, b, c, d, e, f]) };
                task.call($token)
            }

            /// The one of the two that is for `T`.
            pub(in crate::isa) const fn entry<T: Task>() -> Entry<T> {
                Entry::new(Self::compiled::<T>, Self::compiled_in_words::<T>)
            }
        }
    };
}
pub(super) use compiled;
