//! Authenticated modes by name.

mod erased;

use self::erased::ErasedAead;
use super::{CipherInfo, key_has_len};
#[cfg(feature = "xoodoo")]
use crate::aead::Xoodyak;
use crate::aead::{Aead, Eax, Gcm, GcmSiv};
use crate::cipher::NewCipher;
#[cfg(feature = "aes")]
use crate::ciphers::AnyAes;
#[cfg(feature = "threefish")]
use crate::ciphers::{Threefish256, Threefish512, Threefish1024};
use crate::isa::{InOut, erase_stack};
use crate::to_vec;
use crate::{Backend, Block, Error};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Every authenticated mode by name. A new one is added here, by a line.
pub static AEADS: &[AeadSuite] = &[
    #[cfg(feature = "aes")]
    AeadSuite::gcm::<AnyAes>("aes-128-gcm", "aes-128", 16),
    #[cfg(feature = "aes")]
    AeadSuite::gcm::<AnyAes>("aes-192-gcm", "aes-192", 24),
    #[cfg(feature = "aes")]
    AeadSuite::gcm::<AnyAes>("aes-256-gcm", "aes-256", 32),
    #[cfg(feature = "aes")]
    AeadSuite::gcm_siv::<AnyAes>("aes-128-gcm-siv", "aes-128", 16),
    #[cfg(feature = "aes")]
    AeadSuite::gcm_siv::<AnyAes>("aes-256-gcm-siv", "aes-256", 32),
    #[cfg(feature = "aes")]
    AeadSuite::eax::<AnyAes>("aes-128-eax", "aes-128", 16),
    #[cfg(feature = "aes")]
    AeadSuite::eax::<AnyAes>("aes-192-eax", "aes-192", 24),
    #[cfg(feature = "aes")]
    AeadSuite::eax::<AnyAes>("aes-256-eax", "aes-256", 32),
    #[cfg(feature = "threefish")]
    AeadSuite::eax::<Threefish256>("threefish-256-eax", "threefish-256", 32),
    #[cfg(feature = "threefish")]
    AeadSuite::eax::<Threefish512>("threefish-512-eax", "threefish-512", 64),
    #[cfg(feature = "threefish")]
    AeadSuite::eax::<Threefish1024>("threefish-1024-eax", "threefish-1024", 128),
    #[cfg(feature = "xoodoo")]
    AeadSuite::xoodyak("xoodyak"),
    #[cfg(feature = "aes")]
    AeadSuite::aegis::<128, 1>("aegis-128l"),
    #[cfg(feature = "aes")]
    AeadSuite::aegis::<128, 2>("aegis-128x2"),
    #[cfg(feature = "aes")]
    AeadSuite::aegis::<128, 4>("aegis-128x4"),
    #[cfg(feature = "aes")]
    AeadSuite::aegis::<256, 1>("aegis-256"),
    #[cfg(feature = "aes")]
    AeadSuite::aegis::<256, 2>("aegis-256x2"),
    #[cfg(feature = "aes")]
    AeadSuite::aegis::<256, 4>("aegis-256x4"),
];

/// A cipher with an authenticated mode, as a value: its name, its lengths in bytes, and a constructor for keys.
///
/// ```
/// use icefish::{Backend, suite::AeadSuite};
/// let suite: AeadSuite = "aes-256-gcm".parse()?;
/// let key = suite.key(Backend::best(), &[7; 32])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 16]);
/// key.seal_in_place(&[1; 12], b"to: all", &mut data, &mut tag)?;
/// key.open_in_place(&[1; 12], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct AeadSuite {
    /// Its name, such as `aes-256-gcm`.
    pub name: &'static str,
    /// The name of its cipher, if it has one.
    pub cipher: Option<&'static str>,
    /// Length of a key.
    pub key: usize,
    /// Usual length of a nonce.
    pub nonce: usize,
    /// Length of a whole tag.
    pub tag: usize,
    /// Length of the shortest tag that [`AnyAead::set_tag_len`] accepts.
    pub shortest_tag: usize,
    make: MakeAead,
}

/// The constructor of an AEAD's key.
type MakeAead = fn(&[u8], Backend) -> Result<Box<dyn ErasedAead>, Error>;

impl AeadSuite {
    const fn of<A: Aead>(
        name: &'static str,
        cipher: Option<&'static str>,
        key: usize,
        make: MakeAead,
    ) -> Self {
        let (nonce, tag, shortest_tag) = (A::NONCE, A::Tag::LEN, A::SHORTEST_TAG);
        Self { name, cipher, key, nonce, tag, shortest_tag, make }
    }

    #[cfg(feature = "xoodoo")]
    const fn xoodyak(name: &'static str) -> Self {
        Self::of::<Xoodyak>(name, None, 16, |key, backend| {
            let mut made = Box::new(Xoodyak::blank(backend));
            made.set_key(key)?;
            Ok(made)
        })
    }

    #[cfg(feature = "aes")]
    const fn aegis<const BITS: usize, const DEGREE: usize>(name: &'static str) -> Self {
        use crate::aead::Aegis;
        Self::of::<Aegis<BITS, DEGREE>>(name, None, BITS / 8, |key, backend| {
            let mut made = Box::new(Aegis::<BITS, DEGREE>::blank(backend));
            made.set_key(key)?;
            Ok(made)
        })
    }

    const fn gcm<C: NewCipher<Block = [u8; 16]> + 'static>(
        name: &'static str,
        cipher: &'static str,
        key: usize,
    ) -> Self {
        Self::of::<Gcm<C>>(name, Some(cipher), key, |key, backend| {
            let mut made = Box::new(Gcm::<C>::blank(backend));
            made.set_key(key)?;
            Ok(made)
        })
    }

    const fn gcm_siv<C: NewCipher<Block = [u8; 16]> + 'static>(
        name: &'static str,
        cipher: &'static str,
        key: usize,
    ) -> Self {
        Self::of::<GcmSiv<C>>(name, Some(cipher), key, |key, backend| {
            let mut made = Box::new(GcmSiv::<C>::blank(backend));
            made.set_key(key)?;
            Ok(made)
        })
    }

    const fn eax<C: NewCipher + 'static>(
        name: &'static str,
        cipher: &'static str,
        key: usize,
    ) -> Self {
        Self::of::<Eax<C>>(name, Some(cipher), key, |key, backend| {
            let mut made = Box::new(Eax::<C>::blank(backend));
            made.set_key(key)?;
            Ok(made)
        })
    }

    /// A key of this suite.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn key(&self, backend: Backend, key: &[u8]) -> Result<AnyAead, Error> {
        key_has_len(key, self.key)?;
        let made = (self.make)(key, backend);
        erase_stack();
        Ok(AnyAead { suite: *self, key: made? })
    }
}

impl FromStr for AeadSuite {
    type Err = Error;

    /// Fails with [`Error::UnknownCipher`] or [`Error::UnknownMode`], like names of other modes.
    fn from_str(name: &str) -> Result<Self, Error> {
        let known =
            |c: &CipherInfo| name.strip_prefix(c.name).is_some_and(|rest| rest.starts_with('-'));
        match AEADS.iter().find(|suite| suite.name == name) {
            Some(suite) => Ok(*suite),
            None if super::CIPHERS.iter().any(known) => Err(Error::UnknownMode),
            None => Err(Error::UnknownCipher),
        }
    }
}

impl fmt::Display for AeadSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Debug for AeadSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A key of any authenticated mode. Its calls are those of [`Aead`], with the tag in a buffer of the caller, which is as long as
/// the tags of the key.
///
/// ```
/// use icefish::{Backend, suite::AeadSuite};
/// let key = "aegis-128x2".parse::<AeadSuite>()?.key(Backend::best(), &[7; 16])?;
/// let (mut data, mut tag) = (*b"attack at dawn", [0; 32]);
/// key.seal_in_place(&[1; 16], b"to: all", &mut data, &mut tag)?;
/// key.open_in_place(&[1; 16], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyAead {
    suite: AeadSuite,
    pub(super) key: Box<dyn ErasedAead>,
}

impl AnyAead {
    /// Its cipher and mode.
    pub fn suite(&self) -> &AeadSuite {
        &self.suite
    }

    /// Length of the tags of this key in bytes. The default is a whole tag.
    pub fn tag_len(&self) -> usize {
        self.key.tag_len()
    }

    /// Makes this key write and accept only tags of `len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`], or [`Error::TagLengths`] with AEGIS, if the suite does not allow this length: nothing is changed.
    pub fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.key.set_tag_len(len)
    }

    /// Encrypts a message in place and writes its tag.
    ///
    /// # Errors
    /// As [`Aead::seal`]; [`Error::TagLength`].
    #[inline]
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        associated: &[u8],
        data: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.key.seal(nonce, associated, InOut::in_place(data), tag)
    }

    /// Decrypts a message in place if `tag` is right. If not, `data` becomes zeros.
    ///
    /// # Errors
    /// As [`Aead::open`].
    #[inline]
    pub fn open_in_place(
        &self,
        nonce: &[u8],
        associated: &[u8],
        data: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.key.open(nonce, associated, InOut::in_place(data), tag)
    }

    /// Encrypts a message from `input` to `output`, which must have the same length, and writes its tag.
    ///
    /// # Errors
    /// As [`AnyAead::seal_in_place`]; [`Error::BufferLength`].
    #[inline]
    pub fn seal_between(
        &self,
        nonce: &[u8],
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.key.seal(nonce, associated, InOut::between(input, output)?, tag)
    }

    /// Decrypts a message from `input` to `output`, which must have the same length, if `tag` is right. If not, `output` becomes
    /// zeros.
    ///
    /// # Errors
    /// As [`AnyAead::open_in_place`]; [`Error::BufferLength`].
    #[inline]
    pub fn open_between(
        &self,
        nonce: &[u8],
        associated: &[u8],
        input: &[u8],
        output: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.key.open(nonce, associated, InOut::between(input, output)?, tag)
    }

    /// The ciphertext of `data`, followed by its tag, in a new vector.
    ///
    /// ```
    /// use icefish::{Backend, suite::AeadSuite};
    /// let key = "xoodyak".parse::<AeadSuite>()?.key(Backend::best(), &[7; 16])?;
    /// let sealed = key.seal_to_vec(&[1; 16], b"to: all", b"attack at dawn")?;
    /// assert_eq!(key.open_to_vec(&[1; 16], b"to: all", &sealed)?, b"attack at dawn");
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Aead::seal`].
    pub fn seal_to_vec(
        &self,
        nonce: &[u8],
        associated: &[u8],
        data: &[u8],
    ) -> Result<Vec<u8>, Error> {
        to_vec::sealed(data, self.tag_len(), |ciphertext, tag| {
            self.seal_between(nonce, associated, data, ciphertext, tag)
        })
    }

    /// The plaintext of what [`AnyAead::seal_to_vec`] returns, a ciphertext and its tag, in a new vector.
    ///
    /// # Errors
    /// As [`Aead::open_to_vec`].
    pub fn open_to_vec(
        &self,
        nonce: &[u8],
        associated: &[u8],
        sealed: &[u8],
    ) -> Result<Vec<u8>, Error> {
        to_vec::opened(sealed, self.tag_len(), |ciphertext, tag, plain| {
            self.open_between(nonce, associated, ciphertext, plain, tag)
        })
    }
}

impl fmt::Debug for AnyAead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyAead").field(&self.suite).finish()
    }
}
