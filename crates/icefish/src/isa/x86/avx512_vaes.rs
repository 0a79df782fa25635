//! AVX-512 with VAES, VPCLMULQDQ, GFNI and VBMI (from Ice Lake and Zen 4 on): four AES states in a register.
#![allow(unsafe_code)]

use super::aes::{AesNi, HasAesNi};
use super::avx2_vaes::{HasVaes256, Vaes256};
use super::avx512::{HasAvx512, Vec512, counters, load, masked, put, put_masked};
use super::clmul::{Clmul, Clmul512, HasClmul};
use super::cpuid::Features;
use super::order::after;
use super::rows::Row128;
use crate::isa::entry::compiled;
use crate::isa::{
    AesRounds, Avx2Gfni, Avx512, CryptoVectors, Endian, Isa, OpenBlocks, Row, Sink, Task,
};
use core::arch::x86_64::*;

/// [`Avx512`] with VAES, VPCLMULQDQ, GFNI and VBMI.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use icefish::{Backend, isa::Avx512Vaes};
/// if let Some(isa) = Avx512Vaes::new() {
///     assert_eq!(Backend::Avx512Vaes(isa).name(), "avx512_vaes");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Avx512Vaes(());

impl Avx512Vaes {
    /// The features that its code may use, those that the compiler assumes with them, and their registers.
    pub(in crate::isa) const NEEDS: Features =
        Avx512::NEEDS.with(Avx2Gfni::NEEDS).and(&["avx512vbmi"]);

    /// The token, if this CPU has all these features.
    pub fn new() -> Option<Self> {
        const { Self::NEEDS }.are_here().then_some(Self(()))
    }
}

// SAFETY: `new` checked the CPU.
unsafe impl HasAvx512 for Avx512Vaes {}
// SAFETY: `new` checked the CPU.
unsafe impl HasAesNi for Avx512Vaes {
    const EVEX: bool = true;
}
// SAFETY: `new` checked the CPU.
unsafe impl HasClmul for Avx512Vaes {}
// SAFETY: `new` checked the CPU.
unsafe impl HasVaes256 for Avx512Vaes {}

impl CryptoVectors for Avx512Vaes {
    type Aes = Vaes512;
    type AesOne = AesNi;
    type AesTwo = Vaes256;
    type AesFour = Vaes512;
    type Poly = Clmul512;
    type PolyOne = Clmul;
}

compiled!(
    Avx512Vaes,
    Avx512Vaes(()),
    enable = "avx512f,avx512bw,avx512dq,avx512vl,aes,pclmulqdq,avx2,bmi1,bmi2,vaes,vpclmulqdq,gfni,avx512vbmi"
);

impl Isa for Avx512Vaes {
    type U32 = Vec512<u32>;
    type U64 = Vec512<u64>;
    type Row32 = Row128<u32, true>;
    type Rows32 = Vec512<u32>;
    type Rows64 = Vec512<u64>;
    type Gf256 = Vec512<u8>;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Out {
        // SAFETY: the token proves the features.
        unsafe { Self::call(task) }
    }
}

/// Four AES states, made with a token of [`Avx512Vaes`] or from such values.
#[derive(Clone, Copy, Debug)]
pub struct Vaes512(__m512i);

impl AesRounds<Avx512Vaes> for Vaes512 {
    const N: usize = 4;
    const SLICED: bool = false;
    const LONG: usize = 16;

    #[inline(always)]
    fn splat(_: Avx512Vaes, state: &[u8; 16]) -> Self {
        // SAFETY: the token proves AVX-512; 16 readable bytes.
        Self(unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(state.as_ptr().cast())) })
    }
    #[inline(always)]
    fn load(_: Avx512Vaes, bytes: &[u8]) -> Self {
        Self(load(bytes))
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        put(sink, at, self.0);
    }
    #[inline(always)]
    fn end<const ENCRYPT: bool>(self, key: Self, sink: &mut Sink<'_>, at: usize) {
        let key = Self(masked(sink, at, key.0));
        let x = if ENCRYPT { self.enc_last(key) } else { self.dec_last(key) };
        put_masked(sink, at, x.0);
    }
    #[inline(always)]
    fn sum(self) -> [u8; 16] {
        // SAFETY: the value proves AVX-512.
        unsafe {
            let high = _mm512_extracti64x4_epi64::<1>(self.0);
            super::avx2_vaes::sum(_mm256_xor_si256(_mm512_castsi512_si256(self.0), high))
        }
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        // SAFETY: the value proves AVX-512.
        let first = unsafe { _mm512_castsi512_si128(self.0) };
        super::aes::put(sink, at, first);
    }
    #[inline(always)]
    fn gather(
        _: Avx512Vaes,
        from: &OpenBlocks<'_, [u8; 16]>,
        row: Row,
        lane: usize,
        step: usize,
    ) -> Self {
        let [a, b, c, d] = from.inputs(row, lane, step);
        // SAFETY: 16 readable bytes each; the token proves AVX-512.
        unsafe {
            let x = _mm512_castsi128_si512(_mm_loadu_si128(a.cast()));
            let x = _mm512_inserti32x4::<1>(x, _mm_loadu_si128(b.cast()));
            let x = _mm512_inserti32x4::<2>(x, _mm_loadu_si128(c.cast()));
            Self(_mm512_inserti32x4::<3>(x, _mm_loadu_si128(d.cast())))
        }
    }
    #[inline(always)]
    fn scatter(self, to: &mut OpenBlocks<'_, [u8; 16]>, row: Row, lane: usize, step: usize) {
        let [a, b, c, d] = to.outputs(row, lane, step);
        // SAFETY: 16 writable bytes each; the value proves AVX-512.
        unsafe {
            _mm_storeu_si128(a.cast(), _mm512_castsi512_si128(self.0));
            _mm_storeu_si128(b.cast(), _mm512_extracti32x4_epi32::<1>(self.0));
            _mm_storeu_si128(c.cast(), _mm512_extracti32x4_epi32::<2>(self.0));
            _mm_storeu_si128(d.cast(), _mm512_extracti32x4_epi32::<3>(self.0));
        }
    }
    #[inline(always)]
    fn counters(_: Avx512Vaes, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        Self(counters::<1>(template, endian, low)[0])
    }
    #[inline(always)]
    fn next_counters<const R: usize>(
        _: Avx512Vaes,
        template: &[u8; 16],
        endian: Endian,
        low: u64,
        _: &mut Option<Self>,
    ) -> [Self; R] {
        let rows = counters::<R>(template, endian, low);
        // `map` is a call for long arrays, at times.
        let mut x = [Self(rows[0]); R];
        for i in 0..R {
            x[i] = Self(rows[i]);
        }
        x
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the values prove AVX-512.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }
    #[inline(always)]
    fn in_order(self) -> Self {
        // SAFETY: the value proves AVX-512.
        Self(unsafe { super::order::in_order_512(self.0) })
    }
    const ORDERS: bool = true;
    #[inline(always)]
    fn after<const R: usize>(mut self, first: &[Self; R]) -> Self {
        for four in first.as_chunks::<4>().0 {
            // SAFETY: the values prove AVX-512.
            self.0 = unsafe { after(self.0, four.map(|x| x.0)) };
        }
        self
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm512_aesenc_epi128(self.0, key.0) })
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm512_aesenclast_epi128(self.0, key.0) })
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm512_aesdec_epi128(self.0, key.0) })
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        // SAFETY: the values prove VAES.
        Self(unsafe { _mm512_aesdeclast_epi128(self.0, key.0) })
    }
}
