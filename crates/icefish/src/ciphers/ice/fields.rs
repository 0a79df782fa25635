//! The rounds by arithmetic in GF(2^8), an S-box's input a byte: for sets that have instructions for it.
//!
//! Constant time: no branch or address depends on key or data. An S-box is a seventh power in one of four fields,
//! which its row chooses (Kwan, section 2.3). All fields of 256 elements are isomorphic, and isomorphisms are linear
//! maps of bits: a column goes to the field that the set knows, by the map of its row, and its power back.
//!
//! The CPU does not look far enough ahead to find enough that can go on at once. So two S-boxes go side by side, step
//! by step, and [`Gf256`] keeps them in that order.

use super::columns::{Columns, position};
use super::schedule::Subkey;
use super::tables::{MODULUS, OFFSET, P, PLACES, expansion};
use crate::cipher::Direction;
use crate::isa::{Gf256, Isa, anew, product};

/// S-boxes as affine maps, one for each row.
struct Maps {
    /// For row `r` of S-box `s`, `4 s + r`: from a column to the field that the set knows. 16 further on: from the
    /// 224th power there to the seventh power here, its bits in their [`goal`]s. Last, [`POWER_32`].
    matrices: [u64; 33],
    /// What [`OFFSET`] is in the field that the set knows.
    offsets: [[i32; 4]; 4],
}

const MAPS: Maps = maps();
static MATRICES: [u64; 33] = MAPS.matrices;

/// The 32nd power, which is linear: `x (x^-1)^32` is `x^224`, the 32nd power of `x^7`.
const POWER_32: usize = 32;

/// `x`, squared so many times.
const fn squared(mut x: u8, times: usize) -> u8 {
    let mut i = 0;
    while i < times {
        x = product(x, x);
        i += 1;
    }
    x
}

/// The matrix with these columns, the image of bit 0 first.
const fn matrix(columns: [u8; 8]) -> u64 {
    let (mut matrix, mut at) = (0, 0);
    while at < 64 {
        let (row, column) = (at / 8, at % 8);
        matrix |= ((columns[column] >> row & 1) as u64) << (8 * (7 - row) + column);
        at += 1;
    }
    matrix
}

/// Powers 0 to 7 of a root of `modulus` in the field that the set knows: where the isomorphism takes each bit.
const fn images(modulus: u32) -> [u8; 8] {
    let mut root = 2;
    loop {
        let (mut powers, mut power, mut value, mut i) = ([0; 8], 1, 0, 0);
        while i < 9 {
            if i < 8 {
                powers[i] = power;
            }
            if modulus >> i & 1 != 0 {
                value ^= power;
            }
            power = product(power, root);
            i += 1;
        }
        if value == 0 {
            return powers;
        }
        root += 1;
    }
}

/// The image of `x`.
const fn image(images: &[u8; 8], x: u8) -> u8 {
    let (mut image, mut i) = (0, 0);
    while i < 8 {
        if x >> i & 1 != 0 {
            image ^= images[i];
        }
        i += 1;
    }
    image
}

/// The column, and the position in it, of bit `bit` of a half.
const fn place(bit: usize) -> (usize, usize) {
    let mut at = 0;
    while at < 32 {
        let (s, i) = (at / 8, at % 8);
        if expansion(s / 2, 10 * (1 - s % 2) + 1 + i) == bit {
            return (s, position(s, i));
        }
        at += 1;
    }
    panic!("every bit of a half is in a column")
}

/// Where P puts bit `i` of the output of S-box `s`.
const fn goal(s: usize, i: usize) -> (usize, usize) {
    place(P[24 - 8 * s + i] as usize)
}

const fn maps() -> Maps {
    let (mut matrices, mut offsets, mut at) = ([0; 33], [[0; 4]; 4], 0);
    while at < 16 {
        let (s, row) = (at / 4, at % 4);
        let images = images(MODULUS[s][row]);
        let (mut there, mut back, mut i) = ([0; 8], [0; 8], 0);
        while i < 8 {
            there[position(s, i)] = images[i];
            // The 32nd root, that is, the eighth power, of this bit, and what it is the image of.
            let (root, mut x) = (squared(1 << i, 3), 0);
            while image(&images, x) != root {
                x += 1;
            }
            let mut bit = 0;
            while bit < 8 {
                back[i] |= (x >> bit & 1) << goal(s, bit).1;
                bit += 1;
            }
            i += 1;
        }
        matrices[at] = matrix(there);
        matrices[16 + at] = matrix(back);
        offsets[s][row] = image(&images, OFFSET[s][row] as u8) as i32;
        at += 1;
    }
    let (mut powers, mut i) = ([0; 8], 0);
    while i < 8 {
        powers[i] = squared(1 << i, 5);
        i += 1;
    }
    matrices[POWER_32] = matrix(powers);
    Maps { matrices, offsets }
}

/// The positions in which the output of S-box `s` goes to column `column`.
const fn share(s: usize, column: usize) -> u8 {
    let (mut share, mut i) = (0, 0);
    while i < 8 {
        let goal = goal(s, i);
        if goal.0 == column {
            share |= 1 << goal.1;
        }
        i += 1;
    }
    share
}

/// A subkey as this form of the rounds takes it: bytes for all blocks.
///
/// The column of an S-box and that of the S-box two further on are exchanged where the salt is set. The row of an
/// S-box is made of two bits of its neighbours' columns: those of S-boxes 0 and 2 of columns 1 and 3, and the other
/// way round. They too change places where the salt is set.
#[derive(Clone, Copy, Default)]
pub(super) struct ColumnKey {
    /// What columns are XORed with.
    columns: [u8; 4],
    /// The salt of columns 0 and 2, and of 1 and 3.
    salt: [u8; 2],
    /// What rows are XORed with.
    rows: [u8; 4],
    /// Where rows of S-boxes 1 and 0 are in columns 2 and 3, not 0 and 1.
    far: [u8; 2],
}

/// The positions of the bits of the row of S-box `s` in columns, the low one first: the last bit of a column, and the first of
/// another.
const fn row_positions(s: usize) -> [usize; 2] {
    [position(s + 1, 7), position(s + 1, 0)]
}

impl ColumnKey {
    /// From a subkey as words.
    pub(super) fn new(key: u64, salt: u64) -> Self {
        let window = |word: u64, s: usize| (word >> PLACES[s] & 0x3ff) as u32;
        let column =
            |window: u32, s: usize| ((window >> 1) as u8).rotate_left(position(s, 0) as u32);
        let row = |window: u32, s: usize| {
            let [low, high] = row_positions(s);
            ((window & 1) << low | (window >> 9) << high) as u8
        };
        let mut new = Self::default();
        for s in 0..4 {
            new.columns[s] = column(window(key, s), s);
            new.rows[s] = row(window(key, s), s);
        }
        for s in 0..2 {
            new.salt[s] = column(window(salt, s), s);
            // Without salt, the low bit of a row of S-box 1, and the high one of S-box 0, come from afar.
            let afar = row_positions(s)[1 - s];
            new.far[1 - s] = row(window(salt, s), s) ^ 1 << afar;
        }
        new
    }
}

/// `$e` for two S-boxes, `$n` the number of each: matrices and constants are parts of instructions.
macro_rules! two {
    ([$s:literal, $t:literal], $n:ident => $e:expr) => {
        [{ const $n: usize = $s; $e }, { const $n: usize = $t; $e }]
    };
}

/// The images of two vectors under one of four affine maps each, which the bits of a row choose: matrices from `$at` on,
/// constants `$add`, for S-box `$n`.
macro_rules! chosen {
    ($isa:ident, $two:tt, $x:ident, $low:ident, $high:ident, $n:ident => $at:expr, $add:expr) => {{
        let below = two!($two, $n =>
            $x[$n % 2].affine::<{ $at }, { $add[0] }>($isa, &MATRICES));
        let above = two!($two, $n =>
            $x[$n % 2].affine::<{ $at + 2 }, { $add[2] }>($isa, &MATRICES));
        let below = two!($two, $n => $x[$n % 2]
            .affine_where::<{ $at + 1 }, { $add[1] }>($isa, $low[$n % 2], &MATRICES, below[$n % 2]));
        let above = two!($two, $n => $x[$n % 2]
            .affine_where::<{ $at + 3 }, { $add[3] }>($isa, $low[$n % 2], &MATRICES, above[$n % 2]));
        two!($two, $n => V::choose($high[$n % 2], above[$n % 2], below[$n % 2]))
    }};
}

/// Two S-boxes, `[0, 1]` or `[2, 3]`, of the columns of all; the bits of their rows are in the bytes `$rows`.
macro_rules! sboxes {
    ($isa:ident, $two:tt, $columns:ident, $rows:ident) => {{
        let low = two!($two, N => $rows[N].test($isa, 1 << row_positions(N)[0]));
        let high = two!($two, N => $rows[N].test($isa, 1 << row_positions(N)[1]));
        let x = two!($two, N => $columns[N]);
        let x = chosen!($isa, $two, x, low, high, N => 4 * N, MAPS.offsets[N]);
        let inverse = two!($two, N => x[N % 2].inverse::<POWER_32>($isa, &MATRICES));
        let x = two!($two, N => x[N % 2].multiply(inverse[N % 2]));
        chosen!($isa, $two, x, low, high, N => 16 + 4 * N, [0; 4])
    }};
}

/// A round: `left` XORed with F of `right`.
#[inline(always)]
fn round<S: Isa, V: Gf256<S>>(isa: S, left: &mut [V; 4], right: &[V; 4], key: &ColumnKey) {
    // Where the compiler saw the same subkey for several vectors, it would load it once, and then run out of registers.
    let key = anew(key);
    let all = |byte| V::splat(isa, byte);
    // `a` where the mask is set, else `b`; `a ^ b & mask`; `a ^ b & !mask`; the sum of three.
    let choice = |mask, a, b| V::ternary::<0xca>(mask, a, b);
    let add = |a, b, mask| V::ternary::<0x78>(a, b, mask);
    let add_other = |a, b, mask| V::ternary::<0xb4>(a, b, mask);
    let sum = |a, b, c| V::ternary::<0x96>(a, b, c);

    // Exchanges, as differences: of rows, and of columns by the salt.
    let [a, b, c, d] = *right;
    let (ac, bd) = (a ^ c, b ^ d);
    let (rows_ac, rows_bd) = (ac & all(key.far[0]), bd & all(key.far[1]));
    let rows = [
        sum(b, rows_bd, all(key.rows[0])),
        sum(a, rows_ac, all(key.rows[1])),
        sum(d, rows_bd, all(key.rows[2])),
        sum(c, rows_ac, all(key.rows[3])),
    ];
    let (ac, bd) = (ac & all(key.salt[0]), bd & all(key.salt[1]));
    let columns = [
        sum(a, ac, all(key.columns[0])),
        sum(b, bd, all(key.columns[1])),
        sum(c, ac, all(key.columns[2])),
        sum(d, bd, all(key.columns[3])),
    ];

    // P: first which of two S-boxes goes to columns 0 and 1, which to 2 and 3; then which of those to which column.
    let (even, odd) =
        (all(const { share(0, 0) | share(1, 0) }), all(const { share(0, 2) | share(1, 2) }));
    let [w, x] = sboxes!(isa, [0, 1], columns, rows);
    let near = all(const { share(0, 0) | share(0, 1) });
    let (first, second) = (choice(near, w, x), choice(near, x, w));
    left[0] = add(left[0], first, even);
    left[1] = add_other(left[1], first, even);
    left[2] = add(left[2], second, odd);
    left[3] = add_other(left[3], second, odd);
    let [y, z] = sboxes!(isa, [2, 3], columns, rows);
    let near = all(const { share(2, 0) | share(2, 1) });
    let (first, second) = (choice(near, y, z), choice(near, z, y));
    left[0] = add_other(left[0], first, even);
    left[1] = add(left[1], first, even);
    left[2] = add_other(left[2], second, odd);
    left[3] = add(left[3], second, odd);
}

/// A round of one vector or two, one after the other. Without a loop, which the compiler would keep, with all columns in
/// memory.
#[inline(always)]
fn all<S: Isa, V: Gf256<S>, const K: usize>(
    isa: S,
    left: &mut [[V; 4]; K],
    right: &[[V; 4]; K],
    key: &ColumnKey,
) {
    const { assert!(K == 1 || K == 2) };
    round(isa, &mut left[0], &right[0], key);
    if K == 2 {
        round(isa, &mut left[1 % K], &right[1 % K], key);
    }
}

/// All rounds, an even number, of blocks as columns.
#[inline(always)]
pub(super) fn rounds<S: Isa, D: Direction, const K: usize>(
    isa: S,
    subkeys: &[Subkey],
    columns: &mut Columns<S::Gf256, K>,
) {
    let [mut left, mut right] = columns.halves;
    for pair in 0..subkeys.len() / 2 {
        let (first, second) = if D::ENCRYPT {
            (2 * pair, 2 * pair + 1)
        } else {
            (subkeys.len() - 1 - 2 * pair, subkeys.len() - 2 - 2 * pair)
        };
        all(isa, &mut left, &right, &subkeys[first].columns);
        all(isa, &mut right, &left, &subkeys[second].columns);
    }
    // The last round has no exchange of halves.
    columns.halves = [right, left];
}

#[cfg(test)]
mod tests {
    use super::super::Ice;
    use super::*;
    use crate::cipher::{Decrypt, Encrypt, Wide};
    use crate::isa::{Backend, Sink, Task};

    /// Blocks as columns, two vectors of them there and one back, and by table. On sets without instructions for
    /// it too, by [`crate::isa::Octets`].
    struct AsByTable;

    impl Task for AsByTable {
        type Out = ();
        fn call<S: Isa>(self, isa: S) {
            type Vectors<S, const K: usize> = Columns<<S as Isa>::Gf256, K>;
            for level in 0..3 {
                let key = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 3, 1, 4, 1, 5, 9, 2, 6];
                let ice = Ice::new(level, &key[..Ice::key_len(level)]).unwrap();
                let mut bytes = [0; 1024];
                for (i, byte) in bytes.iter_mut().enumerate() {
                    *byte = (i * i * 31 + i + i / 256) as u8;
                }
                let before = bytes;
                let [some, all] = [Vectors::<S, 1>::BLOCKS, Vectors::<S, 2>::BLOCKS].map(|n| 8 * n);
                let mut columns = <Vectors<S, 2> as Wide<S>>::load(isa, &bytes);
                rounds::<S, Encrypt, 2>(isa, ice.subkeys(), &mut columns);
                columns.store(isa, Sink::new(&mut bytes[..all]));
                for (i, block) in before[..all].chunks_exact(8).enumerate() {
                    let block = u64::from_be_bytes(block.try_into().unwrap());
                    let [by_table] = ice.look_up::<S, Encrypt, 1>([block]);
                    assert_eq!(bytes[8 * i..][..8], by_table.to_be_bytes(), "block {i}");
                }
                let mut columns = <Vectors<S, 1> as Wide<S>>::load(isa, &bytes);
                rounds::<S, Decrypt, 1>(isa, ice.subkeys(), &mut columns);
                columns.store(isa, Sink::new(&mut bytes[..some]));
                assert_eq!(bytes[..some], before[..some]);
            }
        }
    }

    #[test]
    fn fields_are_as_tables_on_every_backend() {
        for backend in Backend::available() {
            backend.run(AsByTable);
        }
    }
}
