//! Every operation of every backend, compared with its definition on single words and bytes.

mod aes;
#[cfg(target_arch = "x86_64")]
mod cpuid;
mod gf256;
mod rows;
mod shared;

use super::{
    AesRounds, Backend, Extension, Gf256, InOut, Instructions, Isa, Lanes, Polynomials, Sink, Task,
};
use core::fmt::Debug;
use core::marker::PhantomData;
use core::num::Wrapping;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::vec::Vec;

/// Runs `task` on every backend of this CPU.
fn on_every_backend<T: Task<Out = ()> + Copy>(task: T) {
    for backend in Backend::available() {
        std::println!("{backend}");
        backend.run(task);
    }
}

/// Pseudo-random bytes (SplitMix64).
fn random(seed: u64, len: usize) -> Vec<u8> {
    let word = |i: usize| {
        let state = seed.wrapping_add((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 56) as u8
    };
    (0..len).map(word).collect()
}

/// What [`ALL`](super::backend) says of a backend is what its token has.
#[test]
fn instructions_are_those_of_the_kernels() {
    #[derive(Clone, Copy)]
    struct Check(Backend);
    impl Task for Check {
        type Out = ();
        const EXTENSION: Extension = Extension::Aes;
        fn call<S: Isa>(self, _: S) {
            let said = self.0.instructions();
            assert_eq!(said.bits, 64 * S::U64::N, "{}", self.0);
            assert_eq!(said.aes, !S::Aes::SLICED, "{}", self.0);
            assert_eq!(said.wide_aes, said.aes && S::Aes::N > 1, "{}", self.0);
        }
    }
    #[derive(Clone, Copy)]
    struct CheckFields(Backend);
    impl Task for CheckFields {
        type Out = ();
        const EXTENSION: Extension = Extension::Gf256;
        fn call<S: Isa>(self, _: S) {
            assert_eq!(self.0.instructions().gf256, S::Gf256::FAST, "{}", self.0);
        }
    }
    for backend in Backend::available() {
        backend.run(Check(backend));
        backend.run(CheckFields(backend));
        assert_eq!(Instructions::of(backend.name()), Some(backend.instructions()));
    }
    assert_eq!(Instructions::of("mmx"), None);
}

/// What XTS makes tweaks with, where a set has it.
#[test]
fn polynomials_times_x() {
    #[derive(Clone, Copy)]
    struct Check;
    impl Task for Check {
        type Out = ();
        const EXTENSION: Extension = Extension::Aes;
        fn call<S: Isa>(self, isa: S) {
            if !<S::Poly as Polynomials<S>>::HAS_TIMES_X {
                return;
            }
            for x in [0, 1, 1 << 31, 1 << 63, 1 << 64, 1 << 95, 1 << 127, u128::MAX] {
                let mut got = S::Poly::splat(isa, &x.to_le_bytes());
                let (mut signs, mut expected) = (got.signs(), x);
                for i in 0..31 {
                    got = got.times_x(&mut signs);
                    expected = expected << 1 ^ if expected >> 127 == 1 { 0x87 } else { 0 };
                    let mut bytes = std::vec![0; 16 * S::Poly::N];
                    got.store(&mut bytes);
                    assert!(bytes.chunks(16).all(|b| b == expected.to_le_bytes()), "{x:#x}, {i}");
                }
            }
        }
    }
    on_every_backend(Check);
}

/// Whether `f` panics. Where a panic ends the process, as on WebAssembly, `f` is not called, and the result is `true`.
fn panics(f: impl FnOnce()) -> bool {
    cfg!(panic = "abort") || catch_unwind(AssertUnwindSafe(f)).is_err()
}

/// Words. Their arithmetic is that of `u64`, truncated.
trait Word: Copy + Debug + PartialEq + 'static {
    type Lanes<S: Isa>: Lanes<S, Self>;
    type One<S: Isa>: Lanes<S, Self>;
    const BITS: u32;
    fn of(w: u64) -> Self;
    fn wide(self) -> u64;
}

impl Word for u32 {
    type Lanes<S: Isa> = S::U32;
    type One<S: Isa> = Wrapping<u32>;
    const BITS: u32 = 32;
    fn of(w: u64) -> Self {
        w as u32
    }
    fn wide(self) -> u64 {
        self.into()
    }
}

impl Word for u64 {
    type Lanes<S: Isa> = S::U64;
    type One<S: Isa> = Wrapping<u64>;
    const BITS: u32 = 64;
    fn of(w: u64) -> Self {
        w
    }
    fn wide(self) -> u64 {
        self
    }
}

fn rotate_left<W: Word>(w: u64, r: u32) -> u64 {
    if r == 0 { w } else { w << r | w >> (W::BITS - r) }
}

/// Little-endian words of bytes.
fn words<W: Word>(bytes: &[u8]) -> Vec<W> {
    let word = |b: &[u8]| b.iter().rev().fold(0, |w, &byte| w << 8 | u64::from(byte));
    bytes.chunks_exact(W::BITS as usize / 8).map(|b| W::of(word(b))).collect()
}

/// The lanes of a vector.
fn lanes<S: Isa, W: Word, V: Lanes<S, W>>(v: V) -> Vec<W> {
    let mut bytes = random(0, 64);
    let size = V::N * W::BITS as usize / 8;
    v.store(&mut bytes);
    assert_eq!(bytes[size..], random(0, 64)[size..], "store writes one vector");
    words(&bytes[..size])
}

/// One vector type.
struct Checks<S, W, V>(S, PhantomData<(W, V)>);

impl<S: Isa, W: Word, V: Lanes<S, W>> Checks<S, W, V> {
    const BYTES: usize = W::BITS as usize / 8;
    const SIZE: usize = V::N * Self::BYTES;

    fn all(self) {
        assert!(V::N.is_power_of_two());
        self.memory();
        self.constants();
        self.arithmetic();
        self.shifts();
        self.ternary();
    }

    fn equal(name: &str, got: V, expected: impl Fn(usize) -> u64) {
        let expected: Vec<W> = (0..V::N).map(|j| W::of(expected(j))).collect();
        assert_eq!(lanes::<S, W, V>(got), expected, "{name}");
    }

    fn memory(&self) {
        let bytes = random(1, 80);
        for at in 0..16 {
            let v = V::load(self.0, &bytes[at..]);
            assert_eq!(lanes::<S, W, V>(v), words(&bytes[at..at + Self::SIZE]));
            let mut out = [0; 80];
            v.store(&mut out[at..at + Self::SIZE]);
            assert_eq!(out[at..at + Self::SIZE], bytes[at..at + Self::SIZE]);
        }
        let short = Self::SIZE - 1;
        assert!(panics(|| drop(lanes::<S, W, V>(V::load(self.0, &bytes[..short])))));
        assert!(panics(|| V::splat(self.0, W::of(0)).store(&mut [0; 64][..short])));
    }

    fn constants(&self) {
        Self::equal("index", V::index(self.0), |j| j as u64);
        for w in [0, 1, 0x8000_0000, 0x0123_4567_89ab_cdef, u64::MAX] {
            Self::equal("splat", V::splat(self.0, W::of(w)), |_| w);
        }
    }

    fn arithmetic(&self) {
        for seed in 0..8 {
            let bytes = random(seed, 3 * Self::SIZE);
            let vector = |i: usize| V::load(self.0, &bytes[i * Self::SIZE..]);
            let (a, b, c) = (vector(0), vector(1), vector(2));
            let all = words::<W>(&bytes);
            let word = |i: usize, j: usize| all[i * V::N + j].wide();
            Self::equal("+", a + b, |j| word(0, j).wrapping_add(word(1, j)));
            Self::equal("-", a - b, |j| word(0, j).wrapping_sub(word(1, j)));
            Self::equal("^", a ^ b, |j| word(0, j) ^ word(1, j));
            Self::equal("&", a & b, |j| word(0, j) & word(1, j));
            Self::equal("|", a | b, |j| word(0, j) | word(1, j));
            Self::equal("!", !a, |j| !word(0, j));
            Self::equal("andnot", a.andnot(b), |j| !word(0, j) & word(1, j));
            Self::equal("xor3", a.xor3(b, c), |j| word(0, j) ^ word(1, j) ^ word(2, j));
            let swapped = |j| word(0, j).swap_bytes() >> (64 - W::BITS);
            Self::equal("swap_bytes", a.swap_bytes(), swapped);
        }
        let (zero, one) = (V::splat(self.0, W::of(0)), V::splat(self.0, W::of(1)));
        Self::equal("0 - 1", zero - one, |_| u64::MAX);
        Self::equal("-1 + 1", !zero + one, |_| 0);
    }

    fn shifts(&self) {
        let bytes = random(9, Self::SIZE);
        let (v, w) = (V::load(self.0, &bytes), words::<W>(&bytes));
        let word = |j: usize| w[j].wide();
        for r in 0..W::BITS {
            // The count is a constant in kernels, and a variable here.
            Self::equal("rotl", v.rotl(r), |j| rotate_left::<W>(word(j), r));
            Self::equal("shl", v.shl(r), |j| word(j) << r);
            Self::equal("shr", v.shr(r), |j| word(j) >> r);
            if r > 0 {
                Self::equal("rotr", v.rotr(r), |j| rotate_left::<W>(word(j), W::BITS - r));
            }
        }
        Self::equal("rotl 1", v.rotl(1), |j| rotate_left::<W>(word(j), 1));
        Self::equal("rotl 8", v.rotl(8), |j| rotate_left::<W>(word(j), 8));
        Self::equal("rotl 11", v.rotl(11), |j| rotate_left::<W>(word(j), 11));
        Self::equal("rotr 16", v.rotr(16), |j| rotate_left::<W>(word(j), W::BITS - 16));
        Self::equal("xor, rotr 5", (v ^ !v.shl(1)).rotr(5), |j| {
            rotate_left::<W>(W::of(word(j) ^ !(word(j) << 1)).wide(), W::BITS - 5)
        });
    }

    /// With these inputs, every byte of the result equals the table.
    fn ternary(&self) {
        let input = |byte: u64| V::splat(self.0, W::of(byte * 0x0101_0101_0101_0101));
        let (a, b, c) = (input(0xf0), input(0xcc), input(0xaa));
        for (table, v) in tables(a, b, c).into_iter().enumerate() {
            Self::equal("ternary", v, |_| table as u64 * 0x0101_0101_0101_0101);
        }
    }

    /// [`Lanes::gather`], compiled once for all calls.
    #[inline(never)]
    fn gather<const K: usize>(&self, bytes: &[u8]) -> [V; K] {
        V::gather::<K>(self.0, bytes)
    }

    /// [`Lanes::scatter`], compiled once for all calls.
    #[inline(never)]
    fn scatter<const K: usize>(words: [V; K], sink: Sink<'_>) {
        V::scatter::<K>(words, sink);
    }

    /// Gather and scatter of blocks of `K` words.
    fn blocks<const K: usize>(&self) {
        let (block, size) = (K * Self::BYTES, K * Self::SIZE);
        let bytes = random(K as u64, size + 3);
        for at in 0..3 {
            let gathered = self.gather::<K>(&bytes[at..]);
            for (i, &v) in gathered.iter().enumerate() {
                let all = words::<W>(&bytes[at..at + size]);
                Self::equal("gather", v, |j| all[K * j + i].wide());
            }
            let mut out = std::vec![0; size + 3];
            Self::scatter::<K>(gathered, Sink::new(&mut out[at..at + size]));
            assert_eq!(out[at..at + size], bytes[at..at + size], "scatter of {K}");
            assert!(out[..at].iter().chain(&out[at + size..]).all(|&b| b == 0));
            let with = random(99, size);
            Self::scatter::<K>(gathered, Sink::new(&mut out[at..at + size]).xor(&with));
            for i in 0..size {
                assert_eq!(out[at + i], bytes[at + i] ^ with[i], "scatter of {K} with XOR");
            }
        }
        let gathered = self.gather::<K>(&bytes);
        // In place, XORed with earlier bytes. In CBC decryption, the distance is one block.
        for distance in [0, 1, 4, 8, 13, 16, 32, 64, block, 2 * block] {
            let before = random(7, size + distance);
            let mut data = before.clone();
            let mut io = InOut::in_place(&mut data);
            Self::scatter::<K>(gathered, io.sink_xor_input(distance, size, 0));
            for i in 0..size {
                let expected = bytes[i] ^ before[i];
                assert_eq!(data[distance + i], expected, "scatter of {K}, distance {distance}");
            }
        }
        assert!(panics(|| drop(self.gather::<K>(&bytes[..size - 1]).map(lanes::<S, W, V>))));
        assert!(panics(|| Self::scatter::<K>(gathered, Sink::new(&mut random(0, size - 1)))));
    }
}

impl<S: Isa, W: Word + Into<u64>, V: Lanes<S, W>> Checks<S, W, V> {
    /// Words that change places.
    fn places(&self) {
        let bytes = random(11, 2 * Self::SIZE);
        let words = words::<W>(&bytes);
        let all: Vec<u64> = words.iter().map(|w| w.wide()).collect();
        let (low, high) = (V::load(self.0, &bytes), V::load(self.0, &bytes[Self::SIZE..]));
        Self::equal("of", V::of(self.0, &words[1..]), |j| all[j + 1]);
        assert!(panics(|| drop(lanes::<S, W, V>(V::of(self.0, &words[..V::N - 1])))));
        if V::N > 8 {
            return assert!(panics(|| drop(lanes::<S, W, V>(low.swap(self.0, 1)))));
        }
        for mask in 0..V::N {
            Self::equal("swap", low.swap(self.0, mask), |j| all[j ^ mask]);
        }
        for seed in 0..20 {
            let mut from = [0; 8];
            for (place, byte) in from.iter_mut().zip(random(seed, 8)) {
                *place = usize::from(byte) % (2 * V::N);
            }
            Self::equal("pick", V::pick(self.0, low, high, &from), |j| all[from[j]]);
            let bits = from.map(|place| (place as u32 * 13 + seed as u32) % W::BITS);
            let rotated = |j: usize| rotate_left::<W>(all[j], bits[j]);
            Self::equal("rotl_each", low.rotl_each(self.0, &bits), rotated);
        }
    }
}

macro_rules! sixteen_tables {
    ($out:ident, $a:ident $b:ident $c:ident, $high:literal, $($low:literal)*) => {
        $($out[16 * $high + $low] = V::ternary::<{ 16 * $high + $low }>($a, $b, $c);)*
    };
}

macro_rules! all_tables {
    ($out:ident, $a:ident $b:ident $c:ident, $($high:literal)*) => {
        $(sixteen_tables!($out, $a $b $c, $high, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);)*
    };
}

/// The ternary operations of all tables.
#[inline(never)]
fn tables<S: Isa, W, V: Lanes<S, W>>(a: V, b: V, c: V) -> [V; 256] {
    let mut out = [a; 256];
    all_tables!(out, a b c, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    out
}

/// Vectors of one width are the same with AES and without, and compiling this for all of them would take minutes.
#[derive(Clone, Copy)]
struct Operations;

impl Task for Operations {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    fn call<S: Isa>(self, isa: S) {
        fn both<S: Isa, W: Word>(isa: S) {
            Checks::<S, W, W::Lanes<S>>(isa, PhantomData).all();
            Checks::<S, W, W::One<S>>(isa, PhantomData).all();
        }
        both::<S, u32>(isa);
        both::<S, u64>(isa);
        Checks::<S, u32, S::U32>(isa, PhantomData).places();
        Checks::<S, u64, S::U64>(isa, PhantomData).places();
        Checks::<S, u64, Wrapping<u64>>(isa, PhantomData).places();
    }
}

#[derive(Clone, Copy)]
struct Transpositions;

impl Task for Transpositions {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    fn call<S: Isa>(self, isa: S) {
        fn narrow<S: Isa, V: Lanes<S, u32>>(isa: S) {
            let checks = Checks::<S, u32, V>(isa, PhantomData);
            checks.blocks::<4>();
            checks.blocks::<8>();
            checks.blocks::<12>();
            checks.blocks::<16>();
        }
        fn wide<S: Isa, V: Lanes<S, u64>>(isa: S) {
            let checks = Checks::<S, u64, V>(isa, PhantomData);
            checks.blocks::<2>();
            checks.blocks::<4>();
            checks.blocks::<6>();
            checks.blocks::<8>();
            checks.blocks::<16>();
        }
        narrow::<S, S::U32>(isa);
        narrow::<S, Wrapping<u32>>(isa);
        wide::<S, S::U64>(isa);
        wide::<S, Wrapping<u64>>(isa);
    }
}

#[test]
fn operations_of_lanes() {
    on_every_backend(Operations);
}

/// Lanes that belong to one set, and are not its vectors of words.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[test]
fn lanes_of_sse2() {
    use super::{Scalar, portable::Pair};
    let checks = || Checks::<Scalar, u64, Pair>(Scalar, PhantomData);
    checks().all();
    checks().places();
    checks().blocks::<2>();
    checks().blocks::<8>();
}

#[test]
fn gather_and_scatter() {
    on_every_backend(Transpositions);
}
