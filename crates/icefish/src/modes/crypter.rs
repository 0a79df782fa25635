//! Messages of any length, in one call or in pieces.

mod bytes;
mod pieces;

use super::chain::{Position, initial};
use super::{Granularity, Mode, Padding};
use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Key};
use crate::isa::{Backend, InOut, erase};
#[cfg(feature = "alloc")]
use crate::to_vec;
use crate::{Block, Error};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use bytes::{MessageBlocks, MessageBytes, Start};
use core::fmt;
use core::marker::PhantomData;
pub(crate) use pieces::ended;
use zeroize::ZeroizeOnDrop;

/// A message that is encrypted.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::{Ctr, Encryptor}};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let (mut message, mut out): (Encryptor<'_, _, _>, _) = (key.encryptor(Ctr::BE, &[1; 16])?, [0; 5]);
/// message.update(b"bytes", &mut out)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Encryptor<'k, C, M> = Crypter<'k, C, M, Encrypt>;
/// A message that is decrypted.
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::{Ctr, Decryptor}};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let (mut message, mut out): (Decryptor<'_, _, _>, _) = (key.decryptor(Ctr::BE, &[1; 16])?, [0; 5]);
/// message.update(b"bytes", &mut out)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Decryptor<'k, C, M> = Crypter<'k, C, M, Decrypt>;

/// A message in progress: a key, a mode and a direction. It borrows the key, so a message costs an IV and no key schedule.
///
/// A message in one call: [`Crypter::in_place`], [`Crypter::between`], or `to_vec` with the feature `alloc`. A message in pieces:
/// any number of calls of [`Crypter::update`], then [`Crypter::finish`].
///
/// ```
/// use icefish::{Key, ciphers::Aes128, modes::Cbc};
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut buffer = [0; 32]; // 14 bytes of data, and room for the padding
/// buffer[..14].copy_from_slice(b"attack at dawn");
/// let len = key.encryptor(Cbc, &[1; 16])?.in_place(&mut buffer, 14)?;
/// assert_eq!(len, 16);
/// let len = key.decryptor(Cbc, &[1; 16])?.in_place(&mut buffer, len)?;
/// assert_eq!(&buffer[..len], b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Crypter<'k, C: Cipher, M: Mode, D: Direction> {
    key: &'k Key<C>,
    mode: M,
    padding: Padding,
    state: State<C::Block>,
    direction: PhantomData<D>,
}

/// The state of a message between pieces.
struct State<B: Block> {
    position: Position<B>,
    /// Block modes: the bytes of an incomplete block. Stream modes: the keystream of a block that is partly used.
    buffer: B,
    /// How many bytes of `buffer` are pending, or used.
    filled: usize,
}

impl<C: Cipher> Key<C> {
    /// Begins a message to encrypt, with PKCS#7 padding if the mode needs a padding.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline]
    pub fn encryptor<M: Mode>(&self, mode: M, iv: &[u8]) -> Result<Encryptor<'_, C, M>, Error> {
        Crypter::new(self, mode, iv)
    }

    /// Begins a message to decrypt, with PKCS#7 padding if the mode needs a padding.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline]
    pub fn decryptor<M: Mode>(&self, mode: M, iv: &[u8]) -> Result<Decryptor<'_, C, M>, Error> {
        Crypter::new(self, mode, iv)
    }
}

impl<C: Cipher> Key<C> {
    /// Encrypts a whole message in place, without padding. This is the fastest call for short messages.
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

    #[inline(always)]
    fn message<M: Mode, D: Direction>(
        &self,
        mode: M,
        iv: &[u8],
        data: &mut [u8],
    ) -> Result<(), Error> {
        let (len, block) = (data.len(), C::Block::LEN);
        // Where a block is inlined, one block is tested for first: it passes the other tests.
        let one = Backend::INLINES && len == block;
        if !one && (!len.is_multiple_of(block) || (len / block) as u128 > mode.limit(block)) {
            // The path of whole blocks is then without a jump.
            core::hint::cold_path();
            return self.other_message::<M, D>(mode, iv, data);
        }
        self.whole_message::<M, D>(mode, iv, data)
    }

    /// A message of whole blocks, no more than the mode allows, without padding. It needs no [`Crypter`], which takes as long as a block
    /// of AES.
    #[inline(always)]
    pub(crate) fn whole_message<M: Mode, D: Direction>(
        &self,
        mode: M,
        iv: &[u8],
        data: &mut [u8],
    ) -> Result<(), Error> {
        let io = InOut::in_place(data);
        if Start::<C::Block>::messages::<C>() {
            let mut room = C::Block::zero();
            let start = Start::Message(initial(mode, iv, &mut room)?, ());
            mode.run(MessageBlocks { key: self, start, io, direction: PhantomData::<D> });
        } else {
            let mut position = Position::new(mode, iv)?;
            let start = Start::Piece(&mut position, ());
            mode.run(MessageBlocks { key: self, start, io, direction: PhantomData::<D> });
        }
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
    /// Begins a message, with PKCS#7 padding if the mode needs a padding.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    #[inline]
    pub fn new(key: &'k Key<C>, mode: M, iv: &[u8]) -> Result<Self, Error> {
        let state =
            State { position: Position::new(mode, iv)?, buffer: C::Block::zero(), filled: 0 };
        Ok(Self { key, mode, padding: Padding::Pkcs7, state, direction: PhantomData })
    }

    /// Sets another padding. Stream modes need none and ignore it.
    #[must_use]
    #[inline]
    pub fn padding(mut self, padding: Padding) -> Self {
        self.padding = padding;
        self
    }

    /// An upper bound on what [`Crypter::update`] and [`Crypter::finish`] write for `input` more bytes.
    pub fn output_len(&self, input: usize) -> usize {
        match self.mode.granularity() {
            Granularity::Block => {
                self.state.filled.saturating_add(input).saturating_add(C::Block::LEN)
            }
            Granularity::Stream | Granularity::Byte => input,
        }
    }

    /// Encrypts or decrypts the whole message in place: the first `len` bytes of `buffer`. Returns the new length. For encryption
    /// with a padding, `buffer` must have room for the padding.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::PartialBlock`], [`Error::Padding`], [`Error::PaddingBlock`],
    /// [`Error::CounterExhausted`], [`Error::TooLong`]. The content of the buffer is then unspecified.
    #[inline]
    pub fn in_place(mut self, buffer: &mut [u8], len: usize) -> Result<usize, Error> {
        let got = buffer.len();
        let whole = if D::ENCRYPT { self.padded_len(len)? } else { len };
        if whole > got || len > got {
            return Err(Error::BufferLength { got, need: whole.max(len) });
        }
        if self.mode.granularity() != Granularity::Block {
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

    /// Encrypts or decrypts the whole message from `input` to `output`, which may be longer. Returns the length of the output.
    /// For decryption, `output` needs room for the data alone, not for the padding.
    ///
    /// # Errors
    /// As [`Crypter::in_place`]. The content of `output` is then unspecified.
    #[inline]
    pub fn between(self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        if !D::ENCRYPT && output.len() < input.len() {
            return self.without_padding(input, output);
        }
        self.between_whole(input, output)
    }

    /// Encrypts or decrypts the whole message `input`, and returns it in a new vector, with the padding added or removed.
    ///
    /// ```
    /// use icefish::{Key, ciphers::Aes128, modes::Cbc};
    /// let key = Key::<Aes128>::new(&[7; 16])?;
    /// let encrypted = key.encryptor(Cbc, &[1; 16])?.to_vec(b"attack at dawn")?;
    /// assert_eq!(encrypted.len(), 16);
    /// assert_eq!(key.decryptor(Cbc, &[1; 16])?.to_vec(&encrypted)?, b"attack at dawn");
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Crypter::in_place`], without [`Error::BufferLength`].
    #[cfg(feature = "alloc")]
    pub fn to_vec(self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let len = if D::ENCRYPT { self.padded_len(input.len())? } else { input.len() };
        to_vec::written(len, |output| self.between_whole(input, output))
    }

    /// Decryption to an `output` that has no room for the padding.
    #[cold]
    #[inline(never)]
    fn without_padding(mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        let written = self.update(input, output)?;
        ended(written, self.finish(&mut output[written..]))
    }

    /// [`Crypter::between`], but an `output` shorter than `input` is an error in decryption too.
    #[inline]
    pub(crate) fn between_whole(mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        if self.mode.granularity() != Granularity::Block {
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
            self.state.position.index += (full / C::Block::LEN) as u128;
            let last = &mut output[full..whole];
            last[..input.len() - full].copy_from_slice(&input[full..]);
            self.padding.fill(last, input.len() - full);
            self.run(InOut::in_place(last));
        }
        self.unpadded_len(&output[..whole])
    }

    fn padded_len(&self, len: usize) -> Result<usize, Error> {
        match self.mode.granularity() {
            Granularity::Block => self.padding.padded_len(len, C::Block::LEN),
            Granularity::Stream | Granularity::Byte => Ok(len),
        }
    }

    /// Checks that `whole`, the length with the padding, is whole blocks, and at least one in decryption of padded data. The
    /// padding must fit the block size. `len` is the length that the error gives.
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

    /// Inlined, as [`Crypter::stream`] is. A call would store `io` by two narrow stores and load it by one wide load, which
    /// cannot be forwarded and stalls.
    #[inline(always)]
    fn run(&mut self, io: InOut<'_>) {
        let (key, state) = (self.key, &mut self.state);
        self.mode.run(MessageBytes { key, state, io, direction: PhantomData::<D> });
    }

    #[inline(always)]
    pub(super) fn stream(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let begun = if self.state.filled > 0 { C::Block::LEN - self.state.filled } else { 0 };
        let blocks = io.len().saturating_sub(begun).div_ceil(C::Block::LEN) as u128;
        if self.state.position.index.saturating_add(blocks) > self.mode.limit(C::Block::LEN) {
            return Err(Error::CounterExhausted);
        }
        self.run(io);
        Ok(())
    }
}

impl<B: Block> Drop for State<B> {
    fn drop(&mut self) {
        erase(self.buffer.as_mut());
    }
}

/// It owns the chaining value and the pending bytes. The key is borrowed.
impl<C: Cipher, M: Mode, D: Direction> ZeroizeOnDrop for Crypter<'_, C, M, D> {}

impl<C: Cipher, M: Mode, D: Direction> fmt::Debug for Crypter<'_, C, M, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crypter").field("key", self.key).finish_non_exhaustive()
    }
}
