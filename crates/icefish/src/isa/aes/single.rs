//! One AES state without AES instructions, in general registers: bit-sliced, in constant time.
//!
//! Plane `k` has bit `k` of all 16 bytes, that of byte `j` at bit `j`. Two words hold the state: one the even planes, the lowest
//! in the least significant bits, the other the odd planes. The S-box takes each plane in a word of its own, and the upper bits
//! of that word are ignored. Linear operations work on four planes at once.

use super::sbox::{inv_sub_bytes, sub_bytes};
use crate::isa::{AesRounds, Endian, Isa, Sink};

/// A state: even planes, odd planes.
#[derive(Clone, Copy, Debug)]
pub struct Single(u64, u64);

/// The same 16 bits four times.
const fn lanes(bits: u16) -> u64 {
    bits as u64 * 0x0001_0001_0001_0001
}

/// The constant of SubBytes in all bytes.
const CONSTANT: Single = Single(0xffff_0000_0000_ffff, 0x0000_ffff_0000_ffff);

/// Transposes a matrix of eight bytes of eight bits.
#[inline(always)]
const fn transpose(mut x: u64) -> u64 {
    let t = (x ^ (x >> 7)) & 0x00aa_00aa_00aa_00aa;
    x ^= t ^ (t << 7);
    let t = (x ^ (x >> 14)) & 0x0000_cccc_0000_cccc;
    x ^= t ^ (t << 14);
    let t = (x ^ (x >> 28)) & 0xf0f0_f0f0;
    x ^ t ^ (t << 28)
}

/// In every column, the bits `by` rows further down.
#[inline(always)]
const fn rows_on(x: u64, by: usize) -> u64 {
    let low = lanes(0x1111 * (15 >> by));
    (x >> by) & low | (x << (4 - by)) & !low
}

/// Moves row `r` of every plane by `r by` columns (`4 r by` places, cyclically): ShiftRows for 1, its inverse for 3.
#[inline(always)]
const fn shift_rows(x: u64, by: usize) -> u64 {
    let (mut out, mut row) = (x & lanes(0x1111), 1);
    while row < 4 {
        let (places, bits) = (4 * (row * by % 4), 0x1111 << row);
        out |= (x >> places) & lanes((0xffff >> places) & bits);
        out |= (x << (16 - places)) & lanes(!(0xffff >> places) & bits);
        row += 1;
    }
    out
}

impl Single {
    #[inline(always)]
    fn of(state: u128) -> Self {
        let (a, b) = (transpose(state as u64), transpose((state >> 64) as u64));
        let low = lanes(0x00ff);
        Self(a & low | (b & low) << 8, (a >> 8) & low | b & !low)
    }
    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        let low = lanes(0x00ff);
        let a = transpose(self.0 & low | (self.1 & low) << 8);
        let b = transpose((self.0 >> 8) & low | self.1 & !low);
        (u128::from(a) | u128::from(b) << 64).to_le_bytes()
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0 ^ other.0, self.1 ^ other.1)
    }
    #[inline(always)]
    fn planes(self) -> [u64; 8] {
        let Self(e, o) = self;
        [e, o, e >> 16, o >> 16, e >> 32, o >> 32, e >> 48, o >> 48]
    }
    #[inline(always)]
    fn of_planes(x: [u64; 8]) -> Self {
        let join = |a: u64, b: u64, c: u64, d: u64| {
            (a & 0xffff | (b & 0xffff) << 16) | ((c & 0xffff) << 32 | d << 48)
        };
        Self(join(x[0], x[2], x[4], x[6]), join(x[1], x[3], x[5], x[7]))
    }
    /// Multiplies every byte by two: every plane moves up by one, and plane 7 goes to plane 0 and is added to planes 1, 3 and 4.
    #[inline(always)]
    fn twice(self) -> Self {
        let top = self.1 >> 48;
        Self(self.1.rotate_left(16) ^ top << 32, self.0 ^ (top | top << 16))
    }
    /// The state `by` rows further down.
    #[inline(always)]
    fn down(self, by: usize) -> Self {
        Self(rows_on(self.0, by), rows_on(self.1, by))
    }
    #[inline(always)]
    fn shifted(self, by: usize) -> Self {
        Self(shift_rows(self.0, by), shift_rows(self.1, by))
    }
    /// SubBytes without its constant.
    #[inline(always)]
    fn sub(self) -> Self {
        Self::of_planes(sub_bytes(self.planes()))
    }
    /// InvSubBytes of a state without the constant.
    #[inline(always)]
    fn inv_sub(self) -> Self {
        Self::of_planes(inv_sub_bytes(self.planes()))
    }
    /// MixColumns: with s1 the state one row further down, 2 (s + s1) + s1 + (s + s1) two rows further down.
    #[inline(always)]
    fn mix(self) -> Self {
        let next = self.down(1);
        let sum = self.plus(next);
        sum.twice().plus(next).plus(sum.down(2))
    }
}

impl<S: Isa> AesRounds<S> for Single {
    const N: usize = 1;
    const SLICED: bool = false;

    #[inline(always)]
    fn splat(_: S, state: &[u8; 16]) -> Self {
        Self::of(u128::from_le_bytes(*state))
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self::splat(isa, bytes[..16].try_into().expect("16 bytes"))
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        sink.put(at, self.bytes());
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        sink.put(at, self.bytes());
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        let mut block = *template;
        match endian {
            Endian::Big => block[8..].copy_from_slice(&low.to_be_bytes()),
            Endian::Little => block[..8].copy_from_slice(&low.to_le_bytes()),
        }
        Self::splat(isa, &block)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.plus(other)
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0, self.1 & other.1)
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        self.sub().shifted(1).mix().plus(key.plus(CONSTANT))
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        self.sub().shifted(1).plus(key.plus(CONSTANT))
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        // InvMixColumns is MixColumns of x + 4 (x + x two rows further down) (FIPS 197, section 5.3.3).
        let x = self.plus(CONSTANT).inv_sub().shifted(3);
        let four = x.plus(x.down(2)).twice().twice();
        x.plus(four).mix().plus(key)
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        self.plus(CONSTANT).inv_sub().shifted(3).plus(key)
    }
}
