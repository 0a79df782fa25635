//! AVX2 and AVX-512 with AES-NI and PCLMULQDQ (from Haswell and from Skylake-X on).
#![allow(unsafe_code)]

use super::aes::{AesNi, HasAesNi};
use super::avx2::{HasAvx2, Vec256};
use super::avx512::{HasAvx512, Vec512};
use super::clmul::{Clmul, HasClmul};
use super::cpuid::Features;
use super::rows::Row128;
use crate::isa::entry::compiled;
use crate::isa::{Avx2NoAes, Avx512NoAes, CryptoVectors, Isa, Octets, Task};

/// AVX2, AES-NI and everything before them.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::{Backend, isa::Avx2};
/// if let Some(isa) = Avx2::new() {
///     assert_eq!(Backend::Avx2(isa).name(), "avx2");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx2(());

impl Avx2 {
    /// The features that its code may use, those that the compiler assumes with them, and their registers.
    pub(in crate::isa) const NEEDS: Features = Avx2NoAes::NEEDS.and(&["aes", "pclmulqdq"]);

    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        const { Self::NEEDS }.are_here().then_some(Self(()))
    }
}

// SAFETY: `new` checked the CPU.
unsafe impl HasAvx2 for Avx2 {}
// SAFETY: `new` checked the CPU.
unsafe impl HasAesNi for Avx2 {}
// SAFETY: `new` checked the CPU.
unsafe impl HasClmul for Avx2 {}

impl CryptoVectors for Avx2 {
    type Aes = AesNi;
    type AesOne = AesNi;
    type AesTwo = AesNi;
    type AesFour = AesNi;
    type Poly = Clmul;
    type PolyOne = Clmul;
}

compiled!(Avx2, Avx2(()), enable = "avx2,aes,pclmulqdq,bmi1,bmi2");

impl Isa for Avx2 {
    type U32 = Vec256<u32>;
    type U64 = Vec256<u64>;
    type Row32 = Row128<u32, false>;
    type Rows32 = Vec256<u32>;
    type Rows64 = Vec256<u64>;
    type Gf256 = Octets;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Out {
        // SAFETY: the token proves the features.
        unsafe { Self::call(task) }
    }
}

/// AVX-512 F, BW, DQ, VL, AES-NI and everything before them.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::{Backend, isa::Avx512};
/// if let Some(isa) = Avx512::new() {
///     assert_eq!(Backend::Avx512(isa).name(), "avx512");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512(());

impl Avx512 {
    /// The features that its code may use, those that the compiler assumes with them, and their registers.
    pub(in crate::isa) const NEEDS: Features = Avx512NoAes::NEEDS.with(Avx2::NEEDS);

    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        const { Self::NEEDS }.are_here().then_some(Self(()))
    }
}

// SAFETY: `new` checked the CPU.
unsafe impl HasAvx512 for Avx512 {}
// SAFETY: `new` checked the CPU.
unsafe impl HasAesNi for Avx512 {}
// SAFETY: `new` checked the CPU.
unsafe impl HasClmul for Avx512 {}

impl CryptoVectors for Avx512 {
    type Aes = AesNi;
    type AesOne = AesNi;
    type AesTwo = AesNi;
    type AesFour = AesNi;
    type Poly = Clmul;
    type PolyOne = Clmul;
}

compiled!(
    Avx512,
    Avx512(()),
    enable = "avx512f,avx512bw,avx512dq,avx512vl,aes,pclmulqdq,avx2,bmi1,bmi2"
);

impl Isa for Avx512 {
    type U32 = Vec512<u32>;
    type U64 = Vec512<u64>;
    type Row32 = Row128<u32, true>;
    type Rows32 = Vec512<u32>;
    type Rows64 = Vec512<u64>;
    type Gf256 = Octets;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Out {
        // SAFETY: the token proves the features.
        unsafe { Self::call(task) }
    }
}
