//! One block in two vectors: its even words and its odd words. A mix of all pairs is three instructions.
//!
//! The cost of such vectors is their permutations: moving words between lanes takes longer than a mix. Odd words are therefore
//! never moved. The permutation of words (Skein 1.3, section 3.3, table 3) moves even words *relative* to odd ones; with a suitable
//! numbering of the lanes, that is an XOR of the lane number. Every two rounds begin with two copies of the state. One copy has
//! already gone through the permutation between the two rounds and gives the even words of the second round, so that no round waits
//! for that permutation.

use super::rounds::{permutation, rotations};
use super::schedule::{Subkey, Subkeys};
use crate::isa::{Isa, Lanes};

/// The places of the words of a block, for `words / 2` lanes.
pub(super) struct Layout {
    /// After round `d`, the even word of lane `l` moves to lane `l ^ shift[d % 4]`.
    pub(super) shift: [usize; 4],
    /// In round `d`, lane `l` has mix `mix[d % 4][l]`. Mix `m` has words `2 m` and `2 m + 1`.
    mix: [[usize; 8]; 4],
}

const fn compose(a: [usize; 8], b: [usize; 8]) -> [usize; 8] {
    let mut c = a;
    let mut i = 0;
    while i < 8 {
        c[i] = a[b[i]];
        i += 1;
    }
    c
}

const fn inverse(a: [usize; 8]) -> [usize; 8] {
    let mut b = a;
    let mut i = 0;
    while i < 8 {
        b[a[i]] = i;
        i += 1;
    }
    b
}

/// For every mix, two mixes of the previous round: the one that its even word comes from, and the one that its odd word comes
/// from.
const fn halves_of_pi(words: usize) -> ([usize; 8], [usize; 8]) {
    let pi = permutation(words);
    let identity = [0, 1, 2, 3, 4, 5, 6, 7];
    let (mut even, mut odd) = (identity, identity);
    let mut j = 0;
    while j < words / 2 {
        even[j] = pi[2 * j] / 2;
        odd[j] = pi[2 * j + 1] / 2;
        j += 1;
    }
    (even, odd)
}

/// The moves of even words relative to odd ones after each of the first four rounds, in terms of the mixes of round 0.
const fn relative(words: usize) -> [[usize; 8]; 4] {
    let (even, odd) = halves_of_pi(words);
    let mut relative = [compose(even, inverse(odd)); 4];
    let mut d = 1;
    while d < 4 {
        relative[d] = compose(odd, compose(relative[d - 1], inverse(odd)));
        d += 1;
    }
    relative
}

/// The mixes of the lanes in round 0. Relative permutations commute and are their own inverses. Number them 0, 1 and so on,
/// without those that are products of earlier ones. Take the permutations whose numbers are the set bits of `l`: together they
/// move mix 0 to the mix of lane `l`. The order is rounds 0, 3, 1, 2: shifts by 1 and 2 are faster than others. In the rounds
/// that begin with a subkey, the even words wait for the shift after round 3. The copy in [`pair`] waits for the shift after
/// round 0, which begins only after the subkey is added.
const fn first_mixes(words: usize) -> [usize; 8] {
    let mut first = [0, 1, 2, 3, 4, 5, 6, 7];
    let (mut lanes, mut next) = (1, 0);
    while lanes < words / 2 {
        let r = relative(words)[[0, 3, 1, 2][next]];
        next += 1;
        let mut known = false;
        let mut l = 0;
        while l < lanes {
            known = known || first[l] == r[0];
            l += 1;
        }
        if known {
            continue;
        }
        l = 0;
        while l < lanes {
            first[lanes + l] = r[first[l]];
            l += 1;
        }
        lanes *= 2;
    }
    first
}

/// The layout that follows from the permutation of words.
pub(super) const fn layout(words: usize) -> Layout {
    let (_, odd) = halves_of_pi(words);
    let first = first_mixes(words);
    let mut layout = Layout { shift: [0; 4], mix: [first; 4] };
    let mut d = 0;
    while d < 4 {
        if d > 0 {
            layout.mix[d] = compose(inverse(odd), layout.mix[d - 1]);
        }
        let shift = compose(inverse(first), compose(relative(words)[d], first));
        layout.shift[d] = shift[0];
        let mut l = 0;
        while l < words / 2 {
            assert!(shift[l] == l ^ shift[0], "a permutation is no XOR of lanes");
            l += 1;
        }
        d += 1;
    }
    layout
}

/// The rotation distances of the lanes in round `d`, with the lanes shifted by `shift`.
const fn distances(words: usize, d: usize, shift: usize) -> [u32; 8] {
    let mix = layout(words).mix[d % 4];
    let mut r = [0; 8];
    let mut l = 0;
    while l < words / 2 {
        r[l] = rotations(words)[d][mix[l ^ shift]];
        l += 1;
    }
    r
}

/// The rotation distances that undo those of [`distances`].
const fn back(words: usize, d: usize, shift: usize) -> [u32; 8] {
    let mut r = distances(words, d, shift);
    let mut l = 0;
    while l < 8 {
        r[l] = (64 - r[l]) % 64;
        l += 1;
    }
    r
}

/// For every lane, the number of its even word (`odd` is 0) or its odd word (1) in a block.
const fn places(words: usize, odd: usize) -> [usize; 8] {
    let mut from = layout(words).mix[0];
    let mut l = 0;
    while l < 8 {
        from[l] = 2 * from[l] + odd;
        l += 1;
    }
    from
}

/// For the words of a block from `at` on: their places in the concatenation of even and odd words.
const fn origins(words: usize, at: usize) -> [usize; 8] {
    let lane = inverse(layout(words).mix[0]);
    let mut from = [0; 8];
    let mut i = 0;
    while i < words / 2 {
        let word = at + i;
        from[i] = lane[word / 2] + word % 2 * (words / 2);
        i += 1;
    }
    from
}

/// The even and the odd words of a block of `W` words, for vectors of half as many lanes.
#[derive(Clone, Copy)]
pub(super) struct Halves<V, const W: usize> {
    even: V,
    odd: V,
}

impl<V, const W: usize> Halves<V, W> {
    #[inline(always)]
    pub(super) fn zero<S: Isa>(isa: S) -> Self
    where
        V: Lanes<S, u64>,
    {
        Self { even: V::splat(isa, 0), odd: V::splat(isa, 0) }
    }

    /// Takes the first and the second half of a block's words.
    #[inline(always)]
    pub(super) fn new<S: Isa>(isa: S, low: V, high: V) -> Self
    where
        V: Lanes<S, u64>,
    {
        debug_assert!(2 * V::N == W);
        Self {
            even: V::pick(isa, low, high, const { &places(W, 0) }),
            odd: V::pick(isa, low, high, const { &places(W, 1) }),
        }
    }

    /// The inverse of [`Halves::new`].
    #[inline(always)]
    pub(super) fn words<S: Isa>(self, isa: S) -> (V, V)
    where
        V: Lanes<S, u64>,
    {
        let low = V::pick(isa, self.even, self.odd, const { &origins(W, 0) });
        (low, V::pick(isa, self.even, self.odd, const { &origins(W, W / 2) }))
    }

    #[inline(always)]
    pub(super) fn xor<S: Isa>(self, other: Self) -> Self
    where
        V: Lanes<S, u64>,
    {
        Self { even: self.even ^ other.even, odd: self.odd ^ other.odd }
    }

    #[inline(always)]
    fn of_subkey<S: Isa>(isa: S, subkey: Subkey<'_, W>) -> Self
    where
        V: Lanes<S, u64>,
    {
        let (low, high) = subkey.words().split_at(W / 2);
        let mut halves = [V::of(isa, low), V::of(isa, high)];
        for i in W - 3..W {
            let mut from = [0, 1, 2, 3, 4, 5, 6, 7];
            from[i % (W / 2)] += W / 2;
            let half = &mut halves[i / (W / 2)];
            *half = V::pick(isa, *half, V::splat(isa, subkey.word(i)), &from);
        }
        Self::new(isa, halves[0], halves[1])
    }
}

/// Rounds `D` and `D + 1` (modulo 8). `even` is still to be shifted by `due`; `both` is the odd words plus the even and the odd
/// words of the subkey, if one is added here.
#[inline(always)]
fn pair<S: Isa, V: Lanes<S, u64>, const W: usize, const D: usize>(
    isa: S,
    even: V,
    due: usize,
    odd: V,
    both: V,
) -> (V, V) {
    let inner = const { layout(W).shift[D % 4] };
    let first = even.swap(isa, due) + both;
    let second = even.swap(isa, due ^ inner) + both.swap(isa, inner);
    let odd = odd.rotl_each(isa, const { &distances(W, D, 0) }) ^ first;
    let even = second + odd;
    (even, odd.rotl_each(isa, const { &distances(W, D + 1, 0) }) ^ even)
}

/// A subkey and rounds `D` to `D + 3` (modulo 8). The last permutation of the even words is still to be done, in the input and in
/// the result.
#[inline(always)]
pub(super) fn four<S: Isa, V: Lanes<S, u64>, const W: usize, const D: usize>(
    isa: S,
    x: Halves<V, W>,
    due: usize,
    k: Halves<V, W>,
) -> Halves<V, W> {
    // The barriers keep the subkey with the odd words: the even words, which are still to be permuted, are ready last.
    let both = (x.odd + (k.even + k.odd).opaque()).opaque();
    let odd = x.odd + k.odd;
    let (even, odd) = if D == 0 {
        pair::<S, V, W, 0>(isa, x.even, due, odd, both)
    } else {
        pair::<S, V, W, 4>(isa, x.even, due, odd, both)
    };
    let due = const { layout(W).shift[1] };
    let (even, odd) = if D == 0 {
        pair::<S, V, W, 2>(isa, even, due, odd, odd)
    } else {
        pair::<S, V, W, 6>(isa, even, due, odd, odd)
    };
    Halves { even, odd }
}

/// A source of subkeys.
pub(super) trait SubkeyHalves<S, V, const W: usize> {
    /// Subkey `s`.
    fn halves(&self, isa: S, s: usize) -> Halves<V, W>;
}

impl<S: Isa, V: Lanes<S, u64>, const W: usize> SubkeyHalves<S, V, W> for Subkeys<W> {
    #[inline(always)]
    fn halves(&self, isa: S, s: usize) -> Halves<V, W> {
        Halves::of_subkey(isa, self.subkey(s))
    }
}

/// Subkeys `s` and `s + 1`, which are neither the first nor the last two, each with four rounds.
#[inline(always)]
pub(super) fn eight<S: Isa, V: Lanes<S, u64>, const W: usize>(
    isa: S,
    subkeys: &impl SubkeyHalves<S, V, W>,
    x: Halves<V, W>,
    s: usize,
) -> Halves<V, W> {
    let due = const { layout(W).shift[3] };
    let x = four::<S, V, W, 4>(isa, x, due, subkeys.halves(isa, s));
    four::<S, V, W, 0>(isa, x, due, subkeys.halves(isa, s + 1))
}

/// The last two subkeys and the rounds between them.
#[inline(always)]
pub(super) fn last<S: Isa, V: Lanes<S, u64>, const W: usize>(
    isa: S,
    subkeys: &impl SubkeyHalves<S, V, W>,
    x: Halves<V, W>,
) -> Halves<V, W> {
    let due = const { layout(W).shift[3] };
    let s = const { Subkeys::<W>::LAST };
    let x = four::<S, V, W, 4>(isa, x, due, subkeys.halves(isa, s - 1));
    let k = subkeys.halves(isa, s);
    Halves { even: x.even.swap(isa, due) + k.even, odd: x.odd + k.odd }
}

/// All rounds.
#[inline(always)]
pub(super) fn encrypt<S: Isa, V: Lanes<S, u64>, const W: usize>(
    isa: S,
    subkeys: &Subkeys<W>,
    x: Halves<V, W>,
) -> Halves<V, W> {
    let mut x = four::<S, V, W, 0>(isa, x, 0, subkeys.halves(isa, 0));
    for s in (1..Subkeys::<W>::LAST - 1).step_by(2) {
        x = eight(isa, subkeys, x, s);
    }
    last(isa, subkeys, x)
}

/// The inverses of rounds `D + 1` and `D`. The former works on two copies.
#[inline(always)]
fn inv_pair<S: Isa, V: Lanes<S, u64>, const W: usize, const D: usize>(
    isa: S,
    x: Halves<V, W>,
    subkey: Option<Halves<V, W>>,
) -> Halves<V, W> {
    let (inner, outer) = const { (layout(W).shift[D % 4], layout(W).shift[(D + 1) % 4]) };
    let first = x.even.swap(isa, outer) ^ x.odd;
    let odd = first.rotl_each(isa, const { &back(W, D + 1, 0) });
    let even = x.even.swap(isa, outer ^ inner);
    let second = x.odd.swap(isa, inner) ^ even;
    let even = even - second.rotl_each(isa, const { &back(W, D + 1, layout(W).shift[D % 4]) });
    let odd = (odd ^ even.opaque()).rotl_each(isa, const { &back(W, D, 0) });
    match subkey {
        None => Halves { even: even - odd, odd },
        // The value that is ready last is subtracted last.
        Some(k) => Halves { even: (even - k.even).opaque() - odd, odd: odd.opaque() - k.odd },
    }
}

/// All rounds in reverse.
#[inline(always)]
pub(super) fn decrypt<S: Isa, V: Lanes<S, u64>, const W: usize>(
    isa: S,
    subkeys: &Subkeys<W>,
    x: Halves<V, W>,
) -> Halves<V, W> {
    let k = Halves::<V, W>::of_subkey(isa, subkeys.subkey(Subkeys::<W>::LAST));
    let mut x = Halves { even: x.even - k.even, odd: x.odd - k.odd };
    for s in (0..Subkeys::<W>::LAST).step_by(2).rev() {
        x = inv_pair::<S, V, W, 6>(isa, x, None);
        x = inv_pair::<S, V, W, 4>(isa, x, Some(Halves::of_subkey(isa, subkeys.subkey(s + 1))));
        x = inv_pair::<S, V, W, 2>(isa, x, None);
        x = inv_pair::<S, V, W, 0>(isa, x, Some(Halves::of_subkey(isa, subkeys.subkey(s))));
    }
    x
}
