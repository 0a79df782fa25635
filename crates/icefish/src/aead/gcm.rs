//! Galois/counter mode (NIST SP 800-38D).

mod message;
mod pass;
mod pieces;

use self::message::WholeMessage;
pub use self::pieces::GcmPieces;
use super::Aead;
use crate::Error;
use crate::cipher::{Cipher, Key, NewCipher, With, Work, encrypt_one};
use crate::isa::{Backend, InOut, Isa, erase};
use crate::mac::ghash::Powers;
use crate::verdict::{checked_tag_len, has_len, release};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// GCM, over any cipher with blocks of 16 bytes: counter mode, and a polynomial hash of the ciphertext. Both directions are
/// parallel.
///
/// Nonces should have 12 bytes. Other lengths, from 1 byte, are hashed first. Tags have 16 bytes; a key can be set to shorter ones,
/// down to 12 (SP 800-38D, section 5.2.1.2). A nonce that is used twice reveals the authentication key.
///
/// ```
/// use icefish::{aead::{Aead, Gcm}, ciphers::Aes256};
/// let gcm = Gcm::<Aes256>::new(&[7; 32])?;
/// let mut data = *b"attack at dawn";
/// let tag = gcm.seal_in_place(&[1; 12], b"to: all", &mut data)?;
/// gcm.open_in_place(&[1; 12], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Gcm<C> {
    key: Key<C>,
    powers: Powers,
    /// Length of the tags that this key accepts.
    tag_len: usize,
}

impl<C: NewCipher<Block = [u8; 16]>> Gcm<C> {
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
        Self { key: Key::blank(backend), powers: Powers::blank(), tag_len: 16 }
    }

    /// Replaces the key in its place; see [`Key::set_key`].
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.key.set_key(key)?;
        self.derive();
        Ok(())
    }
}

impl<C: Cipher<Block = [u8; 16]>> Gcm<C> {
    /// The largest number of data bytes under one nonce: 2^32 - 2 blocks (SP 800-38D, section 5.2.1.1).
    pub const MAX_DATA: u64 = (1 << 36) - 32;
    /// The largest number of bytes of associated data: 2^64 - 1 bits (SP 800-38D, section 5.2.1.1).
    pub const MAX_ASSOCIATED: u64 = (1 << 61) - 1;

    /// Makes a GCM key from the key of a block cipher.
    pub fn from_key(key: Key<C>) -> Self {
        let mut made = Self { key, powers: Powers::blank(), tag_len: 16 };
        made.derive();
        made
    }

    /// Makes the powers of the hash key.
    fn derive(&mut self) {
        self.key.backend().run(With(self.key.cipher(), Setup(&mut self.powers)));
    }

    /// The key of the block cipher.
    pub fn key(&self) -> &Key<C> {
        &self.key
    }

    #[inline(always)]
    fn run<const SEAL: bool>(
        &self,
        nonce: &[u8],
        associated: &[u8],
        io: InOut<'_>,
    ) -> Result<[u8; 16], Error> {
        if nonce.is_empty() {
            return Err(Error::IvLength { got: 0, need: Self::NONCE });
        }
        if io.len() as u64 > Self::MAX_DATA {
            return Err(Error::TooLong { most: Self::MAX_DATA });
        }
        let message = WholeMessage::<SEAL> { powers: &self.powers, nonce, associated, io };
        Ok(self.key.backend().run(With(self.key.cipher(), message)))
    }
}

impl<C: Cipher<Block = [u8; 16]>> Aead for Gcm<C> {
    type Tag = [u8; 16];
    const NONCE: usize = 12;
    const SHORTEST_TAG: usize = 12;

    #[inline(always)]
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.tag_len = checked_tag_len::<[u8; 16]>(len, Self::SHORTEST_TAG)?;
        Ok(())
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<[u8; 16], Error> {
        self.run::<true>(nonce, associated, io)
    }

    #[inline(always)]
    fn open(
        &self,
        nonce: &[u8],
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        has_len(tag, self.tag_len)?;
        let expected = self.run::<false>(nonce, associated, io.reborrow())?;
        release(&expected[..self.tag_len], tag, io.output())
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for Gcm<C> {}

impl<C> fmt::Debug for Gcm<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gcm").field("key", &self.key).finish_non_exhaustive()
    }
}

/// Makes the hash key, which is an encrypted zero block, and its powers.
struct Setup<'a>(&'a mut Powers);

impl Work<[u8; 16]> for Setup<'_> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) {
        let mut h = encrypt_one(isa, cipher, &[0; 16]);
        self.0.ghash(isa, &h);
        erase(&mut h);
    }
}
