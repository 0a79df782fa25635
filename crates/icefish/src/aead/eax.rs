//! EAX (Bellare, Rogaway and Wagner, "The EAX Mode of Operation", FSE 2004).

mod pieces;

pub use self::pieces::EaxPieces;
use super::Aead;
use crate::cipher::{Cipher, Key, KeyOptions, NewCipher, Wide, With, Work};
use crate::isa::{Backend, InOut, Isa, Sink};
use crate::mac::cmac::{Cmac, tag_within};
use crate::modes::Ctr;
use crate::verdict::{checked_tag_len, has_len, release};
use crate::{Block, Error};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Counter mode and three CMACs, for every block size that CMAC has a polynomial for. CMAC makes it serial.
///
/// Nonces have any length. A nonce must not be used twice under one key: that reveals the XOR of the messages, and allows
/// forgeries. Tags have the length of a block; a key can be set to shorter ones, down to 8 bytes. The tag is verified before
/// anything is decrypted.
///
/// ```
/// use icefish::{aead::{Aead, Eax}, ciphers::Threefish256};
/// let eax = Eax::<Threefish256>::new(&[7; 32])?;
/// let mut data = *b"attack at dawn";
/// let tag = eax.seal_in_place(&[1; 16], b"to: all", &mut data)?;
/// eax.open_in_place(&[1; 16], b"to: all", &mut data, &tag)?;
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Eax<C: Cipher> {
    mac: Cmac<C>,
    prefixes: [Prefix<C::Block>; 3],
    /// Length of the tags that this key accepts.
    tag_len: usize,
}

/// A CMAC after its first block, which tells the authenticated parts apart: 0, 1 or 2.
#[derive(Clone, Copy)]
struct Prefix<B> {
    /// The chaining value, if data follows.
    begun: B,
    /// The tag, if no data follows.
    alone: B,
}

/// The authenticated parts, by the number of their prefix.
#[derive(Clone, Copy)]
enum Part {
    Nonce,
    Associated,
    Data,
}

impl<C: NewCipher> Eax<C> {
    /// A key on the best backend. If the cipher has a tweak, it is zero.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key)
    }

    /// A key on the given backend, with a tweak if there is one in `options`.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::TweakLength`].
    pub fn on<'t>(options: impl Into<KeyOptions<'t>>, key: &[u8]) -> Result<Self, Error> {
        let options = options.into();
        let mut made = Self::blank(options.backend);
        made.mac.set(key, options.tweak::<C>())?;
        made.derive();
        // A clone and not a move: the original is dropped here, and so erased.
        Ok(made.clone())
    }

    /// Room for a key.
    pub(crate) fn blank(backend: Backend) -> Self {
        Self::around(Cmac::blank(backend))
    }

    /// Replaces the key in its place; see [`Key::set_key`].
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.mac.set_key(key)?;
        self.derive();
        Ok(())
    }
}

impl<C: Cipher> Eax<C> {
    /// Makes an EAX key from the key of a block cipher.
    pub fn from_key(key: Key<C>) -> Self {
        let mut made = Self::around(Cmac::from_key(key));
        made.derive();
        made
    }

    /// Wraps a CMAC. [`Eax::derive`] fills in the prefixes.
    fn around(mac: Cmac<C>) -> Self {
        let zero = C::Block::zero();
        let prefixes = [Prefix { begun: zero, alone: zero }; 3];
        Self { mac, prefixes, tag_len: C::Block::LEN }
    }

    fn derive(&mut self) {
        for (part, prefix) in (0u8..).zip(&mut self.prefixes) {
            prefix.begun = C::Block::zero();
            prefix.begun.as_mut()[C::Block::LEN - 1] = part;
            prefix.alone = self.mac.tag(prefix.begun.as_ref());
            self.mac.key().encrypt_block(&mut prefix.begun);
        }
    }

    /// The key of the block cipher.
    pub fn key(&self) -> &Key<C> {
        self.mac.key()
    }

    /// Encrypts a message to seal; a message to open is only authenticated. Returns the tag of the nonce, which is the first
    /// counter block, and the tag of the message.
    #[inline(always)]
    fn run<const SEAL: bool>(
        &self,
        nonce: &[u8],
        associated: &[u8],
        io: InOut<'_>,
    ) -> [C::Block; 2] {
        let (subkeys, prefixes) = (self.mac.subkeys(), &self.prefixes);
        let message = EaxMessage::<_, SEAL> { subkeys, prefixes, nonce, associated, io };
        self.key().backend().run(With(self.key().cipher(), message))
    }
}

impl<C: Cipher> Aead for Eax<C> {
    type Tag = C::Block;
    const NONCE: usize = C::Block::LEN;
    const SHORTEST_TAG: usize = 8;

    #[inline(always)]
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.tag_len = checked_tag_len::<C::Block>(len, Self::SHORTEST_TAG)?;
        Ok(())
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<C::Block, Error> {
        let [_, tag] = self.run::<true>(nonce, associated, io);
        Ok(tag)
    }

    #[inline(always)]
    fn open(
        &self,
        nonce: &[u8],
        associated: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        has_len(tag, self.tag_len)?;
        let [first, expected] = self.run::<false>(nonce, associated, io.reborrow());
        release(&expected.as_ref()[..self.tag_len], tag, io.output())?;
        self.key().backend().run(With(self.key().cipher(), VerifiedCtr { first, io }));
        Ok(())
    }
}

/// The plaintext of a message to seal, or the ciphertext of one to open.
struct EaxMessage<'a, B, const SEAL: bool> {
    subkeys: [&'a B; 2],
    prefixes: &'a [Prefix<B>; 3],
    nonce: &'a [u8],
    associated: &'a [u8],
    io: InOut<'a>,
}

impl<B: Block, const SEAL: bool> EaxMessage<'_, B, SEAL> {
    #[inline(always)]
    fn tag<C: Cipher<Block = B>, S: Isa>(&self, isa: S, cipher: &C, part: Part, data: &[u8]) -> B {
        let prefix = &self.prefixes[part as usize];
        if data.is_empty() {
            prefix.alone
        } else {
            tag_within(isa, cipher, self.subkeys, prefix.begun, data)
        }
    }
}

impl<B: Block, const SEAL: bool> Work<B> for EaxMessage<'_, B, SEAL> {
    type Out = [B; 2];
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(mut self, isa: S, cipher: &C) -> [B; 2] {
        let mut io = core::mem::replace(&mut self.io, InOut::in_place(&mut [])).apart();
        let first = self.tag(isa, cipher, Part::Nonce, self.nonce);
        if SEAL {
            Ctr::BE.message_from_secret(isa, cipher, first, 0, io.reborrow());
        }
        let data = if SEAL { io.output() } else { io.input() };
        let data = self.tag(isa, cipher, Part::Data, data);
        let associated = self.tag(isa, cipher, Part::Associated, self.associated);
        let mut tag = B::zero();
        C::One::<S>::load(isa, first.as_ref())
            .xor(isa, C::One::<S>::load(isa, associated.as_ref()))
            .xor(isa, C::One::<S>::load(isa, data.as_ref()))
            .store(isa, Sink::new(tag.as_mut()));
        [first, tag]
    }
}

/// The counter mode of a message whose tag was verified.
struct VerifiedCtr<'a, B> {
    first: B,
    io: InOut<'a>,
}

impl<B: Block> Work<B> for VerifiedCtr<'_, B> {
    type Out = ();
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        Ctr::BE.message_from_secret(isa, cipher, self.first, 0, self.io.apart());
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

impl<C: Cipher + ZeroizeOnDrop> ZeroizeOnDrop for Eax<C> {}

impl<C: Cipher> fmt::Debug for Eax<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Eax").field("mac", &self.mac).finish_non_exhaustive()
    }
}
