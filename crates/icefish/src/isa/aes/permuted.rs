//! AES without AES instructions, by byte shuffles, in constant time.
//!
//! After Hamburg, "Accelerating AES with Vector Permute Instructions" (CHES 2009): a byte shuffle looks up sixteen entries of a
//! register, and no address depends on a secret. An element of the field of AES is a pair over a field of 16 elements. Its
//! inversion takes a few such look-ups. States stay in that form in all rounds: each operation there is linear in it, or is a
//! look-up. `tables` derives the constants.
//!
//! One state is latency-bound. It is therefore kept in two registers, one for the low and one for the high half of every byte, and
//! a round looks up the halves separately. No half has to be shifted and masked out of a register of bytes, and ShiftRows moves
//! nothing (see [`Turn`]). The dependency chain of a round is nine operations where an XOR of three operands is one instruction,
//! and ten elsewhere.

mod tables;

use crate::isa::{AesRounds, Endian, Isa, Sink};
use core::ops::{BitAnd, BitOr, BitXor};
use tables::{Split, TABLES};

/// Rows of 16 bytes whose bytes can change places, as many rows as fill a register, on the instruction set `S`.
pub trait Bytes<S>:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// Number of rows.
    const N: usize;
    /// Whether [`Bytes::xor3`] is one instruction.
    const TERNARY: bool;
    /// The same row `N` times.
    fn splat(isa: S, row: &[u8; 16]) -> Self;
    /// `N` consecutive rows.
    ///
    /// # Panics
    /// If `bytes` is shorter.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// Writes all rows from byte `at` of `sink` on.
    fn put(self, sink: &mut Sink<'_>, at: usize);
    /// Writes the first row.
    fn put_first(self, sink: &mut Sink<'_>, at: usize);
    /// As [`AesRounds::counter_batch`].
    fn counters<const R: usize>(isa: S, template: &[u8; 16], endian: Endian, low: u64)
    -> [Self; R];
    /// Byte `j` of each row is the byte whose number is byte `j` of `from`: 0 to 15. It is zero if the number is
    /// 0x80 to 0x8f.
    fn pick(self, from: Self) -> Self;
    /// The same rows, and no instruction. On CPUs whose speed depends on the order of instructions, values that pass through it
    /// are computed in source order, without re-association.
    #[inline(always)]
    fn in_order(self) -> Self {
        self
    }
    /// `self ^ (b ^ c)`, in this order, or one operation of three operands.
    fn xor3(self, b: Self, c: Self) -> Self;
    /// `self ^ b`, in source order.
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        (self ^ b).in_order()
    }
    /// Every byte shifted right by four bits. The upper half of each byte is unspecified.
    fn shift(self) -> Self;
}

/// States in the form of [`tables`]: k and i of every byte, and the token that they were made with.
#[derive(Clone, Copy, Debug)]
pub struct Permuted<S, V> {
    k: V,
    i: V,
    isa: S,
}

/// The two parts that a linear function of the bytes takes: it is a function of the first part plus a function of the second.
#[derive(Clone, Copy)]
struct LinearParts<S, V>(V, V, S);

impl<S: Isa, V: Bytes<S>> Permuted<S, V> {
    #[inline(always)]
    fn table(self, row: &[u8; 16]) -> V {
        V::splat(self.isa, row)
    }
    /// Converts bytes.
    #[inline(always)]
    fn of(isa: S, bytes: V, map: &Split) -> Self {
        Self::split(isa, bytes).times(map)
    }
    /// The low and high halves of bytes. A linear function of a byte is a sum of functions of its halves, too.
    #[inline(always)]
    fn split(isa: S, bytes: V) -> LinearParts<S, V> {
        let low = V::splat(isa, &[15; 16]);
        LinearParts(bytes & low, bytes.shift() & low, isa)
    }
    /// Converts to bytes.
    #[inline(always)]
    fn bytes(self) -> V {
        self.table(&TABLES.leave.0).pick(self.k) ^ self.table(&TABLES.leave.1).pick(self.i)
    }
    /// A round key with its bytes in the order `from`, and with the constant of SubBytes, which MixColumns leaves unchanged.
    #[inline(always)]
    fn key(isa: S, key: &[u8; 16], from: &[u8; 16]) -> Self {
        let key = V::splat(isa, key).pick(V::splat(isa, from));
        let [low, high] = Self::split(isa, key).parts(&TABLES.enter_key);
        low.plus(high)
    }
    #[inline(always)]
    fn pick(self, from: &[u8; 16]) -> Self {
        let from = self.table(from);
        Self { k: self.k.pick(from), i: self.i.pick(from), isa: self.isa }
    }
    #[inline(always)]
    fn constant(self) -> Self {
        let (k, i) = (self.table(&TABLES.constant.0), self.table(&TABLES.constant.1));
        Self { k: self.k ^ k, i: self.i ^ i, isa: self.isa }
    }
    /// The values u and w of [`tables`], of which [`LinearParts::times`] makes the inverse of every byte.
    #[inline(always)]
    fn inverse(self) -> LinearParts<S, V> {
        let (k, i) = (self.k, self.i);
        let invert = self.table(&TABLES.invert);
        let (over_k, inverse_k) = (self.table(&TABLES.over).pick(k), invert.pick(k));
        let (inverse_i, scaled_i) = (invert.pick(i), self.table(&TABLES.scale).pick(i));
        let (u, w) = (invert.pick(inverse_i ^ over_k), invert.pick(inverse_i ^ inverse_k));
        LinearParts(u.xor3(k, i), w.xor3(k, scaled_i), self.isa)
    }
    /// Undoes SubBytes except for the inversion in the field.
    #[inline(always)]
    fn unaffine(self) -> Self {
        LinearParts(self.k, self.i, self.isa).times(&TABLES.unaffine)
    }
    #[inline(always)]
    fn in_order(self) -> Self {
        Self { k: self.k.in_order(), i: self.i.in_order(), isa: self.isa }
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        Self { k: self.k.plus(b.k), i: self.i.plus(b.i), isa: self.isa }
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        Self { k: self.k.xor3(b.k, c.k), i: self.i.xor3(b.i, c.i), isa: self.isa }
    }
    /// A round without ShiftRows, which is left to later rounds. With `LAST`, for the round before the last, it does all
    /// omitted ShiftRows, and that of the last round. The result is key + 2 s + 3 s1 + s2 + s3, where s is SubBytes of the
    /// state, and row r of s1, s2 and s3 is row r + 1, r + 2 and r + 3 of s.
    #[inline(always)]
    fn unshifted<const LAST: bool>(self, turn: &Turn, key: Self) -> Self {
        let inverse = self.inverse();
        let once = inverse.parts(&TABLES.sub);
        let twice = inverse.parts(&TABLES.sub_twice);
        let once = once[0].plus(once[1]);
        let second = once.pick(&turn.down[1]).in_order();
        let third = once.pick(&turn.down[2]).in_order();
        let (thrice, here) = if V::TERNARY && !LAST {
            (once.xor3(twice[0], twice[1]), key.xor3(twice[0], twice[1]))
        } else {
            let twice = twice[0].plus(twice[1]);
            let here = if LAST { twice.pick(&turn.rows) } else { twice };
            (once.plus(twice), key.plus(here))
        };
        let next = thrice.pick(&turn.down[0]).in_order();
        here.xor3(second, third).plus(next)
    }
}

impl<S: Isa, V: Bytes<S>> LinearParts<S, V> {
    /// The two terms of a linear function of the bytes, in source order.
    #[inline(always)]
    fn parts(self, map: &Split) -> [Permuted<S, V>; 2] {
        let Self(u, w, isa) = self;
        let (k0, k1) = (look_up(isa, &map.k.0, u), look_up(isa, &map.k.1, w));
        let (i0, i1) = (look_up(isa, &map.i.0, u), look_up(isa, &map.i.1, w));
        [Permuted { k: k0, i: i0, isa }, Permuted { k: k1, i: i1, isa }]
    }
    /// A linear function of the bytes.
    #[inline(always)]
    fn times(self, map: &Split) -> Permuted<S, V> {
        let Self(u, w, isa) = self;
        let k = V::splat(isa, &map.k.0).pick(u) ^ V::splat(isa, &map.k.1).pick(w);
        let i = V::splat(isa, &map.i.0).pick(u) ^ V::splat(isa, &map.i.1).pick(w);
        Permuted { k, i, isa }
    }
    #[inline(always)]
    fn pick(self, from: &[u8; 16]) -> Self {
        let from = V::splat(self.2, from);
        Self(self.0.pick(from), self.1.pick(from), self.2)
    }
}

#[inline(always)]
fn look_up<S: Isa, V: Bytes<S>>(isa: S, table: &[u8; 16], from: V) -> V {
    V::splat(isa, table).pick(from).in_order()
}

/// The source of byte `j` when every row moves left by `shift` times its number (ShiftRows: 1, its inverse: 3), and every column
/// then moves up by `up` rows.
const fn moved(shift: usize, up: usize) -> [u8; 16] {
    let mut from = [0; 16];
    let mut j = 0;
    while j < 16 {
        let row = (j + up) % 4;
        from[j] = ((4 * (j / 4 + shift * row) + row) % 16) as u8;
        j += 1;
    }
    from
}

/// The byte order of a state for which ShiftRows has been omitted some times.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    /// The source of each byte when the omitted ShiftRows are done.
    pub(super) rows: [u8; 16],
    /// The sources of the bytes one, two and three rows further down.
    pub(super) down: [[u8; 16]; 3],
}

/// By the number of omitted ShiftRows modulo 4.
pub(super) static TURNS: [Turn; 4] = [turned(0), turned(1), turned(2), turned(3)];

/// The byte orders of a round of encryption.
#[derive(Clone, Copy)]
struct Round {
    turn: Turn,
    /// The source of each byte of its key.
    key: [u8; 16],
}

/// The rounds without ShiftRows, as many as the longest key has. A pointer to the next element takes fewer instructions than an
/// index modulo 4.
static ROUNDS: [Round; 12] = {
    let mut rounds = [Round { turn: TURNS[0], key: TURNS[0].rows }; 12];
    let mut n = 0;
    while n < rounds.len() {
        let turn = (n + 1) % 4;
        rounds[n] = Round { turn: turned(turn), key: turned((4 - turn) % 4).rows };
        n += 1;
    }
    rounds
};

const fn turned(times: usize) -> Turn {
    let rows = moved(times, 0);
    let mut down = [[0; 16]; 3];
    let mut i = 0;
    while i < 48 {
        let (j, by) = (i % 16, i / 16);
        down[by][rows[j] as usize] = rows[4 * (j / 4) + (j + by + 1) % 4];
        i += 1;
    }
    Turn { rows, down }
}

/// The byte orders for the round before the last one. It moves bytes to where ShiftRows of the last round would move them, so
/// that the last round has no ShiftRows and a chain of blocks is one shuffle shorter. The bytes then lie as if ShiftRows had been
/// done once too often, that is, omitted three times modulo 4. All fields here are in the byte order of the round's output.
static LAST_TURNS: [Turn; 4] = [settled(0), settled(1), settled(2), settled(3)];

const fn settled(times: usize) -> Turn {
    let (turn, shifted) = (turned(times), moved(1, 0));
    let mut settled = turn;
    let mut j = 0;
    while j < 16 {
        let mut by = 0;
        settled.rows[j] = turn.rows[shifted[j] as usize];
        while by < 3 {
            settled.down[by][j] = turn.down[by][settled.rows[j] as usize];
            by += 1;
        }
        j += 1;
    }
    settled
}

impl<S: Isa, V: Bytes<S>> AesRounds<S> for Permuted<S, V> {
    const N: usize = V::N;
    const SLICED: bool = false;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        // The two terms of a round key are added first, because only the state is on the dependency chain. One block takes 260
        // cycles to decrypt instead of 279 (AES-128 with AVX2, Zen 3).
        Self::of(isa, V::splat(isa, state), &TABLES.enter).in_order()
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self::of(isa, V::load(isa, bytes), &TABLES.enter)
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        self.bytes().put(sink, at);
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        self.bytes().put_first(sink, at);
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        let [x] = V::counters(isa, template, endian, low);
        Self::of(isa, x, &TABLES.enter)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self { k: self.k ^ other.k, i: self.i ^ other.i, isa: self.isa }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::of(self.isa, self.bytes() & other.bytes(), &TABLES.enter)
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        let zero = Self::of(self.isa, V::splat(self.isa, &[0; 16]), &TABLES.enter);
        self.unshifted::<false>(&TURNS[1], zero).pick(&TURNS[1].rows).xor(key.constant())
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        self.inverse().times(&TABLES.sub).pick(&TURNS[1].rows).xor(key.constant())
    }
    #[inline(always)]
    fn inner(mut self, isa: S, keys: &[[u8; 16]]) -> Self {
        let [keys @ .., last] = keys else { return self.pick(&TURNS[1].rows) };
        for (key, round) in keys.iter().zip(&ROUNDS) {
            self = self.unshifted::<false>(&round.turn, Self::key(isa, key, &round.key));
        }
        let turn = &LAST_TURNS[(keys.len() + 1) % 4];
        self.unshifted::<true>(turn, Self::key(isa, last, &TURNS[1].rows))
    }
    #[inline(always)]
    fn last(self, key: Self) -> Self {
        let [of_u, of_w] = self.inverse().parts(&TABLES.sub);
        key.constant().xor3(of_u, of_w)
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        let inverse = self.unaffine().inverse();
        // Row `r` of the result is the sum of rows `r` to `r + 3`, multiplied by 14, 11, 13 and 9 (FIPS 197, section 5.3.3).
        let moves = const { [moved(3, 0), moved(3, 1), moved(3, 2), moved(3, 3)] };
        let mut state = key;
        for i in 0..4 {
            state = state.xor(inverse.pick(&moves[i]).times(&TABLES.unmix[i]));
        }
        state
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        self.unaffine().inverse().times(&TABLES.plain).pick(&TURNS[3].rows).xor(key)
    }
}
