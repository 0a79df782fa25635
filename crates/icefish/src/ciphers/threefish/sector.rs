//! Data in place, such as the sectors of a disk: every block under a tweak of its own.

use super::rounds::{self, Each};
use super::{Threefish, Words};
use crate::Error;
use crate::cipher::{Cursor, Decrypt, Direction, Encrypt, Key, Pass};
use crate::isa::{InOut, Isa, Lanes, Task};
use core::marker::PhantomData;
use core::num::Wrapping;

impl<const W: usize, const B: usize> Key<Threefish<W, B>> {
    /// Encrypts a part of a sector in place: block `i` of `data` under the tweak of two words `sector` and
    /// `first + i`. The tweak of the key is not used.
    ///
    /// A wide-block mode for storage: the data keeps its length, any block can be read or written by
    /// itself, and equal blocks at different places differ. It is deterministic: who sees a sector twice
    /// sees which of its blocks changed; and nothing detects changes of the ciphertext. Large sectors and
    /// large blocks lose least: with Threefish-1024 a change of one bit changes 128 bytes.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if `data` is not whole blocks: nothing was encrypted.
    pub fn encrypt_sector(&self, sector: u64, first: u64, data: &mut [u8]) -> Result<(), Error> {
        self.sector::<Encrypt>(sector, first, data)
    }

    /// The inverse of [`Key::encrypt_sector`].
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if `data` is not whole blocks: nothing was decrypted.
    pub fn decrypt_sector(&self, sector: u64, first: u64, data: &mut [u8]) -> Result<(), Error> {
        self.sector::<Decrypt>(sector, first, data)
    }

    fn sector<D: Direction>(&self, sector: u64, first: u64, data: &mut [u8]) -> Result<(), Error> {
        if !data.len().is_multiple_of(B) {
            return Err(Error::PartialBlock { got: data.len(), block: B });
        }
        let (cipher, direction) = (self.cipher(), PhantomData::<D>);
        self.backend().run(Sector { cipher, sector, first, data, direction });
        Ok(())
    }
}

struct Sector<'a, D, const W: usize, const B: usize> {
    cipher: &'a Threefish<W, B>,
    sector: u64,
    first: u64,
    data: &'a mut [u8],
    direction: PhantomData<D>,
}

impl<D: Direction, const W: usize, const B: usize> Sector<'_, D, W, B> {
    /// As many batches of `M` groups as there are blocks for; `count` blocks a batch.
    #[inline(always)]
    fn batches<S: Isa, V: Lanes<S, u64>, P: Pass, const M: usize>(
        &self,
        isa: S,
        pass: &mut P,
        cursor: &mut Cursor,
        count: usize,
    ) {
        let cipher = self.cipher;
        while let Some(at) = cursor.take(count) {
            let x: Words<V, W, M> = pass.enter(isa, at, count);
            let mut tweaks = Each([[V::splat(isa, 0); 3]; M]);
            for m in 0..M {
                let index = self.first.wrapping_add((at + V::N * m) as u64);
                let t0 = V::splat(isa, self.sector);
                let t1 = V::splat(isa, index) + V::index(isa);
                let t = [t0, t1, t0 ^ t1];
                for j in 0..3 {
                    tweaks.0[m][j] = t[j] - V::splat(isa, cipher.tweak[j]);
                }
            }
            let mut x = Words(if D::ENCRYPT {
                rounds::encrypt(isa, &cipher.subkeys, tweaks, x.0)
            } else {
                rounds::decrypt(isa, &cipher.subkeys, tweaks, x.0)
            });
            pass.leave(isa, at, count, &mut x);
            if cursor.left() < count {
                return;
            }
        }
    }
}

impl<D: Direction, const W: usize, const B: usize> Task for Sector<'_, D, W, B> {
    type Out = ();
    const VAES: bool = false;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        let data = core::mem::take(&mut self.data);
        let blocks = data.len() / B;
        let mut pass = crate::modes::EcbPass::<[u8; B]>::new(InOut::in_place(data));
        let mut cursor = Cursor::new::<crate::modes::EcbPass<'_, [u8; B]>>(blocks);
        if Threefish::<W, B>::groups::<S>() == 4 {
            self.batches::<S, S::U64, _, 4>(isa, &mut pass, &mut cursor, 4 * S::U64::N);
        }
        if Threefish::<W, B>::groups::<S>() >= 2 {
            self.batches::<S, S::U64, _, 2>(isa, &mut pass, &mut cursor, 2 * S::U64::N);
        }
        self.batches::<S, S::U64, _, 1>(isa, &mut pass, &mut cursor, S::U64::N);
        let rest = cursor.left();
        if rest >= S::U64::N.div_ceil(2).max(2) {
            self.batches::<S, S::U64, _, 1>(isa, &mut pass, &mut cursor, rest);
        }
        self.batches::<S, Wrapping<u64>, _, 1>(isa, &mut pass, &mut cursor, 1);
    }
}
