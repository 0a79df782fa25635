//! Messages in chunks by name.

use super::key_has_len;
use crate::ciphers::AnyAes;
use crate::isa::erase_stack;
use crate::storage::cobblestone::{
    ChunkOpener, ChunkSealer, Cobblestone, HEADER, Instance, SALT, TAG, whole,
};
use crate::{Backend, Error};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Every format of messages in chunks by name.
pub static CHUNKED: &[ChunkedSuite] =
    &[ChunkedSuite::aes("cobblestone-128", 16), ChunkedSuite::aes("cobblestone-256", 32)];

/// A format of messages in chunks as a value: its name, the length of its keys in bytes, and a constructor for keys.
///
/// ```
/// use icefish::{Backend, suite::ChunkedSuite};
/// let suite: ChunkedSuite = "cobblestone-256".parse()?;
/// let key = suite.key(Backend::best(), &[7; 32])?;
/// let sealer = key.sealer(&[1; 24], b"");
/// let mut chunk = *b"attack at dawn";
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// key.opener(&sealer.header(), b"")?.open_in_place(0, true, &mut chunk, &tag)?;
/// assert_eq!(&chunk, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct ChunkedSuite {
    /// Its name, such as `cobblestone-256`.
    pub name: &'static str,
    /// Length of a key.
    pub key: usize,
    make: MakeChunked,
}

/// The constructor of a key from its bytes.
type MakeChunked = fn(&[u8], Backend) -> Result<Box<dyn ErasedChunkedKey>, Error>;

impl ChunkedSuite {
    const fn aes(name: &'static str, key: usize) -> Self {
        let make = |key: &[u8], backend| {
            let mut made = Box::new(Cobblestone::<AnyAes>::blank(backend));
            made.set_key(key)?;
            Ok(made as Box<dyn ErasedChunkedKey>)
        };
        Self { name, key, make }
    }

    /// A key of this format.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn key(&self, backend: Backend, key: &[u8]) -> Result<AnyChunked, Error> {
        key_has_len(key, self.key)?;
        let made = (self.make)(key, backend);
        erase_stack();
        Ok(AnyChunked { suite: *self, key: made? })
    }
}

impl FromStr for ChunkedSuite {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        CHUNKED.iter().find(|suite| suite.name == name).copied().ok_or(Error::UnknownCipher)
    }
}

impl fmt::Display for ChunkedSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Debug for ChunkedSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The calls of [`Cobblestone`] without its type. Results are made in their final place.
trait ErasedChunkedKey: Send + Sync {
    fn copy(&self) -> Box<dyn ErasedChunkedKey>;
    fn sealer(&self, salt: &[u8; SALT], context: &[u8]) -> Box<dyn ErasedSealer>;
    fn opener(&self, header: &[u8], context: &[u8]) -> Result<Box<dyn ErasedOpener>, Error>;
}

impl<C: Instance + 'static> ErasedChunkedKey for Cobblestone<C> {
    fn copy(&self) -> Box<dyn ErasedChunkedKey> {
        Box::new(self.clone())
    }
    fn sealer(&self, salt: &[u8; SALT], context: &[u8]) -> Box<dyn ErasedSealer> {
        let mut made = Box::new(self.blank_sealer());
        self.set_sealer(&mut made, salt, context);
        made
    }
    fn opener(&self, header: &[u8], context: &[u8]) -> Result<Box<dyn ErasedOpener>, Error> {
        let mut made = Box::new(self.blank_opener());
        self.set_opener(&mut made, header, context)?;
        Ok(made)
    }
}

/// The calls of [`ChunkSealer`] without its type.
trait ErasedSealer: Send + Sync {
    fn header(&self) -> [u8; HEADER];
    fn in_place(&self, number: u64, last: bool, chunk: &mut [u8]) -> Result<[u8; TAG], Error>;
    fn between(&self, first: u64, last: bool, plain: &[u8], sealed: &mut [u8])
    -> Result<(), Error>;
}

impl<C: Instance> ErasedSealer for ChunkSealer<C> {
    fn header(&self) -> [u8; HEADER] {
        self.header()
    }
    fn in_place(&self, number: u64, last: bool, chunk: &mut [u8]) -> Result<[u8; TAG], Error> {
        self.seal_in_place(number, last, chunk)
    }
    fn between(
        &self,
        first: u64,
        last: bool,
        plain: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), Error> {
        self.seal_between(first, last, plain, sealed)
    }
}

/// The calls of [`ChunkOpener`] without its type.
trait ErasedOpener: Send + Sync {
    fn in_place(&self, number: u64, last: bool, chunk: &mut [u8], tag: &[u8]) -> Result<(), Error>;
    fn between(&self, first: u64, last: bool, sealed: &[u8], plain: &mut [u8])
    -> Result<(), Error>;
}

impl<C: Instance> ErasedOpener for ChunkOpener<C> {
    fn in_place(&self, number: u64, last: bool, chunk: &mut [u8], tag: &[u8]) -> Result<(), Error> {
        self.open_in_place(number, last, chunk, tag)
    }
    fn between(
        &self,
        first: u64,
        last: bool,
        sealed: &[u8],
        plain: &mut [u8],
    ) -> Result<(), Error> {
        self.open_between(first, last, sealed, plain)
    }
}

/// A key of any format of messages in chunks. Its calls are those of [`Cobblestone`].
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Chunked(suite) = "cobblestone-256".parse()? else { unreachable!() };
/// let key = suite.key(Backend::best(), &[7; 32])?;
/// let (sealer, mut chunk) = (key.sealer(&[1; 24], b"context"), *b"the last chunk");
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// let opener = key.opener(&sealer.header(), b"context")?;
/// opener.open_in_place(0, true, &mut chunk, &tag)?;
/// assert_eq!(&chunk, b"the last chunk");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyChunked {
    suite: ChunkedSuite,
    key: Box<dyn ErasedChunkedKey>,
}

impl AnyChunked {
    /// The format that this is a key of.
    pub fn suite(&self) -> &ChunkedSuite {
        &self.suite
    }

    /// Seals one message. **A salt must not be used twice under one key.**
    pub fn sealer(&self, salt: &[u8; SALT], context: &[u8]) -> AnyChunkSealer {
        AnyChunkSealer(self.key.sealer(salt, context))
    }

    /// Opens one message, which begins with `header`.
    ///
    /// # Errors
    /// As [`Cobblestone::opener`].
    pub fn opener(&self, header: &[u8], context: &[u8]) -> Result<AnyChunkOpener, Error> {
        self.key.opener(header, context).map(AnyChunkOpener)
    }

    /// Seals a whole message, in a new vector. **A salt must not be used twice under one key.**
    ///
    /// ```
    /// use icefish::{Backend, suite::ChunkedSuite};
    /// let suite: ChunkedSuite = "cobblestone-256".parse()?;
    /// let key = suite.key(Backend::best(), &[7; 32])?;
    /// let sealed = key.seal_to_vec(&[1; 24], b"context", b"attack at dawn")?;
    /// assert_eq!(key.open_to_vec(b"context", &sealed)?, b"attack at dawn");
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Cobblestone::seal_to_vec`].
    pub fn seal_to_vec(
        &self,
        salt: &[u8; SALT],
        context: &[u8],
        plain: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let sealer = self.sealer(salt, context);
        whole::sealed(&sealer.header(), plain, |chunks| sealer.seal_between(0, true, plain, chunks))
    }

    /// Opens a whole message, in a new vector: all of its plaintext or none.
    ///
    /// # Errors
    /// As [`Cobblestone::open_to_vec`].
    pub fn open_to_vec(&self, context: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        whole::opened(sealed, |header, chunks, plain| {
            self.opener(header, context)?.open_between(0, true, chunks, plain)
        })
    }
}

impl Clone for AnyChunked {
    fn clone(&self) -> Self {
        let key = self.key.copy();
        erase_stack();
        Self { suite: self.suite, key }
    }
}

impl fmt::Debug for AnyChunked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyChunked").field(&self.suite).finish()
    }
}

/// One message that is being sealed, in any format; see [`ChunkSealer`].
///
/// ```
/// use icefish::{Backend, suite::ChunkedSuite};
/// let suite: ChunkedSuite = "cobblestone-256".parse()?;
/// let key = suite.key(Backend::best(), &[7; 32])?;
/// let sealer = key.sealer(&[1; 24], b"context"); // an AnyChunkSealer
/// let mut chunk = *b"the last chunk";
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// # let _ = tag;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyChunkSealer(Box<dyn ErasedSealer>);

impl AnyChunkSealer {
    /// The first bytes of the sealed message: the salt and the commitment.
    pub fn header(&self) -> [u8; HEADER] {
        self.0.header()
    }

    /// Encrypts chunk `number` in place and returns its tag.
    ///
    /// # Errors
    /// As [`ChunkSealer::seal_in_place`].
    pub fn seal_in_place(
        &self,
        number: u64,
        last: bool,
        chunk: &mut [u8],
    ) -> Result<[u8; TAG], Error> {
        self.0.in_place(number, last, chunk)
    }

    /// Seals consecutive chunks from number `first` on.
    ///
    /// # Errors
    /// As [`ChunkSealer::seal_between`].
    pub fn seal_between(
        &self,
        first: u64,
        last: bool,
        plain: &[u8],
        sealed: &mut [u8],
    ) -> Result<(), Error> {
        self.0.between(first, last, plain, sealed)
    }
}

impl fmt::Debug for AnyChunkSealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyChunkSealer")
    }
}

/// One message that is being opened, in any format; see [`ChunkOpener`].
///
/// ```
/// use icefish::{Backend, suite::ChunkedSuite};
/// let suite: ChunkedSuite = "cobblestone-256".parse()?;
/// let key = suite.key(Backend::best(), &[7; 32])?;
/// let (sealer, mut chunk) = (key.sealer(&[1; 24], b"context"), *b"the last chunk");
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// let opener = key.opener(&sealer.header(), b"context")?; // an AnyChunkOpener
/// opener.open_in_place(0, true, &mut chunk, &tag)?;
/// assert_eq!(&chunk, b"the last chunk");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyChunkOpener(Box<dyn ErasedOpener>);

impl AnyChunkOpener {
    /// Verifies chunk `number` and decrypts it in place.
    ///
    /// # Errors
    /// As [`ChunkOpener::open_in_place`].
    pub fn open_in_place(
        &self,
        number: u64,
        last: bool,
        chunk: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.0.in_place(number, last, chunk, tag)
    }

    /// Verifies and decrypts consecutive chunks from number `first` on.
    ///
    /// # Errors
    /// As [`ChunkOpener::open_between`].
    pub fn open_between(
        &self,
        first: u64,
        last: bool,
        sealed: &[u8],
        plain: &mut [u8],
    ) -> Result<(), Error> {
        self.0.between(first, last, sealed, plain)
    }
}

impl fmt::Debug for AnyChunkOpener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyChunkOpener")
    }
}
