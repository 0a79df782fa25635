//! Methods of [`Cipher`] of which AES has faster forms than the defaults.

use super::held::Held;
use super::software::{self, AnyLength, Bound};
use super::states::One;
use super::{Aes, Length, counting};
use crate::cipher::{
    self, Chaining, Cipher, Counters, Direction, EcbPass, Encrypt, Many, Pass, Wide, With, Work,
};
use crate::isa::{AesRounds, InOut, Isa, Streams, forms};

impl<const NK: usize, const KEYS: usize, L: Length> Cipher for Aes<NK, KEYS, L> {
    #[inline(always)]
    fn is_short<S: Isa>() -> bool {
        !S::Aes::SLICED
    }
    fn lanes<S: Isa>() -> usize {
        match S::Aes::N {
            _ if S::Aes::SLICED => cipher::batch::<Self, S>(),
            4 => 4 * forms().aes_chains_512,
            n => 8 * n,
        }
    }
    #[inline(always)]
    fn chains<S: Isa, H: Chaining>(ciphers: &[&Self], isa: S, streams: &mut Streams<'_, [u8; 16]>) {
        if S::Aes::SLICED {
            return software::chains::<S, H, NK, KEYS, L>(ciphers, isa, streams);
        }
        match ciphers {
            [cipher] => cipher.packed::<S, H>(isa, streams),
            _ => cipher::one_by_one::<Self, S, H>(ciphers, isa, streams),
        }
    }
    fn counted_from<S: Isa, P: Pass>() -> usize {
        counting::least::<S, P, KEYS>()
    }
    #[inline(always)]
    fn counted<S: Isa, P: Pass>(
        &self,
        isa: S,
        counters: Counters<'_>,
        pass: &mut P,
        blocks: usize,
    ) -> usize {
        if S::Aes::SLICED { 0 } else { self.counting(isa, counters, pass, blocks) }
    }
    #[inline(always)]
    fn asks_beside<S: Isa>() -> bool {
        !S::Aes::SLICED
    }
    #[inline(always)]
    fn side_by_side<S: Isa, const M: usize>(
        &self,
        isa: S,
        mut blocks: [One<S::AesOne>; M],
    ) -> [One<S::AesOne>; M] {
        let mut x = [blocks[0].0; M];
        for m in 0..M {
            x[m] = blocks[m].0;
        }
        let x = self.encryption().rounds::<S, Encrypt, S::AesOne, M>(isa, x);
        for m in 0..M {
            blocks[m] = One(x[m]);
        }
        blocks
    }
    #[inline(always)]
    fn whiten<S: Isa>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        One(block.0.xor(S::AesOne::splat(isa, &self.encrypt[0])))
    }
    #[inline(always)]
    fn middle<S: Isa>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        One(self.encryption().inner(isa, block.0))
    }
    #[inline(always)]
    fn finish<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> One<S::AesOne> {
        let last: S::AesOne = self.encryption().last(isa);
        One(block.0.last(last.xor(with.0)))
    }

    #[inline(always)]
    fn held<S: Isa, W: Work<[u8; 16]>>(&self, isa: S, work: W) -> W::Out {
        if S::Aes::SLICED { work.call(isa, self) } else { work.call(isa, &Held::new(self)) }
    }

    #[inline(always)]
    fn decrypt_xor<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> One<S::AesOne> {
        let last: S::AesOne = self.encryption().first(isa);
        One(self.decrypt_one(isa, block.0, last.xor(with.0)))
    }

    #[inline(always)]
    fn decrypt_xor_now<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> Option<One<S::AesOne>> {
        let last: S::AesOne = self.encryption().first(isa);
        self.decrypt_now(isa, block.0, last.xor(with.0)).map(One)
    }

    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, mut io: InOut<'_>) {
        if S::Aes::SLICED {
            return AnyLength::of(&Bound(self, isa)).block::<S, D>(isa, io);
        }
        if D::ENCRYPT {
            return cipher::block::<Self, S, D>(self, isa, io);
        }
        let (x, last) = (One::<S::AesOne>::load(isa, io.input()), self.encryption().first(isa));
        if let Some(x) = self.decrypt_now(isa, x.0, last) {
            return One(x).store(isa, io.sink(0, 16));
        }
        core::hint::cold_path();
        // A copy: where this is inlined, a block whose address is in no call can stay in a register.
        let mut block: [u8; 16] = io.input().try_into().expect("an AES block");
        let copy = InOut::in_place(&mut block);
        isa.run(Many::<_, _, D>::new(self, EcbPass::<[u8; 16]>::new(copy), 1));
        io.output().copy_from_slice(&block);
    }
    #[inline(always)]
    fn in_place<S: Isa, D: Direction>(&self, isa: S, blocks: &mut [u8]) {
        if S::Aes::SLICED {
            return AnyLength::of(&Bound(self, isa)).in_place::<S, D>(isa, blocks);
        }
        cipher::in_place::<Self, S, D>(self, isa, blocks);
    }
    /// Bit-sliced AES is one function for all key lengths, and modes are compiled for it once.
    const HANDS_ON: bool = true;
    #[inline(always)]
    fn work<S: Isa, W: Work<[u8; 16]>>(&self, isa: S, work: W) -> W::Out {
        isa.run(With(&AnyLength::of(&Bound(self, isa)), work))
    }
}
