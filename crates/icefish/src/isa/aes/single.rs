//! One AES state without AES instructions, in general registers: bit-sliced, in constant time.
//!
//! Two words hold the state: one the even bits of all 16 bytes, the other the odd bits. Byte `l` of a word has two bits of each of
//! four planes, side by side: those of byte `l` of the state and of byte `l + 8`. Converting a state moves half of its bits by one
//! place. The S-box takes each plane in a word of its own, and the other six bits of a byte are ignored there. Linear operations
//! work on four planes at once.

use super::sbox::{inv_sub_bytes, sub_bytes};
use crate::isa::{AesRounds, Endian, Isa, Sink};

/// A state: even planes, odd planes.
#[derive(Clone, Copy, Debug)]
pub struct Single(u64, u64);

/// The same byte eight times.
const fn bytes(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The constant of SubBytes, 0x63, in all bytes.
const CONSTANT: Single = Single(bytes(0xc3), bytes(0x33));

/// Row `r` of the result is row `r + by` of every column. Byte `r` of each half of a word has bits of row `r` of two columns.
#[inline(always)]
const fn rows_on(x: u64, by: usize) -> u64 {
    let low = (u32::MAX >> (8 * by)) as u64 * 0x1_0000_0001;
    (x >> (8 * by)) & low | (x << (32 - 8 * by)) & !low
}

/// ShiftRows for `by` 1, its inverse for 3. Each byte of a word has bits of two columns: 0 and 2 in the lower half of the word, 1
/// and 3 in the upper half. The bytes of odd rows move to the other half of the word. In four of the eight bytes, the bits of the
/// two columns then change places.
#[inline(always)]
const fn shift_rows(x: u64, by: usize) -> u64 {
    let odd = (x ^ x.rotate_left(32)) & 0xff00_ff00_ff00_ff00;
    let x = x ^ odd;
    let exchanged = if by == 1 { 0x0055_5500_5555_0000 } else { 0x5555_0000_0055_5500 };
    let bits = (x ^ (x >> 1)) & exchanged;
    x ^ (bits | bits << 1)
}

impl Single {
    #[inline(always)]
    fn of(state: u128) -> Self {
        Self::exchanged(state as u64, (state >> 64) as u64)
    }
    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        let Self(a, b) = Self::exchanged(self.0, self.1);
        (u128::from(a) | u128::from(b) << 64).to_le_bytes()
    }
    /// Exchanges the odd bits of `a` for the even bits of `b`.
    #[inline(always)]
    fn exchanged(a: u64, b: u64) -> Self {
        let bits = (a >> 1 ^ b) & bytes(0x55);
        Self(a ^ bits << 1, b ^ bits)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0 ^ other.0, self.1 ^ other.1)
    }
    #[inline(always)]
    fn planes(self) -> [u64; 8] {
        let Self(e, o) = self;
        [e, o, e >> 2, o >> 2, e >> 4, o >> 4, e >> 6, o >> 6]
    }
    #[inline(always)]
    fn of_planes(x: [u64; 8]) -> Self {
        let plane = |i: usize| x[i] & bytes(3);
        let join = |i| plane(i) | plane(i + 2) << 2 | plane(i + 4) << 4 | plane(i + 6) << 6;
        Self(join(0), join(1))
    }
    /// Multiplies every byte by two: every plane moves up by one, and plane 7 goes to plane 0 and is added to planes 1, 3 and 4.
    #[inline(always)]
    fn twice(self) -> Self {
        let top = self.1 >> 6 & bytes(3);
        Self((self.1 << 2) & bytes(0xfc) ^ (top | top << 4), self.0 ^ (top | top << 2))
    }
    /// Row `r` of the result is row `r + by` of the state.
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
    /// InvSubBytes without the XOR of its constant, which the caller does before.
    #[inline(always)]
    fn inv_sub(self) -> Self {
        Self::of_planes(inv_sub_bytes(self.planes()))
    }
    /// MixColumns. Let row `r` of s1 be row `r + 1` of the state s, and d = s + s1. Let row `r` of d2 be row `r + 2` of d. The
    /// result is 2 d + s1 + d2.
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
        // InvMixColumns (FIPS 197, section 5.3.3) is MixColumns of x + 4 (x + x two rows further down).
        let x = self.plus(CONSTANT).inv_sub().shifted(3);
        let four = x.plus(x.down(2)).twice().twice();
        x.plus(four).mix().plus(key)
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        self.plus(CONSTANT).inv_sub().shifted(3).plus(key)
    }
}
