//! A message in pieces.

use super::super::pieces::{Counter, Pieces, Piecewise, Tagged};
use super::{Eax, Part, Prefix};
use crate::cipher::{Cipher, xor};
use crate::isa::InOut;
use crate::mac::Mac;
use crate::modes::Ctr;
use crate::{Block, Error};
use zeroize::ZeroizeOnDrop;

/// The state of a message of [`Eax`] in pieces.
///
/// ```
/// use icefish::{aead::{Eax, EaxPieces, Piecewise, Sealer}, ciphers::Aes128};
/// let key = Eax::<Aes128>::new(&[7; 16])?;
/// let mut sealer: Sealer<EaxPieces<'_, Aes128>> = key.sealer(&[1; 16])?;
/// sealer.update_in_place(&mut [5; 100])?;
/// let tag = sealer.finish();
/// # let _ = tag;
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct EaxPieces<'k, C: Cipher> {
    eax: &'k Eax<C>,
    /// It begins at the tag of the nonce, which is a secret.
    counter: Counter<C::Block>,
    associated: Mac<'k, C>,
    data: Mac<'k, C>,
}

impl<C: Cipher> Piecewise for Eax<C> {
    type Pieces<'k>
        = EaxPieces<'k, C>
    where
        C: 'k;

    fn begin(&self, nonce: &[u8]) -> Result<EaxPieces<'_, C>, Error> {
        let [associated, data] =
            [Part::Associated, Part::Data].map(|part| self.mac.start_from(self.prefix(part).begun));
        let mut mac = self.mac.start_from(self.prefix(Part::Nonce).begun);
        mac.update(nonce);
        let counter = Counter::new(Ctr::BE, end(self.prefix(Part::Nonce), &mac), 0);
        Ok(EaxPieces { eax: self, counter, associated, data })
    }
}

impl<C: Cipher> Eax<C> {
    fn prefix(&self, part: Part) -> &Prefix<C::Block> {
        &self.prefixes[part as usize]
    }
}

/// The tag of a part.
fn end<C: Cipher>(prefix: &Prefix<C::Block>, mac: &Mac<'_, C>) -> C::Block {
    if mac.is_empty() { prefix.alone } else { mac.clone().finish() }
}

impl<C: Cipher> EaxPieces<'_, C> {
    fn count(&mut self, io: InOut<'_>) {
        let key = self.eax.mac.key();
        let [head, whole, tail] = self.counter.split(io);
        self.counter.part(key, head);
        self.counter.whole(key, whole);
        self.counter.part(key, tail);
    }
}

impl<C: Cipher> Pieces for EaxPieces<'_, C> {
    fn max_associated(&self) -> u64 {
        u64::MAX
    }
    fn max_data(&self) -> u64 {
        u64::MAX
    }
    fn tag_len(&self) -> usize {
        self.eax.tag_len
    }
    fn whole_tag_len(&self) -> usize {
        C::Block::LEN
    }
    fn associated(&mut self, bytes: &[u8]) {
        self.associated.update(bytes);
    }
    fn seal(&mut self, mut io: InOut<'_>) {
        self.count(io.reborrow());
        self.data.update(io.output());
    }
    fn open(&mut self, io: InOut<'_>) {
        self.data.update(io.input());
        self.count(io);
    }
    fn tag(&mut self, tag: &mut [u8]) {
        tag.copy_from_slice(self.counter.first().as_ref());
        xor(tag, end(self.eax.prefix(Part::Associated), &self.associated).as_ref());
        xor(tag, end(self.eax.prefix(Part::Data), &self.data).as_ref());
    }
}

impl<C: Cipher> Tagged for EaxPieces<'_, C> {
    type Tag = C::Block;
}

impl<C: Cipher> ZeroizeOnDrop for EaxPieces<'_, C> {}
