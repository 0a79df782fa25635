//! AES without AES instructions: by permutations of bytes, in constant time.
//!
//! After Hamburg, "Accelerating AES with Vector Permute Instructions" (CHES 2009): a shuffle of bytes looks
//! up sixteen entries of a register, and no address depends on a secret. The field of AES is taken as pairs
//! over a field of 16 elements, where inversion is a few such look-ups. States stay in that form from load
//! to store: all that lies between is linear in it, or a look-up. `tables` derives the constants.

mod tables;

use super::{AesRounds, Endian, Isa, Sink};
use core::ops::{BitAnd, BitOr, BitXor};
use tables::{Pair, TABLES};

/// Rows of 16 bytes that can change places, as many as fill a register, on the instruction set `S`.
pub trait Bytes<S>:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self>
{
    /// Number of rows.
    const N: usize;
    /// The same row `N` times.
    fn splat(isa: S, row: &[u8; 16]) -> Self;
    /// `N` rows that lie one after the other.
    ///
    /// # Panics
    /// If `bytes` is shorter.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// Writes all rows from byte `at` of `sink` on.
    fn put(self, sink: &mut Sink<'_>, at: usize);
    /// Writes the first row.
    fn put_first(self, sink: &mut Sink<'_>, at: usize);
    /// As [`AesRounds::counters`].
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self;
    /// Byte `j` of each row is the byte that byte `j` of `from` names: 0 to 15, or zero if its highest bit
    /// is set and the three below are not.
    fn pick(self, from: Self) -> Self;
    /// Every byte shifted right by four bits; what comes into its upper half is of no meaning.
    fn shift(self) -> Self;
}

/// States in the form of [`tables`], with the token that they were made with.
#[derive(Clone, Copy, Debug)]
pub struct Permuted<S, V>(V, S);

impl<S: Isa, V: Bytes<S>> Permuted<S, V> {
    #[inline(always)]
    fn table(self, row: &[u8; 16]) -> V {
        V::splat(self.1, row)
    }

    /// The low and the high four bits of every byte.
    #[inline(always)]
    fn nibbles(self) -> (V, V) {
        let low = self.table(&[15; 16]);
        (self.0 & low, self.0.shift() & low)
    }

    /// A linear map, or one with a constant.
    #[inline(always)]
    fn mapped(self, map: &Pair) -> V {
        let (low, high) = self.nibbles();
        self.table(&map.0).pick(low) ^ self.table(&map.1).pick(high)
    }

    /// What [`Inverse::times`] makes the inverse of every byte from (section 3 of the paper).
    #[inline(always)]
    fn inverse(self) -> Inverse<S, V> {
        let (k, i) = self.nibbles();
        let j = i ^ k;
        let invert = self.table(&TABLES.invert);
        let over = self.table(&TABLES.over).pick(k);
        let (ik, jk) = (invert.pick(i) ^ over, invert.pick(j) ^ over);
        Inverse(invert.pick(ik) ^ j, invert.pick(jk) ^ i, self.1)
    }
}

/// The inverses of bytes: each is the sum of a function of one half and a function of the other.
#[derive(Clone, Copy)]
struct Inverse<S, V>(V, V, S);

impl<S: Isa, V: Bytes<S>> Inverse<S, V> {
    /// A linear function of the inverses.
    #[inline(always)]
    fn times(self, map: &Pair) -> V {
        V::splat(self.2, &map.0).pick(self.0) ^ V::splat(self.2, &map.1).pick(self.1)
    }
}

/// Where byte `j` comes from when rows move by `shift` times their number (ShiftRows: 1, its inverse: -1)
/// and then every column by `down` rows up.
pub(super) const fn moved(shift: usize, down: usize) -> [u8; 16] {
    let mut from = [0; 16];
    let mut j = 0;
    while j < 16 {
        let row = (j + down) % 4;
        from[j] = ((4 * (j / 4 + shift * row) + row) % 16) as u8;
        j += 1;
    }
    from
}

impl<S: Isa, V: Bytes<S>> AesRounds<S> for Permuted<S, V> {
    const N: usize = V::N;
    const SLICED: bool = false;

    #[inline(always)]
    fn splat(isa: S, state: &[u8; 16]) -> Self {
        Self(Self(V::splat(isa, state), isa).mapped(&TABLES.enter), isa)
    }
    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self(Self(V::load(isa, bytes), isa).mapped(&TABLES.enter), isa)
    }
    #[inline(always)]
    fn store(self, sink: &mut Sink<'_>, at: usize) {
        self.mapped(&TABLES.leave).put(sink, at);
    }
    #[inline(always)]
    fn store_one(self, sink: &mut Sink<'_>, at: usize) {
        self.mapped(&TABLES.leave).put_first(sink, at);
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8; 16], endian: Endian, low: u64) -> Self {
        let blocks = V::counters(isa, template, endian, low);
        Self(Self(blocks, isa).mapped(&TABLES.enter), isa)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0, self.1)
    }
    #[inline(always)]
    fn enc(self, key: Self) -> Self {
        // With s what ShiftRows leaves and s1 the same one row on, 2 s + 3 s1 + s2 + s3 is
        // (2 s + s1) + (2 s + s1) one row on + s3.
        let inverse = self.inverse();
        let (once, twice) = (inverse.times(&TABLES.sub), inverse.times(&TABLES.sub_twice));
        let half = twice.pick(self.table(&const { moved(1, 0) }))
            ^ once.pick(self.table(&const { moved(1, 1) }));
        let rest = once.pick(self.table(&const { moved(1, 3) })) ^ key.0;
        let rest = rest ^ self.table(&TABLES.affine);
        Self((half ^ rest) ^ half.pick(self.table(&const { moved(0, 1) })), self.1)
    }
    #[inline(always)]
    fn enc_last(self, key: Self) -> Self {
        let state = self.inverse().times(&TABLES.sub);
        let key = key.0 ^ self.table(&TABLES.affine);
        Self(state.pick(self.table(&const { moved(1, 0) })) ^ key, self.1)
    }
    #[inline(always)]
    fn dec(self, key: Self) -> Self {
        let inverse = Self(self.mapped(&TABLES.unaffine), self.1).inverse();
        let mut state = key.0;
        // Row `r` of the result has 14, 11, 13 and 9 times rows `r` to `r + 3` (FIPS 197, section 5.3.3).
        let moves = const { [moved(3, 0), moved(3, 1), moved(3, 2), moved(3, 3)] };
        for i in 0..4 {
            state = state ^ inverse.times(&TABLES.unmix[i]).pick(self.table(&moves[i]));
        }
        Self(state, self.1)
    }
    #[inline(always)]
    fn dec_last(self, key: Self) -> Self {
        let inverse = Self(self.mapped(&TABLES.unaffine), self.1).inverse();
        let state = inverse.times(&TABLES.plain).pick(self.table(&const { moved(3, 0) }));
        Self(state ^ key.0, self.1)
    }
}
