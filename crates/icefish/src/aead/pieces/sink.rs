//! Opening into a sink that can be revoked.

use super::{Pieces, Progress};
use crate::Error;
use crate::isa::{InOut, erase};
use crate::verdict::{has_len, verify};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// Bytes that are decrypted at once, in a buffer on the stack.
const ROOM: usize = 4096;

/// A place for plaintext that is not verified yet, such as a file without a name.
///
/// It must guarantee that nobody can read its contents before [`Revocable::keep`] is called, or after [`Revocable::discard`].
///
/// ```
/// use icefish::aead::Revocable;
/// use std::convert::Infallible;
///
/// /// Memory that nobody reads before the message is verified.
/// struct Hidden<'a> {
///     read: Vec<u8>,
///     verified: &'a mut Vec<u8>,
/// }
///
/// impl Revocable for Hidden<'_> {
///     type Error = Infallible;
///     fn write(&mut self, piece: &[u8]) -> Result<(), Infallible> {
///         self.read.extend_from_slice(piece);
///         Ok(())
///     }
///     fn keep(self) -> Result<(), Infallible> {
///         *self.verified = self.read;
///         Ok(())
///     }
///     fn discard(self) {}
/// }
/// ```
pub trait Revocable {
    /// The error of [`Revocable::write`] and [`Revocable::keep`].
    type Error;
    /// Takes the next bytes of the plaintext, which is not verified.
    ///
    /// # Errors
    /// If the bytes could not be written: the message is discarded.
    fn write(&mut self, piece: &[u8]) -> Result<(), Self::Error>;
    /// Makes the plaintext readable: the message is verified.
    ///
    /// # Errors
    /// If the plaintext could not be made readable.
    fn keep(self) -> Result<(), Self::Error>;
    /// The message is forged, incomplete or not wanted: takes back all that was written.
    fn discard(self);
}

/// Why a message was not opened into a sink.
///
/// ```
/// use icefish::{Error, aead::OpenError};
/// let error: OpenError<std::io::Error> = Error::Forged.into();
/// assert!(matches!(error, OpenError::Message(Error::Forged)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError<E> {
    /// The message was refused.
    Message(Error),
    /// The sink refused.
    Sink(E),
    /// An earlier call failed, and the sink was discarded.
    Discarded,
}

impl<E> From<Error> for OpenError<E> {
    fn from(error: Error) -> Self {
        Self::Message(error)
    }
}

impl<E: fmt::Display> fmt::Display for OpenError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(error) => error.fmt(f),
            Self::Sink(error) => error.fmt(f),
            Self::Discarded => f.write_str(
                "an earlier piece of this message failed and its output was discarded; open it again from the start",
            ),
        }
    }
}

impl<E: core::error::Error> core::error::Error for OpenError<E> {}

/// A message that is being opened in pieces into a [`Revocable`] sink: [`Piecewise::opener_to`](super::Piecewise::opener_to).
///
/// The sink is kept only if the tag is right. After any error but one of [`Revocable::keep`], or if this is dropped, it is
/// discarded.
///
/// ```
/// use icefish::{ciphers::Aes128, aead::{Aead, Gcm, OpenError, Piecewise, Revocable}};
/// use std::convert::Infallible;
///
/// struct Hidden<'a> { shown: &'a mut Vec<u8>, hidden: Vec<u8> }
/// impl Revocable for Hidden<'_> {
///     type Error = Infallible;
///     fn write(&mut self, piece: &[u8]) -> Result<(), Infallible> {
///         self.hidden.extend_from_slice(piece);
///         Ok(())
///     }
///     fn keep(self) -> Result<(), Infallible> {
///         *self.shown = self.hidden;
///         Ok(())
///     }
///     fn discard(mut self) {
///         self.hidden.fill(0);
///     }
/// }
///
/// let gcm = Gcm::<Aes128>::new(&[7; 16])?;
/// let (mut data, mut shown) = (*b"attack at dawn", Vec::new());
/// let tag = gcm.seal_in_place(&[1; 12], &[], &mut data)?;
/// let sink = Hidden { shown: &mut shown, hidden: Vec::new() };
/// let mut opener = gcm.opener_to(&[1; 12], sink)?;
/// opener.update(&data)?;
/// opener.finish(&tag)?;
/// assert_eq!(shown, b"attack at dawn");
/// # Ok::<(), OpenError<Infallible>>(())
/// ```
pub struct SinkOpener<P: Pieces, R: Revocable> {
    progress: Progress<P>,
    /// `None` after it was kept or discarded.
    sink: Option<R>,
}

impl<P: Pieces, R: Revocable> SinkOpener<P, R> {
    pub(crate) fn new(pieces: P, sink: R) -> Self {
        Self { progress: Progress::new(pieces), sink: Some(sink) }
    }

    /// The same for a message whose tag is known already. Where there are no `pieces`, the sink is discarded.
    pub(crate) fn with_tag(pieces: Result<P, Error>, tag: &[u8], sink: R) -> Result<Self, Error> {
        match pieces {
            Ok(mut pieces) => {
                pieces.with_tag(tag);
                Ok(Self::new(pieces, sink))
            }
            Err(error) => {
                sink.discard();
                Err(error)
            }
        }
    }

    /// Takes the next bytes of the associated data.
    ///
    /// # Errors
    /// [`OpenError::Message`] with [`Error::LateAssociated`] or [`Error::TooLong`]: the sink was discarded.
    /// [`OpenError::Discarded`] after an earlier error.
    pub fn associated(&mut self, bytes: &[u8]) -> Result<(), OpenError<R::Error>> {
        if self.sink.is_none() {
            return Err(OpenError::Discarded);
        }
        let result = self.progress.associated(bytes);
        self.unless_failed(result.map_err(OpenError::Message))
    }

    /// Decrypts the next bytes of the message into the sink.
    ///
    /// # Errors
    /// [`OpenError::Message`] with [`Error::TooLong`], or [`OpenError::Sink`]: the sink was discarded. [`OpenError::Discarded`]
    /// after an earlier error.
    pub fn update(&mut self, input: &[u8]) -> Result<(), OpenError<R::Error>> {
        let result = self.take(input);
        self.unless_failed(result)
    }

    /// The sink, for a caller that takes plaintext out of it and passes it on. That plaintext is not verified: nobody may read it
    /// before the sink is kept. `None` after an error.
    pub fn sink(&mut self) -> Option<&mut R> {
        self.sink.as_mut()
    }

    /// Verifies `tag`, of the length of the key's tags, in constant time, and keeps the sink if the tag is right. A message that
    /// began with a tag must end with the same.
    ///
    /// # Errors
    /// [`OpenError::Message`] with [`Error::Forged`] or [`Error::TagLength`]: the sink was discarded. [`OpenError::Sink`] if it
    /// could not be kept. [`OpenError::Discarded`] after an earlier error.
    pub fn finish(mut self, tag: &[u8]) -> Result<(), OpenError<R::Error>> {
        if self.sink.is_none() {
            return Err(OpenError::Discarded);
        }
        has_len(tag, self.progress.pieces.tag_len())?;
        let (expected, len) = self.progress.tag()?;
        verify(&expected[..len], tag)?;
        self.sink.take().map_or(Ok(()), R::keep).map_err(OpenError::Sink)?;
        self.progress.pieces.accepted();
        Ok(())
    }

    fn take(&mut self, input: &[u8]) -> Result<(), OpenError<R::Error>> {
        let sink = self.sink.as_mut().ok_or(OpenError::Discarded)?;
        self.progress.data(input.len())?;
        let mut room = [0; ROOM];
        let mut result = Ok(());
        for piece in input.chunks(ROOM) {
            let plain = &mut room[..piece.len()];
            self.progress.pieces.open(InOut::between(piece, plain)?);
            result = sink.write(plain).map_err(OpenError::Sink);
            if result.is_err() {
                break;
            }
        }
        erase(&mut room);
        result
    }

    fn unless_failed(
        &mut self,
        result: Result<(), OpenError<R::Error>>,
    ) -> Result<(), OpenError<R::Error>> {
        if result.is_err() {
            self.discard();
        }
        result
    }

    fn discard(&mut self) {
        if let Some(sink) = self.sink.take() {
            sink.discard();
        }
    }
}

impl<P: Pieces, R: Revocable> Drop for SinkOpener<P, R> {
    fn drop(&mut self) {
        self.discard();
    }
}

impl<P: Pieces + ZeroizeOnDrop, R: Revocable> ZeroizeOnDrop for SinkOpener<P, R> {}

impl<P: Pieces, R: Revocable> fmt::Debug for SinkOpener<P, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.progress.show("SinkOpener", f)
    }
}
