//! The rounds by arithmetic in GF(2^8), for sets that have instructions for it. The column of an S-box is a byte of a vector.
//!
//! Constant-time: no branch or address depends on key or data. An S-box is a seventh power in one of four fields, which its row
//! chooses (Kwan, section 2.3). All fields of 256 elements are isomorphic, and isomorphisms are linear maps of bits. A column is
//! mapped to the field of the instructions by the map of its row, and its power is mapped back.
//!
//! Where masks select maps ([`Gf256::MASKS`]), the out-of-order window is too short to find enough independent instructions. Two
//! S-boxes are therefore interleaved step by step, and [`Gf256`] keeps that order. Elsewhere images are sums of
//! masked values. An S-box then has more instructions, and interleaving two is no faster.

mod maps;

use super::columns::{ColumnKey, SboxColumns, row_positions};
use crate::cipher::Direction;
use crate::isa::{Gf256, Isa, opaque};
use maps::{BACK, POWER_32, share};

/// `$e` for two S-boxes, with `$n` the number of each. Matrices and constants are parts of instructions, so `$n` is a constant.
macro_rules! two {
    ([$s:literal, $t:literal], $n:ident => $e:expr) => {
        [{ const $n: usize = $s; $e }, { const $n: usize = $t; $e }]
    };
}

/// The images of two vectors, each under one of four affine maps plus `$add`. The bits of a row choose the map. The matrices for
/// S-box `$n` are from `$at` on.
macro_rules! chosen {
    ($isa:ident, $two:tt, $x:ident, $low:ident, $high:ident, $n:ident => $at:expr, $add:expr) => {{
        let maps = maps::of(true);
        let below = two!($two, $n => $x[$n % 2].affine::<{ $at }, $add>($isa, maps));
        let above = two!($two, $n => $x[$n % 2].affine::<{ $at + 2 }, $add>($isa, maps));
        let below = two!($two, $n => $x[$n % 2]
            .affine_where::<{ $at + 1 }, $add>($isa, $low[$n % 2], maps, below[$n % 2]));
        let above = two!($two, $n => $x[$n % 2]
            .affine_where::<{ $at + 3 }, $add>($isa, $low[$n % 2], maps, above[$n % 2]));
        two!($two, $n => V::choose($high[$n % 2], above[$n % 2], below[$n % 2]))
    }};
}

/// Two S-boxes, `[0, 1]` or `[2, 3]`, by selected maps.
macro_rules! chosen_pair {
    ($isa:ident, $two:tt, $columns:ident, $rows:ident) => {{
        let low = two!($two, N => $rows[N].test::<{ row_positions(N)[0] }>($isa));
        let high = two!($two, N => $rows[N].test::<{ row_positions(N)[1] }>($isa));
        let x = two!($two, N => $columns[N]);
        let x = chosen!($isa, $two, x, low, high, N => 4 * N, 1);
        let inverse = two!($two, N => x[N % 2].inverse::<POWER_32>($isa, maps::of(true)));
        let x = two!($two, N => x[N % 2].multiply(inverse[N % 2]));
        chosen!($isa, $two, x, low, high, N => BACK + 4 * N, 0)
    }};
}

/// The image of a vector under one of four affine maps, as a sum.
macro_rules! summed {
    ($isa:ident, $x:expr, $low:ident, $high:ident, $at:expr, $add:expr) => {{
        let (maps, x) = (maps::of(false), $x);
        let some = x.only($low);
        let above = x.affine::<{ $at + 2 }, 0>($isa, maps);
        let below = x.affine::<{ $at }, $add>($isa, maps);
        let above = above ^ some.affine::<{ $at + 3 }, 0>($isa, maps);
        let below = below ^ some.affine::<{ $at + 1 }, 0>($isa, maps);
        below ^ above.only($high)
    }};
}

/// An S-box by sums of maps.
macro_rules! summed_sbox {
    ($isa:ident, $s:literal, $columns:ident, $rows:ident) => {{
        const N: usize = $s;
        let low = $rows[N].test::<{ row_positions(N)[0] }>($isa);
        let high = $rows[N].test::<{ row_positions(N)[1] }>($isa);
        let x = summed!($isa, $columns[N], low, high, 4 * N, 1);
        let x = x.multiply(x.inverse::<POWER_32>($isa, maps::of(false)));
        summed!($isa, x, low, high, BACK + 4 * N, 0)
    }};
}

/// Two S-boxes of all columns. The bits of their rows are in the bytes `$rows`.
macro_rules! sboxes {
    ($isa:ident, [$s:literal, $t:literal], $columns:ident, $rows:ident) => {
        if V::MASKS {
            chosen_pair!($isa, [$s, $t], $columns, $rows)
        } else {
            [summed_sbox!($isa, $s, $columns, $rows), summed_sbox!($isa, $t, $columns, $rows)]
        }
    };
}

/// The inputs of the S-boxes: their columns, and the bytes that contain the bits of their rows.
#[inline(always)]
fn inputs<S: Isa, V: Gf256<S>>(isa: S, right: &[V; 4], key: &ColumnKey) -> [[V; 4]; 2] {
    let all = |bytes| V::repeat(isa, bytes);
    let sum = |a, b, c| V::ternary::<0x96>(a, b, c);
    // Exchanges by differences: of the rows, and of the columns by the salt.
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
    [columns, rows]
}

/// From two outputs of S-boxes: the bits that go to columns 0 and 1, and those that go to 2 and 3. `near` has the bits of the
/// first output that go to columns 0 and 1.
#[inline(always)]
fn parted<S: Isa, V: Gf256<S>>(near: V, w: V, x: V) -> [V; 2] {
    if V::MASKS {
        return [V::ternary::<0xca>(near, w, x), V::ternary::<0xca>(near, x, w)];
    }
    let exchanged = (w ^ x) & near;
    [x ^ exchanged, w ^ exchanged]
}

/// A round: `left` XORed with F of `right`.
#[inline(always)]
fn round<S: Isa, V: Gf256<S>>(isa: S, left: &mut [V; 4], right: &[V; 4], key: &ColumnKey) {
    // `opaque`: if the compiler saw one subkey for several vectors, it would load it once, and then spill registers.
    let [columns, rows] = inputs(isa, right, opaque(key));
    let all = |byte| V::splat(isa, byte);

    // P in two steps: which of two S-boxes goes to columns 0 and 1 and which to 2 and 3; then which of the two columns.
    let (even, odd) =
        (all(const { share(0, 0) | share(1, 0) }), all(const { share(0, 2) | share(1, 2) }));
    let [w, x] = sboxes!(isa, [0, 1], columns, rows);
    let [first, second] = parted(all(const { share(0, 0) | share(0, 1) }), w, x);
    if V::MASKS {
        // `a ^ b & mask`; `a ^ b & !mask`.
        let add = |a, b, mask| V::ternary::<0x78>(a, b, mask);
        let add_other = |a, b, mask| V::ternary::<0xb4>(a, b, mask);
        left[0] = add(left[0], first, even);
        left[1] = add_other(left[1], first, even);
        left[2] = add(left[2], second, odd);
        left[3] = add_other(left[3], second, odd);
        let [y, z] = sboxes!(isa, [2, 3], columns, rows);
        let [first, second] = parted(all(const { share(2, 0) | share(2, 1) }), y, z);
        left[0] = add_other(left[0], first, even);
        left[1] = add(left[1], first, even);
        left[2] = add_other(left[2], second, odd);
        left[3] = add(left[3], second, odd);
    } else {
        let [y, z] = sboxes!(isa, [2, 3], columns, rows);
        let [third, fourth] = parted(all(const { share(2, 0) | share(2, 1) }), y, z);
        let exchanged = [(first ^ third) & even, (second ^ fourth) & odd];
        left[0] = left[0] ^ third ^ exchanged[0];
        left[1] = left[1] ^ first ^ exchanged[0];
        left[2] = left[2] ^ fourth ^ exchanged[1];
        left[3] = left[3] ^ second ^ exchanged[1];
    }
}

/// A round of one or two vectors, one after the other. Unrolled, because the compiler would turn a loop into memory accesses.
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

/// All rounds of blocks as columns. Their number is even.
#[inline(always)]
pub(super) fn rounds<S: Isa, D: Direction, const K: usize>(
    isa: S,
    keys: &[ColumnKey],
    columns: &mut SboxColumns<S::Gf256, K>,
) {
    let [mut left, mut right] = columns.halves;
    for pair in 0..keys.len() / 2 {
        let (first, second) = if D::ENCRYPT {
            (2 * pair, 2 * pair + 1)
        } else {
            (keys.len() - 1 - 2 * pair, keys.len() - 2 - 2 * pair)
        };
        all(isa, &mut left, &right, &keys[first]);
        all(isa, &mut right, &left, &keys[second]);
    }
    // The last round does not exchange the halves.
    columns.halves = [right, left];
}

#[cfg(test)]
mod tests {
    use super::super::Ice;
    use super::super::blocks::WordBlocks;
    use super::*;
    use crate::cipher::{Decrypt, Encrypt, Wide};
    use crate::isa::{Backend, Extension, Lanes, Sink, Task};

    /// Blocks as columns, in `K` vectors for encryption and one for decryption, compared with tables.
    #[inline(always)]
    fn compare<S: Isa, const K: usize>(isa: S) {
        type Vectors<S, const K: usize> = SboxColumns<<S as Isa>::Gf256, K>;
        for level in 0..3 {
            let key = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 3, 1, 4, 1, 5, 9, 2, 6];
            let ice = Ice::new(level, &key[..Ice::key_len(level)]).unwrap();
            let mut bytes = [0; 1024];
            for (i, byte) in bytes.iter_mut().enumerate() {
                *byte = (i * i * 31 + i + i / 256) as u8;
            }
            let before = bytes;
            let [some, all] = [Vectors::<S, 1>::BLOCKS, Vectors::<S, K>::BLOCKS].map(|n| 8 * n);
            let mut columns = <Vectors<S, K> as Wide<S>>::load(isa, &bytes);
            rounds::<S, Encrypt, K>(isa, ice.columns(), &mut columns);
            columns.store(isa, Sink::new(&mut bytes[..all]));
            for (i, block) in before[..all].chunks_exact(8).enumerate() {
                let x = <WordBlocks<1> as Wide<S>>::load(isa, block);
                let WordBlocks([x]) = ice.look_up::<S, Encrypt, WordBlocks<1>, 1>(isa, x);
                assert_eq!(bytes[8 * i..][..8], x.to_be_bytes(), "block {i}");
            }
            let mut columns = <Vectors<S, 1> as Wide<S>>::load(isa, &bytes);
            rounds::<S, Decrypt, 1>(isa, ice.columns(), &mut columns);
            columns.store(isa, Sink::new(&mut bytes[..some]));
            assert_eq!(bytes[..some], before[..some]);
        }
    }

    /// Of the sets without instructions for it, which use [`crate::isa::Octets`], the narrowest stands for all, with the fewest
    /// vectors: ICE takes this form on none of them, and each vector takes seconds to compile.
    struct AsByTable;

    impl Task for AsByTable {
        type Out = ();
        const EXTENSION: Extension = Extension::Gf256;
        #[inline(always)]
        fn call<S: Isa>(self, isa: S) {
            if S::Gf256::FAST {
                compare::<S, 2>(isa);
            } else if S::U64::N == 1 {
                compare::<S, 1>(isa);
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
