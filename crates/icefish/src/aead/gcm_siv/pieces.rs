//! A message in pieces: sealed in two passes, and opened in one that begins with the tag.

use super::super::pieces::{Counter, FirstPass, Pieces, Revocable, SinkOpener};
use super::{GcmSiv, first_counter, key_blocks, keys_of, tag_of};
use crate::Error;
use crate::cipher::{Cipher, Key, NewCipher, With, Work};
use crate::isa::{Extension, InOut, Isa, Task, erase};
use crate::mac::ghash::{Hash, Last, Polyval, Powers, Running, SoFar};
use crate::modes::Ctr;
use crate::verdict::has_len;
use zeroize::ZeroizeOnDrop;

/// Bytes that are hashed and encrypted at a time: they stay in the first-level cache between the two.
const AT_ONCE: usize = 16 * 1024;

/// The state of a message of [`GcmSiv`] in pieces.
///
/// ```
/// use icefish::{aead::{GcmSiv, GcmSivPieces, Sealer}, ciphers::Aes128};
/// let key = GcmSiv::<Aes128>::new(&[7; 16])?;
/// let mut first = key.first_pass(&[1; 12])?;
/// first.update(&[5; 100])?;
/// let mut sealer: Sealer<GcmSivPieces<Aes128>> = first.finish();
/// sealer.update_in_place(&mut [5; 100])?;
/// sealer.finish_to(&mut [0; 16])?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct GcmSivPieces<C> {
    /// The message's own key for encryption.
    key: Key<C>,
    /// Those of the message's own key for authentication.
    powers: Powers,
    nonce: [u8; 12],
    hash: Running<Polyval>,
    /// The hash of the associated data, with which both passes begin. It is valid once `begun` is true.
    associated: [u8; 16],
    begun: bool,
    /// The tag that the counter was made of, and that the message must have.
    tag: Option<[u8; 16]>,
    counter: Counter<[u8; 16]>,
    /// Bytes of associated data, and of data.
    lengths: [u64; 2],
}

impl<C: NewCipher<Block = [u8; 16]>> GcmSiv<C> {
    /// The first of two passes over a message to seal, in pieces. [`FirstPass::finish`] begins the second.
    ///
    /// # Errors
    /// [`Error::IvLength`].
    pub fn first_pass(&self, nonce: &[u8]) -> Result<FirstPass<GcmSivPieces<C>>, Error> {
        Ok(FirstPass::new(self.begin(nonce)?))
    }

    /// A message to open in pieces, into a sink that can be revoked, given its tag: decryption begins with the tag.
    /// [`SinkOpener::finish`] takes the same tag again.
    ///
    /// ```
    /// use icefish::{ciphers::Aes128, aead::{Aead, GcmSiv, OpenError, Revocable}};
    /// use std::convert::Infallible;
    ///
    /// #[derive(Default)]
    /// struct Counted { hidden: u64 } // a file without a name, say
    /// impl Revocable for Counted {
    ///     type Error = Infallible;
    ///     fn write(&mut self, piece: &[u8]) -> Result<(), Infallible> {
    ///         self.hidden += piece.len() as u64;
    ///         Ok(())
    ///     }
    ///     fn keep(self) -> Result<(), Infallible> {
    ///         Ok(())
    ///     }
    ///     fn discard(self) {}
    /// }
    ///
    /// let key = GcmSiv::<Aes128>::new(&[7; 16])?;
    /// let mut data = *b"attack at dawn";
    /// let tag = key.seal_in_place(&[1; 12], &[], &mut data)?;
    /// let mut opener = key.opener_with_tag(&[1; 12], &tag, Counted::default())?;
    /// opener.update(&data[..5])?;
    /// opener.update(&data[5..])?;
    /// opener.finish(&tag)?;
    /// # Ok::<(), OpenError<Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::IvLength`], [`Error::TagLength`]: `sink` was discarded.
    pub fn opener_with_tag<R: Revocable>(
        &self,
        nonce: &[u8],
        tag: &[u8],
        sink: R,
    ) -> Result<SinkOpener<GcmSivPieces<C>, R>, Error> {
        SinkOpener::with_tag(has_len(tag, 16).and_then(|()| self.begin(nonce)), tag, sink)
    }

    /// The state before the first byte.
    pub(crate) fn begin(&self, nonce: &[u8]) -> Result<GcmSivPieces<C>, Error> {
        let Ok(nonce) = nonce.try_into() else {
            return Err(Error::IvLength { got: nonce.len(), need: 12 });
        };
        // The result is made in its final place: a move would leave a copy of the message's keys.
        let mut made = Ok(GcmSivPieces {
            key: Key::blank(self.key.backend()),
            powers: Powers::blank(),
            nonce,
            hash: Running::after([0; 16]),
            associated: [0; 16],
            begun: false,
            tag: None,
            counter: Counter::new(Ctr::LE32, [0; 16], 0),
            lengths: [0; 2],
        });
        if let Ok(made) = &mut made {
            self.message_keys(made)?;
        }
        made
    }

    /// Makes the keys of a message in their places. It uses calls that are compiled anyway, and not the faster [`super::derive`],
    /// because messages in pieces are rarely short.
    fn message_keys(&self, made: &mut GcmSivPieces<C>) -> Result<(), Error> {
        let len = self.key.cipher().key_len();
        let mut blocks = key_blocks(&made.nonce);
        for block in &mut blocks[..2 + len / 8] {
            self.key.encrypt_block(block);
        }
        let mut keys = keys_of(&blocks);
        let set = made.key.set_key(&keys[16..16 + len]);
        if let Some(key) = keys.first_chunk() {
            self.key.backend().run(AllPowers { key, powers: &mut made.powers });
        }
        erase(blocks.as_flattened_mut());
        erase(&mut keys);
        set
    }
}

impl<C: NewCipher<Block = [u8; 16]>> GcmSivPieces<C> {
    /// The associated data ends here.
    fn begin_data(&mut self) {
        if !self.begun {
            self.hash.pad(&self.key, &self.powers);
            self.associated = *self.hash.sum();
            self.begun = true;
        }
    }

    fn absorb(&mut self, bytes: &[u8]) {
        self.begin_data();
        self.lengths[1] += bytes.len() as u64;
        self.hash.absorb(&self.key, &self.powers, bytes);
    }

    fn count(&mut self, io: InOut<'_>) {
        let [head, whole, tail] = self.counter.split(io);
        self.counter.part(&self.key, head);
        self.counter.whole(&self.key, whole);
        self.counter.part(&self.key, tail);
    }
}

impl<C: NewCipher<Block = [u8; 16]>> Pieces for GcmSivPieces<C> {
    fn max_associated(&self) -> u64 {
        GcmSiv::<C>::MAX_DATA
    }
    fn max_data(&self) -> u64 {
        GcmSiv::<C>::MAX_DATA
    }
    fn tag_len(&self) -> usize {
        16
    }
    fn whole_tag_len(&self) -> usize {
        16
    }
    fn associated(&mut self, bytes: &[u8]) {
        self.lengths[0] += bytes.len() as u64;
        self.hash.absorb(&self.key, &self.powers, bytes);
    }
    fn first_pass(&mut self, bytes: &[u8]) {
        self.absorb(bytes);
    }
    fn with_tag(&mut self, tag: &[u8]) {
        if self.begun {
            self.hash = Running::after(self.associated);
            self.lengths[1] = 0;
        }
        self.counter = Counter::new(Ctr::LE32, first_counter(tag), 0);
        self.tag = tag.try_into().ok();
    }
    fn begun_with(&self) -> Option<&[u8]> {
        self.tag.as_ref().map(<[u8; 16]>::as_slice)
    }
    fn seal(&mut self, mut io: InOut<'_>) {
        while !io.is_empty() {
            let len = io.len().min(AT_ONCE);
            let (now, rest) = io.split_at(len);
            self.absorb(now.input());
            self.count(now);
            io = rest;
        }
    }
    fn open(&mut self, mut io: InOut<'_>) {
        while !io.is_empty() {
            let len = io.len().min(AT_ONCE);
            let (mut now, rest) = io.split_at(len);
            self.count(now.reborrow());
            self.absorb(now.output());
            io = rest;
        }
    }
    fn tag(&mut self, tag: &mut [u8]) {
        self.begin_data();
        self.hash.pad(&self.key, &self.powers);
        let [associated, data] = self.lengths.map(|len| 8 * u128::from(len));
        let (powers, nonce, sum) = (&self.powers, &self.nonce, self.hash.sum());
        let end = FinishTag { powers, nonce, sum, bits: associated | (data << 64) };
        tag.copy_from_slice(&self.key.backend().run(With(self.key.cipher(), end)));
    }
}

impl<C> Drop for GcmSivPieces<C> {
    fn drop(&mut self) {
        erase(&mut self.associated);
    }
}

impl<C: ZeroizeOnDrop> ZeroizeOnDrop for GcmSivPieces<C> {}

/// Makes the powers of a message's own key for authentication.
struct AllPowers<'a> {
    key: &'a [u8; 16],
    powers: &'a mut Powers,
}

impl Task for AllPowers<'_> {
    type Out = ();
    const EXTENSION: Extension = Extension::Aes;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        self.powers.polyval(isa, self.key, usize::MAX);
    }
}

/// Hashes the block of lengths, and makes the tag.
struct FinishTag<'a> {
    powers: &'a Powers,
    nonce: &'a [u8; 12],
    sum: &'a [u8; 16],
    bits: u128,
}

impl Work<[u8; 16]> for FinishTag<'_> {
    type Out = [u8; 16];
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, cipher: &C) -> [u8; 16] {
        let last = Last::new(&[], Some(self.bits));
        let sum = SoFar::new(*self.sum);
        let sum = isa.run(Hash::<Polyval>::new(self.powers, sum, &[], last));
        tag_of(isa, cipher, sum, self.nonce)
    }
}
