//! Authenticated messages in pieces, by name.

use super::AnyAead;
use crate::Error;
use crate::aead::{
    Aead, Eax, FirstPass, Gcm, GcmSiv, Opener, Pieces, Piecewise, Revocable, Sealer, SinkOpener,
};
use crate::cipher::{Cipher, NewCipher};
use crate::isa::{InOut, erase_stack};
use crate::verdict::has_len;
use alloc::boxed::Box;
use zeroize::ZeroizeOnDrop;

/// The state of a message in pieces, of any mode that has them.
///
/// ```
/// use icefish::{Backend, aead::Sealer, suite::{AeadSuite, AnyPieces}};
/// let suite: AeadSuite = "aes-256-gcm".parse()?;
/// let key = suite.key(Backend::best(), &[7; 32])?;
/// let mut sealer: Sealer<AnyPieces> = key.sealer(&[1; 12])?;
/// sealer.update_in_place(&mut [5; 100])?;
/// let mut tag = [0; 16];
/// sealer.finish_to(&mut tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyPieces<'k>(Box<dyn Pieces + 'k>);

impl Pieces for AnyPieces<'_> {
    fn max_associated(&self) -> u64 {
        self.0.max_associated()
    }
    fn max_data(&self) -> u64 {
        self.0.max_data()
    }
    fn tag_len(&self) -> usize {
        self.0.tag_len()
    }
    fn whole_tag_len(&self) -> usize {
        self.0.whole_tag_len()
    }
    fn associated(&mut self, bytes: &[u8]) {
        self.0.associated(bytes);
    }
    fn seal(&mut self, io: InOut<'_>) {
        let len = io.len();
        self.0.seal(io);
        if len >= LARGE {
            erase_stack();
        }
    }
    fn open(&mut self, io: InOut<'_>) {
        let len = io.len();
        self.0.open(io);
        if len >= LARGE {
            erase_stack();
        }
    }
    fn tag(&mut self, tag: &mut [u8]) {
        self.0.tag(tag);
        erase_stack();
    }
    fn first_pass(&mut self, bytes: &[u8]) {
        self.0.first_pass(bytes);
        if bytes.len() >= LARGE {
            erase_stack();
        }
    }
    fn with_tag(&mut self, tag: &[u8]) {
        self.0.with_tag(tag);
    }
    fn begun_with(&self) -> Option<&[u8]> {
        self.0.begun_with()
    }
    fn accepted(&mut self) {
        self.0.accepted();
    }
}

/// After a piece of at least this many bytes, the stack that the kernels used is erased. That takes 5 % of the time of the
/// fastest kernel.
const LARGE: usize = 64 * 1024;

/// Every implementation of `Pieces` erases itself.
impl ZeroizeOnDrop for AnyPieces<'_> {}

/// An authenticated mode that has a name.
pub(super) trait NamedAead: Aead + Send + Sync {
    /// A message in pieces, or [`Error::WholeMessage`].
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error>;
    /// A message in pieces that takes two passes, or [`Error::OnePass`].
    fn two_passes(&self, _: &[u8]) -> Result<AnyPieces<'_>, Error> {
        Err(Error::OnePass)
    }
}

impl<C: Cipher<Block = [u8; 16]>> NamedAead for Gcm<C> {
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        Ok(AnyPieces(Box::new(self.begin(nonce)?)))
    }
}

impl<C: Cipher> NamedAead for Eax<C> {
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        Ok(AnyPieces(Box::new(self.begin(nonce)?)))
    }
}

#[cfg(feature = "aes")]
impl<const BITS: usize, const DEGREE: usize> NamedAead for crate::aead::Aegis<BITS, DEGREE> {
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        Ok(AnyPieces(Box::new(self.begin(nonce)?)))
    }
}

impl<C: NewCipher<Block = [u8; 16]>> NamedAead for GcmSiv<C> {
    fn pieces(&self, _: &[u8]) -> Result<AnyPieces<'_>, Error> {
        Err(Error::WholeMessage)
    }
    fn two_passes(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        Ok(AnyPieces(Box::new(self.begin(nonce)?)))
    }
}

#[cfg(feature = "xoodoo")]
impl NamedAead for crate::aead::Xoodyak {
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        Ok(AnyPieces(Box::new(self.begin(nonce)?)))
    }
}

impl AnyAead {
    /// A message to seal in pieces, which ends with [`Sealer::finish_to`].
    ///
    /// ```
    /// use icefish::{Backend, suite::AeadSuite};
    /// let suite: AeadSuite = "aes-256-gcm".parse()?;
    /// let key = suite.key(Backend::best(), &[7; 32])?;
    /// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
    /// let mut sealer = key.sealer(&[1; 12])?;
    /// sealer.update_in_place(&mut data[..7])?;
    /// sealer.update_in_place(&mut data[7..])?;
    /// sealer.finish_to(&mut tag)?;
    /// key.open_in_place(&[1; 12], &[], &mut data, &tag)?;
    /// assert_eq!(&data, b"attack at dawn");
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::WholeMessage`] for GCM-SIV.
    pub fn sealer(&self, nonce: &[u8]) -> Result<Sealer<AnyPieces<'_>>, Error> {
        Ok(Sealer::new(self.pieces(nonce)?))
    }

    /// A message to open in pieces, into `room`, which has at least the length of the message.
    ///
    /// # Errors
    /// As [`AnyAead::sealer`].
    pub fn opener<'k, 'r>(
        &'k self,
        nonce: &[u8],
        room: &'r mut [u8],
    ) -> Result<Opener<'r, AnyPieces<'k>>, Error> {
        Ok(Opener::new(self.pieces(nonce)?, room))
    }

    /// A message to open in pieces, into a sink that can be revoked.
    ///
    /// # Errors
    /// As [`AnyAead::sealer`]: `sink` was discarded.
    pub fn opener_to<R: Revocable>(
        &self,
        nonce: &[u8],
        sink: R,
    ) -> Result<SinkOpener<AnyPieces<'_>, R>, Error> {
        match self.pieces(nonce) {
            Ok(pieces) => Ok(SinkOpener::new(pieces, sink)),
            Err(error) => {
                sink.discard();
                Err(error)
            }
        }
    }

    /// The first of two passes over a message to seal in pieces, for GCM-SIV. [`FirstPass::finish`] begins the second.
    ///
    /// # Errors
    /// [`Error::IvLength`]; [`Error::OnePass`] for all other modes, which have [`AnyAead::sealer`].
    pub fn first_pass(&self, nonce: &[u8]) -> Result<FirstPass<AnyPieces<'_>>, Error> {
        Ok(FirstPass::new(self.two_passes(nonce)?))
    }

    /// [`AnyAead::opener_to`] for a message whose tag is known before its first byte, of any mode. GCM-SIV needs it then; the others
    /// need it at the end only.
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::TagLength`]: `sink` was discarded.
    pub fn opener_with_tag<R: Revocable>(
        &self,
        nonce: &[u8],
        tag: &[u8],
        sink: R,
    ) -> Result<SinkOpener<AnyPieces<'_>, R>, Error> {
        let pieces = has_len(tag, self.tag_len()).and_then(|()| match self.two_passes(nonce) {
            Err(Error::OnePass) => self.pieces(nonce),
            two => two,
        });
        SinkOpener::with_tag(pieces, tag, sink)
    }

    fn two_passes(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        let made = self.key.two_passes(nonce);
        erase_stack();
        made
    }

    /// The state of a message. Modes without a key schedule begin each message with the key itself, and spill parts of it.
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        let made = self.key.pieces(nonce);
        erase_stack();
        made
    }
}
