//! AEGIS (Denis and Lucas, "The AEGIS Authenticated Encryption Algorithms", RFC 10032): rounds of AES, XOR and AND, and no more.
//! The states are in `constructions/aegis`.

mod pieces;

pub use self::pieces::AegisPieces;
use super::Aead;
use crate::constructions::aegis::{
    self, AegisProgress, Begin, End, Job, KeyNonce, STRIP, Tags, Variant, bits, checked_tag_len,
};
use crate::isa::InOut;
use crate::verdict::{has_len, release};
use crate::{Backend, Error};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// AEGIS-128L (section 3): keys and nonces of 16 bytes. See [`Aegis`].
///
/// ```
/// use icefish::aead::{Aead, Aegis128L};
/// let tag = Aegis128L::new(&[7; 16])?.seal_in_place(&[1; 16], b"to: all", &mut [5; 100])?;
/// assert_eq!(tag.len(), 32);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aegis128L = Aegis<128, 1>;
/// AEGIS-128X2 (section 5.4): keys and nonces of 16 bytes. See [`Aegis`].
///
/// ```
/// use icefish::aead::{Aead, Aegis128X2};
/// let tag = Aegis128X2::new(&[7; 16])?.seal_in_place(&[1; 16], b"to: all", &mut [5; 100])?;
/// assert_eq!(tag.len(), 32);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aegis128X2 = Aegis<128, 2>;
/// AEGIS-128X4 (section 5.4): keys and nonces of 16 bytes. See [`Aegis`].
///
/// ```
/// use icefish::aead::{Aead, Aegis128X4};
/// let tag = Aegis128X4::new(&[7; 16])?.seal_in_place(&[1; 16], b"to: all", &mut [5; 100])?;
/// assert_eq!(tag.len(), 32);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aegis128X4 = Aegis<128, 4>;
/// AEGIS-256 (section 4): keys and nonces of 32 bytes. See [`Aegis`].
///
/// ```
/// use icefish::aead::{Aead, Aegis256};
/// let tag = Aegis256::new(&[7; 32])?.seal_in_place(&[1; 32], b"to: all", &mut [5; 100])?;
/// assert_eq!(tag.len(), 32);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aegis256 = Aegis<256, 1>;
/// AEGIS-256X2 (section 5.5): keys and nonces of 32 bytes. See [`Aegis`].
///
/// ```
/// use icefish::aead::{Aead, Aegis256X2};
/// let tag = Aegis256X2::new(&[7; 32])?.seal_in_place(&[1; 32], b"to: all", &mut [5; 100])?;
/// assert_eq!(tag.len(), 32);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aegis256X2 = Aegis<256, 2>;
/// AEGIS-256X4 (section 5.5): keys and nonces of 32 bytes. See [`Aegis`].
///
/// ```
/// use icefish::aead::{Aead, Aegis256X4};
/// let tag = Aegis256X4::new(&[7; 32])?.seal_in_place(&[1; 32], b"to: all", &mut [5; 100])?;
/// assert_eq!(tag.len(), 32);
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Aegis256X4 = Aegis<256, 4>;

/// AEGIS with keys of `BITS` bits and `DEGREE` states side by side (RFC 10032): the fastest authenticated encryption from
/// messages of a few hundred bytes on.
///
/// | type | name in `suite` | key, nonce | bytes in a step | as wide as | RFC 10032 |
/// |---|---|---|---|---|---|
/// | [`Aegis128L`] | `aegis-128l` | 16 | 32 | AES-NI, NEON | section 3 |
/// | [`Aegis128X2`] | `aegis-128x2` | 16 | 64 | VAES at 256 bits | section 5.4 |
/// | [`Aegis128X4`] | `aegis-128x4` | 16 | 128 | VAES at 512 bits | section 5.4 |
/// | [`Aegis256`] | `aegis-256` | 32 | 16 | AES-NI, NEON | section 4 |
/// | [`Aegis256X2`] | `aegis-256x2` | 32 | 32 | VAES at 256 bits | section 5.5 |
/// | [`Aegis256X4`] | `aegis-256x4` | 32 | 64 | VAES at 512 bits | section 5.5 |
///
/// All run on every backend, and the ciphertexts of each differ from those of all others: a format must name its variant. Where
/// nothing else decides, take [`Aegis128X2`], or [`Aegis256X2`] for keys of 256 bits: they use the wide registers of most CPUs of
/// today, and are hardly slower than one state where there are none. Four states are the fastest for long messages with AVX-512,
/// and slower for short ones. The RFC's own default is one state, which is what most other libraries have.
///
/// A nonce must not be used twice under one key: that reveals the XOR of the messages, and may reveal the state. Nonces may be
/// random, for 2^48 messages under a key of 128 bits, and for any number under a key of 256 bits. Data and associated data have
/// at most 2^61 - 1 bytes each.
///
/// Tags have 32 bytes, or 16 after [`Aead::set_tag_len`]. The short tag is another one, not the first half: [`Aead::seal`] then
/// returns it, and zeros after it. A tag of 32 bytes commits to key, nonce and message if nobody chooses the associated data
/// freely. One of 16 bytes does not. If an attacker chooses the associated data, no tag does (section 10.1.2): then hash the
/// associated data, and authenticate the hash.
///
/// ```
/// use icefish::aead::{Aead, Aegis128X2};
/// let aegis = Aegis128X2::new(&[7; 16])?;
/// let mut data = *b"attack at dawn";
/// let tag = aegis.seal_in_place(&[1; 16], b"to: all", &mut data)?;
/// aegis.open_in_place(&[1; 16], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
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
    pub const KEY: usize = aegis::key_len(BITS, DEGREE);
    /// Most bytes of data, and most bytes of associated data (section 3).
    pub const MAX_DATA: u64 = aegis::MAX_DATA;

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

    /// The key and a nonce, if that has the right length.
    #[inline(always)]
    fn with<'a>(&'a self, nonce: &'a [u8]) -> Result<KeyNonce<'a>, Error> {
        KeyNonce::of(Variant::of::<BITS, DEGREE>(), &self.key[..Self::KEY], nonce)
    }

    /// The states after Init.
    #[inline(always)]
    fn begun(&self, new: KeyNonce<'_>) -> AegisProgress {
        AegisProgress::begin(self.backend, Variant::of::<BITS, DEGREE>(), new)
    }

    /// Encrypts or decrypts a message, and writes its tag.
    #[inline(always)]
    fn message(
        &self,
        nonce: &[u8],
        absorb: &[u8],
        mut io: InOut<'_>,
        seal: bool,
        tag: &mut [u8; 32],
    ) -> Result<(), Error> {
        let longest = io.len().max(absorb.len());
        let strips = longest > STRIP && longest > aegis::longest(self.backend, DEGREE);
        if strips || longest as u64 > Self::MAX_DATA {
            // The buffer as a value of its own: otherwise short messages would store it, too.
            return self.long(nonce, absorb, io.reborrow(), seal, tag);
        }
        let begin = Begin::New(self.with(nonce)?);
        let short = self.tag_len == 16;
        let lengths = bits(absorb.len() as u64, io.len() as u64);
        let end = Some(End { lengths, short, tags: Tags::Sum(tag) });
        aegis::run::<BITS, DEGREE>(self.backend, Job { begin, saved: None, absorb, io, seal, end });
        Ok(())
    }

    /// A message of more than one job. A call of its own, since arguments that are passed in memory would slow short messages down.
    #[cold]
    #[inline(never)]
    fn long(
        &self,
        nonce: &[u8],
        absorb: &[u8],
        io: InOut<'_>,
        seal: bool,
        tag: &mut [u8; 32],
    ) -> Result<(), Error> {
        *tag = self.begun(self.with(nonce)?).whole(absorb, io, seal, self.tag_len == 16)?;
        Ok(())
    }
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
        self.tag_len = checked_tag_len(len)?;
        Ok(())
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<[u8; 32], Error> {
        let mut tag = [0; 32];
        self.message(nonce, associated, io, true, &mut tag)?;
        Ok(tag)
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
        let mut expected = [0; 32];
        self.message(nonce, associated, io.reborrow(), false, &mut expected)?;
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
