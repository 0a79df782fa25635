//! Keys and messages behind one pointer.

use super::AnyMode;
use crate::Error;
use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Key};
use crate::modes::{Crypter, Padding};
use alloc::boxed::Box;

/// Which way, as a value.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Encrypt,
    Decrypt,
}

/// The calls of [`Key`] without its type.
pub(super) trait ErasedKey: Send + Sync {
    fn in_place(
        &self,
        way: Way,
        message: &Message<'_>,
        buffer: &mut [u8],
        len: usize,
    ) -> Result<usize, Error>;
    fn between(
        &self,
        way: Way,
        message: &Message<'_>,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<usize, Error>;
    fn crypter<'k>(
        &'k self,
        way: Way,
        message: &Message<'_>,
    ) -> Result<Box<dyn ErasedCrypter + 'k>, Error>;
}

/// What a message needs besides a key.
pub(super) struct Message<'a> {
    pub(super) mode: AnyMode,
    pub(super) iv: &'a [u8],
    pub(super) padding: Padding,
}

impl Message<'_> {
    #[inline(always)]
    fn start<'k, C: Cipher, D: Direction>(
        &self,
        key: &'k Key<C>,
    ) -> Result<Crypter<'k, C, AnyMode, D>, Error> {
        Ok(Crypter::new(key, self.mode, self.iv)?.padding(self.padding))
    }
}

impl<C: Cipher> ErasedKey for Key<C> {
    fn in_place(
        &self,
        way: Way,
        message: &Message<'_>,
        buffer: &mut [u8],
        len: usize,
    ) -> Result<usize, Error> {
        match way {
            Way::Encrypt => message.start::<C, Encrypt>(self)?.in_place(buffer, len),
            Way::Decrypt => message.start::<C, Decrypt>(self)?.in_place(buffer, len),
        }
    }
    fn between(
        &self,
        way: Way,
        message: &Message<'_>,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<usize, Error> {
        match way {
            Way::Encrypt => message.start::<C, Encrypt>(self)?.between(input, output),
            Way::Decrypt => message.start::<C, Decrypt>(self)?.between(input, output),
        }
    }
    fn crypter<'k>(
        &'k self,
        way: Way,
        message: &Message<'_>,
    ) -> Result<Box<dyn ErasedCrypter + 'k>, Error> {
        Ok(match way {
            Way::Encrypt => Box::new(message.start::<C, Encrypt>(self)?),
            Way::Decrypt => Box::new(message.start::<C, Decrypt>(self)?),
        })
    }
}

/// The calls of [`Crypter`] without its type.
pub(super) trait ErasedCrypter: Send {
    fn output_len(&self, input: usize) -> usize;
    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error>;
    fn seek(&mut self, position: u128) -> Result<(), Error>;
    fn finish(self: Box<Self>, output: &mut [u8]) -> Result<usize, Error>;
}

impl<C: Cipher, D: Direction> ErasedCrypter for Crypter<'_, C, AnyMode, D> {
    fn output_len(&self, input: usize) -> usize {
        Crypter::output_len(self, input)
    }
    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        Crypter::update(self, input, output)
    }
    fn seek(&mut self, position: u128) -> Result<(), Error> {
        Crypter::seek(self, position)
    }
    fn finish(self: Box<Self>, output: &mut [u8]) -> Result<usize, Error> {
        Crypter::finish(*self, output)
    }
}
