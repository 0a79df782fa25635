//! An instruction set as a value: the only dispatch at run time.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
use super::Extension;
#[cfg(target_arch = "aarch64")]
use super::arm::*;
#[cfg(target_arch = "x86_64")]
use super::x86::*;
use super::{Scalar, Task};
use crate::Error;
use core::fmt;

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
    /// Portable code, one word at a time.
    Scalar(Scalar),
    /// AVX2 without AES instructions.
    #[cfg(target_arch = "x86_64")]
    Avx2NoAes(Avx2NoAes),
    /// AVX2, AES-NI and PCLMULQDQ.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// AVX2 with VAES and VPCLMULQDQ at 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2Vaes(Avx2Vaes),
    /// AVX2 with VAES, VPCLMULQDQ and GFNI at 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2Gfni(Avx2Gfni),
    /// AVX-512 F, BW, DQ and VL without AES instructions.
    #[cfg(target_arch = "x86_64")]
    Avx512NoAes(Avx512NoAes),
    /// AVX-512 F, BW, DQ, VL, AES-NI and PCLMULQDQ.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// AVX-512 with VAES, VPCLMULQDQ, GFNI and VBMI.
    #[cfg(target_arch = "x86_64")]
    Avx512Vaes(Avx512Vaes),
    /// NEON without AES instructions.
    #[cfg(target_arch = "aarch64")]
    NeonNoAes(NeonNoAes),
    /// NEON and the AES extension.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    /// NEON and the AES and SHA-3 extensions.
    #[cfg(target_arch = "aarch64")]
    NeonSha3(NeonSha3),
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
    /// Those of the backend with that name, on this CPU or not.
    pub fn of(name: &str) -> Option<Self> {
        ALL.iter().find(|row| row.0 == name).map(|row| row.1)
    }
}

/// A row's instructions: the bits of a vector, and the other fields of [`Instructions`] in their order.
const fn with(bits: usize, [aes, wide_aes, gf256]: [bool; 3]) -> Instructions {
    Instructions { bits, aes, wide_aes, gf256 }
}

/// A function that runs tasks of the type `T`, compiled for an instruction set that this CPU must have.
type Compiled<T> = unsafe fn(T) -> <T as Task>::Out;

/// A backend: its name, its instructions, and how it is made if this CPU has it.
type BackendRow = (&'static str, Instructions, fn() -> Option<Backend>);

/// Every backend of this architecture, narrowest first. Names, what is available and what is best follow from it.
const ALL: &[BackendRow] = &[
    ("scalar", with(64, [false; 3]), || Some(Backend::Scalar(Scalar))),
    #[cfg(target_arch = "x86_64")]
    ("avx2_noaes", with(256, [false; 3]), || Avx2NoAes::new().map(Backend::Avx2NoAes)),
    #[cfg(target_arch = "x86_64")]
    ("avx2", with(256, [true, false, false]), || Avx2::new().map(Backend::Avx2)),
    #[cfg(target_arch = "x86_64")]
    ("avx2_vaes", with(256, [true, true, false]), || Avx2Vaes::new().map(Backend::Avx2Vaes)),
    #[cfg(target_arch = "x86_64")]
    ("avx2_gfni", with(256, [true; 3]), || Avx2Gfni::new().map(Backend::Avx2Gfni)),
    #[cfg(target_arch = "x86_64")]
    ("avx512_noaes", with(512, [false; 3]), || Avx512NoAes::new().map(Backend::Avx512NoAes)),
    #[cfg(target_arch = "x86_64")]
    ("avx512", with(512, [true, false, false]), || Avx512::new().map(Backend::Avx512)),
    #[cfg(target_arch = "x86_64")]
    ("avx512_vaes", with(512, [true; 3]), || Avx512Vaes::new().map(Backend::Avx512Vaes)),
    #[cfg(target_arch = "aarch64")]
    ("neon_noaes", with(128, [false; 3]), || NeonNoAes::new().map(Backend::NeonNoAes)),
    #[cfg(target_arch = "aarch64")]
    ("neon", with(128, [true, false, false]), || Neon::new().map(Backend::Neon)),
    #[cfg(target_arch = "aarch64")]
    ("neon_sha3", with(128, [true, false, false]), || NeonSha3::new().map(Backend::NeonSha3)),
];

const fn names() -> [&'static str; ALL.len()] {
    let (mut names, mut i) = ([""; ALL.len()], 0);
    while i < names.len() {
        names[i] = ALL[i].0;
        i += 1;
    }
    names
}

/// The row of `name`, which [`ALL`] must have. Evaluated at compile time, a name without a row does not compile.
const fn row(name: &str) -> &'static BackendRow {
    let mut i = 0;
    while i < ALL.len() {
        if same(ALL[i].0, name) {
            return &ALL[i];
        }
        i += 1;
    }
    panic!("backend.rs: ALL has no row with this name");
}

/// Whether two strings are equal, at compile time.
pub(super) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

impl Backend {
    /// The names of all backends of this architecture, available or not, narrowest first.
    pub const NAMES: &[&str] = &names();

    const UNKNOWN: Error = Error::UnknownBackend { names: Self::NAMES };

    /// The backends of this CPU, narrowest first. Scalar is always available.
    pub fn available() -> impl Iterator<Item = Self> {
        ALL.iter().filter_map(|(.., new)| new())
    }

    /// The widest backend of this CPU.
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

    /// Its name; one of [`Backend::NAMES`].
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its instructions.
    pub fn instructions(self) -> Instructions {
        self.row().1
    }

    fn row(self) -> &'static BackendRow {
        match self {
            Self::Scalar(_) => const { row("scalar") },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2NoAes(_) => const { row("avx2_noaes") },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => const { row("avx2") },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes(_) => const { row("avx2_vaes") },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(_) => const { row("avx2_gfni") },
            #[cfg(target_arch = "x86_64")]
            Self::Avx512NoAes(_) => const { row("avx512_noaes") },
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => const { row("avx512") },
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vaes(_) => const { row("avx512_vaes") },
            #[cfg(target_arch = "aarch64")]
            Self::NeonNoAes(_) => const { row("neon_noaes") },
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => const { row("neon") },
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3(_) => const { row("neon_sha3") },
        }
    }

    /// Runs `task`, compiled for this backend. This is the library's only dispatch at run time.
    ///
    /// The match gives an address, and one call follows it: this is less code than a call in each arm. Each arm is a `const`
    /// block. Outside of one, the compiler would compile every function that a branch on [`Task::EXTENSION`] names, even if the
    /// branch is never taken. These were a third of all functions.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Out {
        let function = match self {
            Self::Scalar(_) => const { Scalar::compiled::<T> as Compiled<T> },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2NoAes(_) => const { Avx2NoAes::compiled::<T> as Compiled<T> },
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => {
                const {
                    if T::EXTENSION.has_rounds() {
                        Avx2::compiled::<T> as Compiled<T>
                    } else {
                        Avx2NoAes::compiled::<T> as Compiled<T>
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes(_) => {
                const {
                    if T::EXTENSION.has_rounds() {
                        Avx2Vaes::compiled::<T> as Compiled<T>
                    } else {
                        Avx2NoAes::compiled::<T> as Compiled<T>
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(_) => {
                const {
                    match T::EXTENSION {
                        Extension::Gf256 => Avx2Gfni::compiled::<T> as Compiled<T>,
                        Extension::Rounds | Extension::Aes => {
                            Avx2Vaes::compiled::<T> as Compiled<T>
                        }
                        Extension::None => Avx2NoAes::compiled::<T> as Compiled<T>,
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512NoAes(_) => {
                const {
                    match T::EXTENSION {
                        Extension::Rounds => Avx2NoAes::compiled::<T> as Compiled<T>,
                        _ => Avx512NoAes::compiled::<T> as Compiled<T>,
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => {
                const {
                    match T::EXTENSION {
                        Extension::Rounds => Avx2::compiled::<T> as Compiled<T>,
                        Extension::Aes => Avx512::compiled::<T> as Compiled<T>,
                        Extension::None | Extension::Gf256 => {
                            Avx512NoAes::compiled::<T> as Compiled<T>
                        }
                    }
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vaes(_) => {
                const {
                    match T::EXTENSION {
                        Extension::None => Avx512NoAes::compiled::<T> as Compiled<T>,
                        _ => Avx512Vaes::compiled::<T> as Compiled<T>,
                    }
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::NeonNoAes(_) => const { NeonNoAes::compiled::<T> as Compiled<T> },
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => {
                const {
                    if T::EXTENSION.has_rounds() {
                        Neon::compiled::<T> as Compiled<T>
                    } else {
                        NeonNoAes::compiled::<T> as Compiled<T>
                    }
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3(_) => const { NeonSha3::compiled::<T> as Compiled<T> },
        };
        // SAFETY: each arm has a token of the set that it names, or of a set that contains it.
        unsafe { function(task) }
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
