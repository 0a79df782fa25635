//! AES without AES instructions: bit-sliced, in constant time, over lanes of 64 bits.
//!
//! Each lane has four states, in eight planes. Plane `k` holds bit `k` of every byte. The byte in row `r` and column `c` (FIPS
//! 197, section 3.4) of state `b` is at bit `16 r + 4 c + b` of the lane. ShiftRows thus rotates fields of 16 bits, and
//! MixColumns rotates lanes.

use super::sbox;
use crate::isa::{AesRounds, Endian, Isa, Lanes, Sink};
use core::ops::{BitXor, Not};

/// `4 V::N` AES states in eight planes, with the token that their lanes were made with.
#[derive(Clone, Copy, Debug)]
pub struct Sliced<S, V>([V; 8], S);

impl<S: Copy, V> Sliced<S, V> {
    #[inline(always)]
    fn with(self, planes: [V; 8]) -> Self {
        Self(planes, self.1)
    }
}

impl<S: Isa, V: Lanes<S, u64>> AesRounds<S> for Sliced<S, V> {
    const N: usize = 4 * V::N;
    const SLICED: bool = true;
    /// The S-box alone needs more registers than a CPU has.
    const LONG: usize = 1;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        let (left, right) = halves(state);
        let (left, right) = (V::splat(isa, left), V::splat(isa, right));
        Self(slice(isa, [left, right, left, right, left, right, left, right]), isa)
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self(slice(isa, V::gather::<8>(isa, bytes)), isa)
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        let isa = self.1;
        V::scatter::<8>(unslice(isa, self.0), sink.part(at, 64 * V::N));
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        // At most 16 lanes of 64 bytes each.
        let mut room = [0; 1024];
        let room = &mut room[..64 * V::N];
        V::scatter::<8>(unslice(self.1, self.0), Sink::new(room));
        sink.put::<16>(at, room[..16].try_into().expect("16 bytes"));
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        let (left, right) = halves(template);
        let (left, right) = (V::splat(isa, left), V::splat(isa, right));
        let mut words = [left, right, left, right, left, right, left, right];
        let lane = V::index(isa).shl(2) + V::splat(isa, low);
        for b in 0..4 {
            let count = lane + V::splat(isa, b as u64);
            match endian {
                Endian::Big => words[2 * b + 1] = count.swap_bytes(),
                Endian::Little => words[2 * b] = count,
            }
        }
        Self(slice(isa, words), isa)
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
        self.with(mix_columns(shift_rows(self.1, sub_bytes::<S, V>(self.0)))).xor(key)
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        self.with(shift_rows(self.1, sub_bytes::<S, V>(self.0))).xor(key)
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        self.with(inv_mix_columns(inv_sub_bytes::<S, V>(inv_shift_rows(self.1, self.0)))).xor(key)
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        self.with(inv_sub_bytes::<S, V>(inv_shift_rows(self.1, self.0))).xor(key)
    }
}

/// Columns 0 and 1, and columns 2 and 3, as little-endian words.
#[inline(always)]
fn halves(state: &[u8; 16]) -> (u64, u64) {
    let all = u128::from_le_bytes(*state);
    (all as u64, (all >> 64) as u64)
}

/// Swaps the bits of `a` under `mask << shift` with those of `b` under `mask`.
#[inline(always)]
fn swap_bits<S: Isa, V: Lanes<S, u64>>(a: &mut V, b: &mut V, mask: V, shift: u32) {
    let t = (a.shr(shift) ^ *b) & mask;
    *b = *b ^ t;
    *a = *a ^ t.shl(shift);
}

/// Transposes the 8x8 bit matrix of each byte position of eight words.
#[inline(always)]
pub(super) fn transpose_bits<S: Isa, V: Lanes<S, u64>>(isa: S, x: &mut [V; 8]) {
    transpose_step::<S, V, 1>(x, V::splat(isa, 0x5555_5555_5555_5555));
    transpose_step::<S, V, 2>(x, V::splat(isa, 0x3333_3333_3333_3333));
    transpose_step::<S, V, 4>(x, V::splat(isa, 0x0f0f_0f0f_0f0f_0f0f));
}

/// Transposes the 2x2 matrices of blocks of `STEP` x `STEP` bits. The step is a constant, because some compilers do not unroll a
/// loop over steps.
#[inline(always)]
fn transpose_step<S: Isa, V: Lanes<S, u64>, const STEP: usize>(x: &mut [V; 8], mask: V) {
    for i in 0..8 {
        if i & STEP == 0 {
            let (mut low, mut high) = (x[i], x[i + STEP]);
            swap_bits(&mut low, &mut high, mask, STEP as u32);
            (x[i], x[i + STEP]) = (low, high);
        }
    }
}

/// Moves the low four bytes of each lane to bytes 0, 2, 4 and 6.
#[inline(always)]
fn spread<S: Isa, V: Lanes<S, u64>>(isa: S, x: V) -> V {
    let x = (x | x.shl(16)) & V::splat(isa, 0x0000_ffff_0000_ffff);
    (x | x.shl(8)) & V::splat(isa, 0x00ff_00ff_00ff_00ff)
}

/// The inverse of [`spread`]; odd bytes are ignored.
#[inline(always)]
fn compact<S: Isa, V: Lanes<S, u64>>(isa: S, x: V) -> V {
    let x = x & V::splat(isa, 0x00ff_00ff_00ff_00ff);
    let x = (x | x.shr(8)) & V::splat(isa, 0x0000_ffff_0000_ffff);
    (x | x.shr(16)) & V::splat(isa, 0xffff_ffff)
}

/// The planes of the eight words of four states.
///
/// Before the bit transposition, byte `m` of word `i` is the byte whose bits get position `8 m + i` in the planes: row `m / 2`,
/// column `2 (m % 2) + i / 4`, state `i % 4`.
#[inline(always)]
fn slice<S: Isa, V: Lanes<S, u64>>(isa: S, words: [V; 8]) -> [V; 8] {
    let low = V::splat(isa, 0xffff_ffff);
    let mut x = words;
    for b in 0..4 {
        let (left, right) = (words[2 * b], words[2 * b + 1]);
        x[b] = spread(isa, left & low) | spread(isa, right & low).shl(8);
        x[b + 4] = spread(isa, left.shr(32)) | spread(isa, right.shr(32)).shl(8);
    }
    transpose_bits(isa, &mut x);
    x
}

/// The inverse of [`slice`](fn@slice).
#[inline(always)]
fn unslice<S: Isa, V: Lanes<S, u64>>(isa: S, planes: [V; 8]) -> [V; 8] {
    let mut x = planes;
    transpose_bits(isa, &mut x);
    let mut words = x;
    for b in 0..4 {
        let (even, odd) = (x[b], x[b + 4]);
        words[2 * b] = compact(isa, even) | compact(isa, odd).shl(32);
        words[2 * b + 1] = compact(isa, even.shr(8)) | compact(isa, odd.shr(8)).shl(32);
    }
    words
}

/// Rotates field `r` of 16 bits right by `4 r` bits (row `r` moves left by `r` columns).
#[inline(always)]
fn shift_rows<S: Isa, V: Lanes<S, u64>>(isa: S, mut x: [V; 8]) -> [V; 8] {
    for p in &mut x {
        *p = rotate_rows(isa, *p, [4, 8, 12]);
    }
    x
}

/// The inverse of [`shift_rows`].
#[inline(always)]
fn inv_shift_rows<S: Isa, V: Lanes<S, u64>>(isa: S, mut x: [V; 8]) -> [V; 8] {
    for p in &mut x {
        *p = rotate_rows(isa, *p, [12, 8, 4]);
    }
    x
}

/// Rotates the 16-bit fields 1, 2 and 3 right by `by` bits.
#[inline(always)]
fn rotate_rows<S: Isa, V: Lanes<S, u64>>(isa: S, x: V, by: [u32; 3]) -> V {
    let mut out = x & V::splat(isa, 0xffff);
    for (i, r) in by.into_iter().enumerate() {
        let field = 16 * (i as u32 + 1);
        let high = (0xffffu64 >> r) << field;
        let low = (0xffffu64 << field) & !high;
        out = out | (x.shr(r) & V::splat(isa, high)) | (x.shl(16 - r) & V::splat(isa, low));
    }
    out
}

/// Multiplies every byte by x modulo x^8 + x^4 + x^3 + x + 1.
#[inline(always)]
pub(super) fn xtime<V: Copy + BitXor<Output = V>>(x: [V; 8]) -> [V; 8] {
    [x[7], x[0] ^ x[7], x[1], x[2] ^ x[7], x[3] ^ x[7], x[4], x[5], x[6]]
}

/// For a byte a, the byte a1 one row below it and d = a + a1, it is 2 d + a1 + (d two rows below).
#[inline(always)]
fn mix_columns<S: Isa, V: Lanes<S, u64>>(x: [V; 8]) -> [V; 8] {
    let (mut next, mut sum) = (x, x);
    for k in 0..8 {
        next[k] = x[k].rotr(16);
        sum[k] = x[k] ^ next[k];
    }
    let mut out = xtime(sum);
    for k in 0..8 {
        out[k] = out[k] ^ next[k] ^ sum[k].rotr(32);
    }
    out
}

/// The inverse matrix is MixColumns times the circulant (5, 0, 4, 0) (FIPS 197, section 5.3.3).
#[inline(always)]
fn inv_mix_columns<S: Isa, V: Lanes<S, u64>>(mut x: [V; 8]) -> [V; 8] {
    let mut sum = x;
    for k in 0..8 {
        sum[k] = x[k] ^ x[k].rotr(32);
    }
    let four = xtime(xtime(sum));
    for k in 0..8 {
        x[k] = x[k] ^ four[k];
    }
    mix_columns(x)
}

/// The constant of SubBytes, 0x63, in every byte.
#[inline(always)]
pub(super) fn constant<V: Copy + Not<Output = V>>(mut x: [V; 8]) -> [V; 8] {
    for k in [0, 1, 5, 6] {
        x[k] = !x[k];
    }
    x
}

#[inline(always)]
fn sub_bytes<S: Isa, V: Lanes<S, u64>>(x: [V; 8]) -> [V; 8] {
    constant(sbox::sub_bytes(x))
}

#[inline(always)]
fn inv_sub_bytes<S: Isa, V: Lanes<S, u64>>(x: [V; 8]) -> [V; 8] {
    sbox::inv_sub_bytes(constant(x))
}
