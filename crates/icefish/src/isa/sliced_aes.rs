//! AES without AES instructions: bit-sliced, in constant time, over lanes of 64 bits.
//!
//! Four states a lane, in eight planes. Plane `k` holds bit `k` of every byte; the byte in row `r` and
//! column `c` (FIPS 197, section 3.4) of state `b` has bit `16 r + 4 c + b` of the lane. So ShiftRows
//! rotates fields of 16 bits and MixColumns rotates lanes.

use super::{AesRounds, Endian, Isa, Lanes, Sink};
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
        // 16 lanes at most, 64 bytes each.
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

/// Transposes the 8x8 bit matrix that each byte position of eight words is.
#[inline(always)]
pub(super) fn transpose_bits<S: Isa, V: Lanes<S, u64>>(isa: S, x: &mut [V; 8]) {
    transpose_step::<S, V, 1>(x, V::splat(isa, 0x5555_5555_5555_5555));
    transpose_step::<S, V, 2>(x, V::splat(isa, 0x3333_3333_3333_3333));
    transpose_step::<S, V, 4>(x, V::splat(isa, 0x0f0f_0f0f_0f0f_0f0f));
}

/// Transposes the 2x2 matrices of blocks of `STEP` x `STEP` bits. The step is a constant for compilers
/// that would not unroll a loop over steps.
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

/// The low four bytes of each lane to bytes 0, 2, 4 and 6.
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

/// Planes from the eight words of four states.
///
/// Before the bit transposition, byte `m` of word `i` is the byte whose positions are `8 m + i`: row
/// `m / 2`, column `2 (m % 2) + i / 4`, state `i % 4`.
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

/// Fields of 16 bits, field `r` rotated right by `4 r` bits (row `r` moves left by `r` columns).
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

/// With `a` a column and `a1` the same column one row on: 2 (a + a1) + a1 + (a + a1) two rows on.
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

/// SubBytes^-1 = B . SubBytes . B, where B is the inverse of the affine map of FIPS 197, section 5.1.1.
#[inline(always)]
fn inv_sub_bytes<S: Isa, V: Lanes<S, u64>>(x: [V; 8]) -> [V; 8] {
    inv_affine(sub_bytes::<S, V>(inv_affine(x)))
}

/// b'_i = b_{i+2} ^ b_{i+5} ^ b_{i+7} ^ d_i, d = 0x05.
#[inline(always)]
pub(super) fn inv_affine<V: Copy + BitXor<Output = V> + Not<Output = V>>(x: [V; 8]) -> [V; 8] {
    let mut out = x;
    for i in 0..8 {
        out[i] = x[(i + 2) % 8] ^ x[(i + 5) % 8] ^ x[(i + 7) % 8];
    }
    out[0] = !out[0];
    out[2] = !out[2];
    out
}

/// The S-box of FIPS 197 in the 115 gates of Boyar and Peralta ("A small depth-16 circuit for the AES
/// S-box" and "A new combinational logic minimization technique with applications to cryptology").
/// Their names: `u` in (most significant first), `y` and `t` between, `z` the products, `s` out.
#[inline(always)]
pub(super) fn sub_bytes<S: Isa, V: Lanes<S, u64>>(x: [V; 8]) -> [V; 8] {
    let [u7, u6, u5, u4, u3, u2, u1, u0] = x;
    let y14 = (u3 ^ u5).opaque();
    let y13 = (u0 ^ u6).opaque();
    let y9 = (u0 ^ u3).opaque();
    let y8 = (u0 ^ u5).opaque();
    let t0 = (u1 ^ u2).opaque();
    let y1 = (t0 ^ u7).opaque();
    let y4 = (y1 ^ u3).opaque();
    let y12 = (y13 ^ y14).opaque();
    let y2 = (y1 ^ u0).opaque();
    let y5 = (y1 ^ u6).opaque();
    let y3 = (y5 ^ y8).opaque();
    let t1 = (u4 ^ y12).opaque();
    let y15 = (t1 ^ u5).opaque();
    let y20 = (t1 ^ u1).opaque();
    let y6 = (y15 ^ u7).opaque();
    let y10 = (y15 ^ t0).opaque();
    let y11 = (y20 ^ y9).opaque();
    let y7 = (u7 ^ y11).opaque();
    let y17 = (y10 ^ y11).opaque();
    let y19 = y10 ^ y8;
    let y16 = (t0 ^ y11).opaque();
    let y21 = y13 ^ y16;
    let y18 = u0 ^ y16;

    let t2 = y12 & y15;
    let t4 = (y3 & y6) ^ t2;
    let t6 = (y4 & u7) ^ t2;
    let t7 = y13 & y16;
    let t9 = (y5 & y1) ^ t7;
    let t11 = (y2 & y7) ^ t7;
    let t12 = y9 & y11;
    let t14 = ((y14 & y17) ^ t12).opaque();
    let t16 = ((y8 & y10) ^ t12).opaque();
    let t21 = (t4 ^ t14 ^ y20).opaque();
    let t22 = (t6 ^ t16 ^ y19).opaque();
    let t23 = (t9 ^ t14 ^ y21).opaque();
    let t24 = (t11 ^ t16 ^ y18).opaque();
    let t25 = (t21 ^ t22).opaque();
    let t26 = t21 & t23;
    let t27 = (t24 ^ t26).opaque();
    let t29 = ((t25 & t27) ^ t22).opaque();
    let t30 = t23 ^ t24;
    let t33 = (((t22 ^ t26) & t30) ^ t24).opaque();
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = (t36 ^ t34).opaque();
    let t38 = t27 ^ t36;
    let t40 = (t25 ^ (t29 & t38)).opaque();
    let t41 = (t40 ^ t37).opaque();
    let t42 = (t29 ^ t33).opaque();
    let t43 = (t29 ^ t40).opaque();
    let t44 = (t33 ^ t37).opaque();
    let t45 = (t42 ^ t41).opaque();

    let z0 = t44 & y15;
    let z1 = t37 & y6;
    let z2 = t33 & u7;
    let z3 = t43 & y16;
    let z4 = t40 & y1;
    let z5 = t29 & y7;
    let z6 = t42 & y11;
    let z7 = t45 & y17;
    let z8 = t41 & y10;
    let z9 = t44 & y12;
    let z10 = t37 & y3;
    let z11 = t33 & y4;
    let z12 = t43 & y13;
    let z13 = t40 & y5;
    let z14 = t29 & y2;
    let z15 = t42 & y9;
    let z16 = t45 & y14;
    let z17 = t41 & y8;

    let t46 = (z15 ^ z16).opaque();
    let t47 = z10 ^ z11;
    let t48 = (z5 ^ z13).opaque();
    let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;
    let t51 = z2 ^ z5;
    let t52 = z7 ^ z8;
    let t53 = (z0 ^ z3).opaque();
    let t54 = z6 ^ z7;
    let t55 = z16 ^ z17;
    let t56 = z12 ^ t48;
    let t57 = (t50 ^ t53).opaque();
    let t58 = (z4 ^ t46).opaque();
    let t59 = (z3 ^ t54).opaque();
    let t60 = t46 ^ t57;
    let t61 = z14 ^ t57;
    let t62 = (t52 ^ t58).opaque();
    let t63 = (t49 ^ t58).opaque();
    let t64 = (z4 ^ t59).opaque();
    let t65 = (t61 ^ t62).opaque();
    let t66 = (z1 ^ t63).opaque();
    let s0 = t59 ^ t63;
    let s6 = t56 ^ !t62;
    let s7 = t48 ^ !t60;
    let t67 = t64 ^ t65;
    let s3 = t53 ^ t66;
    let s4 = t51 ^ t66;
    let s5 = t47 ^ t65;
    let s1 = t64 ^ !s3;
    let s2 = t55 ^ !t67;
    [s7, s6, s5, s4, s3, s2, s1, s0]
}
