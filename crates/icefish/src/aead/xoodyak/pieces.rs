//! A message in pieces.

use super::super::pieces::{Pieces, Piecewise, Tagged};
use super::{Xoodyak, checked_nonce};
use crate::constructions::xoodyak::absorber::AbsorbProgress;
use crate::constructions::xoodyak::crypter::TextProgress;
use crate::constructions::xoodyak::cyclist::{Keyed, Squeeze, Start};
use crate::constructions::xoodyak::{colour, sponge::SavedSponge};
use crate::isa::InOut;
use crate::permutations::xoodoo::single::Best;
use crate::{Backend, Error};
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The state of a message of [`Xoodyak`] in pieces.
///
/// ```
/// use icefish::aead::{Piecewise, Sealer, Xoodyak, XoodyakPieces};
/// let key = Xoodyak::new(&[7; 16])?;
/// let mut sealer: Sealer<XoodyakPieces> = key.sealer(&[1; 16])?;
/// sealer.update_in_place(&mut [5; 100])?;
/// let tag = sealer.finish();
/// # let _ = tag;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct XoodyakPieces {
    state: SavedSponge,
    backend: Backend,
    /// The associated data, until the text begins.
    associated: Option<AbsorbProgress<Keyed>>,
    text: TextProgress,
}

impl Piecewise for Xoodyak {
    type Pieces<'k> = XoodyakPieces;

    fn begin(&self, nonce: &[u8]) -> Result<XoodyakPieces, Error> {
        let nonce = checked_nonce(nonce)?;
        let mut made = XoodyakPieces {
            state: SavedSponge::NEW,
            backend: self.backend,
            associated: Some(AbsorbProgress::NEW),
            text: TextProgress::NEW,
        };
        let state = &mut made.state;
        self.backend.run(Best(Start { state, key: &self.key, identifier: nonce, counter: &[] }));
        // The associated data begins with the permutation. It is done here, so that the key does not stay in the state.
        let (colour, mode) = (0, PhantomData);
        self.backend.run(Best(Squeeze::<Keyed> { state, output: &mut [], colour, mode }));
        Ok(made)
    }
}

impl XoodyakPieces {
    /// Ends the associated data, which is absorbed even if it is empty.
    fn end_associated(&mut self) {
        if let Some(mut associated) = self.associated.take() {
            associated.end(&mut self.state, self.backend);
        }
    }

    fn crypt<const OPEN: bool>(&mut self, io: InOut<'_>) {
        if !io.is_empty() {
            self.end_associated();
            self.text.update::<OPEN>(&mut self.state, self.backend, io);
        }
    }
}

impl Pieces for XoodyakPieces {
    fn max_associated(&self) -> u64 {
        u64::MAX
    }
    fn max_data(&self) -> u64 {
        u64::MAX
    }
    fn tag_len(&self) -> usize {
        16
    }
    fn whole_tag_len(&self) -> usize {
        16
    }
    fn associated(&mut self, bytes: &[u8]) {
        if let Some(associated) = &mut self.associated {
            associated.update(&mut self.state, self.backend, bytes);
        }
    }
    fn seal(&mut self, io: InOut<'_>) {
        self.crypt::<false>(io);
    }
    fn open(&mut self, io: InOut<'_>) {
        self.crypt::<true>(io);
    }
    fn tag(&mut self, tag: &mut [u8]) {
        self.end_associated();
        self.text.end(&mut self.state, self.backend);
        let (state, colour, mode) = (&mut self.state, colour::SQUEEZE, PhantomData);
        self.backend.run(Best(Squeeze::<Keyed> { state, output: tag, colour, mode }));
    }
}

impl Tagged for XoodyakPieces {
    type Tag = [u8; 16];
}

impl Drop for XoodyakPieces {
    fn drop(&mut self) {
        self.state.bytes.zeroize();
    }
}

impl ZeroizeOnDrop for XoodyakPieces {}
