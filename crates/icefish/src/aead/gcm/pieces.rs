//! A message in pieces.

use super::super::Aead;
use super::super::pieces::{Counter, Pieces, Piecewise, Tagged};
use super::Gcm;
use super::message::{counter_block, low, tag};
use super::pass::{GcmPass, first_blocks};
use crate::Error;
use crate::cipher::{Cipher, Encrypt, Many, With, Work, encrypt_one};
use crate::isa::{InOut, Isa, erase};
use crate::mac::ghash::{Ghash, Hash, Last, Powers, Running, SoFar};
use crate::modes::Ctr;
use zeroize::ZeroizeOnDrop;

/// The state of a message of [`Gcm`] in pieces.
///
/// ```
/// use icefish::{aead::{Gcm, GcmPieces, Piecewise, Sealer}, ciphers::Aes128};
/// let key = Gcm::<Aes128>::new(&[7; 16])?;
/// let mut sealer: Sealer<GcmPieces<'_, Aes128>> = key.sealer(&[1; 12])?;
/// sealer.update_in_place(&mut [5; 100])?;
/// let tag = sealer.finish();
/// # let _ = tag;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct GcmPieces<'k, C> {
    gcm: &'k Gcm<C>,
    counter: Counter<[u8; 16]>,
    /// Whether the counter begins at a secret: then no branch may tell where it wraps.
    secret: bool,
    hash: Running<Ghash>,
    /// Bytes of associated data, and of data.
    lengths: [u64; 2],
}

impl<C: Cipher<Block = [u8; 16]>> Piecewise for Gcm<C> {
    type Pieces<'k>
        = GcmPieces<'k, C>
    where
        C: 'k;

    fn begin(&self, nonce: &[u8]) -> Result<GcmPieces<'_, C>, Error> {
        if nonce.is_empty() {
            return Err(Error::IvLength { got: 0, need: Self::NONCE });
        }
        let mut first = [0; 16];
        let begin = FirstCounter { powers: &self.powers, nonce, first: &mut first };
        self.key.backend().run(With(self.key.cipher(), begin));
        let counter = Counter::new(Ctr::BE32, first, 1);
        erase(&mut first);
        let (hash, secret) = (Running::after([0; 16]), nonce.len() != 12);
        Ok(GcmPieces { gcm: self, counter, secret, hash, lengths: [0; 2] })
    }
}

impl<C: Cipher<Block = [u8; 16]>> GcmPieces<'_, C> {
    /// Hashes the next bytes.
    fn absorb(&mut self, bytes: &[u8]) {
        self.hash.absorb(&self.gcm.key, &self.gcm.powers, bytes);
    }

    /// Hashes the block that waits, filled up with zeros.
    fn pad(&mut self) {
        self.hash.pad(&self.gcm.key, &self.gcm.powers);
    }

    fn run<const SEAL: bool>(&mut self, io: InOut<'_>) {
        if self.lengths[1] == 0 {
            // The associated data ends here.
            self.pad();
        }
        self.lengths[1] += io.len() as u64;
        let [head, whole, tail] = self.counter.split(io);
        self.other::<SEAL>(head);
        if self.secret {
            self.other::<SEAL>(whole);
        } else if !whole.is_empty() {
            let (blocks, low) = (whole.len() / 16, low(self.counter.first()));
            let low = low + (self.counter.index() as u64 - 1);
            let (powers, first) = (&self.gcm.powers, *self.counter.first());
            let fused = Fused::<SEAL> { powers, first, low, sum: self.hash.sum_mut(), io: whole };
            self.gcm.key.backend().run(With(self.gcm.key.cipher(), fused));
            self.counter.skip(blocks);
        }
        self.other::<SEAL>(tail);
    }

    /// Counter mode and hash one after the other, for parts of a block and for whole ones.
    #[inline(never)]
    fn other<const SEAL: bool>(&mut self, mut io: InOut<'_>) {
        if !SEAL {
            self.absorb(io.input());
        }
        if io.len().is_multiple_of(16) {
            self.counter.whole(&self.gcm.key, io.reborrow());
        } else {
            self.counter.part(&self.gcm.key, io.reborrow());
        }
        if SEAL {
            self.absorb(io.output());
        }
    }
}

impl<C: Cipher<Block = [u8; 16]>> Pieces for GcmPieces<'_, C> {
    fn max_associated(&self) -> u64 {
        Gcm::<C>::MAX_ASSOCIATED
    }
    fn max_data(&self) -> u64 {
        Gcm::<C>::MAX_DATA
    }
    fn tag_len(&self) -> usize {
        self.gcm.tag_len
    }
    fn whole_tag_len(&self) -> usize {
        16
    }
    fn associated(&mut self, bytes: &[u8]) {
        self.lengths[0] += bytes.len() as u64;
        self.absorb(bytes);
    }
    fn seal(&mut self, io: InOut<'_>) {
        self.run::<true>(io);
    }
    fn open(&mut self, io: InOut<'_>) {
        self.run::<false>(io);
    }
    fn tag(&mut self, tag: &mut [u8]) {
        self.pad();
        let [associated, data] = self.lengths;
        let lengths = ((8 * u128::from(associated)) << 64) | (8 * u128::from(data));
        let (powers, first) = (&self.gcm.powers, self.counter.first());
        let end = FinishTag { powers, first, sum: self.hash.sum(), lengths };
        let key = &self.gcm.key;
        tag.copy_from_slice(&key.backend().run(With(key.cipher(), end)));
    }
}

impl<C: Cipher<Block = [u8; 16]>> Tagged for GcmPieces<'_, C> {
    type Tag = [u8; 16];
}

impl<C> ZeroizeOnDrop for GcmPieces<'_, C> {}

/// Makes the pre-counter block J0 of a nonce.
struct FirstCounter<'a> {
    powers: &'a Powers,
    nonce: &'a [u8],
    first: &'a mut [u8; 16],
}

impl Work<[u8; 16]> for FirstCounter<'_> {
    type Out = ();
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, _: &C) {
        *self.first = counter_block(isa, self.powers, self.nonce);
    }
}

/// Whole blocks through counter mode and hash in one pass, from a counter that does not wrap.
struct Fused<'a, const SEAL: bool> {
    powers: &'a Powers,
    first: [u8; 16],
    /// The low 64 bits of the next counter block.
    low: u64,
    sum: &'a mut [u8; 16],
    io: InOut<'a>,
}

impl<const SEAL: bool> Work<[u8; 16]> for Fused<'_, SEAL> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) {
        let Self { powers, first, mut low, sum, io } = self;
        let (mut so_far, mut hashed) = (SoFar::new(*sum), 0);
        let io = io.apart();
        let mut io =
            first_blocks::<C, S, SEAL>(isa, cipher, io, first, &mut low, powers, &mut so_far);
        let blocks = io.len() / 16;
        let pass = GcmPass::<SEAL, 1> {
            io: io.reborrow(),
            template: first,
            low,
            powers,
            so_far: &mut so_far,
            hashed: &mut hashed,
        };
        isa.run(Many::<_, _, Encrypt>::new(cipher, pass, blocks));
        let rest = &io.output()[hashed..];
        *sum = isa.run(Hash::<Ghash>::new(powers, so_far, rest, Last::default()));
    }
}

/// Hashes the block of lengths, and makes the tag.
struct FinishTag<'a> {
    powers: &'a Powers,
    first: &'a [u8; 16],
    sum: &'a [u8; 16],
    lengths: u128,
}

impl Work<[u8; 16]> for FinishTag<'_> {
    type Out = [u8; 16];
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        let last = Last::new(&[], Some(self.lengths));
        let sum = isa.run(Hash::<Ghash>::new(self.powers, SoFar::new(*self.sum), &[], last));
        tag(isa, &sum, &encrypt_one(isa, cipher, self.first))
    }
}
