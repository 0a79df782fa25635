//! Round keys in registers, for long messages with registers of 512 bits.

use super::length::{ALWAYS, Length, RoundKeys};
use super::states::{Ending, States};
use crate::cipher::{Cursor, Direction, Pass};
use crate::isa::{AesRounds, Isa};

/// All round keys of one direction. With sixteen registers of states, they fill 27 to 31 of 32 registers.
///
/// A load that broadcasts a round key takes a slot of an AES unit (Zen 5). With loads in each batch, a KiB of a long message takes 81.9
/// cycles with AES-128. With the keys in registers it takes 80.0: two rounds a cycle, the most that this CPU starts.
pub(super) struct InRegisters<A, const KEYS: usize, L> {
    keys: [A; KEYS],
    length: L,
}

impl<A: Copy, const KEYS: usize, L: Length> InRegisters<A, KEYS, L> {
    /// Loads all keys `of` a direction.
    #[inline(always)]
    pub(super) fn new<S: Isa, const ORDERED: bool>(
        isa: S,
        of: RoundKeys<'_, KEYS, L, ORDERED>,
    ) -> Self
    where
        A: AesRounds<S>,
    {
        let mut keys = [of.first(isa); KEYS];
        for i in 1..KEYS {
            keys[i] = of.key(isa, i);
        }
        Self { keys, length: of.length() }
    }

    /// Takes batches of `R` registers, as long as there are enough blocks. No pass with batches of sixteen has work beside the rounds.
    #[inline(always)]
    pub(super) fn take_batches<S: Isa, D: Direction, P: Pass, const R: usize>(
        &self,
        isa: S,
        pass: &mut P,
        cursor: &mut Cursor<P>,
    ) where
        A: AesRounds<S>,
    {
        let (blocks, mut next) = (R * A::N, None);
        while let Some(at) = cursor.take(blocks) {
            let x: States<A, R> = match pass.counters(at) {
                Some(counters) => States::counted::<S>(isa, counters, &mut next),
                None => pass.enter(isa, at, blocks),
            };
            pass.leave(isa, at, blocks, &mut self.ending::<S, D, R>(isa, x.0));
        }
    }

    /// All rounds on `R` registers; the last one is done when the states are stored. The rounds are written out, because the
    /// compiler would put an array that a loop indexes on the stack, where nobody erases it. They are in the order of the source
    /// for the reason that [`RoundKeys::batches`] gives.
    #[inline(always)]
    fn ending<S: Isa, D: Direction, const R: usize>(&self, _: S, mut x: [A; R]) -> Ending<D, A, R>
    where
        A: AesRounds<S>,
    {
        for state in &mut x {
            *state = state.xor(self.keys[0]);
        }
        macro_rules! rounds {
            ($($i:literal)*) => {$(
                for state in &mut x {
                    let key = self.keys[$i];
                    *state = if D::ENCRYPT { state.enc(key) } else { state.dec(key) }.in_order();
                }
            )*};
        }
        const { assert!(ALWAYS == 9) };
        rounds!(1 2 3 4 5 6 7 8 9);
        let count = self.length.count::<KEYS>();
        if count > 11 && KEYS > 11 {
            rounds!(10 11);
        }
        if count > 13 && KEYS > 13 {
            rounds!(12 13);
        }
        Ending::new(x, self.keys[KEYS - 1])
    }
}
