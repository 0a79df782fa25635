//! AEGIS (RFC 10032), which takes a message through rounds of AES alone.

mod job;
mod mac;
mod pieces;
mod state;
#[cfg(all(test, feature = "std"))]
mod tests;

use self::job::{End, Job};
pub use self::mac::{
    AegisMac, AegisMac128L, AegisMac128X2, AegisMac128X4, AegisMac256, AegisMac256X2,
    AegisMac256X4, AegisMacMessage,
};
pub use self::pieces::AegisPieces;
use self::state::RATE;
use super::Aead;
use crate::isa::InOut;
use crate::verdict::{has_len, release};
use crate::{Backend, Error};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// AEGIS-128L (section 3): keys and nonces of 16 bytes. See [`Aegis`].
pub type Aegis128L = Aegis<128, 1>;
/// AEGIS-128X2 (section 5.4): keys and nonces of 16 bytes. See [`Aegis`].
pub type Aegis128X2 = Aegis<128, 2>;
/// AEGIS-128X4 (section 5.4): keys and nonces of 16 bytes. See [`Aegis`].
pub type Aegis128X4 = Aegis<128, 4>;
/// AEGIS-256 (section 4): keys and nonces of 32 bytes. See [`Aegis`].
pub type Aegis256 = Aegis<256, 1>;
/// AEGIS-256X2 (section 5.5): keys and nonces of 32 bytes. See [`Aegis`].
pub type Aegis256X2 = Aegis<256, 2>;
/// AEGIS-256X4 (section 5.5): keys and nonces of 32 bytes. See [`Aegis`].
pub type Aegis256X4 = Aegis<256, 4>;

/// AEGIS with keys of `BITS` bits and `DEGREE` states.
#[derive(Clone)]
pub struct Aegis<const BITS: usize, const DEGREE: usize> {
    /// The key, and zeros after one of 128 bits.
    key: [u8; 32],
    backend: Backend,
    /// Length of the tags that this key accepts.
    tag_len: usize,
}

impl<const BITS: usize, const DEGREE: usize> Aegis<BITS, DEGREE> {
    /// Length of a key in bytes.
    pub const KEY: usize = {
        assert!(matches!((BITS, DEGREE), (128 | 256, 1 | 2 | 4)), "no variant of AEGIS");
        BITS / 8
    };
    /// Most bytes of data, and most bytes of associated data (section 3).
    pub const MAX_DATA: u64 = (1 << 61) - 1;

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
        Self { key: [0; 32], backend, tag_len: 32 }
    }

    /// Replaces the key, on the same backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        if key.len() != Self::KEY {
            return Err(Error::KeyLength { got: key.len(), need: Self::KEY });
        }
        self.key[..Self::KEY].copy_from_slice(key);
        Ok(())
    }

    /// The key, if the nonce has the right length.
    #[inline(always)]
    fn key_for(&self, nonce: &[u8]) -> Result<&[u8], Error> {
        if nonce.len() != Self::KEY {
            return Err(Error::IvLength { got: nonce.len(), need: Self::KEY });
        }
        Ok(&self.key[..Self::KEY])
    }

    /// Encrypts or decrypts a message; the result is its tag.
    #[inline(always)]
    fn message(
        &self,
        nonce: &[u8],
        absorb: &[u8],
        io: InOut<'_>,
        seal: bool,
    ) -> Result<[u8; 32], Error> {
        let begin = Some([self.key_for(nonce)?, nonce]);
        if io.len().max(absorb.len()) as u64 > Self::MAX_DATA {
            return Err(Error::TooLong { most: Self::MAX_DATA });
        }
        let (short, mut tags) = (self.tag_len == 16, [0; RATE]);
        let lengths = bits(absorb.len() as u64, io.len() as u64);
        let end = Some(End { lengths, short, tags: &mut tags });
        job::run::<BITS, DEGREE>(self.backend, Job { begin, saved: None, absorb, io, seal, end });
        Ok(sum::<DEGREE>(&tags, short))
    }
}

/// Checks a length for tags.
fn checked(len: usize) -> Result<usize, Error> {
    if len == 16 || len == 32 {
        Ok(len)
    } else {
        Err(Error::TagLengths { got: len, both: [16, 32] })
    }
}

/// Two lengths in bytes, as Finalize takes them.
#[inline(always)]
fn bits(first: u64, second: u64) -> u128 {
    8 * (u128::from(first) | u128::from(second) << 64)
}

/// The tag of a message from those of its states.
#[inline(always)]
fn sum<const DEGREE: usize>(tags: &[u8; RATE], short: bool) -> [u8; 32] {
    let mut tag = [0; 32];
    let halves = if short { 1 } else { 2 };
    for (half, tags) in tag.chunks_exact_mut(16).zip(tags.chunks_exact(64)).take(halves) {
        for i in 0..16 * DEGREE {
            half[i % 16] ^= tags[i];
        }
    }
    tag
}

impl<const BITS: usize, const DEGREE: usize> Aead for Aegis<BITS, DEGREE> {
    type Tag = [u8; 32];
    const NONCE: usize = Self::KEY;
    const SHORTEST_TAG: usize = 16;

    #[inline(always)]
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.tag_len = checked(len)?;
        Ok(())
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<[u8; 32], Error> {
        self.message(nonce, associated, io, true)
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
        let expected = self.message(nonce, associated, io.reborrow(), false)?;
        release(&expected[..self.tag_len], tag, io.output())
    }
}

impl<const BITS: usize, const DEGREE: usize> Drop for Aegis<BITS, DEGREE> {
    fn drop(&mut self) {
        self.key.zeroize();
    }
}

impl<const BITS: usize, const DEGREE: usize> ZeroizeOnDrop for Aegis<BITS, DEGREE> {}

impl<const BITS: usize, const DEGREE: usize> fmt::Debug for Aegis<BITS, DEGREE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aegis").field("backend", &self.backend.name()).finish_non_exhaustive()
    }
}
