//! Galois/counter mode (NIST SP 800-38D).

use super::aead::{Aead, checked_tag_len, compare, has_len};
use super::polyval::{Ghash, Group, Hash, Last, Powers};
use super::{Ctr, encrypt_one};
use crate::cipher::{self, Cipher, Encrypt, Key, Many, NewCipher, Pass, Wide, Xor};
use crate::isa::{Backend, Endian, Gain, InOut, Isa, Polynomials, Sink, Task, erase};
use crate::{Block, Error};
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// AES-GCM and its like: counter mode and a polynomial over the ciphertext, parallel both ways.
///
/// Nonces of 12 bytes are the usual ones; others, of 1 byte or more, are hashed first. Tags have 16
/// bytes; a key can be made to take shorter ones, down to 12 (SP 800-38D, section 5.2.1.2). A nonce that is used twice
/// gives away the authentication key.
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
#[derive(Clone)]
pub struct Gcm<C> {
    key: Key<C>,
    powers: Powers,
    /// Length of the tags that are accepted.
    tag_len: usize,
}

impl<C: NewCipher<Block = [u8; 16]>> Gcm<C> {
    /// A key on the best backend.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::on(Backend::best(), key)
    }

    /// A key on the backend of your choice.
    ///
    /// # Errors
    /// [`Error::KeyLength`].
    pub fn on(backend: Backend, key: &[u8]) -> Result<Self, Error> {
        let mut made = Self::blank(backend);
        made.set_key(key)?;
        // Not a move: what is cloned is dropped here, and so erased.
        Ok(made.clone())
    }

    /// The place of a key.
    pub(crate) fn blank(backend: Backend) -> Self {
        Self { key: Key::blank(backend), powers: Powers::blank(), tag_len: 16 }
    }

    /// Another key in the place of this one, made where it stays; see [`Key::set_key`].
    ///
    /// # Errors
    /// [`Error::KeyLength`]: nothing was changed.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        self.key.set_key(key)?;
        self.derive();
        Ok(())
    }
}

impl<C: Cipher<Block = [u8; 16]>> Gcm<C> {
    /// Most bytes of data under one nonce: 2^32 - 2 blocks (SP 800-38D, section 5.2.1.1).
    pub const MAX_DATA: u64 = (1 << 36) - 32;

    /// From the key of a block cipher.
    pub fn from_key(key: Key<C>) -> Self {
        let mut made = Self { key, powers: Powers::blank(), tag_len: 16 };
        made.derive();
        made
    }

    /// The powers of the hash key.
    fn derive(&mut self) {
        let (cipher, powers) = (self.key.cipher(), &mut self.powers);
        self.key.backend().run(Setup { cipher, powers });
    }

    /// The key of the block cipher.
    pub fn key(&self) -> &Key<C> {
        &self.key
    }

    #[inline(always)]
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

    #[inline(always)]
    fn tag_len(&self) -> usize {
        self.tag_len
    }

    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        self.tag_len = checked_tag_len::<[u8; 16]>(len, Self::SHORTEST_TAG)?;
        Ok(())
    }

    #[inline(always)]
    fn seal(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>) -> Result<[u8; 16], Error> {
        self.run::<true>(nonce, associated, io)
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
        let expected = self.run::<false>(nonce, associated, io.reborrow())?;
        let verdict = compare(&expected, tag, self.tag_len);
        if verdict.is_err() {
            io.output().fill(0);
        }
        verdict
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for Gcm<C> {}

impl<C> fmt::Debug for Gcm<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gcm").field("key", &self.key).finish_non_exhaustive()
    }
}

/// The hash key, a zero block encrypted, and its powers.
struct Setup<'a, C> {
    cipher: &'a C,
    powers: &'a mut Powers,
}

impl<C: Cipher<Block = [u8; 16]>> Task for Setup<'_, C> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut h = encrypt_one(isa, self.cipher, &[0; 16]);
        self.powers.ghash(isa, &h);
        erase(&mut h);
    }
}

/// Whole blocks through the counter mode, and as much of their ciphertext through the hash as fills
/// the registers of both.
struct GcmPass<'a, 'b, const SEAL: bool> {
    io: InOut<'a>,
    template: [u8; 16],
    low: u64,
    powers: &'b Powers,
    sum: &'b mut [u8; 16],
    /// How many bytes of `io` were hashed.
    hashed: &'b mut usize,
}

impl<const SEAL: bool> GcmPass<'_, '_, SEAL> {
    /// Hashes the ciphertext before byte `end`, as far as it is whole groups.
    #[inline(always)]
    fn hash<S: Isa>(&mut self, isa: S, end: usize) {
        while *self.hashed + 16 * S::Poly::SUM <= end {
            let data = if SEAL { &*self.io.output() } else { self.io.input() };
            self.powers.group::<S, Ghash>(isa, self.sum, &data[*self.hashed..]);
            *self.hashed += 16 * S::Poly::SUM;
        }
    }
}

impl<const SEAL: bool> Pass for GcmPass<'_, '_, SEAL> {
    const BACKWARD: bool = false;
    const BUSY: bool = true;
    type Beside<S: Isa> = Group<S::Poly>;

    /// A group of ciphertext: to open, that of this batch; to seal, one of those before.
    #[inline(always)]
    fn beside<S: Isa, W: Wide<S>>(
        &mut self,
        isa: S,
        at: usize,
        count: usize,
    ) -> Option<Group<S::Poly>> {
        let end = 16 * if SEAL { at } else { at + count };
        let fits = Group::<S::Poly>::fits::<S>(Self::STEPS) && count == S::Poly::SUM;
        (fits && *self.hashed + 16 * S::Poly::SUM <= end).then(|| Group::new(isa))
    }
    #[inline(always)]
    fn step<S: Isa>(&mut self, isa: S, work: &mut Group<S::Poly>, step: usize) {
        let group = *self.hashed..*self.hashed + 16 * S::Poly::SUM;
        let data = if SEAL { &self.io.output()[group] } else { &self.io.input()[group] };
        work.step::<S, Ghash>(isa, self.powers, self.sum, data, step);
        if step + 1 == Self::STEPS {
            *self.hashed += 16 * S::Poly::SUM;
        }
    }
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, _: usize) -> W {
        W::counters(isa, &self.template, Endian::Big, self.low.wrapping_add(at as u64))
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let (from, len) = (16 * at, 16 * count);
        let groups = W::BLOCKS.is_multiple_of(S::Poly::SUM);
        if !SEAL && *self.hashed < from + len {
            if groups && count == W::BLOCKS {
                self.hash(isa, from + len);
            } else {
                // In place, the rest is not there any more when the pass is through.
                let data = &self.io.input()[*self.hashed..];
                *self.sum = isa.run(Hash::<Ghash>::padded(self.powers, *self.sum, data));
                *self.hashed = self.io.len();
            }
        }
        cipher::store::<S, W, [u8; 16]>(isa, blocks, &mut self.io, from, len, Xor::Input(from));
        // The batches before, not this one, whose data is not there yet.
        if SEAL && groups {
            self.hash(isa, from);
        }
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

/// The counter block before the first (SP 800-38D, section 7.1, step 2).
#[inline(always)]
fn counter_block<S: Isa>(isa: S, powers: &Powers, nonce: &[u8]) -> [u8; 16] {
    if nonce.len() == 12 {
        // In words, which the compiler joins in registers; a copy of 12 bytes would be read back before it is done.
        let head = u64::from_le_bytes(<[u8; 8]>::take(nonce));
        let rest = u32::from_le_bytes(<[u8; 4]>::take(&nonce[8..]));
        return (u128::from(1u8) << 120 | u128::from(rest) << 64 | u128::from(head)).to_le_bytes();
    }
    let mut block = isa.run(Hash::<Ghash>::padded(powers, [0; 16], nonce));
    let bits = (8 * nonce.len() as u128).to_be_bytes();
    block = isa.run(Hash::<Ghash>::padded(powers, block, &bits));
    block.reverse();
    block
}

/// Part of a block through the counter mode; the ciphertext is what it was before or becomes.
#[inline(always)]
fn part<const SEAL: bool>(mut io: InOut<'_>, pad: &[u8; 16], last: &mut Last) {
    let len = io.len();
    if !SEAL {
        last.push(io.input());
    }
    io.xor_bytes(0, &pad[..len]);
    if SEAL {
        last.push(io.output());
    }
}

/// The tag of a message of one block, without a call: those would take longer than what they do.
#[inline(always)]
fn one_block<C: Cipher<Block = [u8; 16]>, S: Isa, const SEAL: bool>(
    isa: S,
    cipher: &C,
    powers: &Powers,
    first: &[u8; 16],
    sum: &[u8; 16],
    bits: u128,
    mut io: InOut<'_>,
) -> [u8; 16] {
    let mut room = [0; 16];
    let (template, low) = Ctr::BE32.counter(first, 1, &mut room);
    let counter = C::One::<S>::counters(isa, template, Endian::Big, low);
    let [mut mask, mut pad] = cipher.side_by_side(isa, [C::One::<S>::load(isa, first), counter]);
    let mut ciphertext = <[u8; 16]>::take(io.input());
    pad.store(isa, io.sink_xor_input(0, 16, 0));
    if SEAL {
        ciphertext = <[u8; 16]>::take(io.output());
    }
    let mut tag = [0; 16];
    mask.store(isa, Sink::new(&mut tag));
    let sum = powers.block_and_lengths::<S, Ghash>(isa, sum, &ciphertext, bits);
    sum.reverse_bytes().xor(S::PolyOne::first(isa, &tag)).sum()
}

impl<C: Cipher<Block = [u8; 16]>, const SEAL: bool> Task for Message<'_, C, SEAL> {
    type Out = [u8; 16];
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        if self.nonce.len() != 12 {
            return isa.run(HashedNonce(self));
        }
        let (cipher, powers) = (self.cipher, self.powers);
        let first = counter_block(isa, powers, self.nonce);
        let mut sum = [0; 16];
        if !self.associated.is_empty() {
            sum = isa.run(Hash::<Ghash>::padded(powers, sum, self.associated));
        }
        let bits = ((8 * self.associated.len() as u128) << 64) | (8 * self.io.len() as u128);
        let io = self.io.apart();
        if C::is_short::<S>() && io.len() == 16 {
            return one_block::<C, S, SEAL>(isa, cipher, powers, &first, &sum, bits, io);
        }
        let mask = encrypt_one(isa, cipher, &first);
        let blocks = io.len() / 16;
        let (mut io, tail) = io.split_at(16 * blocks);

        // What ends the hash: the ciphertext of a last part of a block, and the lengths.
        let mut last = Last::default();
        if !tail.is_empty() {
            let counter = Ctr::BE32.block(&first, 1 + blocks as u128);
            part::<SEAL>(tail, &encrypt_one(isa, cipher, &counter), &mut last);
        }
        last.push(&bits.to_be_bytes());
        // Opening a message of less than a group: all of the hash at once, and first.
        let early = !SEAL && blocks < S::Poly::SUM;
        if early {
            sum = Hash::<Ghash>::end(isa, powers, sum, io.input(), &mut last);
        }
        let mut index = 1;
        while !io.is_empty() {
            let mut room = [0; 16];
            let (template, low) = Ctr::BE32.counter(&first, index, &mut room);
            let run = (io.len() as u64 / 16).min(Ctr::BE32.until_wrap::<[u8; 16]>(low));
            let (mut now, rest) = io.split_at(16 * run as usize);
            let mut hashed = if early { now.len() } else { 0 };
            let pass = GcmPass::<SEAL> {
                io: now.reborrow(),
                template: *template,
                low,
                powers,
                sum: &mut sum,
                hashed: &mut hashed,
            };
            isa.run(Many::<_, _, Encrypt>::new(cipher, pass, run as usize));
            (index, io) = (index + u128::from(run), rest);
            let mut none = Last::default();
            let last = if io.is_empty() { &mut last } else { &mut none };
            sum = Hash::<Ghash>::end(isa, powers, sum, &now.output()[hashed..], last);
        }
        sum = Hash::<Ghash>::end(isa, powers, sum, &[], &mut last);
        S::PolyOne::first(isa, &sum).reverse_bytes().xor(S::PolyOne::first(isa, &mask)).sum()
    }
}

/// A message whose nonce is hashed. The counter then begins at a secret, so it takes the form of counter mode that no branch
/// betrays; the hash is a pass of its own.
struct HashedNonce<'a, C, const SEAL: bool>(Message<'a, C, SEAL>);

impl<C: Cipher<Block = [u8; 16]>, const SEAL: bool> Task for HashedNonce<'_, C, SEAL> {
    type Out = [u8; 16];
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> [u8; 16] {
        let Message { cipher, powers, nonce, associated, mut io } = self.0;
        let first = counter_block(isa, powers, nonce);
        let mut last = Last::default();
        let bits = ((8 * associated.len() as u128) << 64) | (8 * io.len() as u128);
        last.push(&bits.to_be_bytes());
        let mut sum = isa.run(Hash::<Ghash>::padded(powers, [0; 16], associated));
        if !SEAL {
            sum = isa.run(Hash::<Ghash>::padded(powers, sum, io.input()));
        }
        Ctr::BE32.message_from_secret(isa, cipher, first, 1, io.reborrow());
        if SEAL {
            sum = isa.run(Hash::<Ghash>::padded(powers, sum, io.output()));
        }
        sum = Hash::<Ghash>::end(isa, powers, sum, &[], &mut last);
        let mask = encrypt_one(isa, cipher, &first);
        S::PolyOne::first(isa, &sum).reverse_bytes().xor(S::PolyOne::first(isa, &mask)).sum()
    }
}
