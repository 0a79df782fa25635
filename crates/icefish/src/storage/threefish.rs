//! Sectors of a disk, encrypted in place: every block has a tweak of its own.

use crate::Error;
use crate::cipher::{Decrypt, Direction, EcbPass, Encrypt, Key, Pass};
use crate::ciphers::threefish::rounds::TweakEach;
use crate::ciphers::threefish::{Source, Threefish, Words};
use crate::isa::{Extension, InOut, Isa, Lanes, Task};
use core::marker::PhantomData;
use core::num::Wrapping;

impl<const W: usize, const B: usize> Key<Threefish<W, B>> {
    /// Encrypts a part of a sector in place. Block `i` of `data` has a tweak of two words, `sector` and `first + i`. The tweak of
    /// the key is not used.
    ///
    /// This is ECB with a tweak for each block. The data keeps its length, any block can be read or written by itself, and equal
    /// blocks at different places differ. It is not a wide-block mode, where every bit of a sector depends on every other (such a
    /// mode is Xoofff's `Wbc`). It is deterministic: an attacker who sees a sector twice sees which of its blocks changed.
    /// Changes of the ciphertext are not detected. Large blocks leak least: with Threefish-1024, a change of one bit changes 128
    /// bytes.
    ///
    /// ```
    /// use icefish::{Key, ciphers::Threefish1024};
    /// let key = Key::<Threefish1024>::new(&[7; 128])?;
    /// let mut sector = [5; 512];
    /// key.encrypt_sector(1000, 0, &mut sector)?;
    /// key.decrypt_sector(1000, 1, &mut sector[128..256])?; // the second of four blocks
    /// assert_eq!(sector[128..256], [5; 128]);
    /// # Ok::<(), icefish::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if `data` is not whole blocks: nothing was encrypted.
    pub fn encrypt_sector(&self, sector: u64, first: u64, data: &mut [u8]) -> Result<(), Error> {
        self.sector::<Encrypt>(sector, first, InOut::in_place(data))
    }

    /// The inverse of [`Key::encrypt_sector`].
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if `data` is not whole blocks: nothing was decrypted.
    pub fn decrypt_sector(&self, sector: u64, first: u64, data: &mut [u8]) -> Result<(), Error> {
        self.sector::<Decrypt>(sector, first, InOut::in_place(data))
    }

    /// [`Key::encrypt_sector`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Key::encrypt_sector`]; [`Error::BufferLength`].
    pub fn encrypt_sector_between(
        &self,
        sector: u64,
        first: u64,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.sector::<Encrypt>(sector, first, InOut::between(input, output)?)
    }

    /// [`Key::decrypt_sector`] from `input` to `output`, which must have the same length.
    ///
    /// # Errors
    /// As [`Key::decrypt_sector`]; [`Error::BufferLength`].
    pub fn decrypt_sector_between(
        &self,
        sector: u64,
        first: u64,
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), Error> {
        self.sector::<Decrypt>(sector, first, InOut::between(input, output)?)
    }

    fn sector<D: Direction>(&self, sector: u64, first: u64, io: InOut<'_>) -> Result<(), Error> {
        if !io.len().is_multiple_of(B) {
            return Err(Error::PartialBlock { got: io.len(), block: B });
        }
        let (cipher, direction) = (self.cipher(), PhantomData::<D>);
        self.backend().run(Sector { cipher, place: SectorFrom { sector, first }, io, direction });
        Ok(())
    }
}

struct Sector<'a, D, const W: usize, const B: usize> {
    cipher: &'a Threefish<W, B>,
    place: SectorFrom,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<D: Direction, const W: usize, const B: usize> Task for Sector<'_, D, W, B> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let blocks = self.io.len() / B;
        let mut pass = EcbPass::<[u8; B]>::new(self.io);
        self.cipher.batches::<S, D, _, _>(isa, &mut pass, &self.place, blocks);
    }
}

/// A sector from block `first` on.
#[derive(Clone, Copy)]
struct SectorFrom {
    sector: u64,
    first: u64,
}

impl Source for SectorFrom {
    type Of<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize> = TweakEach<V, M>;
    #[inline(always)]
    fn tweaks<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
        &self,
        isa: S,
        t: &[u64; 3],
        at: usize,
    ) -> TweakEach<V, M> {
        let mut tweaks = TweakEach([[V::splat(isa, 0); 3]; M]);
        for m in 0..M {
            let index = self.first.wrapping_add((at + V::N * m) as u64);
            let t0 = V::splat(isa, self.sector);
            let t1 = V::splat(isa, index) + V::index(isa);
            let own = [t0, t1, t0 ^ t1];
            for j in 0..3 {
                tweaks.0[m][j] = own[j] - V::splat(isa, t[j]);
            }
        }
        tweaks
    }
    #[inline(always)]
    fn alone<S: Isa, D: Direction, P: Pass, const W: usize, const B: usize>(
        &self,
        isa: S,
        cipher: &Threefish<W, B>,
        pass: &mut P,
        at: usize,
    ) {
        let x: Words<Wrapping<u64>, W, 1> = pass.enter(isa, at, 1);
        let tweaks = self.tweaks::<S, Wrapping<u64>, W, 1>(isa, &cipher.tweak, at);
        let mut x = cipher.words::<S, D, Wrapping<u64>, _, 1>(isa, tweaks, x);
        pass.leave(isa, at, 1, &mut x);
    }
}
