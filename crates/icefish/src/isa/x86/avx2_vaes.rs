//! AVX2 with VAES and VPCLMULQDQ at 256 bits (Zen 3, without AVX-512): two AES states or two polynomials in a register.
#![allow(unsafe_code)]

use super::aes::{self, AesNi, HasAesNi};
use super::avx2::{HasAvx2, Vec256, counters, load, masked, put, put_masked};
use super::clmul::{Clmul, Clmul256, HasClmul, HasClmul256};
use super::cpuid::Features;
use super::order::after;
use super::rows::{self, Row128};
use crate::isa::entry::compiled;
use crate::isa::{
    AesRounds, Avx2, Avx2Gfni, CryptoVectors, Endian, Isa, Octets, OpenBlocks, Row, Sink, Task,
};
use core::arch::x86_64::*;

/// [`Avx2`] with VAES and VPCLMULQDQ.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::{Backend, isa::Avx2Vaes};
/// if let Some(isa) = Avx2Vaes::new() {
///     assert_eq!(Backend::Avx2Vaes(isa).name(), "avx2_vaes");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx2Vaes(());

impl Avx2Vaes {
    /// The features that its code may use, those that the compiler assumes with them, and their registers.
    pub(in crate::isa) const NEEDS: Features = Avx2::NEEDS.and(&["vaes", "vpclmulqdq"]);

    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        const { Self::NEEDS }.are_here().then_some(Self(()))
    }
}

/// The smaller set, which the larger contains.
impl From<Avx2Gfni> for Avx2Vaes {
    fn from(_: Avx2Gfni) -> Self {
        Self(())
    }
}

// SAFETY: `new` checked the CPU.
unsafe impl HasAvx2 for Avx2Vaes {}
// SAFETY: `new` checked the CPU.
unsafe impl HasAesNi for Avx2Vaes {}
// SAFETY: `new` checked the CPU.
unsafe impl HasClmul for Avx2Vaes {}
// SAFETY: `new` checked the CPU.
unsafe impl HasClmul256 for Avx2Vaes {}

/// Tokens that prove VAES and AVX2.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasVaes256: HasAesNi {}

// SAFETY: `new` checked the CPU.
unsafe impl HasVaes256 for Avx2Vaes {}

impl CryptoVectors for Avx2Vaes {
    type Aes = Vaes256;
    type AesOne = AesNi;
    type AesTwo = Vaes256;
    type AesFour = Vaes256;
    type Poly = Clmul256;
    type PolyOne = Clmul;
}

compiled!(Avx2Vaes, Avx2Vaes(()), enable = "avx2,aes,pclmulqdq,bmi1,bmi2,vaes,vpclmulqdq");

impl Isa for Avx2Vaes {
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

/// Two AES states, made with a token of [`HasVaes256`] or from such values.
#[derive(Clone, Copy, Debug)]
pub struct Vaes256(__m256i);

/// The XOR of both halves.
///
/// # Safety
/// The CPU must have AVX2.
#[inline(always)]
pub(super) unsafe fn sum(x: __m256i) -> [u8; 16] {
    let mut sum = [0; 16];
    // SAFETY: as above; 16 writable bytes.
    unsafe {
        let both = _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256::<1>(x));
        _mm_storeu_si128(sum.as_mut_ptr().cast(), both);
    }
    sum
}

impl<S: HasVaes256> AesRounds<S> for Vaes256 {
    const N: usize = 2;
    const SLICED: bool = false;
    const LONG: usize = 12;

    #[inline(always)]
    fn splat(_: S, state: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX2.
        Self(unsafe { _mm256_broadcastsi128_si256(rows::load(state)) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        Self(load(bytes))
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        put(sink, at, self.0);
    }
    #[inline(always)]
    fn end<const ENCRYPT: bool>(self, key: Self, sink: &mut Sink<'_>, at: usize) {
        let key = Self(masked(sink, at, key.0));
        let x = if ENCRYPT {
            AesRounds::<S>::enc_last(self, key)
        } else {
            AesRounds::<S>::dec_last(self, key)
        };
        put_masked(sink, at, x.0);
    }
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        // SAFETY: the value proves AVX2.
        unsafe { sum(self.0) }
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        // SAFETY: the value proves AVX2.
        aes::put(sink, at, unsafe { _mm256_castsi256_si128(self.0) });
    }
    #[inline(always)]
    fn gather(_: S, from: &OpenBlocks<'_, [u8; 16]>, row: Row, lane: usize, step: usize) -> Self {
        let [a, b] = from.inputs(row, lane, step);
        // SAFETY: 16 readable bytes each; the token proves AVX2.
        unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(a.cast()));
            Self(_mm256_inserti128_si256::<1>(low, _mm_loadu_si128(b.cast())))
        }
    }
    #[inline(always)]
    fn scatter(self, to: &mut OpenBlocks<'_, [u8; 16]>, row: Row, lane: usize, step: usize) {
        let [a, b] = to.outputs(row, lane, step);
        // SAFETY: 16 writable bytes each; the value proves AVX2.
        unsafe {
            _mm_storeu_si128(a.cast(), _mm256_castsi256_si128(self.0));
            _mm_storeu_si128(b.cast(), _mm256_extracti128_si256::<1>(self.0));
        }
    }
    #[inline(always)]
    fn counters(_: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        Self(counters::<1>(template, endian, low, &mut None)[0])
    }
    #[inline(always)]
    fn next_counters<const R: usize>(
        _: S,
        template: &[u8; 16],
        endian: Endian,
        low: u64,
        next: &mut Option<Self>,
    ) -> [Self; R] {
        // `map` is a call, at times: of an option, and of a long array.
        let mut row = None;
        if let Some(next) = next {
            row = Some(next.0);
        }
        let rows = counters::<R>(template, endian, low, &mut row);
        *next = None;
        if let Some(row) = row {
            *next = Some(Self(row));
        }
        let mut x = [Self(rows[0]); R];
        for i in 0..R {
            x[i] = Self(rows[i]);
        }
        x
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the values prove AVX2.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }
    const ORDERS: bool = S::EVEX;
    #[inline(always)]
    fn after<const R: usize>(self, first: &[Self; R]) -> Self {
        if !S::EVEX {
            return self;
        }
        // SAFETY: the token proves AVX-512. Neither a cast nor the barrier is an instruction.
        unsafe {
            let mut x = _mm512_castsi256_si512(self.0);
            for four in first.as_chunks::<4>().0 {
                x = after(x, four.map(|y| _mm512_castsi256_si512(y.0)));
            }
            Self(_mm512_castsi512_si256(x))
        }
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm256_aesenc_epi128(self.0, key.0) })
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm256_aesenclast_epi128(self.0, key.0) })
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm256_aesdec_epi128(self.0, key.0) })
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm256_aesdeclast_epi128(self.0, key.0) })
    }
}
