//! Messages: bytes of any number, in one call or many.

mod bytes;

use super::{Chain, Grain, Mode, Padding};
use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Key};
use crate::isa::{InOut, erase};
use crate::{Block, Error};
use bytes::{Blocks, Bytes};
use core::fmt;
use core::marker::PhantomData;
use zeroize::ZeroizeOnDrop;

/// A message that is being encrypted.
pub type Encryptor<'k, C, M> = Crypter<'k, C, M, Encrypt>;
/// A message that is being decrypted.
pub type Decryptor<'k, C, M> = Crypter<'k, C, M, Decrypt>;

/// A message on its way through a cipher and a mode. Borrows the key: a message costs an IV.
///
/// For a message in one call, [`Crypter::in_place`] and [`Crypter::between`]; for a stream,
/// [`Crypter::update`] as often as you like and [`Crypter::finish`].
pub struct Crypter<'k, C: Cipher, M: Mode, D: Direction> {
    key: &'k Key<C>,
    mode: M,
    padding: Padding,
    state: State<C::Block>,
    direction: PhantomData<D>,
}

/// What changes while a message is on its way.
struct State<B: Block> {
    chain: Chain<B>,
    /// Block modes: input that waits for the rest of its block. Stream modes: the keystream of a block
    /// of which a part is used up.
    buffer: B,
    /// How many bytes of `buffer` wait, or are used up.
    filled: usize,
}

impl<C: Cipher> Key<C> {
    /// A message to encrypt, with PKCS#7 padding where the mode needs one.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline]
    pub fn encryptor<M: Mode>(&self, mode: M, iv: &[u8]) -> Result<Encryptor<'_, C, M>, Error> {
        Crypter::new(self, mode, iv)
    }

    /// A message to decrypt, with PKCS#7 padding where the mode needs one.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline]
    pub fn decryptor<M: Mode>(&self, mode: M, iv: &[u8]) -> Result<Decryptor<'_, C, M>, Error> {
        Crypter::new(self, mode, iv)
    }
}

impl<C: Cipher> Key<C> {
    /// Encrypts a whole message in place, without padding: the call for short messages.
    ///
    /// # Errors
    /// [`Error::IvLength`]; as [`Crypter::in_place`].
    #[inline]
    pub fn encrypt<M: Mode>(&self, mode: M, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.message::<M, Encrypt>(mode, iv, data)
    }

    /// Decrypts a whole message in place, without padding.
    ///
    /// # Errors
    /// As [`Key::encrypt`].
    #[inline]
    pub fn decrypt<M: Mode>(&self, mode: M, iv: &[u8], data: &mut [u8]) -> Result<(), Error> {
        self.message::<M, Decrypt>(mode, iv, data)
    }

    /// Whole blocks need no [`Crypter`], which costs as much as a block of AES.
    #[inline(always)]
    fn message<M: Mode, D: Direction>(
        &self,
        mode: M,
        iv: &[u8],
        data: &mut [u8],
    ) -> Result<(), Error> {
        let blocks = data.len() / C::Block::LEN;
        if !data.len().is_multiple_of(C::Block::LEN) || blocks as u128 > mode.limit(C::Block::LEN) {
            return self.other_message::<M, D>(mode, iv, data);
        }
        let mut chain = mode.start(iv)?;
        let (chain, io) = (&mut chain, InOut::in_place(data));
        mode.run(Blocks { key: self, chain, io, direction: PhantomData::<D> });
        Ok(())
    }

    #[inline(never)]
    fn other_message<M: Mode, D: Direction>(
        &self,
        mode: M,
        iv: &[u8],
        data: &mut [u8],
    ) -> Result<(), Error> {
        let len = data.len();
        let message = Crypter::<C, M, D>::new(self, mode, iv)?;
        message.padding(Padding::None).in_place(data, len).map(|_| ())
    }
}

impl<'k, C: Cipher, M: Mode, D: Direction> Crypter<'k, C, M, D> {
    /// A message, with PKCS#7 padding where the mode needs one.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline]
    pub fn new(key: &'k Key<C>, mode: M, iv: &[u8]) -> Result<Self, Error> {
        let state = State { chain: mode.start(iv)?, buffer: C::Block::zero(), filled: 0 };
        Ok(Self { key, mode, padding: Padding::Pkcs7, state, direction: PhantomData })
    }

    /// The same message with another padding. Stream modes need none and ignore it.
    #[must_use]
    #[inline]
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// Most bytes that [`Crypter::update`] and [`Crypter::finish`] write for `input` bytes more.
    pub fn output_len(&self, input: usize) -> usize {
        match self.mode.grain() {
            Grain::Block => self.state.filled.saturating_add(input).saturating_add(C::Block::LEN),
            Grain::Stream | Grain::Byte => input,
        }
    }

    /// Takes the whole message, the first `len` bytes of `buffer`, in place; returns its new length.
    /// To encrypt with a padding, `buffer` must have room for it.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::PartialBlock`], [`Error::Padding`], [`Error::PaddingBlock`],
    /// [`Error::CounterExhausted`], [`Error::TooLong`]. The buffer is then not the message any more.
    #[inline]
    pub fn in_place(mut self, buffer: &mut [u8], len: usize) -> Result<usize, Error> {
        let got = buffer.len();
        let whole = if D::ENCRYPT { self.padded_len(len)? } else { len };
        if whole > got || len > got {
            return Err(Error::BufferLength { got, need: whole.max(len) });
        }
        if self.mode.grain() != Grain::Block {
            self.stream(InOut::in_place(&mut buffer[..len]))?;
            return Ok(len);
        }
        self.whole_blocks(len, whole)?;
        if D::ENCRYPT && whole > len {
            let last = (whole - 1) / C::Block::LEN * C::Block::LEN;
            self.padding.fill(&mut buffer[last..whole], len - last);
        }
        self.run(InOut::in_place(&mut buffer[..whole]));
        self.unpadded_len(&buffer[..whole])
    }

    /// Takes the whole message from `input` to `output`, which may be longer; returns its new length.
    ///
    /// # Errors
    /// As [`Crypter::in_place`]. The output is then not a message.
    #[inline]
    pub fn between(mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        if self.mode.grain() != Grain::Block {
            let got = output.len();
            let output = output
                .get_mut(..input.len())
                .ok_or(Error::BufferLength { got, need: input.len() })?;
            self.stream(InOut::between(input, output)?)?;
            return Ok(input.len());
        }
        let whole = if D::ENCRYPT { self.padded_len(input.len())? } else { input.len() };
        self.whole_blocks(input.len(), whole)?;
        if whole > output.len() {
            return Err(Error::BufferLength { got: output.len(), need: whole });
        }
        let full = input.len() / C::Block::LEN * C::Block::LEN;
        self.run(InOut::between(&input[..full], &mut output[..full])?);
        if D::ENCRYPT && whole > full {
            let last = &mut output[full..whole];
            last[..input.len() - full].copy_from_slice(&input[full..]);
            self.padding.fill(last, input.len() - full);
            self.run(InOut::in_place(last));
        }
        self.unpadded_len(&output[..whole])
    }

    /// Takes the next bytes of the message; returns how many were written, at most
    /// [`Crypter::output_len`] and, for stream modes, as many as were read.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::CounterExhausted`]: nothing was taken.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        if self.mode.grain() != Grain::Block {
            let got = output.len();
            let output = output
                .get_mut(..input.len())
                .ok_or(Error::BufferLength { got, need: input.len() })?;
            self.stream(InOut::between(input, output)?)?;
            return Ok(input.len());
        }
        let block = C::Block::LEN;
        let total = self.state.filled + input.len();
        // The last block of what is to be decrypted may be padded: it waits for `finish`.
        let holds = !D::ENCRYPT && self.padding != Padding::None;
        let whole = if holds { total.saturating_sub(1) } else { total } / block * block;
        if whole > output.len() {
            return Err(Error::BufferLength { got: output.len(), need: whole });
        }
        let mut input = input;
        let mut written = 0;
        if self.state.filled > 0 && whole > 0 {
            let (head, rest) = input.split_at(block - self.state.filled);
            self.state.buffer.as_mut()[self.state.filled..].copy_from_slice(head);
            let mut first = self.state.buffer;
            self.state.filled = 0;
            self.run(InOut::in_place(first.as_mut()));
            output[..block].copy_from_slice(first.as_ref());
            erase(first.as_mut());
            (input, written) = (rest, block);
        }
        let (now, rest) = input.split_at(whole - written);
        if !now.is_empty() {
            self.run(InOut::between(now, &mut output[written..whole])?);
        }
        self.state.buffer.as_mut()[self.state.filled..self.state.filled + rest.len()]
            .copy_from_slice(rest);
        self.state.filled += rest.len();
        self.state.chain.index += (whole / block) as u128;
        Ok(whole)
    }

    /// The same for stream modes, in place.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if the mode works on whole blocks and the data is not, or other data
    /// waits; [`Error::CounterExhausted`].
    pub fn update_in_place(&mut self, data: &mut [u8]) -> Result<(), Error> {
        if self.mode.grain() != Grain::Block {
            return self.stream(InOut::in_place(data));
        }
        if self.state.filled > 0 || !data.len().is_multiple_of(C::Block::LEN) {
            return Err(Error::PartialBlock {
                got: self.state.filled + data.len(),
                block: C::Block::LEN,
            });
        }
        self.state.chain.index += (data.len() / C::Block::LEN) as u128;
        self.run(InOut::in_place(data));
        Ok(())
    }

    /// Ends the message: writes what waits, padded or unpadded, and returns how much that is, at most
    /// a block.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::PartialBlock`], [`Error::Padding`], [`Error::PaddingBlock`].
    pub fn finish(mut self, output: &mut [u8]) -> Result<usize, Error> {
        if self.mode.grain() != Grain::Block {
            return Ok(0);
        }
        let whole =
            if D::ENCRYPT { self.padded_len(self.state.filled) } else { Ok(self.state.filled) };
        let whole =
            whole.and_then(|whole| self.whole_blocks(self.state.filled, whole).map(|()| whole));
        let before = (self.state.chain.index as usize).saturating_mul(C::Block::LEN);
        let whole = whole.map_err(|e| match e {
            // Of the whole message, not of what waits.
            Error::PartialBlock { got, block } => {
                Error::PartialBlock { got: before.saturating_add(got), block }
            }
            e => e,
        })?;
        let mut block = self.state.buffer;
        if D::ENCRYPT && whole > self.state.filled {
            self.padding.fill(block.as_mut(), self.state.filled);
        }
        self.state.filled = 0;
        self.run(InOut::in_place(&mut block.as_mut()[..whole]));
        let len = self.unpadded_len(&block.as_ref()[..whole]).and_then(|len| {
            let got = output.len();
            let room = output.get_mut(..len).ok_or(Error::BufferLength { got, need: len })?;
            room.copy_from_slice(&block.as_ref()[..len]);
            Ok(len)
        });
        erase(block.as_mut());
        len
    }

    fn padded_len(&self, len: usize) -> Result<usize, Error> {
        match self.mode.grain() {
            Grain::Block => self.padding.padded_len(len, C::Block::LEN),
            Grain::Stream | Grain::Byte => Ok(len),
        }
    }

    /// What is to be decrypted must be whole blocks, and at least one if it is padded; the padding must suit them.
    fn whole_blocks(&self, len: usize, whole: usize) -> Result<(), Error> {
        self.padding.fits(C::Block::LEN)?;
        let padded = !matches!(self.padding, Padding::None | Padding::Zero);
        if !whole.is_multiple_of(C::Block::LEN) || (!D::ENCRYPT && padded && whole == 0) {
            return Err(Error::PartialBlock { got: len, block: C::Block::LEN });
        }
        Ok(())
    }

    fn unpadded_len(&self, message: &[u8]) -> Result<usize, Error> {
        if D::ENCRYPT || self.padding == Padding::None || message.is_empty() {
            return Ok(message.len());
        }
        let last = message.len() - C::Block::LEN;
        Ok(last + self.padding.data_len(&message[last..])?)
    }

    /// Inlined, as [`Crypter::stream`] is: as a call, it would read `io` in one piece that was just written in two, for
    /// which the CPU waits until all that went before is done.
    #[inline(always)]
    fn run(&mut self, io: InOut<'_>) {
        let (key, state) = (self.key, &mut self.state);
        self.mode.run(Bytes { key, state, io, direction: PhantomData::<D> });
    }

    #[inline(always)]
    pub(super) fn stream(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let begun = if self.state.filled > 0 { C::Block::LEN - self.state.filled } else { 0 };
        let blocks = io.len().saturating_sub(begun).div_ceil(C::Block::LEN) as u128;
        if self.state.chain.index.saturating_add(blocks) > self.mode.limit(C::Block::LEN) {
            return Err(Error::CounterExhausted);
        }
        self.run(io);
        Ok(())
    }
}

impl<C: Cipher, M: Mode, D: Direction> Crypter<'_, C, M, D> {
    /// Goes to byte `position` of the message: counter modes only.
    ///
    /// # Errors
    /// [`Error::NotSeekable`]; [`Error::CounterExhausted`] if the counter does not reach so far.
    pub fn seek(&mut self, position: u128) -> Result<(), Error> {
        let block = C::Block::LEN as u128;
        if !self.mode.seekable() {
            return Err(Error::NotSeekable);
        }
        if position / block >= self.mode.limit(C::Block::LEN) {
            return Err(Error::CounterExhausted);
        }
        self.state.chain.index = position / block;
        self.state.filled = 0;
        let mut skipped = C::Block::zero();
        let there =
            self.stream(InOut::in_place(&mut skipped.as_mut()[..(position % block) as usize]));
        // Now it is a part of the keystream.
        erase(skipped.as_mut());
        there
    }
}

impl<B: Block> Drop for State<B> {
    fn drop(&mut self) {
        erase(self.buffer.as_mut());
    }
}

/// What it owns: the chain and what waits in its buffer. The key is borrowed.
impl<C: Cipher, M: Mode, D: Direction> ZeroizeOnDrop for Crypter<'_, C, M, D> {}

impl<C: Cipher, M: Mode, D: Direction> fmt::Debug for Crypter<'_, C, M, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crypter").field("key", self.key).finish_non_exhaustive()
    }
}
