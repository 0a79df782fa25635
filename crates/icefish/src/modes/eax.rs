//! EAX (Bellare, Rogaway and Wagner, "The EAX Mode of Operation", FSE 2004).

use super::aead::Aead;
use super::cmac::{Cmac, compare};
use super::{Crypter, Ctr};
use crate::cipher::{Cipher, Encrypt, Key, NewCipher};
use crate::isa::{Backend, InOut};
use crate::{Block, Error};
use core::fmt;
use zeroize::Zeroize;

/// Counter mode and three CMACs, for every block size; CMAC makes it serial.
///
/// Nonces are of any length, tags have a block, and down to 8 bytes are accepted. The tag is compared
/// before anything is decrypted.
pub struct Eax<C: Cipher> {
    mac: Cmac<C>,
    prefixes: [Prefix<C::Block>; 3],
}

/// A CMAC that has seen the block that says what is authenticated: 0, 1 or 2.
#[derive(Clone, Copy)]
struct Prefix<B> {
    /// Its chain, if something follows.
    begun: B,
    /// Its tag, if not.
    alone: B,
}

/// What is authenticated: the number of its prefix.
#[derive(Clone, Copy)]
enum Part {
    Nonce,
    Associated,
    Data,
}

impl<C: NewCipher> Eax<C> {
    /// A key on the best backend; a tweak, where the cipher has one, is zero.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_key(Key::new(key)?))
    }

    /// A key on the backend of your choice; a tweak is zero.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn on(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_key(Key::on(backend, key)?))
    }
}

impl<C: Cipher> Eax<C> {
    /// From the key of a block cipher.
    pub fn from_key(key: Key<C>) -> Self {
        let mac = Cmac::from_key(key);
        let zero = C::Block::zero();
        let mut prefixes = [Prefix { begun: zero, alone: zero }; 3];
        for (part, prefix) in (0u8..).zip(&mut prefixes) {
            prefix.begun.as_mut()[C::Block::LEN - 1] = part;
            prefix.alone = mac.tag(prefix.begun.as_ref());
            mac.key().encrypt_block(&mut prefix.begun);
        }
        Self { mac, prefixes }
    }

    /// The key of the block cipher.
    pub fn key(&self) -> &Key<C> {
        self.mac.key()
    }

    #[inline(always)]
    fn tag(&self, part: Part, data: &[u8]) -> C::Block {
        let prefix = &self.prefixes[part as usize];
        if data.is_empty() { prefix.alone } else { self.mac.tag_from(prefix.begun, data) }
    }

    #[inline(always)]
    fn count(&self, first: &C::Block, io: InOut<'_>) -> Result<(), Error> {
        Crypter::<_, _, Encrypt>::new(self.key(), Ctr::BE, first.as_ref())?.stream(io)
    }
}

/// The sum of three blocks.
#[inline(always)]
fn sum<B: Block>(mut a: B, b: B, c: B) -> B {
    for (i, byte) in a.as_mut().iter_mut().enumerate() {
        *byte ^= b.as_ref()[i] ^ c.as_ref()[i];
    }
    a
}

impl<C: Cipher> Aead for Eax<C> {
    type Tag = C::Block;
    const NONCE: usize = C::Block::LEN;
    const SHORTEST_TAG: usize = 8;

    #[inline(always)]
    fn seal(&self, nonce: &[u8], associated: &[u8], mut io: InOut<'_>) -> Result<C::Block, Error> {
        let first = self.tag(Part::Nonce, nonce);
        self.count(&first, io.reborrow())?;
        let data = self.tag(Part::Data, io.output());
        Ok(sum(first, self.tag(Part::Associated, associated), data))
    }

    #[inline(always)]
    fn open(
        &self,
        nonce: &[u8],
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let first = self.tag(Part::Nonce, nonce);
        let data = self.tag(Part::Data, io.input());
        let expected = sum(first, self.tag(Part::Associated, associated), data);
        match compare(&expected, tag, Self::SHORTEST_TAG) {
            Ok(()) => self.count(&first, io),
            Err(Error::Forged) => {
                io.output().fill(0);
                Err(Error::Forged)
            }
            refused => refused,
        }
    }
}

impl<C: Cipher> Drop for Eax<C> {
    fn drop(&mut self) {
        for prefix in &mut self.prefixes {
            prefix.begun.zeroize();
            prefix.alone.zeroize();
        }
    }
}

impl<C: Cipher> fmt::Debug for Eax<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eax").field("mac", &self.mac).finish_non_exhaustive()
    }
}
