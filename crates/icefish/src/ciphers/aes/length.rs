//! The length of a key as a part of its type, or as a value; and rounds for both.

use super::states::Ending;
use crate::cipher::{Direction, Pass};
use crate::isa::{AesRounds, Isa, opaque};

/// Where the length of a key of AES is known: in its type, or at run time. Programs need this trait only as a bound.
///
/// ```
/// use icefish::ciphers::{Aes, Length};
///
/// /// A function of AES with a key of any length.
/// fn name<const NK: usize, const KEYS: usize, L: Length>(_: &Aes<NK, KEYS, L>) -> String {
///     format!("AES-{}", 32 * NK)
/// }
/// ```
pub trait Length: Copy + Send + Sync + 'static {
    /// Whether it is known at run time only.
    #[doc(hidden)]
    const VARIES: bool;
    /// That of the longest key.
    #[doc(hidden)]
    fn longest() -> Self;
    /// That of a key of `len` bytes.
    #[doc(hidden)]
    fn of(len: usize) -> Self;
    /// The number of round keys, at most `KEYS`.
    #[doc(hidden)]
    fn count<const KEYS: usize>(self) -> usize;
}

/// The number of round keys is the type's.
#[derive(Clone, Copy, Debug)]
pub struct Fixed;

impl Length for Fixed {
    const VARIES: bool = false;
    #[inline(always)]
    fn longest() -> Self {
        Self
    }
    #[inline(always)]
    fn of(_: usize) -> Self {
        Self
    }
    #[inline(always)]
    fn count<const KEYS: usize>(self) -> usize {
        KEYS
    }
}

/// The number of round keys: 11, 13 or 15.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Varying(u8);

#[cfg(feature = "alloc")]
impl Length for Varying {
    const VARIES: bool = true;
    #[inline(always)]
    fn longest() -> Self {
        Self(15)
    }
    #[inline(always)]
    fn of(len: usize) -> Self {
        Self(len as u8 / 4 + 7)
    }
    #[inline(always)]
    fn count<const KEYS: usize>(self) -> usize {
        usize::from(self.0).min(KEYS)
    }
}

/// The number of rounds before the last one, for the shortest key: every key has at least these.
pub(super) const ALWAYS: usize = 9;

/// The round keys of one direction, from the first on. The last one is also at the end of the array: its place then depends on no
/// length. `ORDERED`: rounds of several registers are in the order of the source ([`AesRounds::after`]).
#[derive(Clone, Copy)]
pub(super) struct RoundKeys<'k, const KEYS: usize, L, const ORDERED: bool = false> {
    keys: &'k [[u8; 16]; KEYS],
    length: L,
}

impl<'k, const KEYS: usize, L: Length> RoundKeys<'k, KEYS, L> {
    #[inline(always)]
    pub(super) fn new(keys: &'k [[u8; 16]; KEYS], length: L) -> Self {
        Self { keys, length }
    }

    /// The array, of which [`RoundKeys::count`] are used.
    #[inline(always)]
    pub(super) fn all(self) -> &'k [[u8; 16]; KEYS] {
        self.keys
    }

    /// The rounds of an encryption between the first round key and the last, for [`AesRounds::last`].
    #[inline(always)]
    pub(super) fn inner<S: Isa>(self, isa: S, x: S::AesOne) -> S::AesOne {
        if S::AesOne::SLICED || S::Aes::SLICED || !L::VARIES {
            return x.inner(isa, &self.keys[1..self.count() - 1]);
        }
        self.middle::<S, super::Encrypt, S::AesOne, 1>(isa, [x])[0]
    }

    /// The same with the keys of the first [`ALWAYS`] rounds from here, and those of the other rounds from `others`.
    #[inline(always)]
    pub(super) fn inner_with<S: Isa>(self, isa: S, x: S::AesOne, others: Self) -> S::AesOne {
        let x = x.inner(isa, &self.keys[1..=ALWAYS]);
        others.extra::<S, super::Encrypt, S::AesOne, 1>(isa, ALWAYS + 1, [x])[0]
    }

    /// The same keys, for rounds in the order of the source.
    #[inline(always)]
    pub(super) fn ordered(self) -> RoundKeys<'k, KEYS, L, true> {
        RoundKeys { keys: self.keys, length: self.length }
    }
}

impl<const KEYS: usize, L: Length, const ORDERED: bool> RoundKeys<'_, KEYS, L, ORDERED> {
    #[inline(always)]
    pub(super) fn count(self) -> usize {
        self.length.count::<KEYS>()
    }

    #[inline(always)]
    pub(super) fn length(self) -> L {
        self.length
    }

    /// The same keys for the next batch, to be loaded again. With 16 registers they do not fit: the compiler would keep copies on
    /// the stack and broadcast them from there. A load that broadcasts costs little.
    #[inline(always)]
    pub(super) fn again(self) -> Self {
        Self { keys: opaque(self.keys), length: self.length }
    }

    /// Round key `i`.
    #[inline(always)]
    pub(super) fn key<S: Isa, A: AesRounds<S>>(self, isa: S, i: usize) -> A {
        A::splat(isa, &self.keys[i])
    }

    /// The first round key.
    #[inline(always)]
    pub(super) fn first<S: Isa, A: AesRounds<S>>(self, isa: S) -> A {
        self.key(isa, 0)
    }

    /// The last round key.
    #[inline(always)]
    pub(super) fn last<S: Isa, A: AesRounds<S>>(self, isa: S) -> A {
        self.key(isa, KEYS - 1)
    }

    /// All rounds, on `R` registers of states in parallel.
    #[inline(always)]
    pub(super) fn rounds<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        x: [A; R],
    ) -> [A; R] {
        self.rounds_to::<S, D, A, R>(isa, x, self.last(isa))
    }

    /// The same with another last round key.
    #[inline(always)]
    pub(super) fn rounds_to<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        x: [A; R],
        last: A,
    ) -> [A; R] {
        let x = self.middle::<S, D, A, R>(isa, self.whitened(isa, x));
        final_round::<S, D, A, R>(x, if ORDERED { last.after(&x) } else { last })
    }

    /// The first two rounds of an encryption, with what is before them.
    #[inline(always)]
    pub(super) fn start<S: Isa, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        x: [A; R],
    ) -> [A; R] {
        let x = self.whitened(isa, x);
        let x = self.round::<S, super::Encrypt, A, R>(isa, 1, x);
        self.round::<S, super::Encrypt, A, R>(isa, 2, x)
    }

    /// XORs the first round key.
    #[inline(always)]
    pub(super) fn whitened<S: Isa, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        mut x: [A; R],
    ) -> [A; R] {
        let whitening = self.key(isa, 0);
        for state in &mut x {
            *state = state.xor(whitening);
        }
        x
    }

    /// Round `first`, at most [`ALWAYS`], and those that follow; the last one is done when the states are stored.
    #[inline(always)]
    pub(super) fn ending_from<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        first: usize,
        x: [A; R],
    ) -> Ending<D, A, R> {
        let last: A = self.last(isa);
        let x = self.middle_from::<S, D, A, R>(isa, first, x);
        Ending::new(x, if ORDERED { last.after(&x) } else { last })
    }

    /// The rounds between the first round key and the last.
    #[inline(always)]
    pub(super) fn middle<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        x: [A; R],
    ) -> [A; R] {
        self.middle_from::<S, D, A, R>(isa, 1, x)
    }

    /// The same from round `first` on.
    #[inline(always)]
    fn middle_from<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        first: usize,
        mut x: [A; R],
    ) -> [A; R] {
        for i in first..ALWAYS + 1 {
            x = self.round::<S, D, A, R>(isa, i, x);
        }
        self.extra::<S, D, A, R>(isa, ALWAYS + 1, x)
    }

    /// The rounds that only longer keys have (none, two or four), from round `i` on. If the length is known at run time only,
    /// they cost two branches a batch, which always go the same way: the CPU predicts them.
    #[inline(always)]
    fn extra<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        i: usize,
        mut x: [A; R],
    ) -> [A; R] {
        if self.count() > 11 && KEYS > 11 {
            x = self.round::<S, D, A, R>(isa, i, x);
            x = self.round::<S, D, A, R>(isa, i + 1, x);
        }
        if self.count() > 13 && KEYS > 13 {
            x = self.round::<S, D, A, R>(isa, i + 2, x);
            x = self.round::<S, D, A, R>(isa, i + 3, x);
        }
        x
    }

    /// The rounds after [`RoundKeys::whitened`], with a step of other work after each of [`ALWAYS`] of them. The first `past` rounds
    /// are done already; their steps come first.
    ///
    /// The extra rounds of longer keys come first if a register holds four states, and last otherwise. If a branch follows the
    /// work, the compiler moves the work behind all rounds. With the extra rounds last, GCM with keys of any length takes 8 % more
    /// time with four states in a register, and 5 % less with two (Zen 4).
    #[inline(always)]
    pub(super) fn rounds_beside<S: Isa, D: Direction, P: Pass, const R: usize>(
        self,
        isa: S,
        past: usize,
        mut x: [S::Aes; R],
        pass: &mut P,
        mut work: P::Beside<S>,
    ) -> Ending<D, S::Aes, R> {
        const { assert!(P::STEPS == ALWAYS) };
        let first = const { S::Aes::N == 4 };
        let done = if first { self.count() - (ALWAYS + 2) } else { 0 };
        if first {
            x = self.extra::<S, D, S::Aes, R>(isa, 1 + past, x);
        }
        let in_order = |x: S::Aes| if P::MOVES_STEPS && S::Aes::N < 4 { x } else { x.in_order() };
        macro_rules! steps {
            ($($step:literal)*) => {$(
                if past <= $step {
                    x = self.round::<S, D, S::Aes, R>(isa, done + $step + 1, x);
                    x[0] = in_order(x[0]);
                }
                pass.step::<S, $step>(isa, &mut work);
            )*};
        }
        steps!(0 1 2 3 4 5 6 7 8);
        if !first {
            x = self.extra::<S, D, S::Aes, R>(isa, ALWAYS + 1, x);
        }
        Ending::new(x, self.last(isa))
    }

    /// Round `i`, from 1 on, any but the last.
    #[inline(always)]
    pub(super) fn round<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
        self,
        isa: S,
        i: usize,
        mut x: [A; R],
    ) -> [A; R] {
        let mut key: A = self.key(isa, i);
        if ORDERED {
            key = key.after(&x);
        }
        for state in &mut x {
            *state = if D::ENCRYPT { state.enc(key) } else { state.dec(key) };
            // The compiler would take one state after the other. Messages of 64 bytes that do not wait for each other take 22.5 cycles in
            // that order, and 21.1 round by round (AES-NI, Zen 5).
            if A::N == 1 && R == 4 {
                *state = state.in_order();
            }
        }
        x
    }
}

/// The last round.
#[inline(always)]
fn final_round<S: Isa, D: Direction, A: AesRounds<S>, const R: usize>(
    mut x: [A; R],
    last: A,
) -> [A; R] {
    for state in &mut x {
        *state = if D::ENCRYPT { state.enc_last(last) } else { state.dec_last(last) };
    }
    x
}
