//! CMAC (NIST SP 800-38B), also known as OMAC1, for every block size with a polynomial.

use crate::cipher::{Cipher, Key, KeyOptions, NewCipher, Wide, With, Work, xor, zero_tweak};
use crate::isa::{Backend, Isa, Sink, erase, opaque_count};
use crate::verdict::{checked_tag_len, has_len, verify};
use crate::{Block, Error};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A tag of one block for data of any length, computed by a block cipher. Serial.
///
/// The length of tags is a property of the key: [`Cmac::verify`] accepts whole tags only, unless [`Cmac::set_tag_len`] sets a
/// shorter length.
///
/// ```
/// use icefish::{mac::Cmac, ciphers::Aes128};
/// let cmac = Cmac::<Aes128>::new(&[7; 16])?;
/// let tag = cmac.tag(b"in one piece");
/// let mut mac = cmac.start();
/// mac.update(b"in one ");
/// mac.update(b"piece");
/// mac.verify(&tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Cmac<C: Cipher> {
    key: Key<C>,
    /// K1, for messages that end with a whole block.
    whole: C::Block,
    /// K2, for messages that do not.
    part: C::Block,
    /// Length of the tags that this key accepts.
    tag_len: usize,
}

/// x^(8 `block`) modulo the reduction polynomial. That is the lexicographically first of the irreducible polynomials with the
/// fewest terms. Section 5.3 of SP 800-38B names the first two. The others are in Seroussi, "Table of low-weight binary
/// irreducible polynomials" (HPL-98-135), and are those of Botan and Crypto++.
const fn polynomial(block: usize) -> u32 {
    match block {
        8 => 0x1b,
        16 => 0x87,
        32 => 0x425,
        64 => 0x125,
        128 => 0x8_0043,
        _ => panic!("CMAC has no polynomial for this block size"),
    }
}

/// Twice a big-endian element of GF(2^n), in constant time.
pub(crate) fn double<B: Block>(block: &B) -> B {
    let mut twice = *block;
    let mut carry = 0;
    for byte in twice.as_mut().iter_mut().rev() {
        (*byte, carry) = (*byte << 1 | carry, *byte >> 7);
    }
    let reduction = const { polynomial(B::LEN) } & 0u32.wrapping_sub(u32::from(carry));
    for (byte, r) in twice.as_mut()[B::LEN - 4..].iter_mut().zip(reduction.to_be_bytes()) {
        *byte ^= r;
    }
    twice
}

impl<C: NewCipher> Cmac<C> {
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
        made.set(key, options.tweak::<C>())?;
        // A clone and not a move: the original is dropped here, and so erased.
        Ok(made.clone())
    }

    /// Room for a key.
    pub(crate) fn blank(backend: Backend) -> Self {
        Self::around(Key::blank(backend))
    }

    /// Replaces the key in its place; see [`Key::set_key`].
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.set(key, const { zero_tweak(C::TWEAK) })
    }

    /// Replaces the key and the tweak.
    pub(crate) fn set(&mut self, key: &[u8], tweak: &[u8]) -> Result<(), Error> {
        self.key.set(key, tweak)?;
        self.derive();
        Ok(())
    }
}

impl<C: Cipher> Cmac<C> {
    /// Length of the shortest tag that [`Cmac::set_tag_len`] accepts, in bytes (SP 800-38B, appendix A.2).
    pub const SHORTEST_TAG: usize = 8;

    /// Makes a CMAC key from the key of a block cipher (SP 800-38B, section 6.1).
    pub fn from_key(key: Key<C>) -> Self {
        let mut made = Self::around(key);
        made.derive();
        made
    }

    /// Wraps a key. [`Cmac::derive`] fills in the subkeys.
    fn around(key: Key<C>) -> Self {
        let (whole, part) = (C::Block::zero(), C::Block::zero());
        Self { key, whole, part, tag_len: C::Block::LEN }
    }

    /// Derives K1 and K2.
    fn derive(&mut self) {
        let mut l = C::Block::zero();
        self.key.encrypt_block(&mut l);
        self.whole = double(&l);
        self.part = double(&self.whole);
        erase(l.as_mut());
    }

    /// The key of the block cipher.
    pub fn key(&self) -> &Key<C> {
        &self.key
    }

    /// Length in bytes of the tags that [`Cmac::verify`] accepts. The default is a block.
    pub fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// Makes this key accept only tags of `len` bytes. A shorter tag is the first bytes of a whole one.
    ///
    /// # Errors
    /// [`Error::TagLength`] if `len` is not between [`Cmac::SHORTEST_TAG`] and a block: nothing is changed.
    pub fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.tag_len = checked_tag_len::<C::Block>(len, Self::SHORTEST_TAG)?;
        Ok(())
    }

    /// Begins a message in pieces.
    #[inline]
    pub fn start(&self) -> Mac<'_, C> {
        let (chain, buffer) = (C::Block::zero(), C::Block::zero());
        Mac { cmac: self, chain, buffer, filled: 0 }
    }

    /// A message whose whole blocks before led to `chain`, and which goes on.
    pub(crate) fn start_from(&self, chain: C::Block) -> Mac<'_, C> {
        Mac { cmac: self, chain, buffer: C::Block::zero(), filled: 0 }
    }

    /// The whole tag of `data`.
    #[inline]
    pub fn tag(&self, data: &[u8]) -> C::Block {
        self.tag_from(C::Block::zero(), data)
    }

    /// Compares `tag` with the tag of `data` in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::TagLength`] if `tag` does not have [`Cmac::tag_len`] bytes.
    pub fn verify(&self, data: &[u8], tag: &[u8]) -> Result<(), Error> {
        has_len(tag, self.tag_len)?;
        verify(&self.tag(data).as_ref()[..self.tag_len], tag)
    }

    /// The last block of a message, padded and XORed with its subkey (SP 800-38B, section 6.2).
    #[inline(always)]
    pub(super) fn last(&self, last: &[u8]) -> C::Block {
        let (mut padded, subkey) = padded(last, self.subkeys());
        xor(padded.as_mut(), subkey.as_ref());
        padded
    }

    /// The tag of a message. `chain` is the chaining value after whole blocks of it; `data` is the rest. `data` may be empty only
    /// if nothing came before.
    #[inline(always)]
    pub(super) fn tag_from(&self, mut chain: C::Block, data: &[u8]) -> C::Block {
        let last = RemainingBlocks { chain: &mut chain, data, subkeys: self.subkeys() };
        self.key.backend().run(With(self.key.cipher(), last));
        chain
    }

    /// K1 and K2, which a tag needs in addition to the cipher.
    #[inline(always)]
    pub(crate) fn subkeys(&self) -> [&C::Block; 2] {
        [&self.whole, &self.part]
    }
}

/// [`Cmac::tag_from`] within a task.
#[inline(always)]
pub(crate) fn tag_within<C: Cipher, S: Isa>(
    isa: S,
    cipher: &C,
    subkeys: [&C::Block; 2],
    mut chain: C::Block,
    data: &[u8],
) -> C::Block {
    let last = RemainingBlocks { chain: &mut chain, data, subkeys };
    if C::is_short::<S>() {
        last.call(isa, cipher)
    } else {
        isa.run(With(cipher, last))
    }
    chain
}

impl<C: Cipher> Drop for Cmac<C> {
    fn drop(&mut self) {
        self.whole.zeroize();
        self.part.zeroize();
    }
}

impl<C: Cipher + ZeroizeOnDrop> ZeroizeOnDrop for Cmac<C> {}

impl<C: Cipher> fmt::Debug for Cmac<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cmac").field("key", &self.key).finish_non_exhaustive()
    }
}

/// A message in pieces; see [`Cmac::start`].
///
/// ```
/// use icefish::{ciphers::Aes128, mac::Cmac};
/// let cmac = Cmac::<Aes128>::new(&[7; 16])?;
/// let tag = cmac.tag(b"in pieces");
/// let mut message = cmac.start();
/// message.update(b"in ");
/// message.update(b"pieces");
/// message.verify(&tag)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Mac<'k, C: Cipher> {
    cmac: &'k Cmac<C>,
    chain: C::Block,
    /// The last bytes, up to a whole block. Their subkey is known only at the end.
    buffer: C::Block,
    filled: usize,
}

impl<C: Cipher> Mac<'_, C> {
    /// Takes the next bytes of the message.
    pub fn update(&mut self, data: &[u8]) {
        let block = C::Block::LEN;
        let room = (block - self.filled).min(data.len());
        let (head, rest) = data.split_at(room);
        self.buffer.as_mut()[self.filled..self.filled + room].copy_from_slice(head);
        self.filled += room;
        if rest.is_empty() {
            return;
        }
        let (whole, tail) = rest.split_at((rest.len() - 1) / block * block);
        let (key, buffer) = (&self.cmac.key, self.buffer);
        let blocks = EarlierBlocks { chain: &mut self.chain, first: buffer.as_ref(), data: whole };
        key.backend().run(With(key.cipher(), blocks));
        self.buffer.as_mut()[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
    }

    /// Whether no byte was taken.
    pub(crate) fn is_empty(&self) -> bool {
        self.filled == 0
    }

    /// The whole tag.
    pub fn finish(self) -> C::Block {
        self.cmac.tag_from(self.chain, &self.buffer.as_ref()[..self.filled])
    }

    /// Compares `tag` with the tag of the message in constant time.
    ///
    /// # Errors
    /// [`Error::Forged`]; [`Error::TagLength`] if `tag` does not have [`Cmac::tag_len`] bytes.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        let len = self.cmac.tag_len;
        has_len(tag, len)?;
        verify(&self.finish().as_ref()[..len], tag)
    }
}

impl<C: Cipher> Clone for Mac<'_, C> {
    fn clone(&self) -> Self {
        let &Self { cmac, chain, buffer, filled } = self;
        Self { cmac, chain, buffer, filled }
    }
}

impl<C: Cipher> Drop for Mac<'_, C> {
    fn drop(&mut self) {
        self.chain.zeroize();
        self.buffer.zeroize();
    }
}

impl<C: Cipher> ZeroizeOnDrop for Mac<'_, C> {}

impl<C: Cipher> fmt::Debug for Mac<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mac").field("cmac", self.cmac).finish_non_exhaustive()
    }
}

/// CBC without output over whole blocks. Each block is XORed in by the last step of the cipher for the block before.
#[inline(always)]
fn chained<C: Cipher, S: Isa>(isa: S, cipher: &C, chain: C::One<S>, data: &[u8]) -> C::One<S> {
    let len = C::Block::LEN;
    if data.len() < len {
        return chain;
    }
    let zero = C::One::<S>::load(isa, C::Block::zero().as_ref());
    let mut state = cipher.whiten(isa, C::One::<S>::load(isa, &data[..len])).xor(isa, chain);
    let mut at = len;
    loop {
        let inner = cipher.middle(isa, state);
        if at == data.len() {
            return cipher.finish(isa, inner, zero);
        }
        let next = cipher.whiten(isa, C::One::<S>::load(isa, &data[at..at + len]));
        state = cipher.finish(isa, inner, next);
        at += len;
    }
}

/// Pads the last bytes of a message, at most a block, and selects their subkey.
#[inline(always)]
fn padded<'k, B: Block>(last: &[u8], [whole, part]: [&'k B; 2]) -> (B, &'k B) {
    if last.len() == B::LEN {
        return (B::take(last), whole);
    }
    let mut padded = B::zero();
    padded.as_mut()[..last.len()].copy_from_slice(last);
    padded.as_mut()[last.len()] = 0x80;
    (padded, part)
}

/// Blocks before the last one: `first` and those of `data`.
struct EarlierBlocks<'a, B> {
    chain: &'a mut B,
    first: &'a [u8],
    data: &'a [u8],
}

impl<B: Block> Work<B> for EarlierBlocks<'_, B> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        let (parts, mut chain) =
            ([self.first, self.data], C::One::<S>::load(isa, self.chain.as_ref()));
        // Not unrolled: the cipher is compiled into it.
        for i in 0..opaque_count(2).min(2) {
            chain = chained(isa, cipher, chain, parts[i]);
        }
        chain.store(isa, Sink::new(self.chain.as_mut()));
    }
}

/// All remaining blocks, with the last one.
struct RemainingBlocks<'a, B> {
    chain: &'a mut B,
    data: &'a [u8],
    subkeys: [&'a B; 2],
}

impl<B: Block> Work<B> for RemainingBlocks<'_, B> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        let block = B::LEN;
        let Self { chain, data, subkeys } = self;
        let (mut data, last) = data.split_at(data.len().saturating_sub(1) / block * block);
        if !C::is_short::<S>() && !data.is_empty() {
            // A call, because the cipher is compiled into it. The last block is not: many messages have no other.
            isa.run(With(cipher, EarlierBlocks { chain, first: &[], data }));
            data = &[];
        }
        cipher.held(isa, LastBlocks { chain, data, last, subkeys });
    }
}

/// The last block, and whole blocks before it.
struct LastBlocks<'a, B> {
    chain: &'a mut B,
    data: &'a [u8],
    last: &'a [u8],
    subkeys: [&'a B; 2],
}

impl<B: Block> Work<B> for LastBlocks<'_, B> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        let chain = C::One::<S>::load(isa, self.chain.as_ref());
        let chain = chained(isa, cipher, chain, self.data);
        let (padded, subkey) = padded(self.last, self.subkeys);
        let last = C::One::<S>::load(isa, padded.as_ref());
        let subkey = C::One::<S>::load(isa, subkey.as_ref());
        // As in a chain: this form of the cipher is inlined.
        let last = cipher.whiten(isa, chain.xor(isa, last).xor(isa, subkey));
        let zero = C::One::<S>::load(isa, B::zero().as_ref());
        let mut chain = cipher.finish(isa, cipher.middle(isa, last), zero);
        chain.store(isa, Sink::new(self.chain.as_mut()));
    }
}
