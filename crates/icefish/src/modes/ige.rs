//! Infinite garble extension (Campbell, "Design and Specification of Cryptographic Capabilities",
//! 1978; Laurie, "OpenSSL's Implementation of Infinite Garble Extension", 2006).

use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Key, Wide, With, Work};
use crate::isa::{InOut, Isa, Sink};
use crate::{Block, Error};
use core::fmt;
use core::marker::PhantomData;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A message of whole blocks. Each block is XORed with the previous ciphertext before the cipher and with the previous plaintext
/// after it. Both directions are serial. For protocols that require it, such as Telegram's.
///
/// The IV has two blocks, in OpenSSL's order: the ciphertext before the first block, then the plaintext before it. Each call
/// continues the message.
///
/// ```
/// use icefish::{Key, ciphers::Aes256};
/// let key = Key::<Aes256>::new(&[7; 32])?;
/// let mut data = [5; 64];
/// key.ige_encryptor(&[1; 32])?.update_in_place(&mut data)?;
/// key.ige_decryptor(&[1; 32])?.update_in_place(&mut data)?;
/// assert_eq!(data, [5; 64]);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Ige<'k, C: Cipher, D: Direction> {
    key: &'k Key<C>,
    /// The block that is XORed before the cipher: the previous output.
    inner: C::Block,
    /// The block that is XORed after it: the previous input.
    outer: C::Block,
    direction: PhantomData<D>,
}

impl<C: Cipher> Key<C> {
    /// Begins a message to encrypt in IGE, with an IV of two blocks.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn ige_encryptor(&self, iv: &[u8]) -> Result<Ige<'_, C, Encrypt>, Error> {
        Ige::new(self, iv)
    }

    /// Begins a message to decrypt in IGE, with an IV of two blocks.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn ige_decryptor(&self, iv: &[u8]) -> Result<Ige<'_, C, Decrypt>, Error> {
        Ige::new(self, iv)
    }
}

impl<'k, C: Cipher, D: Direction> Ige<'k, C, D> {
    fn new(key: &'k Key<C>, iv: &[u8]) -> Result<Self, Error> {
        let block = C::Block::LEN;
        if iv.len() != 2 * block {
            return Err(Error::IvLength { got: iv.len(), need: 2 * block });
        }
        let (ciphertext, plaintext) = iv.split_at(block);
        let (inner, outer) =
            if D::ENCRYPT { (ciphertext, plaintext) } else { (plaintext, ciphertext) };
        let (inner, outer) = (C::Block::take(inner), C::Block::take(outer));
        Ok(Self { key, inner, outer, direction: PhantomData })
    }

    /// Encrypts or decrypts the next blocks in place.
    ///
    /// # Errors
    /// [`Error::PartialBlock`]: the state is unchanged.
    pub fn update_in_place(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.run(InOut::in_place(data))
    }

    /// Encrypts or decrypts the next blocks from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::PartialBlock`], [`Error::BufferLength`]: the state is unchanged.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.run(InOut::between(input, output)?)
    }

    fn run(&mut self, io: InOut<'_>) -> Result<(), Error> {
        if !io.len().is_multiple_of(C::Block::LEN) {
            return Err(Error::PartialBlock { got: io.len(), block: C::Block::LEN });
        }
        let Self { key, inner, outer, direction } = self;
        let direction = *direction;
        key.backend().run(With(key.cipher(), IgeBlocks { inner, outer, io, direction }));
        Ok(())
    }
}

impl<C: Cipher, D: Direction> Drop for Ige<'_, C, D> {
    fn drop(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

impl<C: Cipher, D: Direction> ZeroizeOnDrop for Ige<'_, C, D> {}

impl<C: Cipher, D: Direction> fmt::Debug for Ige<'_, C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ige").field("key", self.key).finish_non_exhaustive()
    }
}

/// The same loop for both directions: the previous output is XORed before the cipher, the previous input after it.
struct IgeBlocks<'a, B, D> {
    inner: &'a mut B,
    outer: &'a mut B,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<B: Block, D: Direction> Work<B> for IgeBlocks<'_, B, D> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(mut self, isa: S, cipher: &C) {
        let mut inner = C::One::<S>::load(isa, self.inner.as_ref());
        let mut outer = C::One::<S>::load(isa, self.outer.as_ref());
        let len = B::LEN;
        let mut at = 0;
        while at < self.io.len() {
            let input = C::One::<S>::load(isa, &self.io.input()[at..at + len]);
            inner = cipher.one::<S, D>(isa, input.xor(isa, inner)).xor(isa, outer);
            outer = input;
            inner.store(isa, self.io.sink(at, len));
            at += len;
        }
        inner.store(isa, Sink::new(self.inner.as_mut()));
        outer.store(isa, Sink::new(self.outer.as_mut()));
    }
}
