//! NEON, which every AArch64 CPU has: two lanes of 64 bits, four of 32.
//!
//! A vector is one register. Two would hide more latency in Threefish-256 and Xoodoo64. But then the state of Threefish-1024
//! would take all 32 vector registers, and that of Xoodoo 24 of them, which leaves too few for other values.
#![allow(unsafe_code)]
// The intrinsics are inlined nevertheless, once the caller is inlined into a function `compiled` of a set.
#![allow(inline_always_mismatching_target_features)]

mod arithmetic;

use super::aes;
use super::aes::{ArmAes, HasArmAes};
use super::clmul::Pmull;
use super::memory::{load, put, transpose, transpose_words};
use crate::isa::aes::permuted::{Bytes, Permuted};
use crate::isa::aes::planes::Planes;
use crate::isa::clmul::soft::SoftPoly;
use crate::isa::entry::compiled;
use crate::isa::{CryptoVectors, Endian, Isa, Lanes, Octets, Sink, Task, WordRow, mixed};
use core::arch::aarch64::*;
use core::marker::PhantomData;

/// NEON alone, for CPUs that lack the AES extension, such as that of a Raspberry Pi 4. AES is bit-sliced, or by byte shuffles.
///
/// ```
/// # #[cfg(target_arch = "aarch64")] {
/// use icefish::{Backend, isa::NeonNoAes};
/// if let Some(isa) = NeonNoAes::new() {
///     assert_eq!(Backend::NeonNoAes(isa).name(), "neon_noaes");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NeonNoAes(());

impl NeonNoAes {
    /// The token: every AArch64 target that this crate compiles for has NEON.
    pub fn new() -> Option<Self> {
        Some(Self(()))
    }
}

/// NEON and the AES extension.
///
/// ```
/// # #[cfg(target_arch = "aarch64")] {
/// use icefish::{Backend, isa::Neon};
/// if let Some(isa) = Neon::new() {
///     assert_eq!(Backend::Neon(isa).name(), "neon");
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Neon(());

impl Neon {
    /// The token, if this CPU has both.
    pub fn new() -> Option<Self> {
        super::aes::detected().then_some(Self(()))
    }
}

/// Tokens that prove NEON and, if `SHA3`, the SHA-3 extension. No token is of both kinds, so they share no vectors.
///
/// # Safety
/// A value of the type must exist only on a CPU that has them.
pub(super) unsafe trait HasNeon<const SHA3: bool>: Isa {}

// SAFETY: the target has NEON.
unsafe impl HasNeon<false> for NeonNoAes {}
// SAFETY: the target has NEON.
unsafe impl HasNeon<false> for Neon {}
// SAFETY: `new` checked the CPU.
unsafe impl HasArmAes for Neon {}

impl CryptoVectors for NeonNoAes {
    type Aes = Planes<Self, Vec128<u64, false>>;
    type AesOne = Permuted<Self, Vec128<u64, false>>;
    type AesTwo = Permuted<Self, Vec128<u64, false>>;
    type AesFour = Permuted<Self, Vec128<u64, false>>;
    type Poly = SoftPoly;
    type PolyOne = SoftPoly;
}

compiled!(NeonNoAes, NeonNoAes(()), enable = "neon");

impl Isa for NeonNoAes {
    type U32 = Vec128<u32, false>;
    type U64 = Vec128<u64, false>;
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

impl CryptoVectors for Neon {
    type Aes = ArmAes;
    type AesOne = ArmAes;
    type AesTwo = ArmAes;
    type AesFour = ArmAes;
    type Poly = Pmull;
    type PolyOne = Pmull;
}

compiled!(Neon, Neon(()), enable = "neon,aes");

impl Isa for Neon {
    type U32 = Vec128<u32, false>;
    type U64 = Vec128<u64, false>;
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

/// 128 bits as words of type `W`, on a CPU that has the SHA-3 extension if `SHA3`.
#[derive(Clone, Copy, Debug)]
pub struct Vec128<W, const SHA3: bool>(uint64x2_t, PhantomData<W>);

/// Every value of `Vec128` was made with a token of [`HasNeon`] of its kind or from such values. That makes the intrinsics of this
/// file legal.
#[inline(always)]
fn vec<W, const SHA3: bool>(v: uint64x2_t) -> Vec128<W, SHA3> {
    Vec128(v, PhantomData)
}

/// Four words of 32 bits.
#[inline(always)]
fn vec32<const SHA3: bool>(v: uint32x4_t) -> Vec128<u32, SHA3> {
    // SAFETY: only called where a token or a value proves NEON.
    vec(unsafe { vreinterpretq_u64_u32(v) })
}

impl<const SHA3: bool> Vec128<u32, SHA3> {
    #[inline(always)]
    fn words(self) -> uint32x4_t {
        // SAFETY: the value proves NEON.
        unsafe { vreinterpretq_u32_u64(self.0) }
    }
}

impl<S: HasNeon<SHA3>, const SHA3: bool> Lanes<S, u64> for Vec128<u64, SHA3> {
    const N: usize = 2;
    #[inline(always)]
    fn splat(_: S, w: u64) -> Self {
        // SAFETY: the token proves NEON.
        vec(unsafe { vdupq_n_u64(w) })
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        // SAFETY: the token proves NEON; 16 readable bytes.
        vec(unsafe { vld1q_u64([0, 1].as_ptr()) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        vec(load(bytes))
    }
    #[inline(always)]
    fn put(self, mut sink: Sink<'_>) {
        put(&mut sink, 0, self.0);
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        put(&mut Sink::new(&mut bytes[..16]), 0, self.0);
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        const { assert!(K.is_multiple_of(2)) };
        let blocks = &blocks[..16 * K];
        let mut words = [vec(load(blocks)); K];
        for c in 0..K / 2 {
            let rows = [load(&blocks[16 * c..]), load(&blocks[8 * K + 16 * c..])];
            (words[2 * c].0, words[2 * c + 1].0) = transpose(rows[0], rows[1]);
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], mut sink: Sink<'_>) {
        const { assert!(K.is_multiple_of(2)) };
        for i in (0..2).rev() {
            for c in (0..K / 2).rev() {
                let rows = transpose(words[2 * c].0, words[2 * c + 1].0);
                put(&mut sink, 8 * K * i + 16 * c, if i == 0 { rows.0 } else { rows.1 });
            }
        }
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        // With SHA-3, the compiler emits one instruction (XAR) for a rotation and an XOR before it.
        if r.is_multiple_of(8) && !SHA3 {
            return vec(rotate_bytes::<8>(self.0, r / 8));
        }
        <Self as Lanes<S, u64>>::shl(self, r) | <Self as Lanes<S, u64>>::shr(self, 64 - r)
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        <Self as Lanes<S, u64>>::rotl(self, 64 - r)
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: the value proves NEON.
        vec(unsafe { vshlq_u64(self.0, vdupq_n_s64(i64::from(r))) })
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        // SAFETY: the value proves NEON.
        vec(unsafe { vshlq_u64(self.0, vdupq_n_s64(-i64::from(r))) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the value proves NEON.
        vec(unsafe { vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(self.0))) })
    }
}

impl<S: HasNeon<SHA3>, const SHA3: bool> Lanes<S, u32> for Vec128<u32, SHA3> {
    const N: usize = 4;
    #[inline(always)]
    fn splat(_: S, w: u32) -> Self {
        // SAFETY: the token proves NEON.
        vec32(unsafe { vdupq_n_u32(w) })
    }
    #[inline(always)]
    fn index(_: S) -> Self {
        // SAFETY: the token proves NEON; 16 readable bytes.
        vec32(unsafe { vld1q_u32([0, 1, 2, 3].as_ptr()) })
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        vec(load(bytes))
    }
    #[inline(always)]
    fn put(self, mut sink: Sink<'_>) {
        put(&mut sink, 0, self.0);
    }
    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        put(&mut Sink::new(&mut bytes[..16]), 0, self.0);
    }
    #[inline(always)]
    fn gather<const K: usize>(_: S, blocks: &[u8]) -> [Self; K] {
        const { assert!(K.is_multiple_of(4)) };
        let blocks = &blocks[..16 * K];
        let mut words = [vec(load(blocks)); K];
        for c in 0..K / 4 {
            let row = |i: usize| load(&blocks[4 * K * i + 16 * c..]);
            let t = transpose_words([row(0), row(1), row(2), row(3)]);
            for i in 0..4 {
                words[4 * c + i] = vec(t[i]);
            }
        }
        words
    }
    #[inline(always)]
    fn scatter<const K: usize>(words: [Self; K], mut sink: Sink<'_>) {
        const { assert!(K.is_multiple_of(4)) };
        let mut rows = [[words[0].0; 4]; K];
        for c in 0..K / 4 {
            let w = &words[4 * c..];
            rows[c] = transpose_words([w[0].0, w[1].0, w[2].0, w[3].0]);
        }
        for i in (0..4).rev() {
            for c in (0..K / 4).rev() {
                put(&mut sink, 4 * K * i + 16 * c, rows[c][i]);
            }
        }
    }
    #[inline(always)]
    fn rotl(self, r: u32) -> Self {
        if r.is_multiple_of(8) {
            return vec(rotate_bytes::<4>(self.0, r / 8));
        }
        <Self as Lanes<S, u32>>::shl(self, r) | <Self as Lanes<S, u32>>::shr(self, 32 - r)
    }
    #[inline(always)]
    fn rotr(self, r: u32) -> Self {
        <Self as Lanes<S, u32>>::rotl(self, 32 - r)
    }
    #[inline(always)]
    fn shl(self, r: u32) -> Self {
        // SAFETY: the value proves NEON.
        vec32(unsafe { vshlq_u32(self.words(), vdupq_n_s32(r as i32)) })
    }
    #[inline(always)]
    fn shr(self, r: u32) -> Self {
        // SAFETY: the value proves NEON.
        vec32(unsafe { vshlq_u32(self.words(), vdupq_n_s32(-(r as i32))) })
    }
    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: the value proves NEON.
        vec(unsafe { vreinterpretq_u64_u8(vrev32q_u8(vreinterpretq_u8_u64(self.0))) })
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        if SHA3 {
            // SAFETY: the values prove the SHA-3 extension.
            return vec(unsafe { veor3q_u64(self.0, b.0, c.0) });
        }
        self ^ (b ^ c)
    }
}

impl<S: HasNeon<SHA3>, const SHA3: bool> Bytes<S> for Vec128<u64, SHA3> {
    const N: usize = 1;
    const TERNARY: bool = SHA3;
    #[inline(always)]
    fn splat(_: S, row: &[u8; 16]) -> Self {
        vec(load(row))
    }
    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        vec(load(bytes))
    }
    #[inline(always)]
    fn put(self, sink: &mut Sink<'_>, at: usize) {
        put(sink, at, self.0);
    }
    #[inline(always)]
    fn put_first(self, sink: &mut Sink<'_>, at: usize) {
        put(sink, at, self.0);
    }
    #[inline(always)]
    fn counters<const R: usize>(_: S, template: &[u8; 16], endian: Endian, low: u64) -> [Self; R] {
        let mut x = [vec(aes::counter(template, endian, low)); R];
        for i in 1..R {
            x[i] = vec(aes::counter(template, endian, low.wrapping_add(i as u64)));
        }
        x
    }
    #[inline(always)]
    fn pick(self, from: Self) -> Self {
        let (row, from) = (self.bytes(), from.bytes());
        // SAFETY: the values prove NEON.
        vec(unsafe { vreinterpretq_u64_u8(mixed::<1, _>(vqtbl1q_u8(row, from), from)) })
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        <Self as Lanes<S, u64>>::xor3(self, b, c)
    }
    #[inline(always)]
    fn halves(self, low: Self) -> [Self; 2] {
        // SAFETY: the value proves NEON.
        let high = unsafe { vreinterpretq_u64_u8(vshrq_n_u8::<4>(self.bytes())) };
        [self & low, vec(high)]
    }
}

impl<const SHA3: bool> Vec128<u64, SHA3> {
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        // SAFETY: the value proves NEON.
        unsafe { vreinterpretq_u8_u64(self.0) }
    }
}

/// Rotates words of `W` bytes left by `r` bytes in one instruction.
#[inline(always)]
fn rotate_bytes<const W: u8>(words: uint64x2_t, r: u32) -> uint64x2_t {
    let places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    // SAFETY: only called where a value proves NEON; 16 readable bytes.
    unsafe {
        let places = vld1q_u8(places.as_ptr());
        let word = vandq_u8(places, vdupq_n_u8(!(W - 1)));
        let from = vsubq_u8(places, vdupq_n_u8(r as u8));
        let from = vorrq_u8(word, vandq_u8(from, vdupq_n_u8(W - 1)));
        vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(words), from))
    }
}
