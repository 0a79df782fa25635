//! AES-GCM-SIV (RFC 8452). A nonce that is used twice shows only whether two messages are equal.

mod pieces;

pub use self::pieces::GcmSivPieces;
use super::Aead;
use crate::cipher::{
    Cipher, EcbPass, Encrypt, Key, Many, NewCipher, With, Work, encrypt_one, schedule,
};
use crate::isa::{Backend, Extension, InOut, Isa, Task, erase, public};
use crate::mac::ghash::{Hash, Last, Polyval, Powers, SoFar};
use crate::modes::Ctr;
use crate::verdict::{has_len, release};
use crate::{Block, Error};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// A polynomial hash of the plaintext gives the tag, and the tag is the initial counter block: two passes over the data. A message
/// in pieces is sealed in two passes too ([`GcmSiv::first_pass`]), and opened by one that begins with the tag
/// ([`GcmSiv::opener_with_tag`]).
///
/// Every message has keys of its own, derived from the key and a nonce of 12 bytes. The derivation takes about as long as a short
/// message. For ciphers with keys of 16 or 32 bytes, such as `Aes128` and `Aes256`.
///
/// ```
/// use icefish::{aead::{Aead, GcmSiv}, ciphers::Aes128};
/// let key = GcmSiv::<Aes128>::new(&[7; 16])?;
/// let mut data = *b"attack at dawn";
/// let tag = key.seal_in_place(&[1; 12], b"to: all", &mut data)?;
/// key.open_in_place(&[1; 12], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct GcmSiv<C> {
    key: Key<C>,
}

impl<C: NewCipher<Block = [u8; 16]>> GcmSiv<C> {
    /// The largest number of data bytes, and of associated data bytes (RFC 8452, section 6).
    pub const MAX_DATA: u64 = 1 << 36;

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
        Self::from_key(Key::blank(backend))
    }

    /// Replaces the key in its place; see [`Key::set_key`].
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.key.set_key(key)
    }

    /// Makes a GCM-SIV key from the key of a block cipher.
    pub fn from_key(key: Key<C>) -> Self {
        const { assert!(C::KEY == 16 || C::KEY == 32, "GCM-SIV has keys of 16 and 32 bytes") };
        Self { key }
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
        tag: &[u8],
    ) -> Result<[u8; 16], Error> {
        let Ok(nonce) = nonce.try_into() else {
            return Err(Error::IvLength { got: nonce.len(), need: Self::NONCE });
        };
        if io.len().max(associated.len()) as u64 > Self::MAX_DATA {
            return Err(Error::TooLong { most: Self::MAX_DATA });
        }
        let cipher = self.key.cipher();
        let message = GcmSivMessage::<C, SEAL> { cipher, nonce, associated, io, tag };
        Ok(self.key.backend().run(message))
    }
}

impl<C: NewCipher<Block = [u8; 16]>> Aead for GcmSiv<C> {
    type Tag = [u8; 16];
    const NONCE: usize = 12;
    const SHORTEST_TAG: usize = 16;

    #[inline(always)]
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<[u8; 16], Error> {
        self.run::<true>(nonce, associated, io, &[])
    }

    #[inline(always)]
    fn open(
        &self,
        nonce: &[u8],
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        has_len(tag, 16)?;
        let expected = self.run::<false>(nonce, associated, io.reborrow(), tag)?;
        release(&expected, tag, io.output())
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for GcmSiv<C> {}

impl<C> fmt::Debug for GcmSiv<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GcmSiv").field("key", &self.key).finish_non_exhaustive()
    }
}

/// A message; the result is the tag of its plaintext.
struct GcmSivMessage<'a, C, const SEAL: bool> {
    cipher: &'a C,
    nonce: &'a [u8; 12],
    associated: &'a [u8],
    io: InOut<'a>,
    /// The tag of a message to open. Unused when sealing.
    tag: &'a [u8],
}

/// The blocks whose encryption gives the keys of a message (RFC 8452, section 4).
#[inline(always)]
fn key_blocks(nonce: &[u8; 12]) -> [[u8; 16]; 6] {
    let mut blocks = [[0; 16]; 6];
    for (i, block) in (0u32..).zip(&mut blocks) {
        block[..4].copy_from_slice(&i.to_le_bytes());
        block[4..].copy_from_slice(nonce);
    }
    blocks
}

/// The first halves of those blocks after their encryption: a key for authentication, then one for encryption.
#[inline(always)]
fn keys_of(blocks: &[[u8; 16]; 6]) -> [u8; 48] {
    let mut keys = [0; 48];
    for (key, block) in keys.chunks_exact_mut(8).zip(blocks) {
        key.copy_from_slice(&block[..8]);
    }
    keys
}

/// The keys of one message (RFC 8452, section 4): one for authentication, one for encryption.
#[inline(always)]
fn derive<C: NewCipher<Block = [u8; 16]>, S: Isa>(
    isa: S,
    cipher: &C,
    nonce: &[u8; 12],
    authentication: &mut [u8; 16],
    own: &mut C,
) {
    let count = 2 + cipher.key_len() / 8;
    let mut blocks = key_blocks(nonce);
    let pass = EcbPass::<[u8; 16]>::new(InOut::in_place(blocks[..count].as_flattened_mut()));
    isa.run(Many::<_, _, Encrypt>::new(cipher, pass, count));
    let mut keys = keys_of(&blocks);
    authentication.copy_from_slice(&keys[..16]);
    schedule(isa, own, &keys[16..16 + cipher.key_len()], &[]);
    erase(blocks.as_flattened_mut());
    erase(&mut keys);
}

/// Counter mode from a tag on (RFC 8452, section 4): the first 4 bytes count, and the last bit is set.
#[inline(always)]
fn count<C: Cipher<Block = [u8; 16]>, S: Isa>(isa: S, cipher: &C, tag: &[u8], io: InOut<'_>) {
    let count = With(cipher, CtrFromTag { first: first_counter(tag), io });
    if C::is_short::<S>() { count.call(isa) } else { isa.run(count) }
}

/// The initial counter block.
#[inline(always)]
fn first_counter(tag: &[u8]) -> [u8; 16] {
    // The tag is sent.
    let mut first: [u8; 16] = public(Block::take(tag));
    first[15] |= 0x80;
    first
}

/// The tag of the hash of a message (RFC 8452, section 4).
#[inline(always)]
fn tag_of<C: Cipher<Block = [u8; 16]>, S: Isa>(
    isa: S,
    cipher: &C,
    mut sum: [u8; 16],
    nonce: &[u8; 12],
) -> [u8; 16] {
    for (s, n) in sum.iter_mut().zip(nonce) {
        *s ^= n;
    }
    sum[15] &= 0x7f;
    encrypt_one(isa, cipher, &sum)
}

/// The counter mode from the block `first` on.
struct CtrFromTag<'a> {
    first: [u8; 16],
    io: InOut<'a>,
}

impl Work<[u8; 16]> for CtrFromTag<'_> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) {
        Ctr::LE32.message(isa, cipher, self.first, self.io.apart());
    }
}

/// The tag of a plaintext (RFC 8452, section 4).
struct Authenticate<'a> {
    key: &'a [u8; 16],
    nonce: &'a [u8; 12],
    associated: &'a [u8],
    data: &'a [u8],
}

impl Work<[u8; 16]> for Authenticate<'_> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        let blocks = self.associated.len().max(self.data.len()).div_ceil(16) + 1;
        let mut powers = Powers::blank();
        powers.polyval(isa, self.key, blocks);
        let sum = powers.padded::<S, Polyval>(isa, self.associated);
        let (data, part) = self.data.split_at(self.data.len() / 16 * 16);
        let bits = (8 * self.associated.len() as u128) | ((8 * self.data.len() as u128) << 64);
        let last = Last::new(part, Some(bits));
        let sum = isa.run(Hash::<Polyval>::new(&powers, SoFar::new(sum), data, last));
        tag_of(isa, cipher, sum, self.nonce)
    }
}

impl<C: NewCipher<Block = [u8; 16]>, const SEAL: bool> Task for GcmSivMessage<'_, C, SEAL> {
    type Out = [u8; 16];
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        let Self { nonce, associated, io, .. } = self;
        let mut io = io.apart();
        let (mut key, mut cipher) = ([0; 16], C::blank());
        derive(isa, self.cipher, nonce, &mut key, &mut cipher);
        if !SEAL {
            count(isa, &cipher, self.tag, io.reborrow());
        }
        let data = if SEAL { io.input() } else { io.output() };
        let authenticate = Authenticate { key: &key, nonce, associated, data };
        let tag = isa.run(With(&cipher, authenticate));
        if SEAL {
            count(isa, &cipher, &tag, io);
        }
        erase(&mut key);
        tag
    }
}
