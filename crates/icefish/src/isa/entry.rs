//! Functions that are compiled for an instruction set.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx2Gfni, Avx2NoAes, Avx2Vaes, Avx512, Avx512NoAes, Avx512Vaes, Extension};
use super::{Backend, Scalar, Task};
#[cfg(target_arch = "aarch64")]
use super::{Neon, NeonNoAes, NeonSha3};
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
    pub const fn portable(function: fn(T) -> T::Out) -> Self {
        Self(function)
    }

    /// A function that is compiled for an instruction set.
    ///
    /// # Safety
    /// This CPU must have the instruction set, and the function must need nothing else.
    #[inline(always)]
    pub(super) const unsafe fn new(function: unsafe fn(T) -> T::Out) -> Self {
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

impl Backend {
    /// The function that runs tasks of the type `T` on this backend.
    /// One call of what the match gives is less code than a call in each arm. What an arm gives is a constant block. Outside of
    /// one, every function that a branch on [`Task::EXTENSION`] names is compiled, even if nothing reaches it. These were a
    /// third of all functions.
    #[inline(always)]
    pub(super) fn entry<T: Task>(self) -> Entry<T> {
        let function: unsafe fn(T) -> T::Out = match self {
            Self::Scalar(_) => const { Scalar::compiled::<T>() },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2NoAes(_) => const { Avx2NoAes::compiled::<T>() },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => {
                const {
                    if T::EXTENSION.has_rounds() {
                        Avx2::compiled::<T>()
                    } else {
                        Avx2NoAes::compiled::<T>()
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes(_) => {
                const {
                    if T::EXTENSION.has_rounds() {
                        Avx2Vaes::compiled::<T>()
                    } else {
                        Avx2NoAes::compiled::<T>()
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(_) => {
                const {
                    match T::EXTENSION {
                        Extension::Gf256 => Avx2Gfni::compiled::<T>(),
                        Extension::Rounds | Extension::Aes => Avx2Vaes::compiled::<T>(),
                        Extension::None => Avx2NoAes::compiled::<T>(),
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512NoAes(_) => {
                const {
                    match T::EXTENSION {
                        Extension::Rounds => Avx2NoAes::compiled::<T>(),
                        _ => Avx512NoAes::compiled::<T>(),
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => {
                const {
                    match T::EXTENSION {
                        Extension::Rounds => Avx2::compiled::<T>(),
                        Extension::Aes => Avx512::compiled::<T>(),
                        Extension::None | Extension::Gf256 => Avx512NoAes::compiled::<T>(),
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vaes(_) => {
                const {
                    match T::EXTENSION {
                        Extension::None => Avx512NoAes::compiled::<T>(),
                        _ => Avx512Vaes::compiled::<T>(),
                    }
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::NeonNoAes(_) => const { NeonNoAes::compiled::<T>() },
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => {
                const {
                    if T::EXTENSION.has_rounds() {
                        Neon::compiled::<T>()
                    } else {
                        NeonNoAes::compiled::<T>()
                    }
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3(_) => const { NeonSha3::compiled::<T>() },
        };
        // SAFETY: each arm has a token of the set that it names, or of a set that contains it.
        unsafe { Entry::new(function) }
    }
}
