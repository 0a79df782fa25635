//! Message authentication codes by name.

use super::key_has_len;
use crate::cipher::{Cipher, NewCipher};
#[cfg(feature = "aes")]
use crate::ciphers::AnyAes;
#[cfg(feature = "threefish")]
use crate::ciphers::{Threefish256, Threefish512, Threefish1024};
use crate::isa::erase_stack;
use crate::mac::{Cmac, Mac};
use crate::{Backend, Block, Error};
use alloc::boxed::Box;
use core::fmt;

/// Every message authentication code by name. A new one is added here, by a line.
pub static MACS: &[MacSuite] = &[
    #[cfg(feature = "aes")]
    MacSuite::cmac::<AnyAes>("aes-128-cmac", "aes-128", 16),
    #[cfg(feature = "aes")]
    MacSuite::cmac::<AnyAes>("aes-192-cmac", "aes-192", 24),
    #[cfg(feature = "aes")]
    MacSuite::cmac::<AnyAes>("aes-256-cmac", "aes-256", 32),
    #[cfg(feature = "threefish")]
    MacSuite::cmac::<Threefish256>("threefish-256-cmac", "threefish-256", 32),
    #[cfg(feature = "threefish")]
    MacSuite::cmac::<Threefish512>("threefish-512-cmac", "threefish-512", 64),
    #[cfg(feature = "threefish")]
    MacSuite::cmac::<Threefish1024>("threefish-1024-cmac", "threefish-1024", 128),
];

/// A message authentication code as a value: its name, its lengths in bytes, and a constructor for keys.
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Mac(suite) = "aes-256-cmac".parse()? else { unreachable!() };
/// let key = suite.key(Backend::best(), &[7; 32])?;
/// let mut tag = [0; 16];
/// key.tag(b"attack at dawn", &mut tag)?;
/// let mut message = key.start();
/// message.update(b"attack ");
/// message.update(b"at dawn");
/// message.verify(&tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct MacSuite {
    /// Its name, such as `aes-256-cmac`.
    pub name: &'static str,
    /// The name of its cipher.
    pub cipher: &'static str,
    /// Length of a key.
    pub key: usize,
    /// Length of a whole tag.
    pub tag: usize,
    /// Length of the shortest tag that [`AnyMac::set_tag_len`] accepts.
    pub shortest_tag: usize,
    make: MakeMac,
}

/// The constructor of a key of a code.
type MakeMac = fn(&[u8], Backend) -> Result<Box<dyn ErasedMac>, Error>;

impl MacSuite {
    const fn cmac<C: NewCipher + 'static>(
        name: &'static str,
        cipher: &'static str,
        key: usize,
    ) -> Self {
        let (tag, shortest_tag) = (<C::Block as Block>::LEN, Cmac::<C>::SHORTEST_TAG);
        let make = |key: &[u8], backend| {
            let mut made = Box::new(Cmac::<C>::blank(backend));
            made.set_key(key)?;
            Ok(made as Box<dyn ErasedMac>)
        };
        Self { name, cipher, key, tag, shortest_tag, make }
    }

    /// A key of this code.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn key(&self, backend: Backend, key: &[u8]) -> Result<AnyMac, Error> {
        key_has_len(key, self.key)?;
        let made = (self.make)(key, backend);
        erase_stack();
        Ok(AnyMac { suite: *self, key: made? })
    }
}

impl fmt::Debug for MacSuite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The calls of [`Cmac`] without its type.
trait ErasedMac: Send + Sync {
    fn tag_len(&self) -> usize;
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error>;
    fn start(&self) -> Box<dyn ErasedMessage<'_> + '_>;
    fn tag(&self, data: &[u8], tag: &mut [u8]);
    fn verify(&self, data: &[u8], tag: &[u8]) -> Result<(), Error>;
}

impl<C: Cipher> ErasedMac for Cmac<C> {
    fn tag_len(&self) -> usize {
        Self::tag_len(self)
    }
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        Self::set_tag_len(self, len)
    }
    fn start(&self) -> Box<dyn ErasedMessage<'_> + '_> {
        Box::new(Self::start(self))
    }
    fn tag(&self, data: &[u8], tag: &mut [u8]) {
        let len = tag.len();
        tag.copy_from_slice(&Self::tag(self, data).as_ref()[..len]);
    }
    fn verify(&self, data: &[u8], tag: &[u8]) -> Result<(), Error> {
        Self::verify(self, data, tag)
    }
}

/// The calls of [`Mac`] without its type.
trait ErasedMessage<'k>: Send + Sync {
    fn copy(&self) -> Box<dyn ErasedMessage<'k> + 'k>;
    fn update(&mut self, data: &[u8]);
    fn finish(self: Box<Self>, tag: &mut [u8]);
    fn verify(self: Box<Self>, tag: &[u8]) -> Result<(), Error>;
}

impl<'k, C: Cipher> ErasedMessage<'k> for Mac<'k, C> {
    fn copy(&self) -> Box<dyn ErasedMessage<'k> + 'k> {
        Box::new(self.clone())
    }
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
    fn finish(self: Box<Self>, tag: &mut [u8]) {
        let len = tag.len();
        tag.copy_from_slice(&Mac::finish(*self).as_ref()[..len]);
    }
    fn verify(self: Box<Self>, tag: &[u8]) -> Result<(), Error> {
        Mac::verify(*self, tag)
    }
}

/// A key of any message authentication code.
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Mac(suite) = "aes-128-cmac".parse()? else { unreachable!() };
/// let (key, mut tag) = (suite.key(Backend::best(), &[7; 16])?, [0; 16]);
/// key.tag(b"a message", &mut tag)?;
/// key.verify(b"a message", &tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyMac {
    suite: MacSuite,
    key: Box<dyn ErasedMac>,
}

impl AnyMac {
    /// The code that this is a key of.
    pub fn suite(&self) -> &MacSuite {
        &self.suite
    }

    /// Length of the tags of this key in bytes. The default is a whole tag.
    pub fn tag_len(&self) -> usize {
        self.key.tag_len()
    }

    /// Makes this key write and accept only tags of `len` bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`] if the suite does not allow this length: nothing is changed.
    pub fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.key.set_tag_len(len)
    }

    /// Begins a message in pieces.
    pub fn start(&self) -> AnyMacMessage<'_> {
        AnyMacMessage { message: self.key.start(), tag_len: self.tag_len() }
    }

    /// Writes the tag of `data` to `tag`, which must have [`AnyMac::tag_len`] bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`]: nothing was written.
    pub fn tag(&self, data: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        crate::verdict::has_len(tag, self.tag_len())?;
        self.key.tag(data, tag);
        Ok(())
    }

    /// Compares `tag` with the tag of `data` in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::TagLength`] if `tag` does not have [`AnyMac::tag_len`] bytes.
    pub fn verify(&self, data: &[u8], tag: &[u8]) -> Result<(), Error> {
        self.key.verify(data, tag)
    }
}

impl fmt::Debug for AnyMac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyMac").field(&self.suite).finish()
    }
}

/// A message in pieces, for any code; see [`Mac`].
///
/// ```
/// use icefish::{Backend, suite::Named};
/// let Named::Mac(suite) = "aes-128-cmac".parse()? else { unreachable!() };
/// let (key, mut tag) = (suite.key(Backend::best(), &[7; 16])?, [0; 16]);
/// let mut message = key.start();
/// message.update(b"a message");
/// message.finish(&mut tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct AnyMacMessage<'k> {
    message: Box<dyn ErasedMessage<'k> + 'k>,
    tag_len: usize,
}

impl AnyMacMessage<'_> {
    /// Takes the next bytes of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }

    /// Writes the tag to `tag`, which must have [`AnyMac::tag_len`] bytes.
    ///
    /// # Errors
    /// [`Error::TagLength`]: nothing was written.
    pub fn finish(self, tag: &mut [u8]) -> Result<(), Error> {
        crate::verdict::has_len(tag, self.tag_len)?;
        self.message.finish(tag);
        Ok(())
    }

    /// Compares `tag` with the tag of the message in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::TagLength`] if `tag` does not have [`AnyMac::tag_len`] bytes.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        self.message.verify(tag)
    }
}

impl Clone for AnyMacMessage<'_> {
    fn clone(&self) -> Self {
        Self { message: self.message.copy(), tag_len: self.tag_len }
    }
}

impl fmt::Debug for AnyMacMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyMacMessage")
    }
}
