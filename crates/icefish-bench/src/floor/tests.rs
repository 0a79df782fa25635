use std::cell::Cell;
use std::num::Wrapping;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

use icefish::cipher::{Cipher, Encrypt, NewCipher, Pass, Wide};
use icefish::ciphers::{Aes128, Aes192, Aes256, Ice, Threefish256, Threefish512, Threefish1024};
use icefish::isa::{
    AesRounds, CryptoVectors, Endian, Isa, Lanes, Polynomials, Scalar, Sink, Task, WordRow,
};
use icefish::{Backend, Block, Key};

use super::Core;
use super::counts::{self, Count};
use elements::Elements;

mod elements;
mod model;

thread_local! {
    static PLAIN: Cell<u64> = const { Cell::new(0) };
    static SHIFTS: Cell<u64> = const { Cell::new(0) };
    static ROUNDS: Cell<u64> = const { Cell::new(0) };
}

fn plain<T>(value: T) -> T {
    PLAIN.set(PLAIN.get() + 1);
    value
}

/// What `work` counts: plain operations, shifts, AES rounds.
fn counted(work: impl FnOnce()) -> [u64; 3] {
    let now = || [PLAIN.get(), SHIFTS.get(), ROUNDS.get()];
    let before = now();
    work();
    let after = now();
    [0, 1, 2].map(|i| after[i] - before[i])
}

/// An instruction set with one lane that counts. `TERNARY`: with rotations and functions of three operands.
/// `FIELDS`: with arithmetic in GF(2^8).
#[derive(Clone, Copy, Debug)]
struct Counting<const TERNARY: bool, const FIELDS: bool = false>;

#[derive(Clone, Copy)]
struct Lane<const TERNARY: bool>(Wrapping<u64>);

impl<const TERNARY: bool, const FIELDS: bool> CryptoVectors for Counting<TERNARY, FIELDS> {
    type Aes = State;
    type AesOne = State;
    type AesTwo = State;
    type AesFour = State;
    type Poly = Unused;
    type PolyOne = Unused;
}

impl<const TERNARY: bool, const FIELDS: bool> Isa for Counting<TERNARY, FIELDS> {
    type U32 = Wrapping<u32>;
    type U64 = Lane<TERNARY>;
    type Row32 = WordRow<u32, 4>;
    type Rows32 = WordRow<u32, 4>;
    type Rows64 = WordRow<u64, 2>;
    type Gf256 = Elements<FIELDS, TERNARY>;
    fn run<T: Task>(self, task: T) -> T::Out {
        task.call(self)
    }
}

impl<const T: bool> Add for Lane<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        plain(Self(self.0 + other.0))
    }
}
impl<const T: bool> Sub for Lane<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        plain(Self(self.0 - other.0))
    }
}
impl<const T: bool> BitXor for Lane<T> {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        plain(Self(self.0 ^ other.0))
    }
}
impl<const T: bool> BitAnd for Lane<T> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        plain(Self(self.0 & other.0))
    }
}
impl<const T: bool> BitOr for Lane<T> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        plain(Self(self.0 | other.0))
    }
}
impl<const T: bool> Not for Lane<T> {
    type Output = Self;
    fn not(self) -> Self {
        plain(Self(!self.0))
    }
}

/// A rotation by whole bytes is one shuffle on every vector unit.
fn rotation(ternary: bool, bits: u32) {
    let one = ternary || bits.is_multiple_of(8);
    SHIFTS.set(SHIFTS.get() + if one { 1 } else { 2 });
    PLAIN.set(PLAIN.get() + u64::from(!one));
}

impl<const T: bool, const F: bool> Lanes<Counting<T, F>, u64> for Lane<T> {
    const N: usize = 1;
    const TERNARY: bool = T;
    fn splat(_: Counting<T, F>, w: u64) -> Self {
        Self(Wrapping(w))
    }
    fn index(_: Counting<T, F>) -> Self {
        Self(Wrapping(0))
    }
    fn load(_: Counting<T, F>, bytes: &[u8]) -> Self {
        Self(<Wrapping<u64> as Lanes<Scalar, u64>>::load(Scalar, bytes))
    }
    fn put(self, sink: Sink<'_>) {
        Lanes::<Scalar, u64>::put(self.0, sink);
    }
    fn store(self, bytes: &mut [u8]) {
        Lanes::<Scalar, u64>::store(self.0, bytes);
    }
    fn gather<const K: usize>(_: Counting<T, F>, blocks: &[u8]) -> [Self; K] {
        <Wrapping<u64> as Lanes<Scalar, u64>>::gather::<K>(Scalar, blocks).map(Self)
    }
    fn scatter<const K: usize>(words: [Self; K], sink: Sink<'_>) {
        <Wrapping<u64> as Lanes<Scalar, u64>>::scatter(words.map(|word| word.0), sink);
    }
    fn rotl(self, r: u32) -> Self {
        rotation(T, r);
        Self(Wrapping(self.0.0.rotate_left(r)))
    }
    fn rotr(self, r: u32) -> Self {
        rotation(T, r);
        Self(Wrapping(self.0.0.rotate_right(r)))
    }
    fn shl(self, r: u32) -> Self {
        SHIFTS.set(SHIFTS.get() + 1);
        Self(self.0 << r as usize)
    }
    fn shr(self, r: u32) -> Self {
        SHIFTS.set(SHIFTS.get() + 1);
        Self(self.0 >> r as usize)
    }
    fn swap_bytes(self) -> Self {
        SHIFTS.set(SHIFTS.get() + 1);
        Self(Wrapping(self.0.0.swap_bytes()))
    }
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        let mut out = 0;
        for i in 0..8 {
            if TABLE >> i & 1 == 1 {
                let pick = |word: Self, bit: i32| if i & bit == 0 { !word.0.0 } else { word.0.0 };
                out |= pick(a, 4) & pick(b, 2) & pick(c, 1);
            }
        }
        // Without it, the choice that the kernels ask for, c ^ (a & (b ^ c)), is three operations.
        assert!(T || TABLE == 0xca);
        PLAIN.set(PLAIN.get() + if T { 1 } else { 3 });
        Self(Wrapping(out))
    }
    fn xor3(self, b: Self, c: Self) -> Self {
        PLAIN.set(PLAIN.get() + if T { 1 } else { 2 });
        Self(self.0 ^ b.0 ^ c.0)
    }
    fn andnot(self, other: Self) -> Self {
        plain(Self(!self.0 & other.0))
    }
}

/// An AES state of which only the rounds are counted.
#[derive(Clone, Copy)]
struct State;

fn round(state: State) -> State {
    ROUNDS.set(ROUNDS.get() + 1);
    state
}

impl<S: Isa> AesRounds<S> for State {
    const N: usize = 1;
    const SLICED: bool = false;
    fn splat(_: S, _: &[u8; 16]) -> Self {
        Self
    }
    fn load(_: S, _: &[u8]) -> Self {
        Self
    }
    fn store(self, _: &mut Sink<'_>, _: usize) {}
    fn store_one(self, _: &mut Sink<'_>, _: usize) {}
    fn counters(_: S, _: &[u8; 16], _: Endian, _: u64) -> Self {
        Self
    }
    fn xor(self, _: Self) -> Self {
        self
    }
    fn and(self, _: Self) -> Self {
        self
    }
    fn enc(self, _: Self) -> Self {
        round(self)
    }
    fn enc_last(self, _: Self) -> Self {
        round(self)
    }
    fn dec(self, _: Self) -> Self {
        round(self)
    }
    fn dec_last(self, _: Self) -> Self {
        round(self)
    }
}

/// No kernel that is counted here has polynomials.
#[derive(Clone, Copy)]
struct Unused;

impl<S> Polynomials<S> for Unused {
    const N: usize = 1;
    const SUM: usize = 1;
    fn splat(_: S, _: &[u8; 16]) -> Self {
        Self
    }
    fn first(_: S, _: &[u8; 16]) -> Self {
        Self
    }
    fn load(_: S, _: &[u8]) -> Self {
        Self
    }
    fn store(self, _: &mut [u8]) {}
    fn sum(self) -> [u8; 16] {
        [0; 16]
    }
    fn xor(self, _: Self) -> Self {
        self
    }
    fn reverse_bytes(self) -> Self {
        self
    }
    fn swap_halves(self) -> Self {
        self
    }
    fn mul_low(self, _: Self) -> Self {
        self
    }
    fn mul_high(self, _: Self) -> Self {
        self
    }
    fn times_x8(self, _: S, _: usize) -> Self {
        self
    }
}

/// Whole blocks in place.
struct InPlace<'a> {
    data: &'a mut [u8],
    block: usize,
}

impl Pass for InPlace<'_> {
    const BACKWARD: bool = false;
    type Beside<S: Isa> = ();
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        assert_eq!(count, W::BLOCKS, "whole batches");
        W::load(isa, &self.data[at * self.block..(at + count) * self.block])
    }
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        blocks.store(isa, Sink::new(&mut self.data[at * self.block..(at + count) * self.block]));
    }
}

/// The operations of `blocks` blocks by the cipher's own kernel, whose output must be right.
fn kernel<C: Cipher + Clone + 'static, const TERNARY: bool>(
    cipher: &C,
    blocks: usize,
    right: bool,
) -> [u64; 3] {
    kernel_on(Counting::<TERNARY>, cipher, blocks, right)
}

/// The same on any set.
fn kernel_on<S: Isa, C: Cipher + Clone + 'static>(
    isa: S,
    cipher: &C,
    blocks: usize,
    right: bool,
) -> [u64; 3] {
    let block = C::Block::LEN;
    let mut data: Vec<u8> = (0..block * blocks).map(|i| (i % 251) as u8).collect();
    let mut expected = data.clone();
    let key = Key::from_cipher(Backend::Scalar(Scalar), cipher.clone());
    for bytes in expected.chunks_exact_mut(block) {
        let mut one = C::Block::take(bytes);
        key.encrypt_block(&mut one);
        bytes.copy_from_slice(one.as_ref());
    }
    let mut pass = InPlace { data: &mut data, block };
    let counts = counted(|| {
        cipher.many::<S, Encrypt, _>(isa, &mut pass, blocks);
    });
    assert!(!right || data == expected, "the counting lanes compute something else");
    counts
}

fn threefish<C: NewCipher + Clone + 'static>(words: usize) {
    let key: Vec<u8> = (0..8 * words).map(|i| i as u8).collect();
    let mut cipher = C::blank();
    cipher.schedule(Scalar, &key, &[7; 16]);
    for (ternary, counts) in
        [(false, kernel::<C, false>(&cipher, 1, true)), (true, kernel::<C, true>(&cipher, 1, true))]
    {
        let Count { plain, shifts, .. } = counts::threefish(words, ternary);
        assert_eq!(counts, [plain as u64, shifts as u64, 0], "{words} words, {ternary}");
    }
}

#[test]
fn threefish_has_these_operations() {
    threefish::<Threefish256>(4);
    threefish::<Threefish512>(8);
    threefish::<Threefish1024>(16);
    // What DESIGN.md names: eight blocks in registers of eight lanes.
    assert_eq!(counts::threefish(16, true).all(), 2256.0);
}

/// Level 1 has eight rounds more than Thin-ICE; all else is equal, the transpositions too.
#[test]
fn a_round_of_ice_has_these_operations() {
    fn round<S: Isa>(isa: S, blocks: usize) -> [f64; 2] {
        let [thin, one] = [0, 1].map(|level| {
            let ice = Ice::new(level, b"8 bytes!").expect("a key of eight bytes").constant_time();
            kernel_on(isa, &ice, blocks, true)
        });
        [0, 1].map(|i| (one[i] - thin[i]) as f64 / 8.0)
    }
    assert_eq!(round(Counting::<false>, 64), [counts::ICE_PLAIN, 0.0]);
    assert_eq!(round(Counting::<true>, 64), [counts::ICE_TERNARY, 0.0]);
    assert_eq!(round(Counting::<true, true>, 8), counts::ICE_FIELDS);
    assert_eq!(round(Counting::<false, true>, 8), counts::ICE_FIELDS_PLAIN);
}

#[test]
fn aes_has_these_rounds() {
    fn rounds<C: NewCipher + Clone + 'static>(key: &[u8]) -> f64 {
        let mut cipher = C::blank();
        cipher.schedule(Scalar, key, &[]);
        kernel::<C, true>(&cipher, 8, false)[2] as f64 / 8.0
    }
    assert_eq!(rounds::<Aes128>(&[7; 16]), counts::aes_rounds(128));
    assert_eq!(rounds::<Aes192>(&[7; 24]), counts::aes_rounds(192));
    assert_eq!(rounds::<Aes256>(&[7; 32]), counts::aes_rounds(256));
}

#[test]
fn floors_are_operations_over_what_a_cycle_starts() {
    use crate::contest::contests;
    use crate::identity::Identity;
    let core = Core::of("AMD EPYC (family 26, model 2, stepping 1)").expect("Zen 5");
    assert_eq!(Core::of("Some CPU (family 6, model 1, stepping 1)"), None);
    let floor = |name: &str, core: &Core, backend: &str| {
        let contest = contests(&[name.to_owned()]).remove(0);
        let id = Identity { backend: backend.into(), ..crate::samples::identity(name) };
        core.floor(contest.operation, contest.kind, &id)
    };
    // 2,256 operations, four a cycle, for eight blocks of 128 bytes.
    assert_eq!(floor("threefish1024_enc", &core, "avx512"), Some(2256.0 / 4.0 / 1024.0));
    assert_eq!(floor("threefish1024_enc", &core, "scalar"), None);
    // Ten rounds of four cycles; and two a cycle, of four states each.
    assert_eq!(floor("aes128_cbc_enc", &core, "avx2"), Some(2.5));
    assert_eq!(floor("aes128_ecb_enc", &core, "avx512_vaes"), Some(10.0 / 8.0 / 16.0));
    // 588 operations on a core of two such registers, for sixteen states.
    let skylake = Core::of("Xeon (family 6, model 85, stepping 7)").expect("Skylake");
    assert_eq!(floor("xoodoo12", &skylake, "avx512"), Some(588.0 / 2.0 / 768.0));
    let peer = Identity { peer: "peer".into(), ..crate::samples::identity("n") };
    let contest = contests(&[]).remove(0);
    assert_eq!(core.floor(contest.operation, contest.kind, &peer), None);
}
