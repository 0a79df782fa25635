//! Cobblestone: encryption of large files and streams in chunks (C2SP, <https://c2sp.org/chunked-encryption>, version 1).
//!
//! Every change of a message is detected: also chunks that were swapped, left out or added, and a message that was cut short.
//! Any chunk can be opened by itself, and on any thread. A message has up to 2^38 chunks, 4 PiB. Other libraries read and write
//! the same format.
//!
//! | part of a sealed message | bytes |
//! |---|---|
//! | salt, which never repeats under one key | 24 |
//! | commitment, which shows whether key and context are right | 32 |
//! | chunks of 16 KiB, each followed by its tag of 16 bytes | 16,400 each |
//! | the last chunk, which is shorter and may be empty, and its tag | 16 to 16,399 |
//!
//! [`Cobblestone`] is a key. It makes a [`ChunkSealer`] or a [`ChunkOpener`] for one message, whose calls take chunks by number
//! and borrow it, so that several threads can share it. With the feature `std`, [`Writer`] seals and [`Reader`] opens a stream on
//! one thread.
//!
//! ```
//! use icefish::storage::{Cobblestone256, cobblestone::{CHUNK, sealed_len}};
//!
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! let (mut key, mut salt) = ([0; 32], [0; 24]);
//! getrandom::fill(&mut key)?;
//! getrandom::fill(&mut salt)?; // a new one for every message
//! let key = Cobblestone256::new(&key)?;
//!
//! let message = vec![7; 2 * CHUNK + 100];
//! let mut sealed = vec![0; sealed_len(message.len() as u64)? as usize];
//! let (header, chunks) = sealed.split_at_mut(56);
//! let sealer = key.sealer(&salt, b"to: all");
//! header.copy_from_slice(&sealer.header());
//! sealer.seal_between(0, true, &message, chunks)?; // all chunks, from number 0 to the last
//!
//! let opener = key.opener(header, b"to: all")?; // an error if the key or the context is wrong
//! let mut part = vec![0; CHUNK];
//! opener.open_between(1, false, &chunks[16_400..32_800], &mut part)?; // chunk 1, which is not the last
//! assert_eq!(part, message[CHUNK..2 * CHUNK]);
//! # Ok(())
//! # }
//! ```

mod chunks;
mod derive;
mod lengths;
#[cfg(feature = "std")]
mod reader;
#[cfg(feature = "alloc")]
pub(crate) mod whole;
#[cfg(feature = "std")]
mod writer;

pub use chunks::{ChunkOpener, ChunkSealer};
pub use lengths::{MAX_CHUNKS, MAX_PLAIN, chunk_offset, plain_len, sealed_len};
#[cfg(feature = "std")]
pub use reader::Reader;
#[cfg(feature = "std")]
pub use writer::Writer;

use crate::cipher::NewCipher;
#[cfg(feature = "alloc")]
use crate::ciphers::AnyAes;
use crate::ciphers::{Aes128, Aes256};
use crate::{Backend, Error};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use chunks::MessageKey;
use core::fmt;
use core::marker::PhantomData;
use derive::Prk;
use zeroize::ZeroizeOnDrop;

/// Length of the salt in bytes (section "Key derivation").
pub const SALT: usize = 24;
/// Length of the commitment in bytes (section "Key derivation").
pub const COMMITMENT: usize = 32;
/// Length of what comes before the chunks, in bytes: salt and commitment.
pub const HEADER: usize = SALT + COMMITMENT;
/// Length in bytes of the plaintext of every chunk but the last (section "Message chunking").
pub const CHUNK: usize = 16 * 1024;
/// Length of the tag of a chunk in bytes.
pub const TAG: usize = 16;
/// Length of a whole chunk and its tag in bytes.
pub const SEALED_CHUNK: usize = CHUNK + TAG;

/// Cobblestone-128: AES-128-GCM, and keys of 16 bytes.
///
/// ```
/// use icefish::storage::Cobblestone128;
/// let salt = [1; 24]; // drawn at random, and never twice under one key
/// let sealer = Cobblestone128::new(&[7; 16])?.sealer(&salt, b"context");
/// let mut chunk = *b"the last chunk";
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Cobblestone128 = Cobblestone<Aes128>;
/// Cobblestone-256: AES-256-GCM, and keys of 32 bytes.
///
/// ```
/// use icefish::storage::Cobblestone256;
/// let salt = [1; 24]; // drawn at random, and never twice under one key
/// let sealer = Cobblestone256::new(&[7; 32])?.sealer(&salt, b"context");
/// let mut chunk = *b"the last chunk";
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Cobblestone256 = Cobblestone<Aes256>;

/// A cipher that Cobblestone is instantiated with.
///
/// ```
/// use icefish::{Error, ciphers::Aes128, storage::Cobblestone, storage::cobblestone::Instance};
///
/// /// A key of any instance from the first bytes of `bytes`.
/// fn key<C: Instance>(bytes: &[u8; 32]) -> Result<Cobblestone<C>, Error> {
///     Cobblestone::new(&bytes[..C::KEY])
/// }
///
/// let key = key::<Aes128>(&[7; 32])?;
/// # let _ = key;
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait Instance: NewCipher<Block = [u8; 16]> + sealed::Sealed {
    /// The name of its GCM with keys of `key_len` bytes in IANA's registry of AEAD algorithms.
    #[doc(hidden)]
    fn aead(key_len: usize) -> &'static str {
        if key_len == 16 { "AEAD_AES_128_GCM" } else { "AEAD_AES_256_GCM" }
    }
}

impl Instance for Aes128 {}
impl Instance for Aes256 {}
/// Both, by name.
#[cfg(feature = "alloc")]
impl Instance for AnyAes {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for crate::ciphers::Aes128 {}
    impl Sealed for crate::ciphers::Aes256 {}
    #[cfg(feature = "alloc")]
    impl Sealed for crate::ciphers::AnyAes {}
}

/// A key for any number of messages, of [`NewCipher::KEY`] bytes drawn at random or derived: never a password.
///
/// Every message has a key of its own, which is derived from this one, the salt and the context of the message. The context is
/// any data that both sides know and that is not secret. It is not part of the message.
///
/// Dropping it erases the key. `Debug` shows none of it.
///
/// ```
/// use icefish::{ciphers::Aes256, storage::Cobblestone};
/// let key = Cobblestone::<Aes256>::new(&[7; 32])?;
/// let (sealer, mut chunk) = (key.sealer(&[1; 24], b"context"), *b"the last chunk");
/// let tag = sealer.seal_in_place(0, true, &mut chunk)?;
/// key.opener(&sealer.header(), b"context")?.open_in_place(0, true, &mut chunk, &tag)?;
/// assert_eq!(&chunk, b"the last chunk");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Cobblestone<C> {
    prk: Prk,
    backend: Backend,
    cipher: PhantomData<C>,
}

impl<C: Instance> Cobblestone<C> {
    /// A key on the best backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key)
    }

    /// A key on the given backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn on(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        let mut made = Self::blank(backend);
        made.set_key(key)?;
        // A clone and not a move: the original is dropped here, and so erased.
        Ok(made.clone())
    }

    /// Room for a key.
    pub(crate) fn blank(backend: Backend) -> Self {
        Self { prk: Prk::BLANK, backend, cipher: PhantomData }
    }

    /// Replaces the key in its place; see [`Key::set_key`](crate::Key::set_key).
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        if !C::has_keys_of(key.len()) {
            return Err(Error::KeyLength { got: key.len(), need: C::KEY });
        }
        self.prk.set(key);
        Ok(())
    }

    /// Seals one message. **A salt must not be used twice under one key**: draw its 24 bytes at random.
    pub fn sealer(&self, salt: &[u8; SALT], context: &[u8]) -> ChunkSealer<C> {
        let mut made = self.blank_sealer();
        self.set_sealer(&mut made, salt, context);
        made.clone()
    }

    /// Room for a message to seal.
    pub(crate) fn blank_sealer(&self) -> ChunkSealer<C> {
        ChunkSealer(MessageKey::blank(self.backend))
    }

    /// Room for a message to open.
    pub(crate) fn blank_opener(&self) -> ChunkOpener<C> {
        ChunkOpener(MessageKey::blank(self.backend))
    }

    /// [`Cobblestone::sealer`] in its place.
    pub(crate) fn set_sealer(
        &self,
        sealer: &mut ChunkSealer<C>,
        salt: &[u8; SALT],
        context: &[u8],
    ) {
        let commitment = sealer.0.derive(&self.prk, salt, context);
        sealer.0.header[..SALT].copy_from_slice(salt);
        sealer.0.header[SALT..].copy_from_slice(&commitment);
    }

    /// Opens one message, which begins with `header`, the salt and the commitment. The commitment is compared in constant time.
    ///
    /// # Errors
    /// [`Error::Commitment`] if key or context are not those of the message. [`Error::Truncated`] if `header` has fewer than
    /// [`HEADER`] bytes; [`Error::BufferLength`] if it has more.
    pub fn opener(&self, header: &[u8], context: &[u8]) -> Result<ChunkOpener<C>, Error> {
        let mut made = self.blank_opener();
        self.set_opener(&mut made, header, context)?;
        Ok(made.clone())
    }

    /// [`Cobblestone::opener`] in its place.
    pub(crate) fn set_opener(
        &self,
        opener: &mut ChunkOpener<C>,
        header: &[u8],
        context: &[u8],
    ) -> Result<(), Error> {
        let (salt, given) = header.split_first_chunk::<SALT>().ok_or(Error::Truncated)?;
        if given.len() < COMMITMENT {
            return Err(Error::Truncated);
        }
        if given.len() > COMMITMENT {
            return Err(Error::BufferLength { got: header.len(), need: HEADER });
        }
        let commitment = opener.0.derive(&self.prk, salt, context);
        derive::committed(&commitment, given)?;
        opener.0.header.copy_from_slice(header);
        Ok(())
    }

    /// Seals a whole message, in a new vector. **A salt must not be used twice under one key**: draw its 24 bytes at random.
    ///
    /// ```
    /// use icefish::storage::Cobblestone256;
    /// let key = Cobblestone256::new(&[7; 32])?;
    /// let sealed = key.seal_to_vec(&[1; 24], b"context", b"attack at dawn")?;
    /// assert_eq!(sealed.len(), 56 + 14 + 16);
    /// assert_eq!(key.open_to_vec(b"context", &sealed)?, b"attack at dawn");
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLong`] for more than [`MAX_PLAIN`] bytes.
    #[cfg(feature = "alloc")]
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
    /// [`Error::Commitment`], [`Error::ForgedChunk`], [`Error::Truncated`], [`Error::TooLong`].
    #[cfg(feature = "alloc")]
    pub fn open_to_vec(&self, context: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Error> {
        whole::opened(sealed, |header, chunks, plain| {
            self.opener(header, context)?.open_between(0, true, chunks, plain)
        })
    }
}

impl<C> ZeroizeOnDrop for Cobblestone<C> {}

impl<C> fmt::Debug for Cobblestone<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cobblestone").field("backend", &self.backend.name()).finish_non_exhaustive()
    }
}
