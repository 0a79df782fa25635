//! AES rounds, compared with FIPS 197 byte by byte.

use super::{on_every_backend, panics, random};
use crate::isa::{AesRounds, Endian, InOut, Isa, Sink, Task, aes::sbox as networks};
use core::marker::PhantomData;
use std::sync::LazyLock;
use std::vec::Vec;

type State = [u8; 16];

fn state(hex: u128) -> State {
    hex.to_be_bytes()
}

/// The product in GF(2^8) (FIPS 197, section 4.2).
fn times(a: u8, b: u8) -> u8 {
    (0..8).rev().fold(0, |product, i| {
        let doubled = (product << 1) ^ ((product >> 7) * 0x1b);
        doubled ^ ((b >> i & 1) * a)
    })
}

/// Section 5.1.1.
fn sbox(b: u8) -> u8 {
    let inverse = (0..254).fold(1, |power, _| times(power, b));
    (0..5).fold(0x63, |sum, r| sum ^ inverse.rotate_left(r))
}

fn xor(a: State, b: State) -> State {
    core::array::from_fn(|i| a[i] ^ b[i])
}

static SBOX: LazyLock<[u8; 256]> = LazyLock::new(|| core::array::from_fn(|b| sbox(b as u8)));

fn sub_bytes(s: State) -> State {
    s.map(|b| SBOX[usize::from(b)])
}

fn inv_sub_bytes(s: State) -> State {
    s.map(|b| SBOX.iter().position(|&x| x == b).unwrap() as u8)
}

/// Row `r` of column `c` of the result comes from column `c + r`: byte `i` comes from byte `5 i` modulo 16.
fn shift_rows(s: State) -> State {
    core::array::from_fn(|i| s[5 * i % 16])
}

fn inv_shift_rows(s: State) -> State {
    core::array::from_fn(|i| s[13 * i % 16])
}

/// Multiplies each column by a circulant matrix.
fn mix(s: State, row: [u8; 4]) -> State {
    core::array::from_fn(|i| {
        (0..4).fold(0, |sum, k| sum ^ times(s[i / 4 * 4 + k], row[(4 + k - i % 4) % 4]))
    })
}

fn mix_columns(s: State) -> State {
    mix(s, [2, 3, 1, 1])
}

fn inv_mix_columns(s: State) -> State {
    mix(s, [14, 11, 13, 9])
}

/// An operation of two states, or of a state and a round key.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Xor,
    And,
    Round,
    Enc,
    EncLast,
    Dec,
    DecLast,
    /// A sequence of rounds and XORs, with keys that result from them.
    Mixture,
}

const OPERATIONS: [Operation; 8] = [
    Operation::Xor,
    Operation::And,
    Operation::Round,
    Operation::Enc,
    Operation::EncLast,
    Operation::Dec,
    Operation::DecLast,
    Operation::Mixture,
];

impl Operation {
    fn expected(self, a: State, b: State) -> State {
        match self {
            Self::Xor => xor(a, b),
            Self::And => core::array::from_fn(|i| a[i] & b[i]),
            Self::Round | Self::Enc => xor(mix_columns(shift_rows(sub_bytes(a))), b),
            Self::EncLast => xor(shift_rows(sub_bytes(a)), b),
            Self::Dec => xor(inv_mix_columns(inv_sub_bytes(inv_shift_rows(a))), b),
            Self::DecLast => xor(inv_sub_bytes(inv_shift_rows(a)), b),
            Self::Mixture => {
                let first = Self::Enc.expected(xor(a, b), xor(a, b));
                let second = xor(xor(first, a), Self::EncLast.expected(b, a));
                inv_sub_bytes(inv_shift_rows(second))
            }
        }
    }

    #[inline(always)]
    fn of_vectors<S: Isa, A: AesRounds<S>>(self, a: A, b: A) -> A {
        match self {
            Self::Xor => a.xor(b),
            Self::And => a.and(b),
            Self::Round => a.round(b),
            Self::Enc => a.enc(b),
            Self::EncLast => a.enc_last(b),
            Self::Dec => a.dec(b),
            Self::DecLast => a.dec_last(b),
            Self::Mixture => a.xor(b).enc(a.xor(b)).xor(a).xor(b.enc_last(a)).dec_last(b.xor(b)),
        }
    }
}

/// What is done with vectors of type `A`, from memory to memory. Only a task is compiled for an instruction set. Elsewhere, each
/// operation would be a call, and a bit-sliced round has hundreds of operations.
struct OnVectors<'a, T, A, W> {
    isa: T,
    work: W,
    out: &'a mut [u8],
    vectors: PhantomData<A>,
}

impl<T: Isa, A: AesRounds<T>, W: VectorWork<T, A>> Task for OnVectors<'_, T, A, W> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, _: S) {
        self.work.call(self.isa, self.out);
    }
}

trait VectorWork<S, A> {
    fn call(self, isa: S, out: &mut [u8]);
}

/// The result of `work`, `len` bytes.
fn made<S: Isa, A: AesRounds<S>>(isa: S, len: usize, work: impl VectorWork<S, A>) -> Vec<u8> {
    let mut out = std::vec![0; len];
    isa.run(OnVectors { isa, work, out: &mut out, vectors: PhantomData::<A> });
    out
}

/// An operation of the states at `0` and those at `1`.
struct Apply<'a>(&'a [u8], &'a [u8], Operation);

impl<S: Isa, A: AesRounds<S>> VectorWork<S, A> for Apply<'_> {
    #[inline(always)]
    fn call(self, isa: S, out: &mut [u8]) {
        let got = self.2.of_vectors::<S, A>(A::load(isa, self.0), A::load(isa, self.1));
        got.store(&mut Sink::new(out), 0);
    }
}

fn operations<S: Isa, A: AesRounds<S>>(isa: S) {
    for (operation, seed) in OPERATIONS.into_iter().flat_map(|o| [(o, 0), (o, 1), (o, 2)]) {
        let (bytes, key) = (random(seed, 16 * A::N), random(seed + 9, 16 * A::N));
        let got = made::<S, A>(isa, 16 * A::N, Apply(&bytes, &key, operation));
        for ((got, b), k) in got.chunks(16).zip(bytes.chunks(16)).zip(key.chunks(16)) {
            let expected = operation.expected(b.try_into().unwrap(), k.try_into().unwrap());
            assert_eq!(got, expected, "{operation:?}");
        }
    }
}

/// All rounds at once, of `registers` registers of states. Between rounds, keys and states may have any byte order.
struct Cipher<'a> {
    keys: &'a [State],
    states: &'a [u8],
    encrypt: bool,
    registers: usize,
}

impl<S: Isa, A: AesRounds<S>> VectorWork<S, A> for Cipher<'_> {
    #[inline(always)]
    fn call(self, isa: S, out: &mut [u8]) {
        match (self.encrypt, self.registers) {
            (true, 1) => self.rounds::<S, A, true, 1>(isa, out),
            (true, _) => self.rounds::<S, A, true, 2>(isa, out),
            (false, 1) => self.rounds::<S, A, false, 1>(isa, out),
            (false, _) => self.rounds::<S, A, false, 2>(isa, out),
        }
    }
}

impl Cipher<'_> {
    #[inline(always)]
    fn rounds<S: Isa, A: AesRounds<S>, const ENCRYPT: bool, const R: usize>(
        self,
        isa: S,
        out: &mut [u8],
    ) {
        let mut keys = [A::splat(isa, &self.keys[0]); 15];
        for i in 0..self.keys.len() {
            keys[i] = A::round_key::<ENCRYPT>(isa, &self.keys[i], i, self.keys.len());
        }
        let mut states = [A::load(isa, self.states); R];
        for i in 1..R {
            states[i] = A::load(isa, &self.states[16 * A::N * i..]);
        }
        let states = A::rounds::<ENCRYPT, R>(&keys[..self.keys.len()], states);
        for i in 0..R {
            states[i].store(&mut Sink::new(out), 16 * A::N * i);
        }
    }

    fn expected(&self, s: State) -> State {
        let (inner, last) = (&self.keys[1..self.keys.len() - 1], self.keys[self.keys.len() - 1]);
        let [round, end] = if self.encrypt {
            [Operation::Enc, Operation::EncLast]
        } else {
            [Operation::Dec, Operation::DecLast]
        };
        end.expected(inner.iter().fold(xor(s, self.keys[0]), |s, &k| round.expected(s, k)), last)
    }
}

/// The rounds of encryption with the keys after the first. All states are the first key.
struct Inner<'a>(&'a [State]);

impl<S: Isa, A: AesRounds<S>> VectorWork<S, A> for Inner<'_> {
    #[inline(always)]
    fn call(self, isa: S, out: &mut [u8]) {
        let [first, inner @ .., last] = self.0 else { return };
        let got = A::splat(isa, first).inner(isa, inner).last(A::splat(isa, last));
        got.store(&mut Sink::new(out), 0);
    }
}

fn ciphers<S: Isa, A: AesRounds<S>>(isa: S) {
    for count in [2, 3, 4, 5, 6, 11, 13, 15] {
        let keys: Vec<State> = (0..count).map(|i| random(i, 16).try_into().unwrap()).collect();
        for (encrypt, registers) in [(true, 1), (true, 2), (false, 1), (false, 2)] {
            let states = random(7, 16 * registers * A::N);
            let cipher = || Cipher { keys: &keys, states: &states, encrypt, registers };
            let got = made::<S, A>(isa, states.len(), cipher());
            for (got, s) in got.chunks(16).zip(states.chunks(16)) {
                assert_eq!(got, cipher().expected(s.try_into().unwrap()), "{count} round keys");
            }
        }
        let [first, inner @ .., last] = &keys[..] else { unreachable!("two keys") };
        let expected = inner.iter().fold(*first, |s, &k| Operation::Enc.expected(s, k));
        let expected = Operation::EncLast.expected(expected, *last);
        let got = made::<S, A>(isa, 16 * A::N, Inner(&keys));
        assert!(got.chunks(16).all(|s| s == expected), "{count} round keys");
    }
}

/// Rounds of FIPS 197, appendix B, and of appendix C.1, equivalent inverse cipher.
fn known_answers<S: Isa, A: AesRounds<S>>(isa: S) {
    let all = |s: u128, k: u128, operation, expected: u128| {
        let (s, k) = (state(s).repeat(A::N), state(k).repeat(A::N));
        let got = made::<S, A>(isa, 16 * A::N, Apply(&s, &k, operation));
        assert!(got.chunks(16).all(|s| s == state(expected)), "{expected:032x}");
    };
    let key = 0xa0fafe17_88542cb1_23a33939_2a6c7605;
    let next = 0xa49c7ff2_689f352b_6b5bea43_026a5049;
    all(0x193de3be_a0f4e22b_9ac68d2a_e9f84808, key, Operation::Enc, next);
    let key = 0xd014f9a8_c9ee2589_e13f0cc8_b6630ca6;
    let next = 0x3925841d_02dc09fb_dc118597_196a0b32;
    all(0xeb40f21e_592e3884_8ba113e7_1bc342d2, key, Operation::EncLast, next);
    let key = 0x13aa29be_9c8faff6_f770f580_00f7bf03;
    let next = 0x54d990a1_6ba09ab5_96bbf40e_a111702f;
    all(0x7ad5fda7_89ef4e27_2bca100b_3d9ff59f, key, Operation::Dec, next);
    let key = 0x00010203_04050607_08090a0b_0c0d0e0f;
    let next = 0x00112233_44556677_8899aabb_ccddeeff;
    all(0x6353e08c_0960e104_cd70b751_bacad0e7, key, Operation::DecLast, next);
}

fn stored<S: Isa, A: AesRounds<S>>(states: A) -> Vec<u8> {
    let mut out = std::vec![0; 16 * A::N];
    states.store(&mut Sink::new(&mut out), 0);
    out
}

fn memory<S: Isa, A: AesRounds<S>>(isa: S) {
    let size = 16 * A::N;
    let (bytes, with) = (random(1, size + 5), random(2, size + 10));
    let states = A::load(isa, &bytes[5..]);
    // XORed with a key before the store, so that a pending XOR is done.
    let key = state(0x0123_4567_89ab_cdef_0011_2233_4455_6677);
    let states = states.xor(A::splat(isa, &key));
    let expected = |i: usize| bytes[5 + i] ^ key[i % 16];
    for at in 0..4 {
        let mut out = std::vec![0; size + 10];
        states.store(&mut Sink::new(&mut out).xor(&with), at);
        for i in 0..size + 10 {
            let inside = (at..at + size).contains(&i);
            assert_eq!(out[i], if inside { expected(i - at) ^ with[i] } else { 0 });
        }
        let mut out = [0; 32];
        states.store_one(&mut Sink::new(&mut out), at);
        for i in 0..32 {
            let inside = (at..at + 16).contains(&i);
            assert_eq!(out[i], if inside { expected(i - at) } else { 0 });
        }
        let mut data = with.clone();
        let mut io = InOut::in_place(&mut data);
        states.store(&mut io.sink_xor_input(at, size, 0), 0);
        for i in 0..size {
            assert_eq!(data[at + i], expected(i) ^ with[i]);
        }
    }
    assert!(panics(|| drop(stored(A::load(isa, &bytes[..size - 1])))));
    assert!(panics(|| states.store(&mut Sink::new(&mut random(0, size)), 1)));
    assert!(panics(|| states.store_one(&mut Sink::new(&mut [0; 16]), 1)));
}

/// Batches of `R` registers of counter blocks from `next_counters`, then the first of them from `counter_batch`, and the first
/// register of that from `counters`.
struct Counters<'a, const R: usize>(&'a State, Endian, u64);

impl<S: Isa, A: AesRounds<S>, const R: usize> VectorWork<S, A> for Counters<'_, R> {
    #[inline(always)]
    fn call(self, isa: S, out: &mut [u8]) {
        let Self(template, endian, low) = self;
        let (size, mut next) = (16 * A::N, None);
        for at in (0..BATCHES * R).step_by(R) {
            let low = low.wrapping_add((A::N * at) as u64);
            let batch = A::next_counters::<R>(isa, template, endian, low, &mut next);
            for i in 0..R {
                batch[i].store(&mut Sink::new(out), size * (at + i));
            }
        }
        let batch = A::counter_batch::<R>(isa, template, endian, low);
        for i in 0..R {
            batch[i].store(&mut Sink::new(out), size * (BATCHES * R + i));
        }
        A::counters(isa, template, endian, low)
            .store(&mut Sink::new(out), size * (BATCHES + 1) * R);
    }
}

/// Consecutive batches.
const BATCHES: usize = 4;

fn counters<S: Isa, A: AesRounds<S>, const R: usize>(isa: S) {
    let template = state(0xf0f1_f2f3_f4f5_f6f7_f8f9_fafb_fcfd_feff);
    let few = [0, 0xe0, 0xff, 0xfffe, u64::from(u32::MAX) - 1, 1 << 63, u64::MAX - 2];
    for low in few.into_iter().chain(0x2f0..=0x300) {
        for endian in [Endian::Big, Endian::Little] {
            let (size, count) = (16 * A::N, (BATCHES + 1) * R + 1);
            let got = made::<S, A>(isa, size * count, Counters::<R>(&template, endian, low));
            let (batches, again) = got.split_at(size * BATCHES * R);
            assert_eq!(&again[..size * R], &batches[..size * R]);
            assert_eq!(&again[size * R..], &batches[..size]);
            for (j, got) in batches.chunks(16).enumerate() {
                let (mut expected, count) = (template, low.wrapping_add(j as u64));
                match endian {
                    Endian::Big => expected[8..].copy_from_slice(&count.to_be_bytes()),
                    Endian::Little => expected[..8].copy_from_slice(&count.to_le_bytes()),
                }
                assert_eq!(got, expected, "{endian:?} {low:#x} + {j}");
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Rounds;

impl Task for Rounds {
    type Out = ();
    fn call<S: Isa>(self, isa: S) {
        fn all<S: Isa, A: AesRounds<S>>(isa: S) {
            known_answers::<S, A>(isa);
            operations::<S, A>(isa);
            ciphers::<S, A>(isa);
            memory::<S, A>(isa);
            counters::<S, A, 5>(isa);
            counters::<S, A, 8>(isa);
        }
        all::<S, S::Aes>(isa);
        all::<S, S::AesOne>(isa);
        all::<S, S::AesTwo>(isa);
        all::<S, S::AesFour>(isa);
        // Not `memory`: it stores where its input is.
        #[cfg(feature = "aes")]
        {
            operations::<S, crate::isa::Two<S::AesOne>>(isa);
            ciphers::<S, crate::isa::Two<S::AesOne>>(isa);
            counters::<S, crate::isa::Two<S::AesOne>, 5>(isa);
        }
    }
}

#[test]
fn rounds_of_aes() {
    on_every_backend(Rounds);
}

#[test]
fn networks_are_the_s_box_and_its_inverse() {
    let on_bits = |f: fn([u8; 8]) -> [u8; 8], byte: u8| {
        let planes = f(core::array::from_fn(|k| byte >> k & 1));
        (0..8).fold(0, |sum, k| sum | (planes[k] & 1) << k)
    };
    for byte in 0..=255 {
        assert_eq!(on_bits(networks::sub_bytes, byte) ^ 0x63, sbox(byte), "{byte}");
        assert_eq!(on_bits(networks::inv_sub_bytes, sbox(byte) ^ 0x63), byte, "{byte}");
    }
}
