//! [`Backend`], an instruction set as a value. [`Backend::run`] is the library's only dispatch on it at run time.
#![allow(unsafe_code)]

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::Extension;
#[cfg(target_arch = "aarch64")]
use super::arm::*;
use super::entry::Entry;
#[cfg(target_arch = "x86_64")]
use super::x86::*;
use super::{Scalar, Task, barrier};
use crate::Error;
use core::fmt;

/// Makes, from the list below, [`Backend`], `ALL`, and the methods `name`, `instructions` and `run`.
macro_rules! backends {
    ($(
        #[cfg($where:meta)]
        {$(
            $(#[$doc:meta])+
            $set:ident { $name:literal, $bits:literal [$($extension:ident)*], $($task:pat => $compiled:ident),+ }
        )+}
    )+) => {
        /// An instruction set that this CPU has. A value exists only if its instructions are available.
        ///
        /// ```
        /// use icefish::Backend;
        /// assert!(Backend::NAMES.contains(&Backend::best().name()));
        /// assert_eq!(Backend::available().next(), Some(Backend::by_name("scalar")?));
        /// # Ok::<(), icefish::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Backend {
            $($(
                $(#[$doc])+
                #[cfg($where)]
                $set($set),
            )+)+
        }

        /// Every backend of this architecture, narrowest first: its name, its instructions, and how it is made if this CPU has it.
        const ALL: &[(&str, Instructions, fn() -> Option<Backend>)] = &[$($(
            #[cfg($where)]
            ($name, Instructions { $($extension: true,)* ..without($bits) }, || $set::new().map(Backend::$set)),
        )+)+];

        impl Backend {
            /// The names of all backends of this architecture, available or not, narrowest first.
            pub const NAMES: &[&str] = &[$($(
                #[cfg($where)]
                $name,
            )+)+];

            /// Its name; one of [`Backend::NAMES`].
            pub fn name(self) -> &'static str {
                match self {$($(
                    #[cfg($where)]
                    Self::$set(_) => $name,
                )+)+}
            }

            /// Its instructions.
            pub fn instructions(self) -> Instructions {
                match self {$($(
                    #[cfg($where)]
                    Self::$set(_) => Instructions { $($extension: true,)* ..without($bits) },
                )+)+}
            }

            /// The function of a task `T` for this backend.
            ///
            /// The match gives an address, and one call follows it: this is less code than a call in each arm. Each arm is a
            /// `const` block. Outside of one, the compiler would compile every function that a branch on [`Task::EXTENSION`]
            /// names, even if the branch is never taken, and a third of all functions would never run.
            #[inline(always)]
            fn entry<T: Task>(self) -> Entry<T> {
                match self {$($(
                    #[cfg($where)]
                    Self::$set(_) => const {
                        match T::EXTENSION {
                            $($task => $compiled::entry::<T>()),+
                        }
                    },
                )+)+}
            }
        }
    };
}

// The backends of each architecture, narrowest first; of one width, those with fewer extensions first. A row has the token of the
// instruction set, the backend's name, the bits of a vector, the set's extensions, and, for each `Extension` that a task can
// profit from, the set whose code runs. The token's set must contain the set whose code runs. The two differ where the code of the
// token's set would be no faster.
backends! {
    #[cfg(all())]
    {
        /// Portable code, one word at a time.
        Scalar { "scalar", 64 [], _ => Scalar }
    }
    #[cfg(target_arch = "x86_64")]
    {
        /// AVX2 without AES instructions.
        Avx2NoAes { "avx2_noaes", 256 [], _ => Avx2NoAes }
        /// AVX2, AES-NI and PCLMULQDQ.
        Avx2 { "avx2", 256 [aes], Extension::None | Extension::Gf256 => Avx2NoAes, _ => Avx2 }
        /// AVX2 with VAES and VPCLMULQDQ at 256 bits.
        Avx2Vaes { "avx2_vaes", 256 [aes wide_aes], Extension::None | Extension::Gf256 => Avx2NoAes, _ => Avx2Vaes }
        /// AVX2 with VAES, VPCLMULQDQ and GFNI at 256 bits.
        Avx2Gfni {
            "avx2_gfni", 256 [aes wide_aes gf256],
            Extension::None => Avx2NoAes, Extension::Gf256 => Avx2Gfni, _ => Avx2Vaes
        }
        /// AVX-512 F, BW, DQ and VL without AES instructions.
        Avx512NoAes { "avx512_noaes", 512 [], Extension::Rounds => Avx2NoAes, _ => Avx512NoAes }
        /// AVX-512 F, BW, DQ, VL, AES-NI and PCLMULQDQ.
        Avx512 {
            "avx512", 512 [aes],
            Extension::None | Extension::Gf256 => Avx512NoAes, Extension::Rounds => Avx2, _ => Avx512
        }
        /// AVX-512 with VAES, VPCLMULQDQ, GFNI and VBMI.
        Avx512Vaes { "avx512_vaes", 512 [aes wide_aes gf256], Extension::None => Avx512NoAes, _ => Avx512Vaes }
    }
    #[cfg(target_arch = "aarch64")]
    {
        /// NEON without AES instructions.
        NeonNoAes { "neon_noaes", 128 [], _ => NeonNoAes }
        /// NEON and the AES extension.
        Neon { "neon", 128 [aes], Extension::None | Extension::Gf256 => NeonNoAes, _ => Neon }
        /// NEON and the AES and SHA-3 extensions.
        NeonSha3 { "neon_sha3", 128 [aes], _ => NeonSha3 }
    }
}

/// The instructions of a backend, for programs that compare icefish with other libraries.
///
/// ```
/// use icefish::isa::Instructions;
/// # if cfg!(target_arch = "x86_64") {
/// let avx2 = Instructions::of("avx2").ok_or("no such backend")?;
/// assert!(avx2.bits == 256 && avx2.aes && !avx2.wide_aes);
/// # }
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Instructions {
    /// Bits of a vector: 64 for portable code.
    pub bits: usize,
    /// AES rounds and carry-less multiplication.
    pub aes: bool,
    /// Several AES rounds and products in one instruction: VAES and VPCLMULQDQ.
    pub wide_aes: bool,
    /// Arithmetic in GF(2^8): GFNI.
    pub gf256: bool,
}

impl Instructions {
    /// Of the backend with that name, even if this CPU lacks it.
    pub fn of(name: &str) -> Option<Self> {
        ALL.iter().find(|row| row.0 == name).map(|row| row.1)
    }
}

/// Vectors of that many bits, and no extension.
const fn without(bits: usize) -> Instructions {
    Instructions { bits, aes: false, wide_aes: false, gf256: false }
}

impl Backend {
    /// Whether all code of the program may use the instructions of a backend with AES: it was compiled with `-C target-cpu`, or for
    /// a system all of whose CPUs have them. [`Backend::inlined`] then runs short tasks.
    pub(crate) const INLINES: bool = {
        #[cfg(target_arch = "x86_64")]
        {
            Avx2::EVERYWHERE
        }
        #[cfg(target_arch = "aarch64")]
        {
            Neon::EVERYWHERE
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        {
            false
        }
    };

    /// Runs `task`, compiled for the instruction set of this backend, or for a smaller one on which it is no slower.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Out {
        if !const { T::SHORT && Self::INLINES } {
            return self.called(task);
        }
        match self.inlined(task) {
            Ok(out) => out,
            Err(task) => {
                core::hint::cold_path();
                barrier();
                self.called(task)
            }
        }
    }

    /// Runs a short task as a part of the caller, if this is the widest backend whose instructions all code of the program may use.
    /// Otherwise returns the task.
    #[inline(always)]
    pub(crate) fn inlined<T: Task>(self, task: T) -> Result<T::Out, T> {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Avx512Vaes(set) if Avx512Vaes::EVERYWHERE => return Ok(task.call(set)),
            Self::Avx2Gfni(set) if Avx2Gfni::EVERYWHERE && !Avx512Vaes::EVERYWHERE => {
                return Ok(task.call(Avx2Vaes::from(set)));
            }
            Self::Avx2Vaes(set) if Avx2Vaes::EVERYWHERE && !Avx2Gfni::EVERYWHERE => {
                return Ok(task.call(set));
            }
            Self::Avx2(set) if Avx2::EVERYWHERE && !Avx2Vaes::EVERYWHERE => {
                return Ok(task.call(set));
            }
            _ => {}
        }
        #[cfg(target_arch = "aarch64")]
        match self {
            Self::NeonSha3(set) if NeonSha3::EVERYWHERE => return Ok(task.call(set)),
            Self::Neon(set) if Neon::EVERYWHERE && !NeonSha3::EVERYWHERE => {
                return Ok(task.call(set));
            }
            _ => {}
        }
        Err(task)
    }

    /// Runs `task` as a call.
    #[inline(always)]
    fn called<T: Task>(self, task: T) -> T::Out {
        if T::SHORT {
            // The usual sets by direct jumps, which are predicted earlier than one through a table of all. Without the barriers, the
            // compiler would make a table of these, too.
            #[cfg(target_arch = "x86_64")]
            {
                if let Self::Avx512Vaes(set) = self {
                    // SAFETY: as below.
                    return unsafe { Self::Avx512Vaes(set).entry().run(task) };
                }
                barrier();
                match self {
                    // SAFETY: as below.
                    Self::Avx2(set) => return unsafe { Self::Avx2(set).entry().run(task) },
                    // For AES, both have the same code. The condition is in a `const` block for the reason that `entry` gives.
                    Self::Avx2Vaes(_) | Self::Avx2Gfni(_)
                        if const { matches!(T::EXTENSION, Extension::Aes) } =>
                    {
                        // SAFETY: both sets contain this one.
                        return unsafe { const { Avx2Vaes::entry::<T>() }.run(task) };
                    }
                    _ => {}
                }
            }
            barrier();
        }
        // SAFETY: each arm of `entry` has a token, whose set is or contains the set for which the function is compiled.
        unsafe { self.entry::<T>().run(task) }
    }

    const UNKNOWN: Error = Error::UnknownBackend { names: Self::NAMES };

    /// The backends of this CPU, narrowest first. Scalar is always available.
    pub fn available() -> impl Iterator<Item = Self> {
        ALL.iter().filter_map(|(.., new)| new())
    }

    /// The widest backend of this CPU: the last of [`Backend::available`].
    pub fn best() -> Self {
        ALL.iter().rev().find_map(|(.., new)| new()).unwrap_or(Self::Scalar(Scalar))
    }

    /// The backend with that name.
    ///
    /// # Errors
    /// [`Error::UnknownBackend`] if there is no such backend, [`Error::MissingBackend`] if this CPU lacks it.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        match Self::available().find(|b| b.name() == name) {
            Some(backend) => Ok(backend),
            None if Self::NAMES.contains(&name) => Err(Error::MissingBackend),
            None => Err(Self::UNKNOWN),
        }
    }

    /// The backend that the environment variable `ICEFISH_BACKEND` names. If it is not set, or empty, the best backend.
    ///
    /// # Errors
    /// As [`Backend::by_name`].
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Self, Error> {
        match std::env::var_os("ICEFISH_BACKEND") {
            None => Ok(Self::best()),
            Some(name) if name.is_empty() => Ok(Self::best()),
            Some(name) => Self::by_name(name.to_str().ok_or(Self::UNKNOWN)?),
        }
    }
}

impl Default for Backend {
    fn default() -> Self {
        Self::best()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
