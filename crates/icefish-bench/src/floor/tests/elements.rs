//! Elements of GF(2^8) that count.

use std::ops::{BitAnd, BitXor};

use icefish::isa::{Gf256, Isa, Matrix, Octets};

use super::{SHIFTS, plain};

/// What half of the ports start is counted with the shifts.
#[derive(Clone, Copy)]
pub(super) struct Elements<const FAST: bool, const MASKS: bool>(Octets<MASKS>);

fn scarce<T>(value: T) -> T {
    SHIFTS.set(SHIFTS.get() + 1);
    value
}

impl<const F: bool, const M: bool> BitXor for Elements<F, M> {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        plain(Self(self.0 ^ other.0))
    }
}
impl<const F: bool, const M: bool> BitAnd for Elements<F, M> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        plain(Self(self.0 & other.0))
    }
}

impl<S: Isa, const F: bool, const M: bool> Gf256<S> for Elements<F, M> {
    const FAST: bool = F;
    const MASKS: bool = M;
    type Mask = u64;
    fn splat(isa: S, byte: u8) -> Self {
        Self(Octets::splat(isa, byte))
    }
    fn repeat(isa: S, bytes: u32) -> Self {
        Self(Octets::repeat(isa, bytes))
    }
    fn of_words(isa: S, words: [S::U64; 8]) -> [Self; 8] {
        Octets::of_words(isa, words).map(Self)
    }
    fn to_words(isa: S, bytes: [Self; 8]) -> [S::U64; 8] {
        Octets::to_words(isa, bytes.map(|row| row.0))
    }
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        // Without masks, the only one in a round is the sum: two operations.
        let operations = if M { 1 } else { 2 };
        for _ in 0..operations {
            plain(());
        }
        Self(<Octets<M> as Gf256<S>>::ternary::<TABLE>(a.0, b.0, c.0))
    }
    fn test<const BIT: usize>(self, isa: S) -> u64 {
        scarce(self.0.test::<BIT>(isa))
    }
    fn only(self, mask: u64) -> Self {
        plain(Self(<Octets<M> as Gf256<S>>::only(self.0, mask)))
    }
    fn choose(mask: u64, a: Self, b: Self) -> Self {
        plain(Self(<Octets<M> as Gf256<S>>::choose(mask, a.0, b.0)))
    }
    fn affine<const AT: usize, const ADD: i32>(self, isa: S, matrices: &[Matrix]) -> Self {
        scarce(Self(self.0.affine::<AT, ADD>(isa, matrices)))
    }
    fn affine_where<const AT: usize, const ADD: i32>(
        self,
        isa: S,
        mask: u64,
        matrices: &[Matrix],
        other: Self,
    ) -> Self {
        scarce(Self(self.0.affine_where::<AT, ADD>(isa, mask, matrices, other.0)))
    }
    fn inverse<const AT: usize>(self, isa: S, matrices: &[Matrix]) -> Self {
        scarce(Self(self.0.inverse::<AT>(isa, matrices)))
    }
    fn multiply(self, other: Self) -> Self {
        scarce(Self(<Octets<M> as Gf256<S>>::multiply(self.0, other.0)))
    }
}
