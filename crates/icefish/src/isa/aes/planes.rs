//! Many AES states without AES instructions: bit-sliced, where each byte of a plane has one bit from each of eight states.
//!
//! Eight registers become eight planes. Each row of 16 bytes of a register is a state. Plane `k` has bit `k` of every byte: bit
//! `m` of byte `j` of its row `n` is from byte `j` of row `n` of register `m`. To permute the
//! bytes of all eight states, the same permutation is applied to each plane. ShiftRows is such a permutation, and MixColumns uses
//! others (Käsper and Schwabe, "Faster and Timing-Attack Resistant AES-GCM", CHES 2009).

use super::permuted::{Bytes, TURNS, Turn};
use super::sbox::{inv_sub_bytes, sub_bytes};
use super::sliced::{constant, transpose_bits, xtime};
use crate::isa::{AesRounds, Endian, Isa, Lanes, Sink};

/// Eight AES states for each 16 bytes of a register, with the token that they were made with.
#[derive(Clone, Copy, Debug)]
pub struct Planes<S, V>([V; 8], S);

/// `BITS[b][n]` is all ones if bit `b` of `n` is set, and zero otherwise.
const BITS: [[u8; 16]; 4] = {
    let mut tables = [[0; 16]; 4];
    let mut i = 0;
    while i < 64 {
        if ((i % 16) >> (i / 16)) & 1 == 1 {
            tables[i / 16][i % 16] = 0xff;
        }
        i += 1;
    }
    tables
};

impl<S: Isa, V: Bytes<S> + Lanes<S, u64>> Planes<S, V> {
    #[inline(always)]
    fn of(isa: S, mut states: [V; 8]) -> Self {
        transpose_bits(isa, &mut states);
        Self(states, isa)
    }
    /// The planes of eight registers that all equal `state`.
    #[inline(always)]
    fn of_row(isa: S, state: V) -> Self {
        let [low, high] = state.halves(<V as Bytes<S>>::splat(isa, &[15; 16]));
        let mut planes = [state; 8];
        for k in 0..4 {
            let table = <V as Bytes<S>>::splat(isa, &BITS[k]);
            (planes[k], planes[k + 4]) = (table.pick(low), table.pick(high));
        }
        Self(planes, isa)
    }
    #[inline(always)]
    fn states(self) -> [V; 8] {
        let mut planes = self.0;
        transpose_bits(self.1, &mut planes);
        planes
    }
    /// `from` in every row, as an index for [`Bytes::pick`]. The optimisation barrier hides that it is constant: the compiler
    /// would turn some of these shuffles into two shuffles of words.
    #[inline(always)]
    fn row(self, from: &[u8; 16]) -> V {
        <V as Bytes<S>>::splat(self.1, from).opaque()
    }
    /// The same permutation of the bytes of all planes.
    #[inline(always)]
    fn pick(self, from: &[u8; 16]) -> Self {
        let from = self.row(from);
        let mut planes = self.0;
        for plane in &mut planes {
            *plane = plane.pick(from);
        }
        Self(planes, self.1)
    }
    /// SubBytes without the XOR of 0x63 at its end, or InvSubBytes without the same XOR at its start.
    #[inline(always)]
    fn sub<const ENCRYPT: bool>(self) -> Self {
        let planes = self.0;
        let planes = if ENCRYPT { sub_bytes(planes) } else { inv_sub_bytes(planes) };
        Self(planes, self.1)
    }
    #[inline(always)]
    fn constant(self) -> Self {
        Self(constant(self.0), self.1)
    }
    /// MixColumns, XORed with a key. Let s1 be the byte one row below a byte s, and d = s + s1. MixColumns replaces s by
    /// 2 d + s1 + (d two rows below).
    #[inline(always)]
    fn mix(self, turn: &Turn, key: Self) -> Self {
        let (one, two) = (self.row(&turn.down[0]), self.row(&turn.down[1]));
        let (mut sum, mut rest) = (self.0, self.0);
        for k in 0..8 {
            let next = self.0[k].pick(one);
            sum[k] = self.0[k] ^ next;
            rest[k] = next ^ (sum[k].pick(two) ^ key.0[k]);
        }
        let twice = xtime(sum);
        for k in 0..8 {
            rest[k] = twice[k] ^ rest[k];
        }
        Self(rest, self.1)
    }
    /// InvMixColumns, XORed with a key. Let x2 be x with each row replaced by the one two rows below. InvMixColumns of x is
    /// MixColumns of x + 4 (x + x2), by the matrices of FIPS 197, sections 5.1.3 and 5.3.3.
    #[inline(always)]
    fn inv_mix(self, turn: &Turn, key: Self) -> Self {
        let sum = self.xor(self.pick(&turn.down[1]));
        self.xor(Self(xtime(xtime(sum.0)), self.1)).mix(turn, key)
    }
    /// MixColumns or its inverse, XORed with a key. `turn` says how often ShiftRows, or its inverse, has been omitted.
    #[inline(always)]
    fn mixed<const ENCRYPT: bool>(self, turn: &Turn, key: Self) -> Self {
        if ENCRYPT { self.mix(turn, key) } else { self.inv_mix(turn, key) }
    }
}

/// The byte order after `round` rounds without ShiftRows. InvShiftRows is ShiftRows three times.
const fn turn<const ENCRYPT: bool>(round: usize) -> &'static Turn {
    &TURNS[if ENCRYPT { round } else { 3 * round } % 4]
}

impl<S: Isa, V: Bytes<S> + Lanes<S, u64>> AesRounds<S> for Planes<S, V> {
    const N: usize = 8 * <V as Bytes<S>>::N;
    const SLICED: bool = true;
    /// Two values, 16 registers. They do not depend on each other, so the CPU runs operations of one while the other waits.
    const LONG: usize = 2;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        Self::of_row(isa, <V as Bytes<S>>::splat(isa, state))
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let row = 16 * <V as Bytes<S>>::N;
        let bytes = &bytes[..8 * row];
        let mut states = [<V as Bytes<S>>::load(isa, bytes); 8];
        for (i, state) in states.iter_mut().enumerate() {
            *state = <V as Bytes<S>>::load(isa, &bytes[row * i..]);
        }
        Self::of(isa, states)
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        let states = self.states();
        for i in (0..8).rev() {
            Bytes::put(states[i], sink, at + 16 * <V as Bytes<S>>::N * i);
        }
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        self.states()[0].put_first(sink, at);
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        Self::of(isa, <V as Bytes<S>>::counters(isa, template, endian, low))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        let mut planes = self.0;
        for k in 0..8 {
            planes[k] = planes[k] ^ other.0[k];
        }
        Self(planes, self.1)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        let mut planes = self.0;
        for k in 0..8 {
            planes[k] = planes[k] & other.0[k];
        }
        Self(planes, self.1)
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        self.sub::<true>().pick(&TURNS[1].rows).mix(&TURNS[0], key.constant())
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        self.sub::<true>().pick(&TURNS[1].rows).xor(key.constant())
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        self.constant().sub::<false>().pick(&TURNS[3].rows).inv_mix(&TURNS[0], key)
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        self.constant().sub::<false>().pick(&TURNS[3].rows).xor(key)
    }
    /// A round key has the byte order of the state that it is XORed with. In encryption, every key but the first includes the
    /// constant of the SubBytes before it, which MixColumns does not change. In decryption, every key but the last includes the
    /// constant of the InvSubBytes after it.
    #[inline(always)]
    fn round_key<const ENCRYPT: bool>(isa: S, key: &[u8; 16], round: usize, count: usize) -> Self {
        let last = round + 1 == count;
        let constant = if ENCRYPT { round > 0 } else { !last };
        let key = <V as Bytes<S>>::splat(isa, key);
        let key = key ^ <V as Bytes<S>>::splat(isa, &[if constant { 0x63 } else { 0 }; 16]);
        // ShiftRows four times is the identity, so `3 * round` ShiftRows undo `round` of them. The same is true of InvShiftRows.
        let back = turn::<ENCRYPT>(if last { 0 } else { 3 * round });
        Self::of_row(isa, key.pick(<V as Bytes<S>>::splat(isa, &back.rows)))
    }
    /// Fixslicing (Adomnicai and Peyrin, CHES 2021): only the last round permutes bytes, and its permutation does the ShiftRows of
    /// all rounds. Until then, MixColumns takes the bytes of a column from where they are.
    #[inline(always)]
    fn rounds<const ENCRYPT: bool, const R: usize>(keys: &[Self], mut x: [Self; R]) -> [Self; R] {
        if let [a, b] = x[..] {
            x.copy_from_slice(&Self::pair::<ENCRYPT>(keys, [a, b]));
            return x;
        }
        let last = keys.len() - 1;
        for state in &mut x {
            *state = state.xor(keys[0]);
            for round in 1..last {
                let turn = turn::<ENCRYPT>(round);
                *state = state.sub::<ENCRYPT>().mixed::<ENCRYPT>(turn, keys[round]);
            }
            *state = state.sub::<ENCRYPT>().pick(&turn::<ENCRYPT>(last).rows).xor(keys[last]);
        }
        x
    }
}

impl<S: Isa, V: Bytes<S> + Lanes<S, u64>> Planes<S, V> {
    /// [`AesRounds::rounds`] for two values, which the compiler interleaves. A loop over the two values would spill them in each
    /// round. AES-128, 16 KiB with AVX2, in cycles: encryption takes 36,300, and 38,600 in such a loop (Zen 4). Decryption takes
    /// 46,700, and 50,700 with two loops in each round, one for InvSubBytes and one for InvMixColumns (Intel family 6 model 167).
    /// On a Zen 4, decryption takes 46,600, and 46,100 with two loops.
    #[inline(always)]
    fn pair<const ENCRYPT: bool>(keys: &[Self], [a, b]: [Self; 2]) -> [Self; 2] {
        let last = keys.len() - 1;
        let (mut a, mut b) = (a.xor(keys[0]), b.xor(keys[0]));
        for round in 1..last {
            let (turn, key) = (turn::<ENCRYPT>(round), keys[round]);
            let (one, other) = (a.sub::<ENCRYPT>(), b.sub::<ENCRYPT>());
            a = one.mixed::<ENCRYPT>(turn, key);
            b = other.mixed::<ENCRYPT>(turn, key);
        }
        let (rows, key) = (&turn::<ENCRYPT>(last).rows, keys[last]);
        [a.sub::<ENCRYPT>().pick(rows).xor(key), b.sub::<ENCRYPT>().pick(rows).xor(key)]
    }
}
