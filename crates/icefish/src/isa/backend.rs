//! An instruction set as a value: the only dispatch at run time.

#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx2Gfni, Avx2NoAes, Avx2Vaes, Avx512, Avx512NoAes, Avx512Vaes};
use super::{Extension, Isa, Scalar, Task};
#[cfg(target_arch = "aarch64")]
use super::{Neon, NeonNoAes, NeonSha3};
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

impl Backend {
    /// The names of all backends of this architecture, available or not, narrowest first.
    #[cfg(target_arch = "x86_64")]
    pub const NAMES: &[&str] = &[
        "scalar",
        "avx2_noaes",
        "avx2",
        "avx2_vaes",
        "avx2_gfni",
        "avx512_noaes",
        "avx512",
        "avx512_vaes",
    ];
    /// The names of all backends of this architecture, available or not, narrowest first.
    #[cfg(target_arch = "aarch64")]
    pub const NAMES: &[&str] = &["scalar", "neon_noaes", "neon", "neon_sha3"];
    /// The names of all backends of this architecture, available or not, narrowest first.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub const NAMES: &[&str] = &["scalar"];

    const UNKNOWN: Error = Error::UnknownBackend { names: Self::NAMES };

    /// The backends of this CPU, narrowest first. Scalar is always available.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let wide = [
            Avx2NoAes::new().map(Self::Avx2NoAes),
            Avx2::new().map(Self::Avx2),
            Avx2Vaes::new().map(Self::Avx2Vaes),
            Avx2Gfni::new().map(Self::Avx2Gfni),
            Avx512NoAes::new().map(Self::Avx512NoAes),
            Avx512::new().map(Self::Avx512),
            Avx512Vaes::new().map(Self::Avx512Vaes),
        ];
        #[cfg(target_arch = "aarch64")]
        let wide = [
            NeonNoAes::new().map(Self::NeonNoAes),
            Neon::new().map(Self::Neon),
            NeonSha3::new().map(Self::NeonSha3),
        ];
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let wide: [Option<Self>; 0] = [];
        core::iter::once(Self::Scalar(Scalar)).chain(wide.into_iter().flatten())
    }

    /// The widest backend of this CPU.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Scalar(Scalar))
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
        match self {
            Self::Scalar(_) => "scalar",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2NoAes(_) => "avx2_noaes",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes(_) => "avx2_vaes",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(_) => "avx2_gfni",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512NoAes(_) => "avx512_noaes",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vaes(_) => "avx512_vaes",
            #[cfg(target_arch = "aarch64")]
            Self::NeonNoAes(_) => "neon_noaes",
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => "neon",
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3(_) => "neon_sha3",
        }
    }

    /// Runs `task`, compiled for this backend. This is the library's only dispatch at run time.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Out {
        match self {
            Self::Scalar(isa) => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2NoAes(isa) => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) if T::EXTENSION.has_rounds() => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(isa) => Avx2NoAes::from(isa).run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes(isa) if T::EXTENSION.has_rounds() => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Vaes(isa) => Avx2NoAes::from(isa).run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(isa) if T::EXTENSION.has_rounds() => Avx2Vaes::from(isa).run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(isa) if T::EXTENSION == Extension::Gf256 => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Gfni(isa) => Avx2NoAes::from(isa).run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512NoAes(isa) if T::EXTENSION == Extension::Rounds => {
                Avx2NoAes::from(isa).run(task)
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512NoAes(isa) => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) if T::EXTENSION == Extension::Rounds => Avx2::from(isa).run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) if T::EXTENSION == Extension::Aes => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(isa) => Avx512NoAes::from(isa).run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vaes(isa) if T::EXTENSION != Extension::None => isa.run(task),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512Vaes(isa) => Avx512NoAes::from(isa).run(task),
            #[cfg(target_arch = "aarch64")]
            Self::NeonNoAes(isa) => isa.run(task),
            #[cfg(target_arch = "aarch64")]
            Self::Neon(isa) => {
                if T::EXTENSION.has_rounds() {
                    isa.run(task)
                } else {
                    NeonNoAes::from(isa).run(task)
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::NeonSha3(isa) => isa.run(task),
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
