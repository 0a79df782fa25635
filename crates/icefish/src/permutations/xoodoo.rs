//! Xoodoo (Daemen, Hoffert, Van Assche and Van Keer, "The design of Xoodoo and Xoofff", ToSC 2018-4,
//! section 2) and Xoodoo64, the same function over lanes of 64 bits.

use crate::isa::{Isa, Lanes, Sink, Task};
use crate::{Backend, Error};
use core::marker::PhantomData;
use core::num::Wrapping;
use core::ops::{BitAnd, BitXor, Not};

/// The constants of iota, first round first. Fewer rounds are the last ones.
const ROUND_CONSTANTS: [u32; 12] =
    [0x058, 0x038, 0x3c0, 0x0d0, 0x120, 0x014, 0x060, 0x02c, 0x380, 0x0f0, 0x1a0, 0x012];

/// A word size of the permutation, and what depends on it.
pub trait Word: Copy + From<u32> + Send + Sync + 'static {
    /// Words that fill a register of `S`.
    type Lanes<S: Isa>: Lanes<S, Self>;
    /// One word.
    type One<S: Isa>: Lanes<S, Self>;
    /// The two rotations of a column's parity in theta.
    const THETA: [u32; 2];
    /// The rotation of plane 2 in rho west.
    const WEST: u32;
    /// By how many lanes plane 2 moves in rho east.
    const EAST_LANES: usize;
    /// The rotation of plane 2 in rho east.
    const EAST: u32;
}

impl Word for u32 {
    type Lanes<S: Isa> = S::U32;
    type One<S: Isa> = Wrapping<u32>;
    const THETA: [u32; 2] = [5, 14];
    const WEST: u32 = 11;
    const EAST_LANES: usize = 2;
    const EAST: u32 = 8;
}

impl Word for u64 {
    type Lanes<S: Isa> = S::U64;
    type One<S: Isa> = Wrapping<u64>;
    const THETA: [u32; 2] = [10, 29];
    const WEST: u32 = 23;
    const EAST_LANES: usize = 1;
    const EAST: u32 = 16;
}

/// The permutation over words `W`, `K` of them: 48 bytes, lane `x` of plane `y` at word `x + y K / 3`,
/// little-endian. Constant time on every backend.
#[derive(Clone, Copy, Debug)]
pub struct Permutation<W, const K: usize>(PhantomData<W>);

/// Three planes of four lanes of 32 bits, as specified.
pub type Xoodoo = Permutation<u32, 12>;
/// Three planes of two lanes of 64 bits.
pub type Xoodoo64 = Permutation<u64, 6>;

impl<W: Word, const K: usize> Permutation<W, K> {
    /// Most rounds, and the usual number.
    pub const ROUNDS: usize = ROUND_CONSTANTS.len();

    /// How many states this permutation handles side by side on `backend`.
    pub fn batch(backend: Backend) -> usize {
        backend.run(Batch::<W>(PhantomData))
    }

    /// Permutes one state.
    ///
    /// # Errors
    /// [`Error::Rounds`] if `rounds` is above [`Permutation::ROUNDS`].
    pub fn permute(backend: Backend, rounds: usize, state: &mut [u8; 48]) -> Result<(), Error> {
        Self::permute_many(backend, rounds, core::slice::from_mut(state))
    }

    /// Permutes states that lie one after the other.
    ///
    /// # Errors
    /// [`Error::Rounds`] if `rounds` is above [`Permutation::ROUNDS`].
    pub fn permute_many(
        backend: Backend,
        rounds: usize,
        states: &mut [[u8; 48]],
    ) -> Result<(), Error> {
        let most = Self::ROUNDS;
        let first = most.checked_sub(rounds).ok_or(Error::Rounds { got: rounds, most })?;
        let constants = &ROUND_CONSTANTS[first..];
        backend.run(Many::<W, K> {
            constants,
            states: states.as_flattened_mut(),
            word: PhantomData,
        });
        Ok(())
    }
}

struct Batch<W>(PhantomData<W>);

impl<W: Word> Task for Batch<W> {
    type Out = usize;
    const VAES: bool = false;
    #[inline(always)]
    fn call<S: Isa>(self, _: S) -> usize {
        W::Lanes::<S>::N
    }
}

/// Rounds with the given constants.
#[inline(always)]
fn rounds<S: Isa, W: Word, V: Lanes<S, W>, const K: usize>(
    isa: S,
    a: &mut [V; K],
    constants: &[u32],
) {
    for &constant in constants {
        theta::<S, W, V, K>(a);
        rho_west::<S, W, V, K>(a);
        a[0] = a[0] ^ V::splat(isa, W::from(constant));
        chi(a);
        rho_east::<S, W, V, K>(a);
    }
}

/// Adds to every lane the rotated parities of the column before it.
#[inline(always)]
fn theta<S: Isa, W: Word, V: Lanes<S, W>, const K: usize>(a: &mut [V; K]) {
    let plane = K / 3;
    let mut parity = *a;
    for x in 0..plane {
        parity[x] = a[x].xor3(a[plane + x], a[2 * plane + x]);
    }
    for x in 0..plane {
        let before = parity[(x + plane - 1) % plane];
        let (effect, other) = (before.rotl(W::THETA[0]), before.rotl(W::THETA[1]));
        for y in 0..3 {
            a[plane * y + x] = a[plane * y + x].xor3(effect, other);
        }
    }
}

/// Moves plane 1 by a lane and rotates the lanes of plane 2.
#[inline(always)]
fn rho_west<S: Isa, W: Word, V: Lanes<S, W>, const K: usize>(a: &mut [V; K]) {
    let plane = K / 3;
    let old = *a;
    for x in 0..plane {
        a[plane + x] = old[plane + (x + plane - 1) % plane];
        a[2 * plane + x] = old[2 * plane + x].rotl(W::WEST);
    }
}

/// The only non-linear step, on columns of three bits.
#[inline(always)]
fn chi<V, const K: usize>(a: &mut [V; K])
where
    V: Copy + BitXor<Output = V> + BitAnd<Output = V> + Not<Output = V>,
{
    let plane = K / 3;
    for x in 0..plane {
        let (p, q, r) = (a[x], a[plane + x], a[2 * plane + x]);
        a[x] = p ^ (!q & r);
        a[plane + x] = q ^ (!r & p);
        a[2 * plane + x] = r ^ (!p & q);
    }
}

/// Rotates the lanes of plane 1; moves and rotates those of plane 2.
#[inline(always)]
fn rho_east<S: Isa, W: Word, V: Lanes<S, W>, const K: usize>(a: &mut [V; K]) {
    let plane = K / 3;
    let old = *a;
    for x in 0..plane {
        a[plane + x] = old[plane + x].rotl(1);
        let from = (x + plane - W::EAST_LANES) % plane;
        a[2 * plane + x] = old[2 * plane + from].rotl(W::EAST);
    }
}

/// States one after the other, as many at a time as fill the registers.
struct Many<'a, W, const K: usize> {
    constants: &'a [u32],
    states: &'a mut [u8],
    word: PhantomData<W>,
}

impl<W: Word, const K: usize> Many<'_, W, K> {
    #[inline(always)]
    fn batch<S: Isa, V: Lanes<S, W>>(isa: S, constants: &[u32], states: &mut [u8]) {
        let mut a = V::gather::<K>(isa, states);
        rounds::<S, W, V, K>(isa, &mut a, constants);
        V::scatter::<K>(a, Sink::new(states));
    }
}

impl<W: Word, const K: usize> Task for Many<'_, W, K> {
    type Out = ();
    const VAES: bool = false;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let size = 48 * W::Lanes::<S>::N;
        // A batch costs about as much as this many states alone.
        let enough = 48 * W::Lanes::<S>::N.div_ceil(4).max(2);
        let mut states = self.states;
        while states.len() >= size {
            let (now, rest) = states.split_at_mut(size);
            Self::batch::<S, W::Lanes<S>>(isa, self.constants, now);
            states = rest;
        }
        if states.len() >= enough {
            // Sixteen states at most.
            let mut room = [0; 48 * 16];
            room[..states.len()].copy_from_slice(states);
            Self::batch::<S, W::Lanes<S>>(isa, self.constants, &mut room[..size]);
            states.copy_from_slice(&room[..states.len()]);
            return;
        }
        while !states.is_empty() {
            let (now, rest) = states.split_at_mut(48);
            Self::batch::<S, W::One<S>>(isa, self.constants, now);
            states = rest;
        }
    }
}
