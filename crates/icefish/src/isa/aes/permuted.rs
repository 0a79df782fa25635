//! AES without AES instructions, by byte shuffles, in constant time.
//!
//! After Hamburg, "Accelerating AES with Vector Permute Instructions" (CHES 2009): a byte shuffle looks up sixteen entries of a
//! register, and no address depends on a secret. An element of the field of AES is a pair over a field of 16 elements. Its
//! inversion takes a few such look-ups. States stay in that form in all rounds: each operation of a round is linear over bits, or
//! is a look-up. `tables` derives the constants.
//!
//! One state is latency-bound. On x86-64, the dependency chain of a round of encryption is eleven operations with AVX-512. With
//! AVX2 it is twelve, because an XOR has two operands there. The first two operations of the chain split each byte into its halves.
//! The next five have a register for each half, and the others have both halves in one register. With a register for each half in
//! all of a round, the chain would be two operations shorter. But at one point of it, eight look-ups would be ready at once, and
//! CPUs start at most two in a cycle.
//!
//! In [`AesRounds::inner`], rounds leave ShiftRows out, and the round before the last makes up for all of them (see [`Turn`]).

mod tables;

use crate::isa::{AesRounds, Endian, Isa, Sink, opaque};
use core::ops::{BitAnd, BitOr, BitXor};
use tables::{Pair, TABLES};

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
    /// The same rows, and no instruction. On x86-64, for registers of one row, it is an optimisation barrier: values that pass
    /// through it are computed in source order, without re-association. Elsewhere it has no effect.
    #[inline(always)]
    fn in_order(self) -> Self {
        self
    }
    /// `self ^ (b ^ c)`, in this order, or one operation of three operands.
    fn xor3(self, b: Self, c: Self) -> Self;
    /// `self ^ b`, [in order](Bytes::in_order).
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        (self ^ b).in_order()
    }
    /// The low and the high half of every byte. All bytes of `low` are 15.
    fn halves(self, low: Self) -> [Self; 2];
}

/// States in the form of [`tables`]: bytes k + i T, and the token that they were made with.
#[derive(Clone, Copy, Debug)]
pub struct Permuted<S, V> {
    x: V,
    isa: S,
}

/// The two parts of every byte that tables take: k and i, or, after [`Parts::inverse`], u and w. A result is the sum of an entry of
/// one table, looked up by the first part, and an entry of the other, looked up by the second.
#[derive(Clone, Copy)]
struct Parts<S, V>(V, V, S);

impl<S: Isa, V: Bytes<S>> Permuted<S, V> {
    /// Converts bytes.
    #[inline(always)]
    fn of(isa: S, bytes: V, map: &Pair) -> Self {
        Self { x: bytes, isa }.halves().times(map)
    }
    /// The halves k and i of every byte. A linear function of a byte is a function of k plus a function of i.
    #[inline(always)]
    fn halves(self) -> Parts<S, V> {
        let [k, i] = self.x.halves(V::splat(self.isa, &[15; 16]));
        Parts(k, i, self.isa)
    }
    /// Converts to bytes.
    #[inline(always)]
    fn bytes(self) -> V {
        self.halves().times(&TABLES.leave).x
    }
    /// A round key with its bytes in the order `from`, and with the constant of SubBytes, which MixColumns leaves unchanged.
    #[inline(always)]
    fn key(isa: S, key: &[u8; 16], from: &[u8; 16]) -> Self {
        let key = V::splat(isa, key).pick(V::splat(isa, from));
        let [low, high] = Self { x: key, isa }.halves().entries(&TABLES.enter_key);
        low.plus(high)
    }
    /// Byte `j` of each row is byte `from[j]`. Outside of [`AesRounds::inner`], the orders are constants and come through
    /// [`opaque`]: if the compiler knew them, it would shuffle each of the two terms of a sum instead of the sum once.
    #[inline(always)]
    fn pick(self, from: &[u8; 16]) -> Self {
        Self { x: self.x.pick(V::splat(self.isa, from)), isa: self.isa }
    }
    /// k and i of every byte after the affine part of SubBytes is undone. The inversion in the field is left to do.
    #[inline(always)]
    fn unaffine(self) -> Parts<S, V> {
        let halves = self.halves();
        Parts(halves.times(&TABLES.unaffine.k).x, halves.times(&TABLES.unaffine.i).x, self.isa)
    }
    #[inline(always)]
    fn constant(self) -> Self {
        Self { x: self.x ^ V::splat(self.isa, &[TABLES.constant; 16]), isa: self.isa }
    }
    #[inline(always)]
    fn in_order(self) -> Self {
        Self { x: self.x.in_order(), isa: self.isa }
    }
    #[inline(always)]
    fn plus(self, b: Self) -> Self {
        Self { x: self.x.plus(b.x), isa: self.isa }
    }
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        Self { x: self.x.xor3(b.x, c.x), isa: self.isa }
    }
    /// A round without ShiftRows, which is left to later rounds. With `LAST`, for the round before the last, it does all
    /// omitted ShiftRows, and that of the last round. The result is `key` + 2 s + 3 s1 + s2 + s3. Here s is the state after
    /// SubBytes without its constant, which is in `key` instead. s1, s2 and s3 have the bytes of s in other places:
    /// [`Turn::down`] has their orders. With `LAST`, the bytes of 2 s move too, in the order [`Turn::rows`].
    #[inline(always)]
    fn unshifted<const LAST: bool>(self, turn: &Turn, key: Self) -> Self {
        let inverse = self.halves().inverse();
        let once = inverse.entries(&TABLES.sub);
        let twice = inverse.entries(&TABLES.sub_twice);
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

impl<S: Isa, V: Bytes<S>> Parts<S, V> {
    /// The two entries whose sum is the result of `map`, each passed through [`Bytes::in_order`].
    #[inline(always)]
    fn entries(self, map: &Pair) -> [Permuted<S, V>; 2] {
        let Self(u, w, isa) = self;
        let look_up = |table, from: V| Permuted { x: V::splat(isa, table).pick(from), isa };
        [look_up(&map.0, u).in_order(), look_up(&map.1, w).in_order()]
    }
    /// The result of `map`: the sum of an entry for each part.
    #[inline(always)]
    fn times(self, map: &Pair) -> Permuted<S, V> {
        let Self(u, w, isa) = self;
        Permuted { x: V::splat(isa, &map.0).pick(u) ^ V::splat(isa, &map.1).pick(w), isa }
    }
    /// Computes u and w of [`tables`] from k and i. The inverse of every byte is a linear function of 1/u and 1/w. The tables that
    /// take u and w (`sub`, `sub_twice`, `plain` and `unmix`) include the inversion of u and w.
    #[inline(always)]
    fn inverse(self) -> Self {
        let Self(k, i, isa) = self;
        let table = |row| V::splat(isa, row);
        let invert = table(&TABLES.invert);
        let (over_k, inverse_k) = (table(&TABLES.over).pick(k), invert.pick(k));
        let (inverse_i, scaled_i) = (invert.pick(i), table(&TABLES.scale).pick(i));
        let (u, w) = (invert.pick(inverse_i ^ over_k), invert.pick(inverse_i ^ inverse_k));
        Self(u.xor3(k, i), w.xor3(k, scaled_i), isa)
    }
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

/// `COLUMNS[n]` has, for each byte, the source of the byte `n` rows below it after ShiftRows. MixColumns adds these.
static COLUMNS: [[u8; 16]; 4] = columns(1);

/// The same after InvShiftRows, for InvMixColumns.
static INVERSE_COLUMNS: [[u8; 16]; 4] = columns(3);

const fn columns(shift: usize) -> [[u8; 16]; 4] {
    [moved(shift, 0), moved(shift, 1), moved(shift, 2), moved(shift, 3)]
}

/// The byte order of a state for which ShiftRows has been omitted some times.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    /// The source of each byte when the omitted ShiftRows are done.
    pub(super) rows: [u8; 16],
    /// Entry `n` maps the place of each byte to the place of another byte. The other byte is the one that is `n + 1` rows below it
    /// after the omitted ShiftRows. Both places are those before the omitted ShiftRows. MixColumns adds these bytes.
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

/// The byte orders for the round before the last one. It moves bytes to where ShiftRows of the last round would move them. The last
/// round then has no ShiftRows, and in a chain of blocks, each block adds one operation less to the dependency chain. The bytes lie
/// as if ShiftRows had been done once too often, that is, omitted three times modulo 4. Entry `j` of `rows`, and of each of the
/// three orders in `down`, is for byte `j` of the round's output. Its value is a place in the round's input.
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
        Self::of(isa, V::splat(isa, state), &TABLES.enter)
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
        Self { x: self.x ^ other.x, isa: self.isa }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self::of(self.isa, self.bytes() & other.bytes(), &TABLES.enter)
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        let inverse = self.halves().inverse();
        let (once, twice) = (inverse.times(&TABLES.sub), inverse.times(&TABLES.sub_twice));
        // Row `r` of the result is the sum of rows `r` to `r + 3`, multiplied by 2, 3, 1 and 1 (FIPS 197, section 5.1.3).
        let [here, next, second, third] = opaque(&COLUMNS);
        let sum = key.constant().xor(twice.pick(here)).xor(once.xor(twice).pick(next));
        sum.xor(once.pick(second)).xor(once.pick(third))
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        self.halves().inverse().times(&TABLES.sub).pick(&opaque(&TURNS[1]).rows).xor(key.constant())
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
        let [of_u, of_w] = self.halves().inverse().entries(&TABLES.sub);
        key.constant().xor3(of_u, of_w)
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        let inverse = self.unaffine().inverse();
        // Row `r` of the result is the sum of rows `r` to `r + 3`, multiplied by 14, 11, 13 and 9 (FIPS 197, section 5.3.3).
        let rows = opaque(&INVERSE_COLUMNS);
        let mut state = key;
        for i in 0..4 {
            let [of_u, of_w] = inverse.entries(&TABLES.unmix[i]);
            state = state.plus(of_u.plus(of_w).pick(&rows[i]).in_order());
        }
        state
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        self.unaffine().inverse().times(&TABLES.plain).pick(&opaque(&TURNS[3]).rows).xor(key)
    }
}
