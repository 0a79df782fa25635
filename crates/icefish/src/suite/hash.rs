//! Hashes by name.

#[cfg(feature = "threefish")]
use crate::constructions::skein::{self, Arguments, Leaves, Skein, Tree};
#[cfg(feature = "xoodoo")]
use crate::constructions::xoodyak;
use crate::{Backend, Error, verdict};
use alloc::boxed::Box;
use alloc::vec;
use core::fmt;
use core::str::FromStr;
use zeroize::Zeroize;

/// Every hash by name. A new one is added here, by a line.
pub static HASHES: &[HashSuite] = &[
    #[cfg(feature = "threefish")]
    HashSuite { name: "skein-256", bits: 256, keyed: true, tree: false, make: skein::<4, 32> },
    #[cfg(feature = "threefish")]
    HashSuite { name: "skein-512", bits: 512, keyed: true, tree: false, make: skein::<8, 64> },
    #[cfg(feature = "threefish")]
    HashSuite { name: "skein-512-tree", bits: 512, keyed: true, tree: true, make: skein::<8, 64> },
    #[cfg(feature = "threefish")]
    HashSuite { name: "skein-1024", bits: 1024, keyed: true, tree: false, make: skein::<16, 128> },
    #[cfg(feature = "xoodoo")]
    HashSuite { name: "xoodyak", bits: 256, keyed: false, tree: false, make: xoodyak },
];

/// A hash as a value: its name, and a constructor.
///
/// ```
/// use icefish::{Backend, suite::HashSuite};
/// let suite: HashSuite = "skein-512".parse()?;
/// let hash = suite.hash(Backend::best(), suite.bits)?;
/// let (mut whole, mut pieces) = ([0; 64], [0; 64]);
/// hash.hash(b"attack at dawn", &mut whole)?;
/// let mut message = hash.start();
/// message.update(b"attack ");
/// message.update(b"at dawn");
/// message.finish(&mut pieces)?;
/// assert_eq!(whole, pieces);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct HashSuite {
    /// Its name, such as `skein-512`.
    pub name: &'static str,
    /// The usual length of a digest in bits.
    pub bits: u64,
    /// Whether it takes a key, and then is a message authentication code.
    pub keyed: bool,
    /// Whether a message is a tree ([`Tree::USUAL`](crate::constructions::skein::Tree::USUAL)), of which the parts are hashed
    /// side by side.
    pub tree: bool,
    make: fn(&Made<'_>) -> Box<dyn ErasedHash>,
}

/// What a hash is made from.
struct Made<'a> {
    key: &'a [u8],
    bits: u64,
    tree: bool,
    backend: Backend,
}

impl HashSuite {
    /// The hash with digests of `bits` bits.
    ///
    /// # Errors
    /// [`Error::DigestBits`] if `bits` is not whole bytes, and this hash has digests of whole bytes only.
    pub fn hash(&self, backend: Backend, bits: u64) -> Result<AnyHash, Error> {
        self.make(backend, &[], bits)
    }

    /// The message authentication code with this key, of at least one byte, and with tags of `bits` bits.
    ///
    /// # Errors
    /// [`Error::WeakKey`] if the key is empty; [`Error::KeyLength`] if this hash takes none; [`Error::DigestBits`].
    pub fn mac(&self, backend: Backend, key: &[u8], bits: u64) -> Result<AnyHash, Error> {
        if !self.keyed {
            return Err(Error::KeyLength { got: key.len(), need: 0 });
        }
        if key.is_empty() {
            return Err(Error::WeakKey { got: 0, least: 1 });
        }
        self.make(backend, key, bits)
    }

    fn make(&self, backend: Backend, key: &[u8], bits: u64) -> Result<AnyHash, Error> {
        if !self.keyed && !bits.is_multiple_of(8) {
            return Err(Error::DigestBits);
        }
        let made = Made { key, bits, tree: self.tree, backend };
        Ok(AnyHash { suite: *self, hash: (self.make)(&made) })
    }
}

impl FromStr for HashSuite {
    type Err = Error;

    /// Fails with [`Error::UnknownHash`].
    fn from_str(name: &str) -> Result<Self, Error> {
        HASHES.iter().find(|suite| suite.name == name).copied().ok_or(Error::UnknownHash)
    }
}

impl fmt::Debug for HashSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(feature = "threefish")]
fn skein<const W: usize, const B: usize>(made: &Made<'_>) -> Box<dyn ErasedHash> {
    let tree = made.tree.then_some(Tree::USUAL);
    let arguments = Arguments { key: made.key, tree, ..Arguments::default() };
    Box::new(Skein::<W, B>::on(made.backend, made.bits, &arguments))
}

#[cfg(feature = "xoodoo")]
fn xoodyak(made: &Made<'_>) -> Box<dyn ErasedHash> {
    let len = usize::try_from(made.bits / 8).unwrap_or(usize::MAX);
    Box::new(XoodyakHash { len, backend: made.backend })
}

/// The calls of a hash without its type.
trait ErasedHash: Send + Sync {
    /// Long messages on all cores, where the hash has parts that are independent.
    #[cfg(feature = "parallel")]
    fn on_all_cores(&mut self) {}
    fn digest_len(&self) -> usize;
    fn many(&self, messages: &[&[u8]], digests: &mut [u8]) -> Result<(), Error>;
    #[cfg(feature = "threefish")]
    fn leaf_len(&self) -> Option<usize> {
        None
    }
    #[cfg(feature = "threefish")]
    fn leaves(&self, _position: u64, _data: &[u8]) -> Result<Leaves, Error> {
        Err(Error::Leaves)
    }
    fn start(&self) -> Box<dyn ErasedHasher>;
}

/// The calls of a message without its type. `digest` has the length of a digest.
trait ErasedHasher: Send + Sync {
    fn copy(&self) -> Box<dyn ErasedHasher>;
    fn update(&mut self, data: &[u8]);
    #[cfg(feature = "threefish")]
    fn append(&mut self, _leaves: &Leaves) -> Result<(), Error> {
        Err(Error::Leaves)
    }
    fn finish(self: Box<Self>, digest: &mut [u8]);
}

#[cfg(feature = "threefish")]
impl<const W: usize, const B: usize> ErasedHash for Skein<W, B> {
    #[cfg(feature = "parallel")]
    fn on_all_cores(&mut self) {
        *self = self.clone().on_all_cores();
    }
    fn digest_len(&self) -> usize {
        Self::digest_len(self)
    }
    fn many(&self, messages: &[&[u8]], digests: &mut [u8]) -> Result<(), Error> {
        self.hash_many(messages, digests)
    }
    fn leaf_len(&self) -> Option<usize> {
        Self::leaf_len(self)
    }
    fn leaves(&self, position: u64, data: &[u8]) -> Result<Leaves, Error> {
        Self::leaves(self, position, data)
    }
    fn start(&self) -> Box<dyn ErasedHasher> {
        Box::new(self.hasher())
    }
}

#[cfg(feature = "threefish")]
impl<const W: usize, const B: usize> ErasedHasher for skein::Hasher<W, B> {
    fn copy(&self) -> Box<dyn ErasedHasher> {
        Box::new(self.clone())
    }
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
    fn append(&mut self, leaves: &Leaves) -> Result<(), Error> {
        Self::append(self, leaves)
    }
    fn finish(self: Box<Self>, digest: &mut [u8]) {
        // The length was checked.
        let done = Self::finish(*self, digest);
        debug_assert!(done.is_ok());
    }
}

#[cfg(feature = "xoodoo")]
struct XoodyakHash {
    len: usize,
    backend: Backend,
}

#[cfg(feature = "xoodoo")]
impl ErasedHash for XoodyakHash {
    fn digest_len(&self) -> usize {
        self.len
    }
    fn many(&self, messages: &[&[u8]], digests: &mut [u8]) -> Result<(), Error> {
        xoodyak::hash_each(self.backend, messages, digests, self.len)
    }
    fn start(&self) -> Box<dyn ErasedHasher> {
        Box::new(xoodyak::Hasher::on(self.backend))
    }
}

#[cfg(feature = "xoodoo")]
impl ErasedHasher for xoodyak::Hasher {
    fn copy(&self) -> Box<dyn ErasedHasher> {
        Box::new(self.clone())
    }
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
    fn finish(self: Box<Self>, digest: &mut [u8]) {
        Self::finish(*self, digest);
    }
}

/// Any hash, ready for messages.
///
/// ```
/// use icefish::{Backend, suite::HashSuite};
/// let hash = "skein-512".parse::<HashSuite>()?.hash(Backend::best(), 512)?;
/// let mut digests = [0; 2 * 64];
/// hash.hash_many(&[b"one", b"another"], &mut digests)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyHash {
    suite: HashSuite,
    hash: Box<dyn ErasedHash>,
}

impl AnyHash {
    /// The hash that this is.
    pub fn suite(&self) -> &HashSuite {
        &self.suite
    }

    /// The same hash. Trees are hashed on all cores, as with
    /// [`Skein::on_all_cores`](crate::constructions::skein::Skein::on_all_cores).
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn on_all_cores(mut self) -> Self {
        self.hash.on_all_cores();
        self
    }

    /// Length of a digest in bytes. The bits of an incomplete last byte are its highest.
    pub fn digest_len(&self) -> usize {
        self.hash.digest_len()
    }

    /// Bytes of a leaf, if messages are trees: as [`Skein::leaf_len`].
    #[cfg(feature = "threefish")]
    pub fn leaf_len(&self) -> Option<usize> {
        self.hash.leaf_len()
    }

    /// Hashes leaves of a message ahead of what is before them: as [`Skein::leaves`].
    ///
    /// # Errors
    /// [`Error::Leaves`] if messages are not trees, or if these are not whole leaves.
    #[cfg(feature = "threefish")]
    pub fn leaves(&self, position: u64, data: &[u8]) -> Result<Leaves, Error> {
        self.hash.leaves(position, data)
    }

    /// Begins a message in pieces.
    pub fn start(&self) -> AnyHasher {
        AnyHasher { message: self.hash.start(), len: self.digest_len() }
    }

    /// Writes the digest of `message` to `digest`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `digest` has not [`AnyHash::digest_len`] bytes: nothing was written.
    pub fn hash(&self, message: &[u8], digest: &mut [u8]) -> Result<(), Error> {
        self.hash_many(&[message], digest)
    }

    /// Writes the digests of many messages to `digests`, one after the other. Messages that are not trees are side by side in the
    /// lanes of the backend.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `digests` has not [`AnyHash::digest_len`] bytes for each: nothing was written.
    pub fn hash_many(&self, messages: &[&[u8]], digests: &mut [u8]) -> Result<(), Error> {
        self.hash.many(messages, digests)
    }

    /// Compares the digest of `message` with `digest` in constant time.
    ///
    /// # Errors
    /// As [`AnyHasher::verify`].
    pub fn verify(&self, message: &[u8], digest: &[u8]) -> Result<(), Error> {
        let mut hasher = self.start();
        hasher.update(message);
        hasher.verify(digest)
    }
}

impl fmt::Debug for AnyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyHash").field(&self.suite).finish()
    }
}

/// A message in pieces, for any hash.
///
/// ```
/// use icefish::{Backend, suite::HashSuite};
/// let hash = "xoodyak".parse::<HashSuite>()?.hash(Backend::best(), 256)?;
/// let (mut message, mut digest) = (hash.start(), [0; 32]);
/// message.update(b"in ");
/// message.update(b"pieces");
/// message.finish(&mut digest)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyHasher {
    message: Box<dyn ErasedHasher>,
    len: usize,
}

impl AnyHasher {
    /// Takes the next bytes of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    /// Takes the next bytes of the message as the leaves that they became, of the same hash.
    ///
    /// # Errors
    /// [`Error::Leaves`] if messages are not trees, or if the bytes of these leaves are not the next: nothing was taken.
    #[cfg(feature = "threefish")]
    pub fn append(&mut self, leaves: &Leaves) -> Result<(), Error> {
        self.message.append(leaves)
    }

    /// Writes the digest of the message to `digest`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `digest` has not [`AnyHash::digest_len`] bytes: nothing was written.
    pub fn finish(self, digest: &mut [u8]) -> Result<(), Error> {
        if digest.len() != self.len {
            return Err(Error::BufferLength { got: digest.len(), need: self.len });
        }
        self.message.finish(digest);
        Ok(())
    }

    /// Compares the digest of the message with `digest` in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`] if they differ; [`Error::TagLength`] if `digest` has not [`AnyHash::digest_len`] bytes.
    pub fn verify(self, digest: &[u8]) -> Result<(), Error> {
        verdict::has_len(digest, self.len)?;
        let mut expected = vec![0; self.len];
        self.message.finish(&mut expected);
        let verdict = verdict::verify(&expected, digest);
        expected.zeroize();
        verdict
    }
}

impl Clone for AnyHasher {
    fn clone(&self) -> Self {
        Self { message: self.message.copy(), len: self.len }
    }
}

impl fmt::Debug for AnyHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyHasher")
    }
}
