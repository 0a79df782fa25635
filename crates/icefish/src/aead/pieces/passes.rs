//! Sealing in two passes.

use super::{Pieces, Progress, Sealer};
use crate::Error;
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// The first of two passes over a message that is sealed in pieces of any length: [`GcmSiv::first_pass`](crate::aead::GcmSiv::first_pass).
///
/// It takes the associated data and the plaintext, and gives a [`Sealer`] for the second pass, which takes the plaintext again. If
/// the plaintexts of both passes differ, [`Sealer::finish_to`] fails, and the output of the sealer must be discarded.
///
/// ```
/// use icefish::{Error, ciphers::Aes256, aead::{Aead, GcmSiv}};
/// let key = GcmSiv::<Aes256>::new(&[7; 32])?;
/// let mut first = key.first_pass(&[1; 12])?;
/// first.associated(b"to: all")?;
/// first.update(b"attack ")?;
/// first.update(b"at dawn")?;
///
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// let mut sealer = first.finish();
/// sealer.update_in_place(&mut data)?;
/// sealer.finish_to(&mut tag)?;
/// key.open_in_place(&[1; 12], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), Error>(())
/// ```
pub struct FirstPass<P>(Progress<P>);

impl<P: Pieces> FirstPass<P> {
    pub(crate) fn new(pieces: P) -> Self {
        Self(Progress::new(pieces))
    }

    /// Takes the next bytes of the associated data.
    ///
    /// # Errors
    /// [`Error::LateAssociated`] after the first call that took data; [`Error::TooLong`]. Nothing was taken.
    pub fn associated(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.0.associated(bytes)
    }

    /// Takes the next bytes of the plaintext.
    ///
    /// # Errors
    /// [`Error::TooLong`]: nothing was taken.
    pub fn update(&mut self, plaintext: &[u8]) -> Result<(), Error> {
        self.0.data(plaintext.len())?;
        self.0.pieces.first_pass(plaintext);
        Ok(())
    }

    /// Ends this pass, and begins the one that encrypts. It has the associated data already.
    pub fn finish(self) -> Sealer<P> {
        let Self(mut progress) = self;
        let tag = progress.whole_tag();
        progress.pieces.with_tag(&tag[..progress.pieces.whole_tag_len()]);
        Sealer(Progress { data: 0, begun: true, ..progress })
    }
}

impl<P: ZeroizeOnDrop> ZeroizeOnDrop for FirstPass<P> {}

impl<P> fmt::Debug for FirstPass<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show("FirstPass", f)
    }
}
