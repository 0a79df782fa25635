//! AES without AES instructions: one function for all key lengths, as a cipher for which modes are compiled once.

use super::states::One;
use super::{Aes, Length};
use crate::Block;
use crate::cipher::{
    self, BlockCipher, Chaining, Chains, Cipher, Decrypt, Direction, InPlace, Pass, ROOM, STRIP,
    Stripped, Strips, WIDE,
};
use crate::isa::{AesRounds, Extension, InOut, Isa, Sink, Streams, Task, erase};
use core::marker::PhantomData;

/// Number of round keys of the longest key.
const MOST: usize = 15;
/// Number of round keys of the shortest key.
const LEAST: usize = 11;

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
        One(isa.run(Rounds::<S, D> {
            isa,
            keys: self.keys::<D>(),
            x: block.0,
            direction: PhantomData,
        }))
    }
    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        cipher::through::<Self, S, D, P>(self, isa, pass, blocks);
    }
}

impl Cipher for AnyLength<'_> {
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
    fn finish_both<S: Isa>(
        &self,
        isa: S,
        block: One<S::AesOne>,
        with: One<S::AesOne>,
    ) -> [One<S::AesOne>; 2] {
        let sum = self.finish(isa, block, with);
        [sum, One(sum.0.xor(with.0))]
    }
    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, mut io: InOut<'_>) {
        let mut block = <[u8; 16]>::take(io.input());
        isa.run(Alone::<D>::new(self.keys::<D>(), &mut block));
        io.sink(0, 16).put(0, block);
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
        isa.run(SlicedStrips::<D>::new(self.keys::<D>(), strips));
    }
}

/// All rounds of one block in registers.
struct Rounds<'k, S: Isa, D> {
    isa: S,
    keys: &'k [[u8; 16]],
    x: S::AesOne,
    direction: PhantomData<D>,
}

impl<S: Isa, D: Direction> Task for Rounds<'_, S, D> {
    type Out = S::AesOne;
    #[inline(always)]
    fn call<T: Isa>(self, _: T) -> S::AesOne {
        rounds::<S, D>(self.isa, self.keys, self.x)
    }
}

#[inline(always)]
fn rounds<S: Isa, D: Direction>(isa: S, keys: &[[u8; 16]], x: S::AesOne) -> S::AesOne {
    let [first, inner @ .., last] = keys else { return x };
    let last = S::AesOne::splat(isa, last);
    let mut x = x.xor(S::AesOne::splat(isa, first));
    if D::ENCRYPT {
        return x.inner(isa, inner).last(last);
    }
    for key in inner {
        x = x.dec(S::AesOne::splat(isa, key));
    }
    x.dec_last(last)
}

/// One block in memory.
struct Alone<'k, D> {
    keys: &'k [[u8; 16]],
    block: &'k mut [u8; 16],
    direction: PhantomData<D>,
}

impl<'k, D> Alone<'k, D> {
    #[inline(always)]
    fn new(keys: &'k [[u8; 16]], block: &'k mut [u8; 16]) -> Self {
        Self { keys, block, direction: PhantomData }
    }
}

impl<D: Direction> Task for Alone<'_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let x = rounds::<S, D>(isa, self.keys, S::AesOne::splat(isa, self.block));
        x.store_one(&mut Sink::new(self.block), 0);
    }
}

/// The smallest number of states for which a batch is not slower than one state after the other.
#[inline(always)]
fn least<A: AesRounds<S>, S: Isa>() -> usize {
    if A::N > 4 { 4 } else { 2 }
}

/// Bit-sliced blocks.
struct SlicedStrips<'k, 's, D> {
    keys: &'k [[u8; 16]],
    strips: &'k mut (dyn Strips + 's),
    direction: PhantomData<D>,
}

impl<'k, 's, D> SlicedStrips<'k, 's, D> {
    #[inline(always)]
    fn new(keys: &'k [[u8; 16]], strips: &'k mut (dyn Strips + 's)) -> Self {
        Self { keys, strips, direction: PhantomData }
    }
}

/// Slices the round keys. Slicing one takes as long as half a round, so each is sliced once. For wide registers there is no loop:
/// it would clear the array first, and determine the byte order of each key at run time.
#[inline(always)]
fn slice<S: Isa, D: Direction>(isa: S, keys: &[[u8; 16]]) -> [S::Aes; MOST] {
    if S::Aes::N <= 4 {
        let mut sliced = [S::Aes::splat(isa, &[0; 16]); MOST];
        for (i, key) in keys.iter().enumerate() {
            sliced[i] = round_key::<S, D>(isa, key, i, keys.len());
        }
        return sliced;
    }
    [
        key::<S, D, 0>(isa, keys),
        key::<S, D, 1>(isa, keys),
        key::<S, D, 2>(isa, keys),
        key::<S, D, 3>(isa, keys),
        key::<S, D, 4>(isa, keys),
        key::<S, D, 5>(isa, keys),
        key::<S, D, 6>(isa, keys),
        key::<S, D, 7>(isa, keys),
        key::<S, D, 8>(isa, keys),
        key::<S, D, 9>(isa, keys),
        key::<S, D, 10>(isa, keys),
        key::<S, D, 11>(isa, keys),
        key::<S, D, 12>(isa, keys),
        key::<S, D, 13>(isa, keys),
        key::<S, D, 14>(isa, keys),
    ]
}

/// Round key `I`. If there are fewer, the result is unspecified.
#[inline(always)]
fn key<S: Isa, D: Direction, const I: usize>(isa: S, keys: &[[u8; 16]]) -> S::Aes {
    let count = keys.len();
    if I >= count {
        return S::Aes::splat(isa, &[0; 16]);
    }
    // A round key before the last one of the shortest key is not the last one of any key.
    let count = if I + 1 < LEAST { MOST } else { count };
    round_key::<S, D>(isa, &keys[I], I, count)
}

#[inline(always)]
fn round_key<S: Isa, D: Direction>(isa: S, key: &[u8; 16], i: usize, count: usize) -> S::Aes {
    if D::ENCRYPT {
        S::Aes::round_key::<true>(isa, key, i, count)
    } else {
        S::Aes::round_key::<false>(isa, key, i, count)
    }
}

/// Takes `R` registers of states in `bytes` through the cipher.
#[inline(always)]
fn batch<S: Isa, D: Direction, const R: usize>(isa: S, keys: &[S::Aes], bytes: &mut [u8]) {
    let register = 16 * S::Aes::N;
    let mut x = [S::Aes::load(isa, bytes); R];
    for i in 1..R {
        x[i] = S::Aes::load(isa, &bytes[register * i..]);
    }
    let x = if D::ENCRYPT {
        S::Aes::rounds::<true, R>(keys, x)
    } else {
        S::Aes::rounds::<false, R>(keys, x)
    };
    for i in (0..R).rev() {
        x[i].store(&mut Sink::new(bytes), register * i);
    }
}

impl<D: Direction> Task for SlicedStrips<'_, '_, D> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let (register, least) = (16 * S::Aes::N, 16 * least::<S::Aes, S>());
        let (mut bytes, mut len) = self.strips.next();
        // No strip is longer than the first.
        let sliced = if len >= least { Some(slice::<S, D>(isa, self.keys)) } else { None };
        while len > 0 {
            let mut at = 0;
            if let Some(keys) = &sliced {
                let keys = &keys[..self.keys.len()];
                while len - at >= 2 * register {
                    batch::<S, D, 2>(isa, keys, &mut bytes[at..at + 2 * register]);
                    at += 2 * register;
                }
                while at < len && len - at >= least {
                    at += last::<S, D>(isa, keys, &mut bytes[at..], len - at);
                }
            }
            for block in bytes[at..len].as_chunks_mut::<16>().0 {
                isa.run(Alone::<D>::new(self.keys, block));
            }
            (bytes, len) = self.strips.next();
        }
    }
}

/// Takes up to a register of blocks, `len` bytes, through the cipher. Returns how many bytes were done. If `bytes` is longer, the
/// bytes after them are overwritten.
#[inline(always)]
fn last<S: Isa, D: Direction>(isa: S, keys: &[S::Aes], bytes: &mut [u8], len: usize) -> usize {
    let (register, mut room) = (16 * S::Aes::N, [0; ROOM]);
    let (len, here) = (len.min(register), bytes.len() >= register);
    if !here {
        room[..len].copy_from_slice(&bytes[..len]);
    }
    let whole = if here { &mut bytes[..register] } else { &mut room[..register] };
    batch::<S, D, 1>(isa, keys, whole);
    if !here {
        bytes[..len].copy_from_slice(&room[..len]);
        erase(&mut room);
    }
    len
}
