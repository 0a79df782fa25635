//! Authenticated messages in pieces.

mod counter;
mod opener;
mod passes;
mod sink;
#[cfg(all(test, feature = "aes"))]
mod tests;

pub(super) use self::counter::Counter;
pub use self::opener::Opener;
pub use self::passes::FirstPass;
pub use self::sink::{OpenError, Revocable, SinkOpener};
use super::Aead;
use crate::isa::InOut;
use crate::verdict::{has_len, verify};
use crate::{Block, Error};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// An authenticated mode whose messages can come in pieces: GCM, EAX, AEGIS and Xoodyak. The sessions `Sane` of Xoofff have the
/// same calls.
///
/// GCM-SIV and `Sanse` are not such modes: they encrypt with the tag of the whole plaintext, so that a repeated nonce reveals no
/// plaintext. All of it must therefore be read before the first byte is encrypted. GCM-SIV has calls for both passes:
/// [`GcmSiv::first_pass`](super::GcmSiv::first_pass).
///
/// ```
/// use icefish::{aead::{Gcm, Piecewise}, ciphers::Aes256};
///
/// /// The tag of a message without data: with GCM, that is GMAC.
/// fn tag<A: Piecewise>(aead: &A, nonce: &[u8], parts: &[&[u8]]) -> Result<A::Tag, icefish::Error> {
///     let mut sealer = aead.sealer(nonce)?;
///     for part in parts {
///         sealer.associated(part)?;
///     }
///     Ok(sealer.finish())
/// }
///
/// let tag = tag(&Gcm::<Aes256>::new(&[7; 32])?, &[1; 12], &[b"a large ", b"file"])?;
/// # let _ = tag;
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait Piecewise: Aead {
    /// The state of a message.
    type Pieces<'k>: Tagged<Tag = Self::Tag>
    where
        Self: 'k;

    /// The state before the first byte, for [`Sealer`] and [`Opener`]: by itself it does nothing.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn begin(&self, nonce: &[u8]) -> Result<Self::Pieces<'_>, Error>;

    /// A message to seal in pieces.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn sealer(&self, nonce: &[u8]) -> Result<Sealer<Self::Pieces<'_>>, Error> {
        Ok(Sealer::new(self.begin(nonce)?))
    }

    /// A message to open in pieces, into `room`, which has at least the length of the message.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    fn opener<'k, 'r>(
        &'k self,
        nonce: &[u8],
        room: &'r mut [u8],
    ) -> Result<Opener<'r, Self::Pieces<'k>>, Error> {
        Ok(Opener::new(self.begin(nonce)?, room))
    }

    /// A message to open in pieces, into a sink that can be revoked.
    ///
    /// # Errors
    /// [`Error::IvLength`]: `sink` was discarded.
    fn opener_to<R: Revocable>(
        &self,
        nonce: &[u8],
        sink: R,
    ) -> Result<SinkOpener<Self::Pieces<'_>, R>, Error> {
        match self.begin(nonce) {
            Ok(pieces) => Ok(SinkOpener::new(pieces, sink)),
            Err(error) => {
                sink.discard();
                Err(error)
            }
        }
    }
}

/// The state of one message in pieces: what a mode provides. It releases plaintext before its tag is verified, so nothing
/// outside of the library can name it: programs use [`Sealer`] and [`Opener`], which also check order and lengths.
pub trait Pieces: Send {
    /// Most bytes of associated data.
    fn max_associated(&self) -> u64;
    /// Most bytes of data.
    fn max_data(&self) -> u64;
    /// Length of the tags that the key accepts, in bytes.
    fn tag_len(&self) -> usize;
    /// Length of a whole tag in bytes.
    fn whole_tag_len(&self) -> usize;
    /// Takes the next bytes of the associated data.
    fn associated(&mut self, bytes: &[u8]);
    /// Encrypts the next bytes of the data.
    fn seal(&mut self, io: InOut<'_>);
    /// Decrypts the next bytes of the data.
    fn open(&mut self, io: InOut<'_>);
    /// Writes the whole tag. No other call may follow.
    ///
    /// # Panics
    /// If `tag` has not [`Pieces::whole_tag_len`] bytes.
    fn tag(&mut self, tag: &mut [u8]);
    /// Takes the next bytes of the plaintext in the first of two passes, if there are two.
    fn first_pass(&mut self, _: &[u8]) {}
    /// Begins the pass that encrypts or decrypts with the whole tag of the message, if that is needed.
    fn with_tag(&mut self, _: &[u8]) {}
    /// The tag that it began with, if any: the only one that the message may have.
    fn begun_with(&self) -> Option<&[u8]> {
        None
    }
    /// The message is sealed, or was opened and kept. A session moves on.
    fn accepted(&mut self) {}
}

/// [`Pieces`] with the type of their tag.
pub trait Tagged: Pieces {
    /// The tag, an array of bytes.
    type Tag: Block;
}

/// Room for the longest tag: EAX with the largest block that CMAC has a polynomial for.
const LONGEST_TAG: usize = 128;

/// A message and how much of it there was.
struct Progress<P> {
    pieces: P,
    /// Bytes of associated data.
    associated: u64,
    /// Bytes of data.
    data: u64,
    /// Whether the data has begun.
    begun: bool,
}

impl<P: Pieces> Progress<P> {
    fn new(pieces: P) -> Self {
        Self { pieces, associated: 0, data: 0, begun: false }
    }

    fn associated(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.begun {
            return Err(Error::LateAssociated);
        }
        self.associated = longer(self.associated, bytes.len(), self.pieces.max_associated())?;
        self.pieces.associated(bytes);
        Ok(())
    }

    /// Takes the length of the next piece of data.
    fn data(&mut self, len: usize) -> Result<(), Error> {
        self.data = longer(self.data, len, self.pieces.max_data())?;
        self.begun = true;
        Ok(())
    }

    /// The whole tag, with zeros behind it.
    fn whole_tag(&mut self) -> [u8; LONGEST_TAG] {
        let mut tag = [0; LONGEST_TAG];
        let whole = self.pieces.whole_tag_len();
        self.pieces.tag(&mut tag[..whole]);
        tag
    }

    /// The tag, of as many bytes as the key accepts.
    ///
    /// # Errors
    /// [`Error::Forged`] if the message began with another.
    fn tag(&mut self) -> Result<([u8; LONGEST_TAG], usize), Error> {
        let tag = self.whole_tag();
        if let Some(first) = self.pieces.begun_with() {
            verify(&tag[..first.len()], first)?;
        }
        Ok((tag, self.pieces.tag_len()))
    }
}

impl<P> Progress<P> {
    fn show(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(name);
        shown.field("associated", &self.associated).field("data", &self.data);
        shown.finish_non_exhaustive()
    }
}

/// `so_far + len`, if that is at most `most`.
fn longer(so_far: u64, len: usize, most: u64) -> Result<u64, Error> {
    let sum = so_far.checked_add(len as u64);
    sum.filter(|sum| *sum <= most).ok_or(Error::TooLong { most })
}

/// A message that is being sealed in pieces of any length: [`Piecewise::sealer`].
///
/// Associated data comes first. The output is the ciphertext of [`Aead::seal`], for pieces of any lengths. A message
/// without data is authenticated only: with GCM, that is GMAC.
///
/// ```
/// use icefish::{ciphers::Aes256, aead::{Gcm, Piecewise}};
/// let gcm = Gcm::<Aes256>::new(&[7; 32])?;
/// let mut sealer = gcm.sealer(&[1; 12])?;
/// sealer.associated(b"to: all")?;
/// let mut ciphertext = [0; 14];
/// sealer.update(b"attack ", &mut ciphertext[..7])?;
/// sealer.update(b"at dawn", &mut ciphertext[7..])?;
/// let tag = sealer.finish();
///
/// let mut room = [0; 14];
/// let mut opener = gcm.opener(&[1; 12], &mut room)?;
/// opener.associated(b"to: all")?;
/// opener.update(&ciphertext[..3])?;
/// opener.update(&ciphertext[3..])?;
/// assert_eq!(opener.finish(&tag)?, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Sealer<P>(Progress<P>);

impl<P: Pieces> Sealer<P> {
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

    /// Encrypts the next bytes of the message into the beginning of `output`; returns how many, which is all of `input`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `output` is shorter than `input`; [`Error::TooLong`]. Nothing was taken.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        let (got, need) = (output.len(), input.len());
        let output = output.get_mut(..need).ok_or(Error::BufferLength { got, need })?;
        self.0.data(need)?;
        self.0.pieces.seal(InOut::between(input, output)?);
        Ok(need)
    }

    /// Encrypts the next bytes of the message in place.
    ///
    /// # Errors
    /// [`Error::TooLong`]: nothing was taken.
    pub fn update_in_place(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.0.data(data.len())?;
        self.0.pieces.seal(InOut::in_place(data));
        Ok(())
    }

    /// Ends the message and writes its tag, of which `tag` takes the first bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] if `tag` has not the length of the key's tags. [`Error::Forged`] if this is the second of two passes,
    /// and the first had other data: nobody may see what was written.
    pub fn finish_to(mut self, tag: &mut [u8]) -> Result<(), Error> {
        has_len(tag, self.0.pieces.tag_len())?;
        let (whole, len) = self.0.tag()?;
        tag.copy_from_slice(&whole[..len]);
        self.0.pieces.accepted();
        Ok(())
    }
}

impl<P: Tagged> Sealer<P> {
    /// Ends the message; returns its whole tag.
    pub fn finish(mut self) -> P::Tag {
        let mut tag = P::Tag::zero();
        self.0.pieces.tag(tag.as_mut());
        self.0.pieces.accepted();
        tag
    }
}

impl<P: ZeroizeOnDrop> ZeroizeOnDrop for Sealer<P> {}

impl<P> fmt::Debug for Sealer<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show("Sealer", f)
    }
}
