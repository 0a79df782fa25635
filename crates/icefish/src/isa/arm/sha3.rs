//! NEON with the AES and SHA-3 extensions (from Apple M1 and AWS Graviton3 on).
//!
//! The lanes are those of `neon.rs`. With the extension enabled, the compiler turns plain operators into BCAX, XAR and most EOR3.
//! The EOR3 that it misses is `Lanes::xor3`.
#![allow(unsafe_code)]

use super::aes::{ArmAes, HasArmAes};
use super::clmul::Pmull;
use super::neon::{HasNeon, Vec128};
use crate::isa::entry::compiled;
use crate::isa::{CryptoVectors, Isa, Octets, Task, WordRow};

/// NEON and the AES and SHA-3 extensions.
///
/// Its vectors are a type of their own, because one of their methods that takes no token is an instruction of the SHA-3 extension.
/// The vectors of other sets have no such method:
///
/// ```compile_fail,E0277
/// use icefish::isa::{Isa, Lanes, NeonNoAes, NeonSha3};
/// type Vector = <NeonNoAes as Isa>::U32;
/// fn sum(a: Vector, b: Vector, c: Vector) -> Vector {
///     <Vector as Lanes<NeonSha3, u32>>::xor3(a, b, c)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NeonSha3(());

impl NeonSha3 {
    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        (super::aes::detected() && detected()).then_some(Self(()))
    }
}

/// Whether this CPU has the SHA-3 extension. Without `std`, this is known only on Linux, Android and Apple's systems.
#[cfg(feature = "std")]
fn detected() -> bool {
    std::arch::is_aarch64_feature_detected!("sha3")
}

#[cfg(not(feature = "std"))]
fn detected() -> bool {
    cpufeatures::new!(cpu, "sha3");
    cpu::get()
}

// SAFETY: the target has NEON, and `new` checked the CPU for SHA-3.
unsafe impl HasNeon<true> for NeonSha3 {}
// SAFETY: `new` checked the CPU.
unsafe impl HasArmAes for NeonSha3 {}

impl CryptoVectors for NeonSha3 {
    type Aes = ArmAes;
    type AesOne = ArmAes;
    type AesTwo = ArmAes;
    type AesFour = ArmAes;
    type Poly = Pmull;
    type PolyOne = Pmull;
}

compiled!(NeonSha3, NeonSha3(()), enable = "neon,aes,sha3");

impl Isa for NeonSha3 {
    type U32 = Vec128<u32, true>;
    type U64 = Vec128<u64, true>;
    type Row32 = WordRow<u32, 4>;
    type Rows32 = WordRow<u32, 4>;
    type Rows64 = WordRow<u64, 2>;
    type Gf256 = Octets;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Out {
        // SAFETY: the token proves the features.
        unsafe { Self::call(task) }
    }
}
