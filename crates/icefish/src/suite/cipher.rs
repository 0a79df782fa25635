//! Ciphers by name, and their keys.

use super::erased::{ErasedKey, MessageCall};
use super::{AnyCrypter, AnyMode, key_has_len};
#[cfg(feature = "ice")]
use crate::cipher::BlockCipher;
use crate::cipher::{Key, NewCipher, Way, zero_tweak};
#[cfg(feature = "aes")]
use crate::ciphers::AnyAes;
#[cfg(feature = "ice")]
use crate::ciphers::Ice;
#[cfg(feature = "threefish")]
use crate::ciphers::{Threefish256, Threefish512, Threefish1024};
use crate::isa::erase_stack;
use crate::modes::{Granularity, Mode, Padding, ended};
use crate::to_vec;
use crate::{Backend, Block, Error};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// Every cipher by name. A new cipher is added here, by a line. This and the other lists of names are `static`, because what a
/// constant refers to is compiled again in every crate that names it.
pub static CIPHERS: &[CipherInfo] = &[
    #[cfg(feature = "aes")]
    CipherInfo::of::<AnyAes>("aes-128", 16),
    #[cfg(feature = "aes")]
    CipherInfo::of::<AnyAes>("aes-192", 24),
    #[cfg(feature = "aes")]
    CipherInfo::of::<AnyAes>("aes-256", 32),
    #[cfg(feature = "threefish")]
    CipherInfo::of::<Threefish256>("threefish-256", 32),
    #[cfg(feature = "threefish")]
    CipherInfo::of::<Threefish512>("threefish-512", 64),
    #[cfg(feature = "threefish")]
    CipherInfo::of::<Threefish1024>("threefish-1024", 128),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<0>("thin-ice"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<0>("ice-0"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<1>("ice-1"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<2>("ice-2"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<3>("ice-3"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<4>("ice-4"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<5>("ice-5"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<6>("ice-6"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<7>("ice-7"),
    #[cfg(feature = "ice")]
    CipherInfo::ice::<8>("ice-8"),
];

/// A cipher as a value: its name, its lengths in bytes, and a constructor for keys.
///
/// ```
/// use icefish::{Backend, suite::CipherInfo};
/// let cipher = CipherInfo::by_name("threefish-512")?;
/// assert_eq!((cipher.key, cipher.tweak, cipher.block), (64, 16, 64));
/// let key = cipher.key(Backend::best(), &[7; 64], &[1; 16])?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct CipherInfo {
    /// Its name, such as `aes-256`.
    pub name: &'static str,
    /// Length of a key.
    pub key: usize,
    /// Length of a tweak, 0 if there is none.
    pub tweak: usize,
    /// Length of a block.
    pub block: usize,
    /// Whether every call is constant-time.
    pub constant_time: bool,
    make: Make,
}

/// The constructor of a key from its bytes and a tweak.
type Make = fn(&[u8], &[u8], Backend) -> Result<Box<dyn ErasedKey>, Error>;

impl CipherInfo {
    const fn of<C: NewCipher + 'static>(name: &'static str, key: usize) -> Self {
        let make = |key: &[u8], tweak: &[u8], backend| {
            let mut made = Box::new(Key::<C>::blank(backend));
            made.set(key, tweak)?;
            Ok(made as Box<dyn ErasedKey>)
        };
        let (tweak, block) = (const { zero_tweak(C::TWEAK) }.len(), <C::Block as Block>::LEN);
        Self { name, key, tweak, block, constant_time: C::CONSTANT_TIME, make }
    }

    #[cfg(feature = "ice")]
    const fn ice<const LEVEL: usize>(name: &'static str) -> Self {
        let make = |key: &[u8], tweak: &[u8], backend| {
            if !tweak.is_empty() {
                return Err(Error::TweakLength { got: tweak.len(), need: 0 });
            }
            let mut made = Box::new(Key::from_cipher(backend, Ice::of_level(LEVEL)?));
            made.cipher_mut().set_key(key)?;
            Ok(made as Box<dyn ErasedKey>)
        };
        let (key, constant_time) = (Ice::key_len(LEVEL), Ice::CONSTANT_TIME);
        Self { name, key, tweak: 0, block: 8, constant_time, make }
    }

    /// The cipher with that name.
    ///
    /// # Errors
    /// [`Error::UnknownCipher`].
    pub fn by_name(name: &str) -> Result<&'static Self, Error> {
        CIPHERS.iter().find(|c| c.name == name).ok_or(Error::UnknownCipher)
    }

    /// A key of this cipher. An empty tweak means a tweak of zeros.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TweakLength`].
    pub fn key(&'static self, backend: Backend, key: &[u8], tweak: &[u8]) -> Result<AnyKey, Error> {
        key_has_len(key, self.key)?;
        let tweak = if tweak.is_empty() { zero_tweak(self.tweak) } else { tweak };
        let made = (self.make)(key, tweak, backend);
        erase_stack();
        Ok(AnyKey { info: self, key: made? })
    }
}

impl fmt::Debug for CipherInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A key of any cipher. Its calls are those of [`Key`], with the mode as a value.
///
/// ```
/// use icefish::{Backend, suite::Suite};
/// let suite: Suite = "aes-128-ctr".parse()?;
/// let key = suite.cipher.key(Backend::best(), &[7; 16], &[])?;
/// let mut data = *b"any number of bytes";
/// key.encrypt(suite.mode, &[1; 16], &mut data)?;
/// key.decrypt(suite.mode, &[1; 16], &mut data)?;
/// assert_eq!(&data, b"any number of bytes");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyKey {
    pub(super) info: &'static CipherInfo,
    pub(super) key: Box<dyn ErasedKey>,
}

impl AnyKey {
    /// Its cipher.
    pub fn cipher(&self) -> &'static CipherInfo {
        self.info
    }

    /// Encrypts independent blocks (ECB) in place.
    ///
    /// # Errors
    /// [`Error::PartialBlock`].
    pub fn encrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        self.encrypt(AnyMode::Ecb, &[], data)
    }

    /// Decrypts independent blocks (ECB) in place.
    ///
    /// # Errors
    /// [`Error::PartialBlock`].
    pub fn decrypt_blocks(&self, data: &mut [u8]) -> Result<(), Error> {
        self.decrypt(AnyMode::Ecb, &[], data)
    }

    /// Encrypts a whole message in place, without padding.
    ///
    /// # Errors
    /// As [`Key::encrypt`].
    #[inline]
    pub fn encrypt(&self, mode: AnyMode, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        let len = data.len();
        self.encrypt_in_place(mode, iv, Padding::None, data, len).map(|_| ())
    }

    /// Decrypts a whole message in place, without padding.
    ///
    /// # Errors
    /// As [`Key::encrypt`].
    #[inline]
    pub fn decrypt(&self, mode: AnyMode, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        let len = data.len();
        self.decrypt_in_place(mode, iv, Padding::None, data, len).map(|_| ())
    }

    /// Encrypts a message in place, the first `len` bytes of `buffer`. Returns its new length.
    ///
    /// # Errors
    /// As [`Crypter::in_place`](crate::modes::Crypter::in_place).
    #[inline]
    pub fn encrypt_in_place(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
        buffer: &mut [u8],
        len: usize,
    ) -> Result<usize, Error> {
        let mut message = MessageCall::new(mode, iv, padding, len);
        self.key.encrypt_in_place(&mut message, buffer);
        message.result()
    }

    /// Decrypts a message in place, the first `len` bytes of `buffer`. Returns its new length.
    ///
    /// # Errors
    /// As [`Crypter::in_place`](crate::modes::Crypter::in_place).
    #[inline]
    pub fn decrypt_in_place(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
        buffer: &mut [u8],
        len: usize,
    ) -> Result<usize, Error> {
        let mut message = MessageCall::new(mode, iv, padding, len);
        self.key.decrypt_in_place(&mut message, buffer);
        message.result()
    }

    /// Encrypts a message from `input` to `output`. Returns the length of the output.
    ///
    /// # Errors
    /// As [`Crypter::between`](crate::modes::Crypter::between).
    #[inline]
    pub fn encrypt_between(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<usize, Error> {
        let mut message = MessageCall::new(mode, iv, padding, input.len());
        self.key.encrypt_between(&mut message, input, output);
        message.result()
    }

    /// Decrypts a message from `input` to `output`, which needs no room for the padding. Returns the length of the output.
    ///
    /// # Errors
    /// As [`Crypter::between`](crate::modes::Crypter::between).
    #[inline]
    pub fn decrypt_between(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<usize, Error> {
        if output.len() < input.len() {
            let mut message = self.decryptor(mode, iv, padding)?;
            let written = message.update(input, output)?;
            return ended(written, message.finish(&mut output[written..]));
        }
        let mut message = MessageCall::new(mode, iv, padding, input.len());
        self.key.decrypt_between(&mut message, input, output);
        message.result()
    }

    /// Encrypts the message `input`, and returns it in a new vector, with its padding.
    ///
    /// ```
    /// use icefish::{Backend, suite::Suite, modes::Padding};
    /// let suite: Suite = "threefish-512-cbc".parse()?;
    /// let (key, iv) = (suite.cipher.key(Backend::best(), &[7; 64], &[])?, [1; 64]);
    /// let encrypted = key.encrypt_to_vec(suite.mode, &iv, Padding::Pkcs7, b"attack at dawn")?;
    /// assert_eq!(encrypted.len(), 64);
    /// let decrypted = key.decrypt_to_vec(suite.mode, &iv, Padding::Pkcs7, &encrypted)?;
    /// assert_eq!(decrypted, b"attack at dawn");
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Crypter::to_vec`](crate::modes::Crypter::to_vec).
    pub fn encrypt_to_vec(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
        input: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let len = match mode.granularity() {
            Granularity::Block => padding.padded_len(input.len(), self.info.block)?,
            Granularity::Stream | Granularity::Byte => input.len(),
        };
        to_vec::written(len, |output| self.encrypt_between(mode, iv, padding, input, output))
    }

    /// Decrypts the message `input`, and returns it in a new vector, without its padding.
    ///
    /// # Errors
    /// As [`Crypter::to_vec`](crate::modes::Crypter::to_vec).
    pub fn decrypt_to_vec(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
        input: &[u8],
    ) -> Result<Vec<u8>, Error> {
        to_vec::written(input.len(), |output| {
            self.decrypt_between(mode, iv, padding, input, output)
        })
    }

    /// Begins a message to encrypt in pieces.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn encryptor(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
    ) -> Result<AnyCrypter<'_>, Error> {
        self.key.crypter(Way::Encrypt, &MessageCall::new(mode, iv, padding, 0)).map(AnyCrypter)
    }

    /// Begins a message to decrypt in pieces.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn decryptor(
        &self,
        mode: AnyMode,
        iv: &[u8],
        padding: Padding,
    ) -> Result<AnyCrypter<'_>, Error> {
        self.key.crypter(Way::Decrypt, &MessageCall::new(mode, iv, padding, 0)).map(AnyCrypter)
    }
}

impl fmt::Debug for AnyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyKey").field(&self.info.name).finish()
    }
}
