//! One lane: the integers of the language. The reference for every other backend.

#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2;

use crate::isa::aes::single::Single;
use crate::isa::aes::sliced::Sliced;
use crate::isa::clmul::soft::SoftPoly;
use crate::isa::entry::compiled;
use crate::isa::{CryptoVectors, Isa, Lanes, Octets, Rows, Sink, Task};
use core::num::Wrapping;
use core::ops::{BitAnd, BitOr, BitXor, Not};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use sse2::Pair;

/// Any CPU. AES rounds are bit-sliced and constant-time.
///
/// ```
/// use icefish::{Backend, isa::Scalar};
/// assert_eq!(Backend::Scalar(Scalar).name(), "scalar");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalar;

/// The lanes of bit-sliced AES. Those of SSE2 are named, because the compiler does not always find them by itself: 16 KiB take
/// 133,000 cycles where it does, and 207,000 where it does not (Zen 4).
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
type AesLanes = Pair;
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
type AesLanes = Wrapping<u64>;

impl CryptoVectors for Scalar {
    type Aes = Sliced<Scalar, AesLanes>;
    type AesOne = Single;
    type AesTwo = Single;
    type AesFour = Sliced<Scalar, Wrapping<u64>>;
    type Poly = SoftPoly;
    type PolyOne = SoftPoly;
}

impl Scalar {
    /// The token: every CPU has it.
    pub(super) const fn new() -> Option<Self> {
        Some(Self)
    }
}

compiled!(Scalar, Scalar);

impl Isa for Scalar {
    type U32 = Wrapping<u32>;
    type U64 = Wrapping<u64>;
    type Row32 = WordRow<u32, 4>;
    type Rows32 = WordRow<u32, 4>;
    type Rows64 = WordRow<u64, 2>;
    type Gf256 = Octets<true>;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Out {
        // SAFETY: every CPU has the features of the target.
        unsafe { const { Self::entry::<T>() }.run(task) }
    }
}

/// One word as a vector of one lane, on every instruction set: for forms in general registers.
impl<S: Isa> Lanes<S, u32> for Wrapping<u32> {
    const N: usize = 1;
    #[inline(always)]
    fn splat(_: S, w: u32) -> Self {
        Self(w)
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        Self(0)
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let mut word = [0; 4];
        word.copy_from_slice(&bytes[..4]);
        Self(u32::from_le_bytes(word))
    }
    #[inline(always)]
    fn put(self, mut sink: Sink<'_>) {
        sink.put(0, self.0.to_le_bytes());
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes[..4].copy_from_slice(&self.0.to_le_bytes());
    }
    #[inline(always)]
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K] {
        let mut words = [Self(0); K];
        for (i, w) in words.iter_mut().enumerate() {
            *w = <Self as Lanes<S, u32>>::load(isa, &blocks[4 * i..]);
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], mut sink: Sink<'_>) {
        for i in (0..K).rev() {
            sink.put(4 * i, words[i].0.to_le_bytes());
        }
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        Self(self.0.rotate_left(r))
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        Self(self.0.rotate_right(r))
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        Self(self.0 << r)
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        Self(self.0 >> r)
    }
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    fn opaque(self) -> Self {
        if cfg!(icefish_msan) {
            return core::hint::black_box(self);
        }
        let mut w = self.0;
        // SAFETY: no instruction.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            core::arch::asm!("/* {0:e} */", inout(reg) w, options(pure, nomem, nostack, preserves_flags));
        }
        // SAFETY: no instruction.
        #[cfg(target_arch = "aarch64")]
        unsafe {
            core::arch::asm!("/* {0:w} */", inout(reg) w, options(pure, nomem, nostack, preserves_flags));
        }
        Self(w)
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl<S: Isa> Lanes<S, u64> for Wrapping<u64> {
    const N: usize = 1;
    #[inline(always)]
    fn splat(_: S, w: u64) -> Self {
        Self(w)
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        Self(0)
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[..8]);
        Self(u64::from_le_bytes(word))
    }
    #[inline(always)]
    fn put(self, mut sink: Sink<'_>) {
        sink.put(0, self.0.to_le_bytes());
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.0.to_le_bytes());
    }
    #[inline(always)]
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K] {
        let mut words = [Self(0); K];
        for (i, w) in words.iter_mut().enumerate() {
            *w = <Self as Lanes<S, u64>>::load(isa, &blocks[8 * i..]);
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], mut sink: Sink<'_>) {
        for i in (0..K).rev() {
            sink.put(8 * i, words[i].0.to_le_bytes());
        }
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        Self(self.0.rotate_left(r))
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        Self(self.0.rotate_right(r))
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        Self(self.0 << r)
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        Self(self.0 >> r)
    }
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    fn opaque(self) -> Self {
        if cfg!(icefish_msan) {
            return core::hint::black_box(self);
        }
        let mut w = self.0;
        // SAFETY: no instruction.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) w, options(pure, nomem, nostack, preserves_flags));
        }
        Self(w)
    }
    #[cfg(all(target_arch = "x86_64", not(icefish_msan)))]
    #[inline(always)]
    fn in_order(self) -> Self {
        let mut w = self.0;
        // SAFETY: no instruction. It is not `pure`, so such blocks keep their order.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) w, options(nomem, nostack, preserves_flags));
        }
        Self(w)
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

/// A row of `N` words, on every instruction set.
///
/// ```
/// use icefish::isa::{Rows, Scalar, Sink, WordRow};
/// let row = <WordRow<u32, 4> as Rows<Scalar, u32>>::first(Scalar, 5);
/// let mut bytes = [0; 16];
/// <WordRow<u32, 4> as Rows<Scalar, u32>>::scatter([row], Sink::new(&mut bytes));
/// assert_eq!(bytes[..4], [5, 0, 0, 0]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct WordRow<W, const N: usize>([Wrapping<W>; N]);

impl<W: Copy, const N: usize> BitXor for WordRow<W, N>
where
    Wrapping<W>: BitXor<Output = Wrapping<W>>,
{
    type Output = Self;
    #[inline(always)]
    fn bitxor(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i] ^ other.0[i];
        }
        self
    }
}
impl<W: Copy, const N: usize> BitAnd for WordRow<W, N>
where
    Wrapping<W>: BitAnd<Output = Wrapping<W>>,
{
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i] & other.0[i];
        }
        self
    }
}
impl<W: Copy, const N: usize> BitOr for WordRow<W, N>
where
    Wrapping<W>: BitOr<Output = Wrapping<W>>,
{
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i] | other.0[i];
        }
        self
    }
}
impl<W: Copy, const N: usize> Not for WordRow<W, N>
where
    Wrapping<W>: Not<Output = Wrapping<W>>,
{
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        for i in 0..N {
            self.0[i] = !self.0[i];
        }
        self
    }
}

impl<S: Isa, W: Copy + Default, const N: usize> Rows<S, W> for WordRow<W, N>
where
    Self: BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>,
    Wrapping<W>: Lanes<S, W>,
{
    const N: usize = 1;
    const REGISTER: bool = false;
    #[inline(always)]
    fn first(_: S, w: W) -> Self {
        let mut words = [Wrapping(W::default()); N];
        words[0] = Wrapping(w);
        Self(words)
    }
    #[inline(always)]
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K] {
        let mut rows = [Self([Wrapping(W::default()); N]); K];
        for i in 0..K {
            rows[i].0 = Wrapping::gather::<N>(isa, &blocks[16 * i..]);
        }
        rows
    }
    #[inline(always)]
    fn scatter<const K: usize>(rows: [Self; K], mut sink: Sink<'_>) {
        for i in (0..K).rev() {
            Wrapping::scatter::<N>(rows[i].0, sink.part(16 * i, 16));
        }
    }
    #[inline(always)]
    fn turn(self, words: usize, bits: u32) -> Self {
        let mut turned = self;
        for i in 0..N {
            let word = self.0[(i + N - words % N) % N];
            turned.0[i] = if bits == 0 { word } else { word.rotl(bits) };
        }
        turned
    }
    #[inline(always)]
    fn shl(mut self, r: u32) -> Self {
        for i in 0..N {
            self.0[i] = self.0[i].shl(r);
        }
        self
    }
    #[inline(always)]
    fn opaque(mut self) -> Self {
        // Elsewhere, a set with one lane has nothing to vectorise with.
        if S::U32::N > 1 || cfg!(target_feature = "sse2") {
            for i in 0..N {
                self.0[i] = self.0[i].opaque();
            }
        }
        self
    }
}
