//! AVX2 and AVX-512 without AES-NI and PCLMULQDQ, and rows of bytes, which AES needs there. `isa/aes` has AES for them, and
//! `isa/clmul/soft.rs` the multiplication.
#![allow(unsafe_code)]

use super::aes;
use super::avx2::{self, HasAvx2, Vec256};
use super::avx512::{self, HasAvx512, Vec512};
use super::cpuid::Features;
use super::rows;
use super::rows::{HasRow128, Row128};
use crate::isa::aes::permuted::{Bytes, Permuted};
use crate::isa::aes::planes::Planes;
use crate::isa::clmul::soft::SoftPoly;
use crate::isa::entry::compiled;
use crate::isa::{CryptoVectors, Endian, Isa, Lanes, Octets, Sink, Task, mixed};
use core::arch::asm;
use core::arch::x86_64::*;

/// AVX2 and all earlier features except AES-NI and PCLMULQDQ.
///
/// Tasks that use neither AES nor arithmetic in GF(2^8) are compiled for this set only, and run in that form on sets with AES,
/// too.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::{Backend, isa::Avx2NoAes};
/// if let Some(isa) = Avx2NoAes::new() {
///     assert_eq!(Backend::Avx2NoAes(isa).name(), "avx2_noaes");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx2NoAes(());

impl Avx2NoAes {
    /// The features that its code may use, those that the compiler assumes with them, and their registers.
    pub(in crate::isa) const NEEDS: Features = Features::of(&[
        "sse3", "ssse3", "sse4.1", "sse4.2", "osxsave", "avx", "avx2", "bmi1", "bmi2", "ymm",
    ]);

    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        const { Self::NEEDS }.are_here().then_some(Self(()))
    }
}

/// AVX-512 F, BW, DQ and VL and all earlier features except AES-NI and PCLMULQDQ.
///
/// Tasks that use neither AES nor arithmetic in GF(2^8) are compiled for this set only, and run in that form on sets with AES,
/// too.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::{Backend, isa::Avx512NoAes};
/// if let Some(isa) = Avx512NoAes::new() {
///     assert_eq!(Backend::Avx512NoAes(isa).name(), "avx512_noaes");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512NoAes(());

impl Avx512NoAes {
    /// The features that its code may use, those that the compiler assumes with them, and their registers.
    pub(in crate::isa) const NEEDS: Features = Avx2NoAes::NEEDS
        .and(&["fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl", "zmm"]);

    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        const { Self::NEEDS }.are_here().then_some(Self(()))
    }
}

// SAFETY: `new` checked the CPU.
unsafe impl HasAvx2 for Avx2NoAes {}
// SAFETY: `new` checked the CPU.
unsafe impl HasAvx512 for Avx512NoAes {}
// SAFETY: `new` checked the CPU.
unsafe impl HasAvx2 for Avx512NoAes {}

impl CryptoVectors for Avx2NoAes {
    type Aes = Planes<Self, Vec256<u64>>;
    type AesOne = Permuted<Self, Row128<u64, false>>;
    type AesTwo = Permuted<Self, Vec256<u64>>;
    type AesFour = Permuted<Self, Vec256<u64>>;
    type Poly = SoftPoly;
    type PolyOne = SoftPoly;
}

compiled!(Avx2NoAes, Avx2NoAes(()), enable = "avx2,bmi1,bmi2");

impl Isa for Avx2NoAes {
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

impl CryptoVectors for Avx512NoAes {
    type Aes = Planes<Self, Vec512<u64>>;
    type AesOne = Permuted<Self, Row128<u64, true>>;
    type AesTwo = Permuted<Self, Vec256<u64>>;
    type AesFour = Permuted<Self, Vec512<u64>>;
    type Poly = SoftPoly;
    type PolyOne = SoftPoly;
}

compiled!(
    Avx512NoAes,
    Avx512NoAes(()),
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2"
);

impl Isa for Avx512NoAes {
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

impl<S: HasRow128<VL>, const VL: bool> Bytes<S> for Row128<u64, VL> {
    const N: usize = 1;
    const TERNARY: bool = VL;
    #[inline(always)]
    fn splat(_: S, row: &[u8; 16]) -> Self {
        rows::row(rows::load(row))
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        rows::row(rows::load(bytes))
    }
    #[inline(always)]
    fn put(self, sink: &mut Sink<'_>, at: usize) {
        aes::put(sink, at, self.0);
    }
    #[inline(always)]
    fn put_first(self, sink: &mut Sink<'_>, at: usize) {
        aes::put(sink, at, self.0);
    }
    #[inline(always)]
    fn counters<const R: usize>(_: S, template: &[u8; 16], endian: Endian, low: u64) -> [Self; R] {
        let mut x = [rows::row(aes::counter(template, endian, low)); R];
        for i in 1..R {
            x[i] = rows::row(aes::counter(template, endian, low.wrapping_add(i as u64)));
        }
        x
    }
    #[inline(always)]
    fn pick(self, from: Self) -> Self {
        // SAFETY: the value proves SSSE3.
        rows::row(mixed::<1, _>(unsafe { _mm_shuffle_epi8(self.0, from.0) }, from.0))
    }
    /// The CPU starts the oldest ready instruction first, so the order of instructions matters.
    #[inline(always)]
    fn in_order(self) -> Self {
        if cfg!(icefish_msan) {
            return core::hint::black_box(self);
        }
        let mut v = self.0;
        // SAFETY: no instruction.
        unsafe { asm!("/* {0} */", inout(xmm_reg) v, options(nomem, nostack, preserves_flags)) };
        rows::row(v)
    }
    /// In assembly: between two barriers, LLVM takes the XOR of floating-point numbers. AMD CPUs need a cycle to bring a value from
    /// the units for integers to those for floating point, and one to bring it back. A chain of blocks of AES-128 takes 152 cycles
    /// a block instead of 193 (OFB, Zen 3).
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        if cfg!(icefish_msan) {
            return Bytes::<S>::in_order(self ^ b);
        }
        let sum;
        // SAFETY: the values prove AVX2, or AVX-512 VL.
        unsafe {
            if VL {
                asm!("vpxorq {}, {}, {}", lateout(xmm_reg) sum, in(xmm_reg) self.0, in(xmm_reg) b.0, options(nomem, nostack, preserves_flags));
            } else {
                asm!("vpxor {}, {}, {}", lateout(xmm_reg) sum, in(xmm_reg) self.0, in(xmm_reg) b.0, options(nomem, nostack, preserves_flags));
            }
        }
        rows::row(sum)
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        if VL && !cfg!(icefish_msan) {
            // SAFETY: the values prove AVX-512 VL.
            let sum = unsafe { _mm_ternarylogic_epi64::<0x96>(self.0, b.0, c.0) };
            return Bytes::<S>::in_order(rows::row::<u64, VL>(sum));
        }
        Bytes::<S>::plus(self, Bytes::<S>::plus(b, c))
    }
    #[inline(always)]
    fn halves(self, low: Self) -> [Self; 2] {
        // SAFETY: every x86-64 CPU has SSE2.
        let high = rows::row(unsafe { _mm_srli_epi16::<4>(self.0) });
        [self & low, high & low]
    }
}

impl<S: HasAvx2> Bytes<S> for Vec256<u64> {
    const N: usize = 2;
    const TERNARY: bool = false;
    #[inline(always)]
    fn splat(_: S, row: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX2.
        avx2::vec(unsafe { _mm256_broadcastsi128_si256(rows::load(row)) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        avx2::vec(avx2::load(bytes))
    }
    #[inline(always)]
    fn put(self, sink: &mut Sink<'_>, at: usize) {
        avx2::put(sink, at, self.0);
    }
    #[inline(always)]
    fn put_first(self, sink: &mut Sink<'_>, at: usize) {
        // SAFETY: the value proves AVX2.
        aes::put(sink, at, unsafe { _mm256_castsi256_si128(self.0) });
    }
    #[inline(always)]
    fn counters<const R: usize>(_: S, template: &[u8; 16], endian: Endian, low: u64) -> [Self; R] {
        let rows = avx2::counters::<R>(template, endian, low, &mut None);
        let mut x = [avx2::vec(rows[0]); R];
        for i in 1..R {
            x[i] = avx2::vec(rows[i]);
        }
        x
    }
    #[inline(always)]
    fn pick(self, from: Self) -> Self {
        // SAFETY: the values prove AVX2.
        avx2::vec(mixed::<1, _>(unsafe { _mm256_shuffle_epi8(self.0, from.0) }, from.0))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        <Self as Lanes<S, u64>>::xor3(self, b, c)
    }
    #[inline(always)]
    fn halves(self, low: Self) -> [Self; 2] {
        // SAFETY: the value proves AVX2.
        let high = avx2::vec(unsafe { _mm256_srli_epi16::<4>(self.0) });
        [self & low, high & low]
    }
}

impl<S: HasAvx512> Bytes<S> for Vec512<u64> {
    const N: usize = 4;
    const TERNARY: bool = true;
    #[inline(always)]
    fn splat(_: S, row: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX-512.
        avx512::vec(unsafe { _mm512_broadcast_i32x4(rows::load(row)) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        avx512::vec(avx512::load(bytes))
    }
    #[inline(always)]
    fn put(self, sink: &mut Sink<'_>, at: usize) {
        avx512::put(sink, at, self.0);
    }
    #[inline(always)]
    fn put_first(self, sink: &mut Sink<'_>, at: usize) {
        // SAFETY: the value proves AVX-512.
        aes::put(sink, at, unsafe { _mm512_castsi512_si128(self.0) });
    }
    #[inline(always)]
    fn counters<const R: usize>(_: S, template: &[u8; 16], endian: Endian, low: u64) -> [Self; R] {
        let rows = avx512::counters::<R>(template, endian, low);
        let mut x = [avx512::vec(rows[0]); R];
        for i in 1..R {
            x[i] = avx512::vec(rows[i]);
        }
        x
    }
    #[inline(always)]
    fn pick(self, from: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        avx512::vec(mixed::<1, _>(unsafe { _mm512_shuffle_epi8(self.0, from.0) }, from.0))
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        <Self as Lanes<S, u64>>::xor3(self, b, c)
    }
    #[inline(always)]
    fn halves(self, low: Self) -> [Self; 2] {
        // SAFETY: the value proves AVX-512.
        let high = avx512::vec(unsafe { _mm512_srli_epi16::<4>(self.0) });
        [self & low, high & low]
    }
}
