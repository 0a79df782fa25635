//! A string that is absorbed in pieces.

use super::cyclist::Absorb;
use super::sponge::SavedSponge;
use super::{Cyclist, CyclistMode, Keyed, colour};
use crate::Backend;
use crate::permutations::xoodoo::single::Best;
use core::fmt;
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The bytes so far that do not fill a block of a mode.
#[derive(Clone)]
pub(crate) struct AbsorbProgress<M> {
    block: [u8; Keyed::ABSORB],
    len: usize,
    /// The colour of the next block.
    colour: u8,
    mode: PhantomData<M>,
}

impl<M: CyclistMode> AbsorbProgress<M> {
    /// Before the first piece.
    pub(crate) const NEW: Self =
        Self { block: [0; Keyed::ABSORB], len: 0, colour: colour::ABSORB, mode: PhantomData };

    /// Absorbs all whole blocks.
    pub(crate) fn update(&mut self, state: &mut SavedSponge, backend: Backend, mut piece: &[u8]) {
        if self.len > 0 {
            let (now, rest) = piece.split_at(piece.len().min(M::ABSORB - self.len));
            self.block[self.len..self.len + now.len()].copy_from_slice(now);
            self.len += now.len();
            piece = rest;
            if self.len < M::ABSORB {
                return;
            }
            blocks::<M>(state, backend, &self.block[..M::ABSORB], &mut self.colour);
            self.len = 0;
        }
        let (whole, rest) = piece.split_at(piece.len() / M::ABSORB * M::ABSORB);
        if !whole.is_empty() {
            blocks::<M>(state, backend, whole, &mut self.colour);
        }
        self.block[..rest.len()].copy_from_slice(rest);
        self.len = rest.len();
    }

    /// Absorbs the last block, unless it was whole. An empty string also consists of one block.
    pub(crate) fn end(&mut self, state: &mut SavedSponge, backend: Backend) {
        if self.len > 0 || self.colour != 0 {
            blocks::<M>(state, backend, &self.block[..self.len], &mut self.colour);
        }
    }
}

/// Absorbs blocks of one string. Only the last may be incomplete.
fn blocks<M: CyclistMode>(state: &mut SavedSponge, backend: Backend, data: &[u8], next: &mut u8) {
    let (colour, mode) = (core::mem::take(next), PhantomData);
    backend.run(Best(Absorb::<M> { state, data, colour, mode }));
}

impl<M> Drop for AbsorbProgress<M> {
    fn drop(&mut self) {
        self.block.zeroize();
    }
}

/// A string that a [`Cyclist`] absorbs in pieces: all of them are what one call of [`Cyclist::absorb`] absorbs. The string ends
/// with [`Absorber::finish`], or when this is dropped.
///
/// ```
/// use icefish::constructions::xoodyak::Session;
/// let (mut one, mut other) = (Session::new(&[7; 16])?, Session::new(&[7; 16])?);
/// one.absorb(b"a long string");
/// let mut string = other.absorber();
/// string.update(b"a long ");
/// string.update(b"string");
/// string.finish();
/// let (mut x, mut y) = ([0; 16], [0; 16]);
/// one.squeeze(&mut x);
/// other.squeeze(&mut y);
/// assert_eq!(x, y);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Absorber<'c, M: CyclistMode> {
    cyclist: &'c mut Cyclist<M>,
    pieces: AbsorbProgress<M>,
}

impl<M: CyclistMode> Cyclist<M> {
    /// Begins a string in pieces.
    pub fn absorber(&mut self) -> Absorber<'_, M> {
        Absorber { cyclist: self, pieces: AbsorbProgress::NEW }
    }
}

impl<M: CyclistMode> Absorber<'_, M> {
    /// Absorbs the next bytes of the string.
    pub fn update(&mut self, piece: &[u8]) {
        self.pieces.update(&mut self.cyclist.state, self.cyclist.backend, piece);
    }

    /// Ends the string.
    pub fn finish(self) {}
}

impl<M: CyclistMode> Drop for Absorber<'_, M> {
    fn drop(&mut self) {
        self.pieces.end(&mut self.cyclist.state, self.cyclist.backend);
    }
}

impl<M: CyclistMode> ZeroizeOnDrop for Absorber<'_, M> {}

impl<M: CyclistMode> fmt::Debug for Absorber<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Absorber").finish_non_exhaustive()
    }
}
