//! Rounds (Skein 1.3, sections 3.3 and 3.3.1). Vector `i` has word `i` of every block, so that the permutation of words is a
//! renaming.

use super::schedule::{Subkey, Subkeys};
use crate::isa::{Isa, Lanes};
use core::ops::{Add, Sub};

/// Rotation constants R_{d,j} (table 4), by the number of words.
pub(super) const fn rotations(words: usize) -> [[u32; 8]; 8] {
    match words {
        4 => pad([[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]]),
        8 => pad([
            [46, 36, 19, 37],
            [33, 27, 14, 42],
            [17, 49, 36, 39],
            [44, 9, 54, 56],
            [39, 30, 34, 24],
            [13, 50, 10, 17],
            [25, 29, 39, 43],
            [8, 35, 56, 22],
        ]),
        _ => [
            [24, 13, 8, 47, 8, 17, 22, 37],
            [38, 19, 10, 55, 49, 18, 23, 52],
            [33, 4, 51, 13, 34, 41, 59, 17],
            [5, 20, 48, 41, 47, 28, 16, 25],
            [41, 9, 37, 31, 12, 47, 44, 30],
            [16, 34, 56, 51, 4, 53, 42, 41],
            [31, 44, 47, 46, 19, 42, 44, 25],
            [9, 48, 35, 52, 23, 31, 37, 20],
        ],
    }
}

/// Rows of `N` constants as rows of eight.
const fn pad<const N: usize>(rows: [[u32; N]; 8]) -> [[u32; 8]; 8] {
    let mut out = [[0; 8]; 8];
    let mut d = 0;
    while d < 8 {
        let mut j = 0;
        while j < N {
            out[d][j] = rows[d][j];
            j += 1;
        }
        d += 1;
    }
    out
}

/// The word permutation pi (table 3): word `i` of a round's result is word `pi[i]` of its mixes.
pub(super) const fn permutation(words: usize) -> [usize; 16] {
    match words {
        4 => [0, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        8 => [2, 1, 4, 7, 6, 5, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0],
        _ => [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1],
    }
}

/// Blocks of `W` words in `M` groups. Vector `i` of a group has word `i` of every block of the group. Groups are independent, and
/// several keep the CPU busy where one has too few words for that.
pub(crate) type Groups<V, const W: usize, const M: usize> = [[V; W]; M];

/// The differences between the tweaks of the blocks and the tweak in the subkeys.
pub(crate) trait Tweaks<V, const W: usize, const M: usize>: Copy {
    /// Moves to the last subkey, which is the first of decryption; `s` is its number.
    fn last(&mut self, s: usize) {
        let _ = s;
    }
    /// Adds the differences for the current subkey, and moves to the next one.
    fn add(&mut self, x: &mut Groups<V, W, M>) {
        let _ = x;
    }
    /// Subtracts the differences for the current subkey, and moves to the one before.
    fn subtract(&mut self, x: &mut Groups<V, W, M>) {
        let _ = x;
    }
}

/// All blocks have the tweak that the subkeys contain.
#[derive(Clone, Copy)]
pub(crate) struct SameTweak;

impl<V, const W: usize, const M: usize> Tweaks<V, W, M> for SameTweak {}

/// Every block has a tweak of its own. For each group: the differences of t0, t1 and t2 from those in the subkeys. They are
/// rotated so that the first one is for word W - 3 of the current subkey.
#[derive(Clone, Copy)]
pub(crate) struct TweakEach<V, const M: usize>(pub(crate) [[V; 3]; M]);

impl<V, const W: usize, const M: usize> Tweaks<V, W, M> for TweakEach<V, M>
where
    V: Copy + Add<Output = V> + Sub<Output = V>,
{
    #[inline(always)]
    fn last(&mut self, s: usize) {
        for m in 0..M {
            let t = self.0[m];
            self.0[m] = [t[s % 3], t[(s + 1) % 3], t[(s + 2) % 3]];
        }
    }
    #[inline(always)]
    fn add(&mut self, x: &mut Groups<V, W, M>) {
        for m in 0..M {
            let [a, b, c] = self.0[m];
            x[m][W - 3] = x[m][W - 3] + a;
            x[m][W - 2] = x[m][W - 2] + b;
            self.0[m] = [b, c, a];
        }
    }
    #[inline(always)]
    fn subtract(&mut self, x: &mut Groups<V, W, M>) {
        for m in 0..M {
            let [a, b, c] = self.0[m];
            x[m][W - 3] = x[m][W - 3] - a;
            x[m][W - 2] = x[m][W - 2] - b;
            self.0[m] = [c, a, b];
        }
    }
}

/// Adds a subkey. The compiler is kept from vectorising a single block across its words, which is slower.
#[inline(always)]
fn add<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
    isa: S,
    x: &mut Groups<V, W, M>,
    subkey: Subkey<'_, W>,
) {
    for i in 0..W {
        let k = V::splat(isa, subkey.word(i));
        for group in x.iter_mut() {
            group[i] = group[i] + k;
            if V::N == 1 {
                group[i] = group[i].opaque();
            }
        }
    }
}

/// Subtracts a subkey. Only the last subkey is subtracted here; [`inv_first`] subtracts the others.
#[inline(always)]
fn subtract<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
    isa: S,
    x: &mut Groups<V, W, M>,
    subkey: Subkey<'_, W>,
) {
    for i in 0..W {
        let k = V::splat(isa, subkey.word(i));
        for group in x.iter_mut() {
            group[i] = group[i] - k;
        }
    }
}

/// The order of the mixes of round `d`, for `d % 8 == D`. If `reverses`, odd rounds take their mixes from last to first: most odd
/// words are then used in the order in which they are ready. On a Zen 3, a block of Threefish-256 takes 180 cycles instead of 207.
#[inline(always)]
fn mixes<const W: usize, const D: usize>(reverses: bool) -> impl Iterator<Item = usize> {
    let reverse = reverses && D % 2 == 1;
    (0..W / 2).map(move |i| if reverse { W / 2 - 1 - i } else { i })
}

/// Whether odd rounds take their mixes from last to first. Blocks of 16 words do not fit in the registers, and are slower in
/// that order.
#[inline(always)]
const fn reverses<S: Isa, V: Lanes<S, u64>, const W: usize>() -> bool {
    V::N == 1 && W < 16
}

/// A word of a round's result, in the order of the program if it is one of 16 that do not fit in the general registers. In another
/// order, the compiler spills other words, which are needed sooner: a block takes 715 cycles instead of 692 (Zen 3).
#[inline(always)]
fn ordered<S: Isa, V: Lanes<S, u64>, const W: usize>(word: V) -> V {
    if V::N == 1 && W == 16 { word.in_order() } else { word }
}

/// Round `d`, for `d % 8 == D`. `reverses` is that of [`mixes`].
#[inline(always)]
pub(super) fn round<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize, const D: usize>(
    x: &mut Groups<V, W, M>,
    reverses: bool,
) {
    let (r, pi) = const { (rotations(W)[D], permutation(W)) };
    let mut f = *x;
    for j in mixes::<W, D>(reverses) {
        for m in 0..M {
            f[m][2 * j] = ordered::<S, V, W>(x[m][2 * j] + x[m][2 * j + 1]);
            f[m][2 * j + 1] = ordered::<S, V, W>(x[m][2 * j + 1].rotl(r[j]) ^ f[m][2 * j]);
        }
    }
    for m in 0..M {
        for i in 0..W {
            x[m][i] = f[m][pi[i]];
        }
    }
}

/// [`round`] and the subkey before it.
#[inline(always)]
fn first<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize, const D: usize>(
    isa: S,
    x: &mut Groups<V, W, M>,
    subkey: Subkey<'_, W>,
) {
    add(isa, x, subkey);
    round::<S, V, W, M, D>(x, reverses::<S, V, W>());
}

/// The place of every word of 16 in each of four rounds, if words stay where they are. The permutation has the order 4: before the
/// fifth round, each word is in its own place again.
const PLACES: [[usize; 16]; 4] = {
    let (pi, mut places) = (permutation(16), [[0; 16]; 4]);
    let mut i = 0;
    while i < 16 {
        places[0][i] = i;
        i += 1;
    }
    let mut d = 1;
    while d < 4 {
        let mut i = 0;
        while i < 16 {
            places[d][i] = places[d - 1][pi[i]];
            i += 1;
        }
        d += 1;
    }
    places
};

/// Mix `J` of round `D` of four, in general registers; in the first of them, after its two words of the subkey. `FIRST` is the number of
/// that round modulo 8.
#[inline(always)]
fn mix<S, V, const W: usize, const M: usize, const FIRST: usize, const D: usize, const J: usize>(
    isa: S,
    x: &mut Groups<V, W, M>,
    subkey: Subkey<'_, W>,
) where
    S: Isa,
    V: Lanes<S, u64>,
{
    let (even, odd, r) =
        const { (PLACES[D][2 * J], PLACES[D][2 * J + 1], rotations(16)[FIRST + D][J]) };
    for x in x {
        if D == 0 {
            // These barriers also keep the compiler from vectorising the block across its words, which is slower.
            x[odd] = (x[odd] + V::splat(isa, subkey.word(odd))).opaque().in_order();
            x[even] = (x[even] + V::splat(isa, subkey.word(even))).opaque().in_order();
        }
        x[even] = (x[even] + x[odd]).in_order();
        x[odd] = (x[odd].rotl(r) ^ x[even]).in_order();
    }
}

/// Four rounds, and the subkey before them, of blocks of 16 words in general registers, which do not hold them. For three rounds, half
/// of the words do not depend on the others, so one half goes through them, and then the other. Round by round, the compiler spills
/// 40 words in eight rounds instead of 20: a block takes 600 cycles instead of 569. With four operations a cycle, it would take 565
/// (Zen 5).
#[inline(always)]
fn four_rounds<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize, const FIRST: usize>(
    isa: S,
    x: &mut Groups<V, W, M>,
    subkey: Subkey<'_, W>,
) {
    macro_rules! mixes {
        ($($d:literal: $($j:literal)+;)+) => {$($(
            mix::<S, V, W, M, FIRST, $d, $j>(isa, x, subkey);
        )+)+};
    }
    mixes! {
        0: 0 4; 1: 0 7; 0: 3 5; 1: 2 4; 2: 0 7 3 6;
        0: 1 6; 1: 1 5; 0: 2 7; 1: 3 6; 2: 1 5 2 4;
        3: 0 7 1 5 2 4 3 6;
    }
}

/// The inverse of [`round`].
#[inline(always)]
fn inv_round<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize, const D: usize>(
    x: &mut Groups<V, W, M>,
) {
    inv_mix::<S, V, W, M, D>(x, |_, even, odd| (even - odd, odd));
}

/// The inverse of [`round`] and of the subkey before it. `k` is the subkey's word for the even word, and `l` that for the odd word.
/// The barrier after `even - k` keeps `(even - k) - odd` from becoming `even - (odd + k)`: the odd word is ready last, and two
/// operations would follow it instead of one. Without the barrier on `odd`, the compiler may compute the even word from `odd - l`.
/// With it, the even word waits for the rotation only, and not for that subtraction.
#[inline(always)]
fn inv_first<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize, const D: usize>(
    isa: S,
    x: &mut Groups<V, W, M>,
    subkey: Subkey<'_, W>,
) {
    inv_mix::<S, V, W, M, D>(x, |j, even, odd| {
        let (k, l) = (V::splat(isa, subkey.word(2 * j)), V::splat(isa, subkey.word(2 * j + 1)));
        let odd = odd.opaque();
        ((even - k).opaque() - odd, odd - l)
    });
}

/// The inverse of round `d`, for `d % 8 == D`. `end` completes the inverse of mix `j`: its arguments are `j`, the even
/// word before the subtraction, and the odd word after the rotation.
#[inline(always)]
fn inv_mix<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize, const D: usize>(
    x: &mut Groups<V, W, M>,
    end: impl Fn(usize, V, V) -> (V, V),
) {
    let (r, pi) = const { (rotations(W)[D], permutation(W)) };
    let mut f = *x;
    for m in 0..M {
        for i in 0..W {
            f[m][pi[i]] = x[m][i];
        }
    }
    if reverses::<S, V, W>() {
        // All XORs, then all rotations: a subtraction that is decoded early would take a unit from the XORs that are ready. On a
        // Zen 3, a block of Threefish-256 takes 231 cycles. Mix by mix, it takes 237 to 254: the alignment of the loop decides.
        for j in mixes::<W, D>(true) {
            for m in 0..M {
                f[m][2 * j + 1] = f[m][2 * j + 1] ^ f[m][2 * j];
            }
        }
        for j in mixes::<W, D>(true) {
            for m in 0..M {
                f[m][2 * j + 1] = f[m][2 * j + 1].rotr(r[j]);
            }
        }
        for j in mixes::<W, D>(true) {
            for m in 0..M {
                (x[m][2 * j], x[m][2 * j + 1]) = end(j, f[m][2 * j], f[m][2 * j + 1]);
            }
        }
        return;
    }
    for j in 0..W / 2 {
        for m in 0..M {
            let odd = (f[m][2 * j + 1] ^ f[m][2 * j]).rotr(r[j]);
            (x[m][2 * j], x[m][2 * j + 1]) = end(j, f[m][2 * j], odd);
        }
    }
}

/// All rounds.
#[inline(always)]
pub(super) fn encrypt<S, V, T, const W: usize, const M: usize>(
    isa: S,
    subkeys: &Subkeys<W>,
    mut tweaks: T,
    mut x: Groups<V, W, M>,
) -> Groups<V, W, M>
where
    S: Isa,
    V: Lanes<S, u64>,
    T: Tweaks<V, W, M>,
{
    let reverses = reverses::<S, V, W>();
    for s in (0..Subkeys::<W>::LAST).step_by(2) {
        if V::N == 1 && W == 16 {
            let two = subkeys.two(s);
            tweaks.add(&mut x);
            four_rounds::<S, V, W, M, 0>(isa, &mut x, two.first());
            tweaks.add(&mut x);
            four_rounds::<S, V, W, M, 4>(isa, &mut x, two.second());
            continue;
        }
        tweaks.add(&mut x);
        first::<S, V, W, M, 0>(isa, &mut x, subkeys.subkey(s));
        round::<S, V, W, M, 1>(&mut x, reverses);
        round::<S, V, W, M, 2>(&mut x, reverses);
        round::<S, V, W, M, 3>(&mut x, reverses);
        tweaks.add(&mut x);
        first::<S, V, W, M, 4>(isa, &mut x, subkeys.subkey(s + 1));
        round::<S, V, W, M, 5>(&mut x, reverses);
        round::<S, V, W, M, 6>(&mut x, reverses);
        round::<S, V, W, M, 7>(&mut x, reverses);
    }
    add(isa, &mut x, subkeys.subkey(Subkeys::<W>::LAST));
    tweaks.add(&mut x);
    x
}

/// All rounds in reverse.
#[inline(always)]
pub(super) fn decrypt<S, V, T, const W: usize, const M: usize>(
    isa: S,
    subkeys: &Subkeys<W>,
    mut tweaks: T,
    mut x: Groups<V, W, M>,
) -> Groups<V, W, M>
where
    S: Isa,
    V: Lanes<S, u64>,
    T: Tweaks<V, W, M>,
{
    tweaks.last(Subkeys::<W>::LAST);
    subtract(isa, &mut x, subkeys.subkey(Subkeys::<W>::LAST));
    tweaks.subtract(&mut x);
    for s in (0..Subkeys::<W>::LAST).step_by(2).rev() {
        inv_round::<S, V, W, M, 7>(&mut x);
        inv_round::<S, V, W, M, 6>(&mut x);
        inv_round::<S, V, W, M, 5>(&mut x);
        inv_first::<S, V, W, M, 4>(isa, &mut x, subkeys.subkey(s + 1));
        tweaks.subtract(&mut x);
        inv_round::<S, V, W, M, 3>(&mut x);
        inv_round::<S, V, W, M, 2>(&mut x);
        inv_round::<S, V, W, M, 1>(&mut x);
        inv_first::<S, V, W, M, 0>(isa, &mut x, subkeys.subkey(s));
        tweaks.subtract(&mut x);
    }
    x
}
