//! Xoodyak as authenticated encryption: key and nonce, associated data, message, tag.

mod pieces;

pub use self::pieces::XoodyakPieces;

use super::Aead;
use crate::constructions::xoodyak::colour;
use crate::constructions::xoodyak::cyclist::{Keyed, absorb_key};
use crate::constructions::xoodyak::sponge::{SavedSponge, Sponge};
use crate::isa::{InOut, Isa, Rows};
use crate::permutations::xoodoo::single::{Best, OnOneState};
use crate::verdict::release;
use crate::{Backend, Error};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Xoodyak as the authenticated encryption of the NIST competition (section 3.2 of the specification, final version: the nonce is
/// the identifier of the key). Keys, nonces and tags have 16 bytes.
///
/// A nonce that is used twice with one key shows where two messages begin to differ, and the XOR of the 24 bytes at that place.
///
/// ```
/// use icefish::aead::{Aead, Xoodyak};
/// let xoodyak = Xoodyak::new(&[7; 16])?;
/// let mut data = *b"attack at dawn";
/// let tag = xoodyak.seal_in_place(&[1; 16], b"to: all", &mut data)?;
/// xoodyak.open_in_place(&[1; 16], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Xoodyak {
    key: [u8; 16],
    backend: Backend,
}

impl Xoodyak {
    /// A key on the best backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`] if `key` does not have 16 bytes.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key)
    }

    /// A key on the given backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`] if `key` does not have 16 bytes.
    pub fn on(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        let mut made = Self::blank(backend);
        made.set_key(key)?;
        // A copy and not a move: the original is dropped here, and so erased.
        Ok(Self { key: made.key, backend })
    }

    /// Room for a key.
    pub(crate) fn blank(backend: Backend) -> Self {
        Self { key: [0; 16], backend }
    }

    /// Replaces the key, on the same backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`] if `key` does not have 16 bytes: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        if key.len() != 16 {
            return Err(Error::KeyLength { got: key.len(), need: 16 });
        }
        self.key.copy_from_slice(key);
        Ok(())
    }

    fn run<const OPEN: bool>(
        &self,
        nonce: &[u8],
        associated: &[u8],
        io: InOut<'_>,
    ) -> Result<[u8; 16], Error> {
        let nonce = checked_nonce(nonce)?;
        Ok(self.backend.run(Best(XoodyakMessage::<OPEN> { key: &self.key, nonce, associated, io })))
    }
}

/// The nonce, if it has the length of one.
#[inline(always)]
fn checked_nonce(nonce: &[u8]) -> Result<&[u8], Error> {
    if nonce.len() != Xoodyak::NONCE {
        return Err(Error::IvLength { got: nonce.len(), need: Xoodyak::NONCE });
    }
    Ok(nonce)
}

impl Aead for Xoodyak {
    type Tag = [u8; 16];
    const NONCE: usize = 16;
    const SHORTEST_TAG: usize = 16;

    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<[u8; 16], Error> {
        self.run::<false>(nonce, associated, io)
    }

    fn open(
        &self,
        nonce: &[u8],
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        if tag.len() != 16 {
            return Err(Error::TagLength { got: tag.len(), least: 16, most: 16 });
        }
        let expected = self.run::<true>(nonce, associated, io.reborrow())?;
        release(&expected, tag, io.output())
    }
}

impl Drop for Xoodyak {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl ZeroizeOnDrop for Xoodyak {}

impl fmt::Debug for Xoodyak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xoodyak").field("backend", &self.backend.name()).finish_non_exhaustive()
    }
}

/// A message; the result is its tag.
struct XoodyakMessage<'a, const OPEN: bool> {
    key: &'a [u8; 16],
    nonce: &'a [u8],
    associated: &'a [u8],
    io: InOut<'a>,
}

impl<const OPEN: bool> OnOneState for XoodyakMessage<'_, OPEN> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(mut self, isa: S) -> [u8; 16] {
        let mut sponge = Sponge::<S, R, Keyed>::open(isa, &SavedSponge::NEW);
        absorb_key(&mut sponge, self.key, self.nonce);
        sponge.absorb(self.associated, colour::ABSORB);
        sponge.crypt::<OPEN>(&mut self.io, colour::CRYPT);
        let mut tag = [0; 16];
        sponge.squeeze(&mut tag, colour::SQUEEZE);
        tag
    }
}
