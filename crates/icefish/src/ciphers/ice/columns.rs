//! Blocks as vectors of bytes, where each byte holds the column input of one S-box.

use super::expansion::PLACES;
use crate::cipher::Wide;
use crate::isa::{Endian, Gf256, Isa, Lanes, Matrix, Sink, mixed};

/// Halves of blocks as the columns of the four S-boxes. A column is eight bits of a half, and the four together are all of it.
/// There are `K` times as many blocks as a vector has bytes.
///
/// In columns 0 and 2, bit `i` of a byte is bit `i` of a byte of the half, except for bit 0, which is that of the next byte to
/// the left, cyclically. In columns 1 and 3, the two nibbles of each byte are exchanged: see [`position`].
#[derive(Clone, Copy)]
pub(super) struct SboxColumns<V, const K: usize> {
    /// The left half and the right one.
    pub(super) halves: [[[V; 4]; K]; 2],
}

/// The position of bit `bit` of the column of S-box `s` in its byte.
///
/// Columns 1 and 3 are rotated against the others, so that each bit of the output of an S-box can be at the position to which P
/// moves it, whatever column it goes to. P is then a bitwise selection between bytes ([`super::fields`]).
pub(super) const fn position(s: usize, bit: usize) -> usize {
    (bit + 1 + 4 * (s % 2)) % 8
}

/// A subkey in the form of [`super::fields`]: bytes for all blocks, in four copies each.
///
/// Where the salt is set, the column of an S-box is exchanged with that of the S-box two further on. The row of an S-box consists
/// of two bits of its neighbours' columns: rows of S-boxes 0 and 2 are in columns 1 and 3, and vice versa. They are exchanged
/// where the salt is set, too.
#[derive(Clone, Copy, Default)]
pub(super) struct ColumnKey {
    /// XORed with the columns.
    pub(super) columns: [u32; 4],
    /// The salt of columns 0 and 2, and of 1 and 3.
    pub(super) salt: [u32; 2],
    /// XORed with the rows.
    pub(super) rows: [u32; 4],
    /// Where the rows of S-boxes 1 and 0 are in columns 2 and 3 instead of 0 and 1.
    pub(super) far: [u32; 2],
}

/// The positions of the bits of the row of S-box `s` in columns, the low one first: the last bit of one column, and the first of
/// another.
pub(super) const fn row_positions(s: usize) -> [usize; 2] {
    [position(s + 1, 7), position(s + 1, 0)]
}

impl ColumnKey {
    /// Converts a subkey from words.
    pub(super) fn new(key: u64, salt: u64) -> Self {
        let window = |word: u64, s: usize| (word >> PLACES[s] & 0x3ff) as u32;
        let column =
            |window: u32, s: usize| ((window >> 1) as u8).rotate_left(position(s, 0) as u32);
        let row = |window: u32, s: usize| {
            let [low, high] = row_positions(s);
            ((window & 1) << low | (window >> 9) << high) as u8
        };
        let four = |byte| mixed::<4, _>(u32::from_ne_bytes([byte; 4]), u32::from(byte));
        let mut new = Self::default();
        for s in 0..4 {
            new.columns[s] = four(column(window(key, s), s));
            new.rows[s] = four(row(window(key, s), s));
        }
        for s in 0..2 {
            new.salt[s] = four(column(window(salt, s), s));
            // Without salt, the low bit of a row of S-box 1 and the high bit of a row of S-box 0 come from columns 2 and 3.
            let afar = row_positions(s)[1 - s];
            new.far[1 - s] = four(row(window(salt, s), s) ^ 1 << afar);
        }
        new
    }
}

/// The matrix that exchanges the nibbles of a byte.
static EXCHANGE: [Matrix; 1] = [Matrix::new(0x1020_4080_0102_0408)];

/// The columns of the bytes of a half, which are given with the most significant first.
#[inline(always)]
fn columns<S: Isa, V: Gf256<S>>(isa: S, bytes: [V; 4]) -> [V; 4] {
    let high = V::splat(isa, 0xfe);
    let mut columns = bytes;
    for s in 0..4 {
        columns[s] = V::ternary::<0xca>(high, bytes[s], bytes[(s + 3) % 4]);
    }
    [
        columns[0],
        columns[1].affine::<0, 0>(isa, &EXCHANGE),
        columns[2],
        columns[3].affine::<0, 0>(isa, &EXCHANGE),
    ]
}

/// The inverse of [`columns`].
#[inline(always)]
fn bytes<S: Isa, V: Gf256<S>>(isa: S, [a, b, c, d]: [V; 4]) -> [V; 4] {
    let high = V::splat(isa, 0xfe);
    let columns = [a, b.affine::<0, 0>(isa, &EXCHANGE), c, d.affine::<0, 0>(isa, &EXCHANGE)];
    let mut bytes = columns;
    for s in 0..4 {
        bytes[s] = V::ternary::<0xca>(high, columns[s], columns[(s + 1) % 4]);
    }
    bytes
}

impl<V: Copy, const K: usize> SboxColumns<V, K> {
    /// Converts eight vectors of blocks for each `k`.
    #[inline(always)]
    fn of<S: Isa<Gf256 = V>>(isa: S, words: [[S::U64; 8]; K]) -> Self
    where
        V: Gf256<S>,
    {
        let mut halves = [[[V::splat(isa, 0); 4]; K]; 2];
        for k in 0..K {
            let [a, b, c, d, e, f, g, h] = V::of_words(isa, words[k]);
            halves[0][k] = columns(isa, [a, b, c, d]);
            halves[1][k] = columns(isa, [e, f, g, h]);
        }
        Self { halves }
    }
}

impl<S: Isa<Gf256 = V>, V: Gf256<S>, const K: usize> Wide<S> for SboxColumns<V, K> {
    const BLOCKS: usize = 8 * S::U64::N * K;
    /// At most two times 64 blocks.
    type Bytes = [u8; 1024];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let size = 8 * S::U64::N;
        let bytes = &bytes[..8 * size * K];
        let mut words = [[S::U64::splat(isa, 0); 8]; K];
        for k in 0..K {
            for i in 0..8 {
                words[k][i] = S::U64::load(isa, &bytes[size * (8 * k + i)..]);
            }
        }
        Self::of(isa, words)
    }
    #[inline(always)]
    fn store(&mut self, isa: S, mut sink: Sink<'_>) {
        let size = 8 * S::U64::N;
        for k in (0..K).rev() {
            let [a, b, c, d] = bytes(isa, self.halves[0][k]);
            let [e, f, g, h] = bytes(isa, self.halves[1][k]);
            let words = V::to_words(isa, [a, b, c, d, e, f, g, h]);
            for i in (0..8).rev() {
                words[i].put(sink.part(size * (8 * k + i), size));
            }
        }
    }
    #[inline(always)]
    fn counters(isa: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let mut words = [[S::U64::index(isa); 8]; K];
        for k in 0..K {
            for i in 0..8 {
                let first = low.wrapping_add((S::U64::N * (8 * k + i)) as u64);
                words[k][i] = words[k][i] + S::U64::splat(isa, first);
                if endian == Endian::Big {
                    words[k][i] = words[k][i].swap_bytes();
                }
            }
        }
        Self::of(isa, words)
    }
    #[inline(always)]
    fn xor(mut self, _: S, other: Self) -> Self {
        for half in 0..2 {
            for k in 0..K {
                for s in 0..4 {
                    self.halves[half][k][s] = self.halves[half][k][s] ^ other.halves[half][k][s];
                }
            }
        }
        self
    }
}
