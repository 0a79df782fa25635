//! Xoodoo (Daemen, Hoffert, Van Assche and Van Keer, "The design of Xoodoo and Xoofff", ToSC 2018-4, section 2), and Xoodoo64,
//! the same function over lanes of 64 bits.

pub(crate) mod plane;
pub(crate) mod rounds;
pub(crate) mod single;
mod tasks;
#[cfg(all(test, feature = "std"))]
pub(crate) mod tests;

use crate::isa::{Isa, Lanes, WordRow};
use crate::{Backend, Error};
use core::marker::PhantomData;
use plane::{Columns, Form, PlaneRow, Slices, Two};
use rounds::CONSTANTS;
use single::PermuteOne;
use tasks::{Contiguous, Interleaved, StatesPerBatch};

/// Length of a state in bytes.
pub(crate) const STATE: usize = 48;

/// The word size of the permutation, `u32` or `u64`, and its constants.
///
/// ```
/// use icefish::permutations::Word;
/// fn bits<W: Word>() -> u32 {
///     W::BITS
/// }
/// assert_eq!([bits::<u32>(), bits::<u64>()], [32, 64]);
/// ```
pub trait Word: XoodooForms {
    /// Width in bits.
    const BITS: u32;
    /// The two rotations of a column's parity in theta.
    const THETA: [u32; 2];
    /// The rotation of plane 2 in rho west.
    const WEST: u32;
    /// The number of lanes by which rho east moves plane 2.
    const EAST_LANES: usize;
    /// The rotation of plane 2 in rho east.
    const EAST: u32;
}

impl Word for u32 {
    const BITS: u32 = 32;
    const THETA: [u32; 2] = [5, 14];
    const WEST: u32 = 11;
    const EAST_LANES: usize = 2;
    const EAST: u32 = 8;
}

impl Word for u64 {
    const BITS: u32 = 64;
    const THETA: [u32; 2] = [10, 29];
    const WEST: u32 = 23;
    const EAST_LANES: usize = 1;
    const EAST: u32 = 16;
}

/// The forms that planes of these words have on every instruction set.
#[doc(hidden)]
pub trait XoodooForms: Copy + From<u32> + Send + Sync + 'static {
    /// A register with one word of each of several states: the same lane of each state.
    type Lanes<S: Isa>: Lanes<S, Self>;
    /// A plane of one state. For `u32`, it is in a vector register if the rows of the instruction set are ([`Isa::Row32`]).
    type One<S: Isa>: Form<S, Self>;
    /// A plane of one state, with each word in a general register.
    type Plain<S: Isa>: Form<S, Self>;
    /// Planes of as many states as there are rows in a register.
    type Few<S: Isa>: Form<S, Self>;
    /// Planes of as many states as there are lanes in a register.
    type Many<S: Isa>: Columns<S, Self>;
    /// Several [`XoodooForms::Many`], enough to hide the latency of instructions: 24 vectors.
    type Bulk<S: Isa>: Columns<S, Self>;
}

impl XoodooForms for u32 {
    type Lanes<S: Isa> = S::U32;
    type One<S: Isa> = PlaneRow<S::Row32>;
    type Plain<S: Isa> = PlaneRow<WordRow<u32, 4>>;
    type Few<S: Isa> = PlaneRow<S::Rows32>;
    type Many<S: Isa> = Slices<S::U32, 4>;
    type Bulk<S: Isa> = Two<Slices<S::U32, 4>>;
}

impl XoodooForms for u64 {
    type Lanes<S: Isa> = S::U64;
    // Six words in general registers are as fast as three rows on the fastest CPUs, and faster on the others.
    type One<S: Isa> = PlaneRow<WordRow<u64, 2>>;
    type Plain<S: Isa> = PlaneRow<WordRow<u64, 2>>;
    type Few<S: Isa> = PlaneRow<S::Rows64>;
    type Many<S: Isa> = Slices<S::U64, 2>;
    type Bulk<S: Isa> = Two<Two<Slices<S::U64, 2>>>;
}

/// The permutation over words `W`. A state is 48 bytes, three planes of 16. Lane `x` of plane `y` begins at byte `16 y + x
/// size_of::<W>()`, little-endian. Constant-time on every backend.
///
/// ```
/// use icefish::{Backend, permutations::Xoodoo};
/// let mut state = [0; 48];
/// Xoodoo::permute(Backend::best(), Xoodoo::ROUNDS, &mut state)?;
/// Xoodoo::invert(Backend::best(), Xoodoo::ROUNDS, &mut state)?;
/// assert_eq!(state, [0; 48]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Permutation<W>(PhantomData<W>);

/// Three planes of four lanes of 32 bits, as specified.
///
/// ```
/// use icefish::{Backend, permutations::Xoodoo};
/// let mut state = [0; 48];
/// Xoodoo::permute(Backend::best(), Xoodoo::ROUNDS, &mut state)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Xoodoo = Permutation<u32>;
/// Three planes of two lanes of 64 bits.
///
/// ```
/// use icefish::{Backend, permutations::Xoodoo64};
/// let mut state = [0; 48];
/// Xoodoo64::permute(Backend::best(), Xoodoo64::ROUNDS, &mut state)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Xoodoo64 = Permutation<u64>;

impl<W: Word> Permutation<W> {
    /// The largest number of rounds, which is also the usual one.
    pub const ROUNDS: usize = CONSTANTS.len();

    /// How many states `backend` has in the lanes of a register.
    pub fn batch(backend: Backend) -> usize {
        backend.run(StatesPerBatch::<W>::new())
    }

    /// Permutes one state.
    ///
    /// # Errors
    /// [`Error::Rounds`] if `rounds` is above [`Permutation::ROUNDS`].
    pub fn permute(backend: Backend, rounds: usize, state: &mut [u8; STATE]) -> Result<(), Error> {
        let constants = Self::constants(rounds)?;
        backend.run(PermuteOne::<W, false>::new(constants, state));
        Ok(())
    }

    /// Permutes consecutive states.
    ///
    /// # Errors
    /// [`Error::Rounds`] if `rounds` is above [`Permutation::ROUNDS`].
    pub fn permute_many(
        backend: Backend,
        rounds: usize,
        states: &mut [[u8; STATE]],
    ) -> Result<(), Error> {
        Self::contiguous::<false>(backend, rounds, states)
    }

    /// The inverse of [`Permutation::permute`] with the same number of rounds.
    ///
    /// # Errors
    /// [`Error::Rounds`] if `rounds` is above [`Permutation::ROUNDS`].
    pub fn invert(backend: Backend, rounds: usize, state: &mut [u8; STATE]) -> Result<(), Error> {
        let constants = Self::constants(rounds)?;
        backend.run(PermuteOne::<W, true>::new(constants, state));
        Ok(())
    }

    /// The inverse of [`Permutation::permute_many`] with the same number of rounds.
    ///
    /// # Errors
    /// [`Error::Rounds`] if `rounds` is above [`Permutation::ROUNDS`].
    pub fn invert_many(
        backend: Backend,
        rounds: usize,
        states: &mut [[u8; STATE]],
    ) -> Result<(), Error> {
        Self::contiguous::<true>(backend, rounds, states)
    }

    /// Permutes interleaved states: word `i` of state `j` of `n` is word `n i + j` of `states`. This saves the transposition when
    /// many states are permuted at once.
    ///
    /// # Errors
    /// [`Error::Rounds`] if `rounds` is above [`Permutation::ROUNDS`], [`Error::PartialBlock`] if `states`
    /// is not a whole number of states.
    pub fn permute_sliced(backend: Backend, rounds: usize, states: &mut [u8]) -> Result<(), Error> {
        Self::sliced::<false>(backend, rounds, states)
    }

    /// The inverse of [`Permutation::permute_sliced`] with the same number of rounds.
    ///
    /// # Errors
    /// As [`Permutation::permute_sliced`].
    pub fn invert_sliced(backend: Backend, rounds: usize, states: &mut [u8]) -> Result<(), Error> {
        Self::sliced::<true>(backend, rounds, states)
    }

    fn contiguous<const INVERSE: bool>(
        backend: Backend,
        rounds: usize,
        states: &mut [[u8; STATE]],
    ) -> Result<(), Error> {
        let constants = Self::constants(rounds)?;
        backend.run(Contiguous::<W, INVERSE>::new(constants, states.as_flattened_mut()));
        Ok(())
    }

    fn sliced<const INVERSE: bool>(
        backend: Backend,
        rounds: usize,
        states: &mut [u8],
    ) -> Result<(), Error> {
        let constants = Self::constants(rounds)?;
        if !states.len().is_multiple_of(STATE) {
            return Err(Error::PartialBlock { got: states.len(), block: STATE });
        }
        backend.run(Interleaved::<W, INVERSE>::new(constants, states));
        Ok(())
    }

    /// The constants of the last `rounds` rounds.
    fn constants(rounds: usize) -> Result<&'static [u32], Error> {
        let most = Self::ROUNDS;
        let first = most.checked_sub(rounds).ok_or(Error::Rounds { got: rounds, most })?;
        Ok(&CONSTANTS[first..])
    }
}
