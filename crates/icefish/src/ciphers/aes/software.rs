//! AES without AES instructions. One type, [`AnyLength`], is the cipher for all key lengths, so each mode is compiled once for all
//! of them. `isa/aes` has its rounds.

mod strips;

use super::states::One;
use super::{Aes, Length};
use crate::Block;
use crate::cipher::{
    self, BlockCipher, Chaining, Chains, Cipher, Decrypt, Direction, FEW, InPlace, Pass, STRIP,
    Stripped, Strips, WIDE,
};
use crate::isa::{AesRounds, Extension, InOut, Isa, Sink, Streams, Task};
use core::marker::PhantomData;
use strips::{SlicedStrips, long};

/// A key of any length, with the instruction set that makes its decryption keys.
pub(super) trait Keys: Send + Sync {
    /// The round keys of the equivalent inverse cipher.
    fn inverse(&self) -> &[[u8; 16]];
}

/// A key, and the instruction set that it is used on.
#[derive(Clone, Copy)]
pub(super) struct Bound<'a, S, const NK: usize, const KEYS: usize, L>(
    pub(super) &'a Aes<NK, KEYS, L>,
    pub(super) S,
);

impl<S: Isa, const NK: usize, const KEYS: usize, L: Length> Keys for Bound<'_, S, NK, KEYS, L> {
    #[inline(always)]
    fn inverse(&self) -> &[[u8; 16]] {
        let keys = self.0.keys::<S, Decrypt>(self.1);
        &keys.all()[..keys.count()]
    }
}

/// AES with a key of any length.
#[derive(Clone, Copy)]
pub(super) struct AnyLength<'a> {
    encrypt: &'a [[u8; 16]],
    decrypt: &'a dyn Keys,
}

impl<'a> AnyLength<'a> {
    #[inline(always)]
    pub(super) fn of<S: Isa, const NK: usize, const KEYS: usize, L: Length>(
        key: &'a Bound<'_, S, NK, KEYS, L>,
    ) -> Self {
        let keys = key.0.encryption();
        Self { encrypt: &keys.all()[..keys.count()], decrypt: key }
    }

    #[inline(always)]
    fn keys<D: Direction>(&self) -> &[[u8; 16]] {
        if D::ENCRYPT { self.encrypt } else { self.decrypt.inverse() }
    }

    /// The first and the last round key.
    #[inline(always)]
    fn ends<S: Isa>(&self, isa: S) -> [S::AesOne; 2] {
        let keys = self.encrypt;
        [S::AesOne::splat(isa, &keys[0]), S::AesOne::splat(isa, &keys[keys.len() - 1])]
    }
}

/// [`Cipher::chains`] for all key lengths.
#[inline(always)]
pub(super) fn chains<S: Isa, H: Chaining, const NK: usize, const KEYS: usize, L: Length>(
    ciphers: &[&Aes<NK, KEYS, L>],
    isa: S,
    streams: &mut Streams<'_, [u8; 16]>,
) {
    let mut keys = [Bound(ciphers[0], isa); WIDE];
    for (key, cipher) in keys.iter_mut().zip(ciphers) {
        key.0 = cipher;
    }
    let mut own = [AnyLength::of(&keys[0]); WIDE];
    for i in 1..WIDE {
        own[i] = AnyLength::of(&keys[i]);
    }
    let ciphers = &own.each_ref()[..ciphers.len()];
    isa.run(Chains::<_, H>::new(ciphers, streams));
}

impl BlockCipher for AnyLength<'_> {
    type Block = [u8; 16];
    const EXTENSION: Extension = Extension::Aes;
    const CONSTANT_TIME: bool = true;
    type One<S: Isa> = One<S::AesOne>;

    fn batch<S: Isa>() -> usize {
        STRIP / 16
    }
    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        One(isa.run(Rounds::<S, D> { isa, cipher: self, x: block.0, direction: PhantomData }))
    }
    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        cipher::through::<Self, S, D, P>(self, isa, pass, blocks);
    }
}

impl Cipher for AnyLength<'_> {
    fn takes_one<S: Isa>() -> bool {
        true
    }
    #[inline(always)]
    fn whiten<S: Isa>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        One(block.0.xor(self.ends(isa)[0]))
    }
    #[inline(always)]
    fn middle<S: Isa>(&self, isa: S, block: One<S::AesOne>) -> One<S::AesOne> {
        One(block.0.inner(isa, &self.encrypt[1..self.encrypt.len() - 1]))
    }
    #[inline(always)]
    fn finish<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> One<S::AesOne> {
        One(block.0.last(self.ends(isa)[1].xor(with.0)))
    }
    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, io: InOut<'_>) {
        isa.run(Alone { cipher: self, io, direction: PhantomData::<D> });
    }
    #[inline(always)]
    fn in_place<S: Isa, D: Direction>(&self, isa: S, blocks: &mut [u8]) {
        let len = blocks.len();
        self.strips::<S, D>(isa, &mut InPlace::new(blocks, len));
    }
}

impl Stripped for AnyLength<'_> {
    #[inline(always)]
    fn strips<S: Isa, D: Direction>(&self, isa: S, strips: &mut dyn Strips) {
        isa.run(SlicedStrips { cipher: self, strips, direction: PhantomData::<D> });
    }
    #[inline(always)]
    fn most_few<S: Isa>() -> usize {
        most_few::<S>()
    }
    #[inline(always)]
    fn few<S: Isa, D: Direction>(&self, isa: S, room: &mut [u8; FEW], blocks: usize) {
        isa.run(Few { cipher: self, room, blocks, direction: PhantomData::<D> });
    }
    #[inline(always)]
    fn long<S: Isa>() -> usize {
        long::<S>() / 16
    }
}

/// All rounds of one block that the caller has in registers.
struct Rounds<'a, 'k, S: Isa, D> {
    isa: S,
    cipher: &'a AnyLength<'k>,
    x: S::AesOne,
    direction: PhantomData<D>,
}

impl<S: Isa, D: Direction> Task for Rounds<'_, '_, S, D> {
    type Out = S::AesOne;
    #[inline(always)]
    fn call<T: Isa>(self, _: T) -> S::AesOne {
        rounds::<S, S::AesOne, D>(self.isa, self.cipher.keys::<D>(), self.x)
    }
}

#[inline(always)]
fn rounds<S: Isa, A: AesRounds<S>, D: Direction>(isa: S, keys: &[[u8; 16]], x: A) -> A {
    let [first, inner @ .., last] = keys else { return x };
    let last = A::splat(isa, last);
    let mut x = x.xor(A::splat(isa, first));
    if D::ENCRYPT {
        return x.inner(isa, inner).last(last);
    }
    for key in inner {
        x = x.dec(A::splat(isa, key));
    }
    x.dec_last(last)
}

/// One block in memory.
struct Alone<'a, 'k, D> {
    cipher: &'a AnyLength<'k>,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<D: Direction> Task for Alone<'_, '_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        let x = S::AesOne::splat(isa, &<[u8; 16]>::take(self.io.input()));
        let x = rounds::<S, S::AesOne, D>(isa, self.cipher.keys::<D>(), x);
        x.store_one(&mut self.io.sink(0, 16), 0);
    }
}

/// Up to how many bytes `AesFour` takes less time than a batch, whose keys must be sliced first. For NEON, whose `AesFour` has one
/// state, that is an assumption: it was not measured.
#[inline(always)]
fn most_few<S: Isa>() -> usize {
    if S::AesFour::N == 1 { FEW - 16 } else { FEW }
}

/// A few blocks in memory. Registers of [`AesFour`](crate::isa::CryptoVectors::AesFour) take less time for them than a batch.
struct Few<'a, 'k, D> {
    cipher: &'a AnyLength<'k>,
    room: &'a mut [u8; FEW],
    blocks: usize,
    direction: PhantomData<D>,
}

impl<D: Direction> Task for Few<'_, '_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        const { assert!(FEW.is_multiple_of(16 * S::AesFour::N)) };
        let keys = self.cipher.keys::<D>();
        for at in (0..16 * self.blocks).step_by(16 * S::AesFour::N) {
            let states = &mut self.room[at..at + 16 * S::AesFour::N];
            let x = rounds::<S, S::AesFour, D>(isa, keys, S::AesFour::load(isa, states));
            x.store(&mut Sink::new(states), 0);
        }
    }
}
