//! AVX2 with VAES, VPCLMULQDQ and GFNI at 256 bits (Alder Lake and later, without AVX-512): 32 elements of GF(2^8) in a register.
#![allow(unsafe_code)]

use super::aes::{AesNi, HasAesNi};
use super::avx2::{HasAvx2, Vec256, vec};
use super::clmul::{Clmul, Clmul256, HasClmul, HasClmul256};
use super::cpuid::Features;
use super::rows::Row128;
use crate::isa::entry::compiled;
use crate::isa::{Avx2Vaes, CryptoVectors, Gf256, Isa, Lanes, Matrix, Task, mixed, public};
use core::arch::asm;
use core::arch::x86_64::*;

/// [`Avx2Vaes`] with GFNI.
///
/// Tasks that use AES and no arithmetic in GF(2^8) are compiled for `Avx2Vaes` only, and run in that form on this set, too.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::{Backend, isa::Avx2Gfni};
/// if let Some(isa) = Avx2Gfni::new() {
///     assert_eq!(Backend::Avx2Gfni(isa).name(), "avx2_gfni");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx2Gfni(());

impl Avx2Gfni {
    /// The features that its code may use, those that the compiler assumes with them, and their registers.
    pub(in crate::isa) const NEEDS: Features = Avx2Vaes::NEEDS.and(&["gfni"]);

    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        const { Self::NEEDS }.are_here().then_some(Self(()))
    }
}

// SAFETY: `new` checked the CPU.
unsafe impl HasAvx2 for Avx2Gfni {}
// SAFETY: `new` checked the CPU.
unsafe impl HasAesNi for Avx2Gfni {}
// SAFETY: `new` checked the CPU.
unsafe impl HasClmul for Avx2Gfni {}
// SAFETY: `new` checked the CPU.
unsafe impl HasClmul256 for Avx2Gfni {}

impl CryptoVectors for Avx2Gfni {
    type Aes = AesNi;
    type AesOne = AesNi;
    type AesTwo = AesNi;
    type AesFour = AesNi;
    type Poly = Clmul256;
    type PolyOne = Clmul;
}

compiled!(Avx2Gfni, Avx2Gfni(()), enable = "avx2,aes,pclmulqdq,bmi1,bmi2,vaes,vpclmulqdq,gfni");

impl Isa for Avx2Gfni {
    type U32 = Vec256<u32>;
    type U64 = Vec256<u64>;
    type Row32 = Row128<u32, false>;
    type Rows32 = Vec256<u32>;
    type Rows64 = Vec256<u64>;
    type Gf256 = Vec256<u8>;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Out {
        // SAFETY: the token proves the features.
        unsafe { Self::call(task) }
    }
}

/// For each bit, the map from a byte to eight copies of the bit.
static COPIES: [Matrix; 8] = {
    let (mut copies, mut bit) = ([Matrix::new(0); 8], 0);
    while bit < 8 {
        copies[bit] = Matrix::new(0x0101_0101_0101_0101 << bit);
        bit += 1;
    }
    copies
};

impl Gf256<Avx2Gfni> for Vec256<u8> {
    const FAST: bool = true;
    const MASKS: bool = false;
    /// All bits of a byte are set, or none is.
    type Mask = Self;
    #[inline(always)]
    fn splat(_: Avx2Gfni, byte: u8) -> Self {
        // SAFETY: the token proves AVX2.
        vec(unsafe { _mm256_set1_epi8(byte as i8) })
    }
    #[inline(always)]
    fn repeat(_: Avx2Gfni, bytes: u32) -> Self {
        // SAFETY: the token proves AVX2.
        vec(unsafe { _mm256_set1_epi32(bytes as i32) })
    }
    #[inline(always)]
    fn of_words(_: Avx2Gfni, words: [Vec256<u64>; 8]) -> [Self; 8] {
        let mut bytes = [vec(words[0].0); 8];
        let exchanged = exchange_bytes(words);
        for i in 0..8 {
            bytes[i] = vec(exchanged[i].0);
        }
        bytes
    }
    #[inline(always)]
    fn to_words(_: Avx2Gfni, bytes: [Self; 8]) -> [Vec256<u64>; 8] {
        let mut words = [vec(bytes[0].0); 8];
        for i in 0..8 {
            words[i] = vec(bytes[i].0);
        }
        exchange_bytes(words)
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        crate::isa::ternary_by_mux::<TABLE, Self>(a, b, c)
    }
    #[inline(always)]
    fn test<const BIT: usize>(self, isa: Avx2Gfni) -> Self {
        self.affine::<BIT, 0>(isa, &COPIES)
    }
    #[inline(always)]
    fn only(self, mask: Self) -> Self {
        self & mask
    }
    #[inline(always)]
    fn choose(mask: Self, a: Self, b: Self) -> Self {
        b ^ ((a ^ b) & mask)
    }
    #[inline(always)]
    fn affine<const AT: usize, const ADD: i32>(self, _: Avx2Gfni, matrices: &[Matrix]) -> Self {
        assert!(AT < matrices.len());
        // SAFETY: the token proves GFNI; the matrix is in the slice.
        vec(unsafe { affine::<AT, ADD>(self.0, matrices.as_ptr()) })
    }
    #[inline(always)]
    fn affine_where<const AT: usize, const ADD: i32>(
        self,
        isa: Avx2Gfni,
        mask: Self,
        matrices: &[Matrix],
        other: Self,
    ) -> Self {
        Self::choose(mask, self.affine::<AT, ADD>(isa, matrices), other)
    }
    #[inline(always)]
    fn inverse<const AT: usize>(self, _: Avx2Gfni, matrices: &[Matrix]) -> Self {
        assert!(AT < matrices.len());
        // SAFETY: the token proves GFNI; the matrix is in the slice.
        vec(unsafe { inverse::<AT>(self.0, matrices.as_ptr()) })
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        // SAFETY: values of bytes are only made with a token that proves GFNI.
        let product = unsafe { _mm256_gf2p8mul_epi8(self.0, other.0) };
        vec(mixed::<1, _>(product, product))
    }
}

#[inline(always)]
fn exchange_bytes(words: [Vec256<u64>; 8]) -> [Vec256<u64>; 8] {
    <Vec256<u64> as Lanes<Avx2Gfni, u64>>::exchange_bytes(words, [words[0]; 3])
}

// The blocks below are not `pure`, which keeps their order. Matrices are memory operands: the compiler would load one once for many
// vectors, and then spill registers.

/// The product of the matrix at `matrices[AT]` and each byte, plus `ADD`.
///
/// # Safety
/// `matrices[AT]` is readable.
#[target_feature(enable = "avx2,gfni")]
#[inline]
unsafe fn affine<const AT: usize, const ADD: i32>(x: __m256i, matrices: *const Matrix) -> __m256i {
    let product;
    // SAFETY: reads only `matrices[AT]`, which the caller guarantees to be readable.
    unsafe {
        asm!(
            "vgf2p8affineqb {y}, {x}, ymmword ptr [{matrices} + {at}], {add}",
            y = out(ymm_reg) product, x = in(ymm_reg) public(x), matrices = in(reg) matrices,
            at = const 32 * AT, add = const ADD, options(readonly, nostack, preserves_flags)
        );
    }
    mixed::<1, _>(product, x)
}

/// The product of the matrix at `matrices[AT]` and the inverse of each byte.
///
/// # Safety
/// `matrices[AT]` is readable.
#[target_feature(enable = "avx2,gfni")]
#[inline]
unsafe fn inverse<const AT: usize>(x: __m256i, matrices: *const Matrix) -> __m256i {
    let product;
    // SAFETY: reads only `matrices[AT]`, which the caller guarantees to be readable.
    unsafe {
        asm!(
            "vgf2p8affineinvqb {y}, {x}, ymmword ptr [{matrices} + {at}], 0",
            y = out(ymm_reg) product, x = in(ymm_reg) public(x), matrices = in(reg) matrices,
            at = const 32 * AT, options(readonly, nostack, preserves_flags)
        );
    }
    mixed::<1, _>(product, x)
}
