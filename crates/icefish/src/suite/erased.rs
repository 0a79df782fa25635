//! Keys and messages behind one pointer.

use super::AnyMode;
use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Key, Way};
use crate::isa::Extension;
use crate::many;
use crate::modes::{Crypter, Mode, ModeTask, Padding};
use crate::{Block, Error};
use alloc::boxed::Box;
use core::marker::PhantomData;

/// The calls of [`Key`] without its type.
pub(super) trait ErasedKey: Send + Sync {
    fn encrypt_in_place(&self, message: &mut MessageCall<'_>, buffer: &mut [u8]);
    fn decrypt_in_place(&self, message: &mut MessageCall<'_>, buffer: &mut [u8]);
    fn encrypt_between(&self, message: &mut MessageCall<'_>, input: &[u8], output: &mut [u8]);
    fn decrypt_between(&self, message: &mut MessageCall<'_>, input: &[u8], output: &mut [u8]);
    fn crypter<'k>(
        &'k self,
        way: Way,
        message: &MessageCall<'_>,
    ) -> Result<Box<dyn ErasedCrypter + 'k>, Error>;
    /// Encrypts many messages in CBC, where that is worth its machine code: blocks of 16 bytes, which are AES.
    fn cbc_encrypt_many(&self, messages: &mut [many::Message<'_>]) -> Option<Result<(), Error>>;
}

/// The arguments of a message except for the key, and its result. A return value instead would take a stack frame and a copy in
/// each call on the way.
pub(super) struct MessageCall<'a> {
    mode: AnyMode,
    iv: &'a [u8],
    padding: Padding,
    /// The length of the message in bytes; after the call, that of the result.
    len: usize,
    error: Option<Error>,
}

impl<'a> MessageCall<'a> {
    #[inline(always)]
    pub(super) fn new(mode: AnyMode, iv: &'a [u8], padding: Padding, len: usize) -> Self {
        Self { mode, iv, padding, len, error: None }
    }

    /// The result.
    #[inline(always)]
    pub(super) fn result(self) -> Result<usize, Error> {
        match self.error {
            None => Ok(self.len),
            Some(error) => Err(error),
        }
    }

    #[inline(always)]
    fn set(&mut self, result: Result<usize, Error>) {
        match result {
            Ok(len) => self.len = len,
            Err(error) => self.error = Some(error),
        }
    }

    /// Whether it is whole blocks of AES without padding, the whole buffer, and not too long for any mode: no counter is shorter than 32
    /// bits. For other ciphers, what a [`Crypter`] takes is less than a block.
    #[inline(always)]
    fn is_whole<C: Cipher>(&self, buffer: &[u8]) -> bool {
        let len = self.len;
        matches!(C::EXTENSION, Extension::Aes)
            && self.padding == Padding::None
            && len == buffer.len()
            && len.is_multiple_of(C::Block::LEN)
            && u32::try_from(len).is_ok()
    }

    #[inline(always)]
    fn start<'k, C: Cipher, M: Mode, D: Direction>(
        &self,
        key: &'k Key<C>,
        mode: M,
    ) -> Result<Crypter<'k, C, M, D>, Error> {
        Ok(Crypter::new(key, mode, self.iv)?.padding(self.padding))
    }
}

/// A message in one call. It runs the same code as with its types written in the source.
struct InPlaceCall<'a, 'm, C, D> {
    key: &'a Key<C>,
    message: &'a mut MessageCall<'m>,
    buffer: &'a mut [u8],
    direction: PhantomData<D>,
}

impl<C: Cipher, D: Direction> ModeTask for InPlaceCall<'_, '_, C, D> {
    type Out = ();
    #[inline(always)]
    fn call<M: Mode>(self, mode: &M) {
        let Self { key, message, buffer, .. } = self;
        if !message.is_whole::<C>(buffer) {
            return in_place::<C, M, D>(key, message, buffer, *mode);
        }
        if let Err(error) = key.whole_message::<M, D>(*mode, message.iv, buffer) {
            message.error = Some(error);
        }
    }
}

#[inline(never)]
fn in_place<C: Cipher, M: Mode, D: Direction>(
    key: &Key<C>,
    message: &mut MessageCall<'_>,
    buffer: &mut [u8],
    mode: M,
) {
    let result = message.start::<C, M, D>(key, mode);
    message.set(result.and_then(|crypter| crypter.in_place(buffer, message.len)));
}

/// The same from one buffer to another.
struct BetweenCall<'a, 'm, C, D> {
    key: &'a Key<C>,
    message: &'a mut MessageCall<'m>,
    input: &'a [u8],
    output: &'a mut [u8],
    direction: PhantomData<D>,
}

impl<C: Cipher, D: Direction> ModeTask for BetweenCall<'_, '_, C, D> {
    type Out = ();
    #[inline(always)]
    fn call<M: Mode>(self, mode: &M) {
        between::<C, M, D>(self.key, self.message, self.input, self.output, *mode);
    }
}

#[inline(never)]
fn between<C: Cipher, M: Mode, D: Direction>(
    key: &Key<C>,
    message: &mut MessageCall<'_>,
    input: &[u8],
    output: &mut [u8],
    mode: M,
) {
    let result = message.start::<C, M, D>(key, mode);
    message.set(result.and_then(|crypter| crypter.between_whole(input, output)));
}

/// A message in one call, in place.
#[inline(always)]
fn run_in_place<C: Cipher, D: Direction>(
    key: &Key<C>,
    message: &mut MessageCall<'_>,
    buffer: &mut [u8],
) {
    let mode = message.mode;
    mode.dispatch(InPlaceCall { key, message, buffer, direction: PhantomData::<D> });
}

/// A message in one call, from one buffer to another.
#[inline(always)]
fn run_between<C: Cipher, D: Direction>(
    key: &Key<C>,
    message: &mut MessageCall<'_>,
    input: &[u8],
    output: &mut [u8],
) {
    let mode = message.mode;
    mode.dispatch(BetweenCall { key, message, input, output, direction: PhantomData::<D> });
}

impl<C: Cipher> ErasedKey for Key<C> {
    fn encrypt_in_place(&self, message: &mut MessageCall<'_>, buffer: &mut [u8]) {
        run_in_place::<C, Encrypt>(self, message, buffer);
    }
    fn decrypt_in_place(&self, message: &mut MessageCall<'_>, buffer: &mut [u8]) {
        run_in_place::<C, Decrypt>(self, message, buffer);
    }
    fn encrypt_between(&self, message: &mut MessageCall<'_>, input: &[u8], output: &mut [u8]) {
        run_between::<C, Encrypt>(self, message, input, output);
    }
    fn decrypt_between(&self, message: &mut MessageCall<'_>, input: &[u8], output: &mut [u8]) {
        run_between::<C, Decrypt>(self, message, input, output);
    }
    fn crypter<'k>(
        &'k self,
        way: Way,
        message: &MessageCall<'_>,
    ) -> Result<Box<dyn ErasedCrypter + 'k>, Error> {
        Ok(match way {
            Way::Encrypt => Box::new(message.start::<C, _, Encrypt>(self, message.mode)?),
            Way::Decrypt => Box::new(message.start::<C, _, Decrypt>(self, message.mode)?),
        })
    }
    fn cbc_encrypt_many(&self, messages: &mut [many::Message<'_>]) -> Option<Result<(), Error>> {
        if const { C::Block::LEN == 16 } { Some(self.cbc_encrypt_many(messages)) } else { None }
    }
}

/// The calls of [`Crypter`] without its type.
pub(super) trait ErasedCrypter: Send {
    fn output_len(&self, input: usize) -> usize;
    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error>;
    fn update_in_place(&mut self, data: &mut [u8]) -> Result<(), Error>;
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
    fn update_in_place(&mut self, data: &mut [u8]) -> Result<(), Error> {
        Crypter::update_in_place(self, data)
    }
    fn seek(&mut self, position: u128) -> Result<(), Error> {
        Crypter::seek(self, position)
    }
    fn finish(self: Box<Self>, output: &mut [u8]) -> Result<usize, Error> {
        Crypter::finish(*self, output)
    }
}
