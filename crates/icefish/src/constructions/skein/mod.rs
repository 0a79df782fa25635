//! Skein-256, -512 and -1024 (Ferguson, Lucks, Schneier, Whiting, Bellare, Kohno, Callas and Walker, "The Skein Hash Function
//! Family", version 1.3, 2010): hashes, message authentication codes and key derivation from Threefish.
//!
//! - [`Skein`] is a hash with everything but the message that its digests depend on: the length of its digests, a key, other
//!   arguments ([`Arguments`]), a tree ([`Tree`]). It hashes messages in one call, many side by side, and bits that are not
//!   whole bytes.
//! - [`Hasher`] is a message in pieces, [`Output`] a digest in pieces.
//! - [`Leaves`] are parts of a tree that were hashed ahead, wherever they are in the message.
//! - [`hash_many`] takes messages of several such hashes, for example codes with a key each.
//!
//! ```
//! use icefish::constructions::skein::{Arguments, Skein512};
//! let skein = Skein512::new(512);
//! let mut digest = [0; 64];
//! skein.hash(b"abc", &mut digest)?;
//!
//! let mac = Skein512::with(256, &Arguments { key: &[7; 32], ..Arguments::default() });
//! let mut tag = [0; 32];
//! mac.hash(b"attack at dawn", &mut tag)?;
//! mac.verify(b"attack at dawn", &tag)?;
//! # Ok::<(), icefish::Error>(())
//! ```
//!
//! The strength against collisions is half the length of a digest, up to half the size of the state. Constant-time on every
//! backend. State that depends on a key is erased when it is dropped.

mod arguments;
mod hasher;
mod initial;
mod lanes;
#[cfg(feature = "alloc")]
mod leaves;
mod many;
mod output;
#[cfg(feature = "std")]
mod streams;
mod strings;
#[cfg(feature = "parallel")]
mod threads;
#[cfg(feature = "alloc")]
mod tree;
mod ubi;
#[cfg(feature = "alloc")]
mod units;

pub use arguments::Arguments;
#[cfg(feature = "alloc")]
pub use arguments::Tree;
pub use hasher::Hasher;
#[cfg(feature = "alloc")]
pub use leaves::Leaves;
pub use many::{Message, hash_many};
pub use output::Output;

use crate::isa::erase;
use crate::{Backend, Error};
use core::fmt;
use ubi::{Kind, Ubi};

use zeroize::ZeroizeOnDrop;

/// Skein with a state of `W` words of 64 bits, `B` bytes, ready for messages.
///
/// ```
/// use icefish::constructions::skein::Skein512;
/// let skein = Skein512::new(256);
/// let (mut whole, mut pieces) = ([0; 32], [0; 32]);
/// skein.hash(b"a message", &mut whole)?;
/// let mut hasher = skein.hasher();
/// hasher.update(b"a ");
/// hasher.update(b"message");
/// hasher.finish(&mut pieces)?;
/// assert_eq!(whole, pieces);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Skein<const W: usize, const B: usize> {
    /// The value of the chain before the message.
    chain: [u64; W],
    /// Length of a digest.
    bits: u64,
    #[cfg(feature = "alloc")]
    tree: Option<Tree>,
    place: Place,
}

/// Skein with a state of 32 bytes.
///
/// ```
/// use icefish::constructions::skein::Skein256;
/// let mut digest = [0; 32];
/// Skein256::new(256).hash(b"abc", &mut digest)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Skein256 = Skein<4, 32>;
/// Skein with a state of 64 bytes: the one that its authors propose for nearly all purposes.
///
/// ```
/// use icefish::constructions::skein::Skein512;
/// let mut digest = [0; 64];
/// Skein512::new(512).hash(b"abc", &mut digest)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Skein512 = Skein<8, 64>;
/// Skein with a state of 128 bytes.
///
/// ```
/// use icefish::constructions::skein::Skein1024;
/// let mut digest = [0; 128];
/// Skein1024::new(1024).hash(b"abc", &mut digest)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Skein1024 = Skein<16, 128>;

/// Where the work is done.
#[derive(Clone, Copy)]
struct Place {
    backend: Backend,
    /// Whether trees are distributed over all cores.
    #[cfg(feature = "parallel")]
    threads: bool,
}

impl Place {
    fn on(backend: Backend) -> Self {
        Self {
            backend,
            #[cfg(feature = "parallel")]
            threads: false,
        }
    }
}

impl<const W: usize, const B: usize> Skein<W, B> {
    /// The length, in bits, that stands for a length that is not known in advance (section 3.5.4): for [`Output`] without end.
    pub const ENDLESS: u64 = u64::MAX;

    /// A hash with digests of `bits` bits, on the best backend.
    pub fn new(bits: u64) -> Self {
        Self::with(bits, &Arguments::default())
    }

    /// The same with other arguments, such as a key.
    pub fn with(bits: u64, arguments: &Arguments<'_>) -> Self {
        Self::on(Backend::best(), bits, arguments)
    }

    /// The same on the given backend.
    pub fn on(backend: Backend, bits: u64, arguments: &Arguments<'_>) -> Self {
        Self {
            chain: arguments.chain::<W, B>(backend, bits),
            bits,
            #[cfg(feature = "alloc")]
            tree: arguments.tree,
            place: Place::on(backend),
        }
    }

    /// The same hash. Trees are hashed on all cores, wherever a call has 512 KiB or more of a message, in the `rayon`
    /// pool that the call runs in.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn on_all_cores(mut self) -> Self {
        self.place.threads = true;
        self
    }

    /// The backend that it runs on.
    pub fn backend(&self) -> Backend {
        self.place.backend
    }

    /// Length of a digest in bits.
    pub fn digest_bits(&self) -> u64 {
        self.bits
    }

    /// Length of a digest in bytes. If it does not end with a whole byte, its last bits are the highest of the last byte.
    pub fn digest_len(&self) -> usize {
        usize::try_from(self.bits.div_ceil(8)).unwrap_or(usize::MAX)
    }

    /// Begins a message in pieces.
    pub fn hasher(&self) -> Hasher<W, B> {
        Hasher::new(self.clone())
    }

    /// Writes the digest of `message` to `digest`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `digest` has not [`Skein::digest_len`] bytes: nothing was written.
    pub fn hash(&self, message: &[u8], digest: &mut [u8]) -> Result<(), Error> {
        self.hash_bits(message, 8 * message.len(), digest)
    }

    /// Writes the digest of the first `bits` bits of `message` to `digest`. A byte begins with its highest bit.
    ///
    /// # Errors
    /// [`Error::BufferLength`] as [`Skein::hash`]; [`Error::TooShort`] if `message` has fewer bits.
    pub fn hash_bits(&self, message: &[u8], bits: usize, digest: &mut [u8]) -> Result<(), Error> {
        if self.is_tree() {
            return self.hasher().finish_bits(message, bits, digest);
        }
        self.check(digest)?;
        let (bytes, last) = split_bits(message, bits)?;
        let mut ubi = Ubi::<W, B>::new(&self.chain, Kind::Message, 0, 0);
        ubi.update(self.backend(), bytes);
        self.write(ubi.finish(self.backend(), last), digest);
        Ok(())
    }

    /// Writes the digests of many messages to `digests`, one after the other. The messages are side by side in the lanes of the
    /// backend, which takes a fraction of the time that they take one by one.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if `digests` has not [`Skein::digest_len`] bytes for each: nothing was written.
    pub fn hash_many(&self, messages: &[&[u8]], digests: &mut [u8]) -> Result<(), Error> {
        many::same(self, messages, digests)
    }

    /// Compares the digest of `message`, a message authentication code, with `tag` in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`] if they differ; [`Error::TagLength`] if `tag` has not [`Skein::digest_len`] bytes.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), Error> {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.verify(tag)
    }

    /// Checks the length of a buffer for a digest.
    fn check(&self, digest: &[u8]) -> Result<(), Error> {
        let (got, need) = (digest.len(), self.digest_len());
        if got == need { Ok(()) } else { Err(Error::BufferLength { got, need }) }
    }

    /// Whether messages are trees, which fill the lanes on their own.
    fn is_tree(&self) -> bool {
        #[cfg(feature = "alloc")]
        let tree = self.tree.is_some();
        #[cfg(not(feature = "alloc"))]
        let tree = false;
        tree
    }

    /// Writes the digest of a message that left this value of the chain.
    fn write(&self, chain: [u64; W], digest: &mut [u8]) {
        Output::<W, B>::new(self.place, chain).fill(digest);
        self.trim(digest);
    }

    /// The unused bits of the last byte of a digest become zero.
    fn trim(&self, digest: &mut [u8]) {
        if let Some(last) = digest.last_mut()
            && !self.bits.is_multiple_of(8)
        {
            *last &= !(0xff >> (self.bits % 8));
        }
    }
}

impl<const W: usize, const B: usize> Drop for Skein<W, B> {
    fn drop(&mut self) {
        erase(&mut self.chain);
    }
}

impl<const W: usize, const B: usize> ZeroizeOnDrop for Skein<W, B> {}

impl<const W: usize, const B: usize> fmt::Debug for Skein<W, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Skein")
            .field("state", &(8 * B))
            .field("digest", &self.bits)
            .field("backend", &self.backend().name())
            .finish_non_exhaustive()
    }
}

/// Of the first `bits` bits of `bytes`: the whole bytes, and the byte after them with its padding, if bits are left.
///
/// # Errors
/// [`Error::TooShort`] if `bytes` has fewer bits.
fn split_bits(bytes: &[u8], bits: usize) -> Result<(&[u8], Option<u8>), Error> {
    let need = bits.div_ceil(8);
    if bytes.len() < need {
        return Err(Error::TooShort { got: bytes.len(), least: need });
    }
    let byte = (!bits.is_multiple_of(8)).then(|| ubi::pad(bytes[bits / 8], bits % 8));
    Ok((&bytes[..bits / 8], byte))
}
