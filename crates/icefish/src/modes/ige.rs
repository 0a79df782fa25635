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
/// use icefish::{Key, ciphers::Aes256, modes::Ige};
/// let key = Key::<Aes256>::new(&[7; 32])?;
/// let mut data = [5; 64];
/// Ige::new(&key, &[1; 32])?.encrypt(&mut data)?;
/// Ige::new(&key, &[1; 32])?.decrypt(&mut data)?;
/// assert_eq!(data, [5; 64]);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Ige<'k, C: Cipher> {
    key: &'k Key<C>,
    ciphertext: C::Block,
    plaintext: C::Block,
}

impl<'k, C: Cipher> Ige<'k, C> {
    /// Begins a message with an IV of two blocks.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn new(key: &'k Key<C>, iv: &[u8]) -> Result<Self, Error> {
        let block = C::Block::LEN;
        if iv.len() != 2 * block {
            return Err(Error::IvLength { got: iv.len(), need: 2 * block });
        }
        let (ciphertext, plaintext) = (C::Block::take(iv), C::Block::take(&iv[block..]));
        Ok(Self { key, ciphertext, plaintext })
    }

    /// Encrypts the next blocks in place.
    ///
    /// # Errors
    /// [`Error::PartialBlock`]: the state is unchanged.
    pub fn encrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.run::<Encrypt>(InOut::in_place(data))
    }

    /// Decrypts the next blocks in place.
    ///
    /// # Errors
    /// [`Error::PartialBlock`]: the state is unchanged.
    pub fn decrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.run::<Decrypt>(InOut::in_place(data))
    }

    /// Encrypts the next blocks from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::PartialBlock`], [`Error::BufferLength`]: the state is unchanged.
    pub fn encrypt_between(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.run::<Encrypt>(InOut::between(input, output)?)
    }

    /// Decrypts the next blocks from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// [`Error::PartialBlock`], [`Error::BufferLength`]: the state is unchanged.
    pub fn decrypt_between(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.run::<Decrypt>(InOut::between(input, output)?)
    }

    fn run<D: Direction>(&mut self, io: InOut<'_>) -> Result<(), Error> {
        if !io.len().is_multiple_of(C::Block::LEN) {
            return Err(Error::PartialBlock { got: io.len(), block: C::Block::LEN });
        }
        // `inner` is XORed before the cipher, `outer` after it.
        let (inner, outer) = if D::ENCRYPT {
            (&mut self.ciphertext, &mut self.plaintext)
        } else {
            (&mut self.plaintext, &mut self.ciphertext)
        };
        let direction = PhantomData::<D>;
        self.key.backend().run(With(self.key.cipher(), Blocks { inner, outer, io, direction }));
        Ok(())
    }
}

impl<C: Cipher> Drop for Ige<'_, C> {
    fn drop(&mut self) {
        self.ciphertext.zeroize();
        self.plaintext.zeroize();
    }
}

impl<C: Cipher> ZeroizeOnDrop for Ige<'_, C> {}

impl<C: Cipher> fmt::Debug for Ige<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ige").field("key", self.key).finish_non_exhaustive()
    }
}

/// The same loop for both directions: the previous output is XORed before the cipher, the previous input after it.
struct Blocks<'a, B, D> {
    inner: &'a mut B,
    outer: &'a mut B,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<B: Block, D: Direction> Work<B> for Blocks<'_, B, D> {
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
