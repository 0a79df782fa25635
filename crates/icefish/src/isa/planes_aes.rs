//! Many AES states without AES instructions: bit-sliced, a byte of each plane for each byte of eight states.
//!
//! Eight registers of states become eight planes: bit `m` of byte `j` of row `n` in plane `k` is bit `k` of
//! byte `j` of the state that was row `n` of register `m`. So ShiftRows and the moves of MixColumns are the
//! permutations of bytes that they are in FIPS 197, one for eight states (Käsper and Schwabe, "Faster and
//! Timing-Attack Resistant AES-GCM", CHES 2009).

use super::permuted_aes::{Bytes, moved};
use super::sliced_aes::{inv_affine, sub_bytes, transpose_bits, xtime};
use super::{AesRounds, Endian, Isa, Lanes, Sink};

/// Eight times as many AES states as a register has rows, with the token that they were made with.
#[derive(Clone, Copy, Debug)]
pub struct Planes<S, V>([V; 8], S);

/// For each of four bits of the numbers 0 to 15, the bytes that are set where the number has it.
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
    #[inline(always)]
    fn states(self) -> [V; 8] {
        let mut planes = self.0;
        transpose_bits(self.1, &mut planes);
        planes
    }
    /// The same permutation of the bytes of all planes.
    #[inline(always)]
    fn pick(self, from: &[u8; 16]) -> [V; 8] {
        // Opaque: the compiler would make two shuffles of words of some.
        let from = <V as Bytes<S>>::splat(self.1, from).opaque();
        let mut planes = self.0;
        for plane in &mut planes {
            *plane = plane.pick(from);
        }
        planes
    }
    /// MixColumns after the rows have moved by `shift` (see [`moved`]). With s1 what lies one row on,
    /// 2 (s + s1) + s1 + (s + s1) two rows on.
    #[inline(always)]
    fn mixed<const SHIFT: usize>(self) -> Self {
        let here = self.pick(&const { moved(SHIFT, 0) });
        let next = self.pick(&const { moved(SHIFT, 1) });
        let mut sum = here;
        for k in 0..8 {
            sum[k] = here[k] ^ next[k];
        }
        let after = Self(sum, self.1).pick(&const { moved(0, 2) });
        let mut out = xtime(sum);
        for k in 0..8 {
            out[k] = (out[k] ^ next[k]) ^ after[k];
        }
        Self(out, self.1)
    }
    /// SubBytes^-1 = B . SubBytes . B, where B is the inverse of the affine map of FIPS 197, section 5.1.1.
    #[inline(always)]
    fn inv_sub_bytes(self) -> Self {
        Self(inv_affine(sub_bytes::<S, V>(inv_affine(self.0))), self.1)
    }
}

impl<S: Isa, V: Bytes<S> + Lanes<S, u64>> AesRounds<S> for Planes<S, V> {
    const N: usize = 8 * <V as Bytes<S>>::N;
    const SLICED: bool = true;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        let state = <V as Bytes<S>>::splat(isa, state);
        let nibble = <V as Bytes<S>>::splat(isa, &[15; 16]);
        let (low, high) = (state & nibble, state.shift() & nibble);
        let mut planes = [state; 8];
        for k in 0..4 {
            let table = <V as Bytes<S>>::splat(isa, &BITS[k]);
            (planes[k], planes[k + 4]) = (table.pick(low), table.pick(high));
        }
        Self(planes, isa)
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
        let mut states = [<V as Bytes<S>>::counters(isa, template, endian, low); 8];
        for (i, state) in states.iter_mut().enumerate() {
            let low = low.wrapping_add((<V as Bytes<S>>::N * i) as u64);
            *state = <V as Bytes<S>>::counters(isa, template, endian, low);
        }
        Self::of(isa, states)
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
        Self(sub_bytes::<S, V>(self.0), self.1).mixed::<1>().xor(key)
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        Self(Self(sub_bytes::<S, V>(self.0), self.1).pick(&const { moved(1, 0) }), self.1).xor(key)
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        // The inverse of MixColumns is MixColumns after x + 4 (x + x two rows on) (FIPS 197, section 5.3.3);
        // the rows move back with the former.
        let x = self.inv_sub_bytes();
        let after = x.pick(&const { moved(3, 2) });
        let mut here = x.pick(&const { moved(3, 0) });
        let mut sum = here;
        for k in 0..8 {
            sum[k] = here[k] ^ after[k];
        }
        let four = xtime(xtime(sum));
        for k in 0..8 {
            here[k] = here[k] ^ four[k];
        }
        Self(here, self.1).mixed::<0>().xor(key)
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        let x = self.inv_sub_bytes();
        Self(x.pick(&const { moved(3, 0) }), self.1).xor(key)
    }
}
