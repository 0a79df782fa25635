//! Galois/counter mode (NIST SP 800-38D).

use super::aead::Aead;
use super::cmac::compare;
use super::polyval::{Ghash, Powers};
use super::{Chain, Ctr, Mode, encrypt_one};
use crate::Error;
use crate::cipher::{self, Cipher, Encrypt, Key, NewCipher, Pass, Wide, Xor};
use crate::isa::{Backend, Endian, InOut, Isa, Polynomials, Task};
use core::fmt;

/// AES-GCM and its like: counter mode and a polynomial over the ciphertext, parallel both ways.
///
/// Nonces of 12 bytes are the usual ones; others, of 1 byte or more, are hashed first. Tags have 16
/// bytes; down to 12 are accepted (SP 800-38D, section 5.2.1.2). A nonce that is used twice gives away
/// the authentication key.
///
/// ```
/// use icefish::{ciphers::Aes256, modes::{Aead, Gcm}};
/// let gcm = Gcm::<Aes256>::new(&[7; 32])?;
/// let mut data = *b"attack at dawn";
/// let tag = gcm.seal_in_place(&[1; 12], b"to: all", &mut data)?;
/// gcm.open_in_place(&[1; 12], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Gcm<C> {
    key: Key<C>,
    powers: Powers,
}

impl<C: NewCipher<Block = [u8; 16]>> Gcm<C> {
    /// A key on the best backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_key(Key::new(key)?))
    }

    /// A key on the backend of your choice.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn on(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_key(Key::on(backend, key)?))
    }
}

impl<C: Cipher<Block = [u8; 16]>> Gcm<C> {
    /// Most bytes of data under one nonce: 2^32 - 2 blocks (SP 800-38D, section 5.2.1.1).
    pub const MAX_DATA: u64 = (1 << 36) - 32;

    /// From the key of a block cipher.
    pub fn from_key(key: Key<C>) -> Self {
        let powers = key.backend().run(Setup { cipher: key.cipher() });
        Self { key, powers }
    }

    /// The key of the block cipher.
    pub fn key(&self) -> &Key<C> {
        &self.key
    }

    #[inline]
    fn run<const SEAL: bool>(
        &self,
        nonce: &[u8],
        associated: &[u8],
        io: InOut<'_>,
    ) -> Result<[u8; 16], Error> {
        if nonce.is_empty() {
            return Err(Error::IvLength { got: 0, need: Self::NONCE });
        }
        if io.len() as u64 > Self::MAX_DATA {
            return Err(Error::TooLong { most: Self::MAX_DATA });
        }
        let (cipher, powers) = (self.key.cipher(), &self.powers);
        let message = Message::<C, SEAL> { cipher, powers, nonce, associated, io };
        Ok(self.key.backend().run(message))
    }
}

impl<C: Cipher<Block = [u8; 16]>> Aead for Gcm<C> {
    type Tag = [u8; 16];
    const NONCE: usize = 12;
    const SHORTEST_TAG: usize = 12;

    #[inline]
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<[u8; 16], Error> {
        self.run::<true>(nonce, associated, io)
    }

    #[inline]
    fn open(
        &self,
        nonce: &[u8],
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        if !(Self::SHORTEST_TAG..=16).contains(&tag.len()) {
            return Err(Error::TagLength { got: tag.len(), least: Self::SHORTEST_TAG, most: 16 });
        }
        let expected = self.run::<false>(nonce, associated, io.reborrow())?;
        let verdict = compare(&expected, tag, Self::SHORTEST_TAG);
        if verdict.is_err() {
            io.output().fill(0);
        }
        verdict
    }
}

impl<C> fmt::Debug for Gcm<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gcm").field("key", &self.key).finish_non_exhaustive()
    }
}

/// The hash key, a zero block encrypted, and its powers.
struct Setup<'a, C> {
    cipher: &'a C,
}

impl<C: Cipher<Block = [u8; 16]>> Task for Setup<'_, C> {
    type Out = Powers;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> Powers {
        Powers::ghash(isa, &encrypt_one(isa, self.cipher, &[0; 16]))
    }
}

/// Whole blocks through the counter mode, and their ciphertext through the hash.
struct GcmPass<'a, 'b, const SEAL: bool> {
    io: InOut<'a>,
    template: [u8; 16],
    low: u64,
    powers: &'b Powers,
    sum: &'b mut [u8; 16],
    /// How many bytes of `io` were hashed.
    hashed: usize,
}

impl<const SEAL: bool> GcmPass<'_, '_, SEAL> {
    /// Hashes as many blocks as are worth a reduction, of what is ciphertext up to `end`.
    #[inline(always)]
    fn hash<S: Isa>(&mut self, isa: S, end: usize) {
        let most = 16 * S::Poly::SUM;
        if SEAL {
            while end - self.hashed >= most {
                let (from, to) = (self.hashed, self.hashed + most);
                self.powers.blocks::<S, Ghash>(isa, self.sum, &self.io.output()[from..to]);
                self.hashed = to;
            }
            return;
        }
        while end > self.hashed {
            let to = self.io.len().min(self.hashed + most);
            self.powers.blocks::<S, Ghash>(isa, self.sum, &self.io.input()[self.hashed..to]);
            self.hashed = to;
        }
    }
}

impl<const SEAL: bool> Pass for GcmPass<'_, '_, SEAL> {
    const BACKWARD: bool = false;

    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        if !SEAL {
            self.hash(isa, 16 * (at + count));
        }
        W::counters(isa, &self.template, Endian::Big, self.low.wrapping_add(at as u64))
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let (at, len) = (16 * at, 16 * count);
        cipher::store::<S, W, [u8; 16]>(isa, blocks, &mut self.io, at, len, Xor::Input(at));
        if SEAL {
            self.hash(isa, at + len);
        }
    }
}

/// [`GcmPass`] as a call of its own; hashes what the pass left.
struct Blocks<'a, 'b, C, const SEAL: bool> {
    cipher: &'a C,
    pass: GcmPass<'a, 'b, SEAL>,
}

impl<C: Cipher<Block = [u8; 16]>, const SEAL: bool> Task for Blocks<'_, '_, C, SEAL> {
    type Out = ();
    const VAES: bool = C::VAES;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        let blocks = self.pass.io.len() / 16;
        self.cipher.many::<S, Encrypt, _>(isa, &mut self.pass, blocks);
        let GcmPass { mut io, powers, sum, hashed, .. } = self.pass;
        if SEAL {
            powers.blocks::<S, Ghash>(isa, sum, &io.output()[hashed..]);
        }
    }
}

/// GHASH of what is not data, as a call of its own.
struct Hash<'a> {
    powers: &'a Powers,
    data: &'a [u8],
}

impl Task for Hash<'_> {
    type Out = [u8; 16];
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        let mut sum = [0; 16];
        self.powers.padded::<S, Ghash>(isa, &mut sum, self.data);
        sum
    }
}

/// A message; the result is its whole tag.
struct Message<'a, C, const SEAL: bool> {
    cipher: &'a C,
    powers: &'a Powers,
    nonce: &'a [u8],
    associated: &'a [u8],
    io: InOut<'a>,
}

impl<C: Cipher<Block = [u8; 16]>, const SEAL: bool> Message<'_, C, SEAL> {
    /// The counter block before the first (SP 800-38D, section 7.1, step 2).
    #[inline(always)]
    fn first<S: Isa>(&self, isa: S) -> [u8; 16] {
        if self.nonce.len() == 12 {
            let mut block = [0; 16];
            block[..12].copy_from_slice(self.nonce);
            block[15] = 1;
            return block;
        }
        let mut block = isa.run(Hash { powers: self.powers, data: self.nonce });
        let lengths = (8 * self.nonce.len() as u128).to_be_bytes();
        self.powers.blocks::<S, Ghash>(isa, &mut block, &lengths);
        block.reverse();
        block
    }
}

impl<C: Cipher<Block = [u8; 16]>, const SEAL: bool> Task for Message<'_, C, SEAL> {
    type Out = [u8; 16];
    const VAES: bool = C::VAES;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        let (cipher, powers) = (self.cipher, self.powers);
        let first = self.first(isa);
        let mut sum = [0; 16];
        if !self.associated.is_empty() {
            sum = isa.run(Hash { powers, data: self.associated });
        }
        let lengths = ((8 * self.associated.len() as u128) << 64) | (8 * self.io.len() as u128);

        let mut index = 1;
        let (mut io, mut tail) = {
            let mid = self.io.len() / 16 * 16;
            self.io.split_at(mid)
        };
        while !io.is_empty() {
            let (template, low) = Ctr::BE32.counter(&first, index);
            let run = (io.len() as u64 / 16).min(Ctr::BE32.until_wrap::<[u8; 16]>(low));
            let (now, rest) = io.split_at(16 * run as usize);
            let pass = GcmPass { io: now, template, low, powers, sum: &mut sum, hashed: 0 };
            isa.run(Blocks::<C, SEAL> { cipher, pass });
            index += u128::from(run);
            io = rest;
        }
        // The last part of a block, then the lengths, in one sum.
        let (mut room, mut at) = ([0; 64], 0);
        if !tail.is_empty() {
            let pad = Ctr::BE32.pad(isa, cipher, &mut Chain { block: first, index });
            let block = &mut room[..tail.len()];
            block.copy_from_slice(tail.input());
            tail.xor_bytes(0, &pad[..block.len()]);
            if SEAL {
                block.copy_from_slice(tail.output());
            }
            at = 16;
        }
        room[at..at + 16].copy_from_slice(&lengths.to_be_bytes());
        powers.group::<S, Ghash>(isa, &mut sum, &room, at / 16 + 1);
        let mask = encrypt_one(isa, cipher, &first);
        (u128::from_le_bytes(sum).swap_bytes() ^ u128::from_le_bytes(mask)).to_le_bytes()
    }
}
