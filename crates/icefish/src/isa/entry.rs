//! Functions that are compiled for an instruction set.
#![allow(unsafe_code)]

use super::Task;
use core::fmt;

/// A function that runs tasks of the type `T`, compiled for an instruction set that this CPU has.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{Entry, Isa, Scalar, Task};
///
/// struct CountLanes;
/// impl Task for CountLanes {
///     type Out = usize;
///     #[inline(always)]
///     fn call<S: Isa>(self, _: S) -> usize {
///         S::U32::N
///     }
/// }
///
/// let entry: Entry<CountLanes> = Scalar.entry();
/// assert_eq!(entry.call(CountLanes), 1);
/// # use icefish::isa::Lanes;
/// ```
pub struct Entry<T: Task>(unsafe fn(T) -> T::Out);

impl<T: Task> Entry<T> {
    /// A function that needs no instruction set.
    #[inline(always)]
    pub fn portable(function: fn(T) -> T::Out) -> Self {
        Self(function)
    }

    /// A function that is compiled for an instruction set.
    ///
    /// # Safety
    /// This CPU must have the instruction set, and the function must need nothing else.
    #[inline(always)]
    pub(super) unsafe fn new(function: unsafe fn(T) -> T::Out) -> Self {
        Self(function)
    }

    /// Calls the function.
    #[inline(always)]
    pub fn call(self, task: T) -> T::Out {
        // SAFETY: it needs no more than an instruction set that this CPU has.
        unsafe { self.0(task) }
    }
}

impl<T: Task> fmt::Debug for Entry<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Entry")
    }
}
