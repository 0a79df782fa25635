//! ICE at every level (Kwan, "The Design of the ICE Encryption Algorithm", FSE 1997).

mod network2;
mod network3;
mod planes;
mod schedule;
mod sliced;
mod tables;

use crate::Error;
use crate::cipher::{Cipher, Cursor, Direction, Key, Pass, Wide};
use crate::isa::{Backend, Endian, Isa, Lanes, LookUp, Sink, Task, erase, two_cycle_vectors};
use core::fmt;
use core::marker::PhantomData;
use core::num::Wrapping;
use planes::Planes;
use schedule::{Masks, Subkey};
use sliced::Rounds;
use zeroize::ZeroizeOnDrop;

/// ICE: blocks of 8 bytes; level 0 is Thin-ICE with 8 rounds, level n has 16 n.
///
/// Many blocks at once are bit-sliced where the CPU has vectors, in constant time. One-block calls, serial
/// modes, short messages and the last few blocks of a long one look up tables at addresses that depend on the data, which other programs on the
/// same machine may be able to observe: they are **not constant-time**, unless the key was made
/// [constant-time](Ice::constant_time).
#[derive(Clone)]
pub struct Ice {
    /// 8 bytes a word, big-endian.
    key: [u64; Ice::MAX_LEVEL],
    subkeys: [Subkey; Ice::MAX_ROUNDS],
    rounds: usize,
    tables: bool,
}

impl Ice {
    /// The largest level.
    pub const MAX_LEVEL: usize = 8;
    const MAX_ROUNDS: usize = 16 * Self::MAX_LEVEL;

    /// Length of a key of `level` in bytes.
    pub const fn key_len(level: usize) -> usize {
        8 * if level == 0 { 1 } else { level }
    }

    /// ICE of `level`, with a key of [`Ice::key_len`] bytes.
    ///
    /// # Errors
    /// [`Error::Level`], [`Error::KeyLength`].
    pub fn new(level: usize, key: &[u8]) -> Result<Self, Error> {
        if level > Self::MAX_LEVEL {
            return Err(Error::Level { got: level, most: Self::MAX_LEVEL });
        }
        if key.len() != Self::key_len(level) {
            return Err(Error::KeyLength { got: key.len(), need: Self::key_len(level) });
        }
        let rounds = if level == 0 { 8 } else { 16 * level };
        let (mut words, mut subkeys) = ([0; 8], [Subkey::default(); Self::MAX_ROUNDS]);
        for (word, bytes) in words.iter_mut().zip(key.chunks_exact(8)) {
            *word = bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        for (round, subkey) in subkeys[..rounds].iter_mut().enumerate() {
            let (part, wires) = schedule::source(round, rounds);
            *subkey = Subkey::new(words[part], wires);
        }
        Ok(Self { key: words, subkeys, rounds, tables: true })
    }

    /// The same cipher without tables: every call is bit-sliced and constant-time. A single block then
    /// costs as much as 64.
    #[must_use]
    pub fn constant_time(mut self) -> Self {
        self.tables = false;
        self
    }

    /// The subkeys of two rounds after one another.
    #[inline(always)]
    fn pair<D: Direction>(&self, pair: usize) -> (&Subkey, &Subkey) {
        let (first, second) = if D::ENCRYPT {
            (2 * pair, 2 * pair + 1)
        } else {
            (self.rounds - 1 - 2 * pair, self.rounds - 2 - 2 * pair)
        };
        (&self.subkeys[first], &self.subkeys[second])
    }

    /// Blocks by table, each waiting for nothing but itself.
    #[inline(always)]
    fn look_up<S: Isa, D: Direction, const M: usize>(&self, mut blocks: [u64; M]) -> [u64; M] {
        let (mut left, mut right) = ([0; M], [0; M]);
        for i in 0..M {
            (left[i], right[i]) = tables::split(blocks[i]);
        }
        for pair in 0..self.rounds / 2 {
            let (first, second) = self.pair::<D>(pair);
            for i in 0..M {
                left[i] = tables::round::<S>(left[i], right[i], first);
            }
            for i in 0..M {
                right[i] = tables::round::<S>(right[i], left[i], second);
            }
        }
        for i in 0..M {
            blocks[i] = tables::join::<S, M>(right[i], left[i]);
        }
        blocks
    }

    /// As many blocks by table as fill the registers of the set.
    #[inline(always)]
    fn look_up_wide<S: Isa, D: Direction>(&self, isa: S, halves: &mut Halves<S::U32>) {
        let Halves([left, right, other_left, other_right]) = halves;
        for pair in 0..self.rounds / 2 {
            let (first, second) = self.pair::<D>(pair);
            *left = tables::wide_round(isa, *left, *right, first);
            *other_left = tables::wide_round(isa, *other_left, *other_right, first);
            *right = tables::wide_round(isa, *right, *left, second);
            *other_right = tables::wide_round(isa, *other_right, *other_left, second);
        }
        *halves = Halves([*right, *left, *other_right, *other_left]);
    }

    /// `M` blocks by table, and again, as long as there are enough.
    #[inline(always)]
    fn by_table<S: Isa, D: Direction, const M: usize>(
        &self,
        isa: S,
        pass: &mut impl Pass,
        cursor: &mut Cursor,
    ) {
        while let Some(at) = cursor.take(M) {
            let x: Blocks<M> = pass.enter(isa, at, M);
            pass.leave(isa, at, M, &mut Blocks(self.look_up::<S, D, M>(x.0)));
        }
    }

    /// Blocks in planes.
    #[inline(always)]
    fn planes<S: Isa, D: Direction, V: Lanes<S, u64>>(
        &self,
        isa: S,
        masks: &mut Masks,
        planes: &mut Planes<V>,
    ) {
        let (key, rounds) = (&self.key, self.rounds);
        // Where two-input operations start twice as often, more of them take less time.
        if V::TERNARY && !two_cycle_vectors() {
            isa.run(Rounds::<S, V, D, true>::new(isa, key, rounds, masks, planes));
        } else {
            isa.run(Rounds::<S, V, D, false>::new(isa, key, rounds, masks, planes));
        }
    }

    /// From how many blocks on planes are faster than tables. In general registers they never are.
    const fn enough<S: Isa>() -> usize {
        match S::U64::N {
            4 | 8 => 116,
            2 => 64,
            _ => usize::MAX,
        }
    }
}

impl Key<Ice> {
    /// ICE of `level` on the best backend, with a key of [`Ice::key_len`] bytes.
    ///
    /// # Errors
    /// [`Error::Level`], [`Error::KeyLength`].
    pub fn with_level(level: usize, key: &[u8]) -> Result<Self, Error> {
        Ok(Self::from_cipher(Ice::new(level, key)?, Backend::best()))
    }
}

impl Drop for Ice {
    fn drop(&mut self) {
        erase(&mut self.key);
        erase(&mut self.subkeys[..self.rounds]);
    }
}

impl ZeroizeOnDrop for Ice {}

impl fmt::Debug for Ice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ice({} rounds)", self.rounds)
    }
}

impl Cipher for Ice {
    type Block = [u8; 8];
    const VAES: bool = false;
    type One<S: Isa> = Blocks<1>;

    fn batch<S: Isa>() -> usize {
        64 * S::U64::N
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Blocks<1>) -> Blocks<1> {
        if self.tables {
            return Blocks(self.look_up::<S, D, 1>(block.0));
        }
        let mut room = [0; 512];
        room[..8].copy_from_slice(&block.0[0].to_be_bytes());
        let mut planes = <Planes<Wrapping<u64>> as Wide<S>>::load(isa, &room);
        self.planes::<S, D, Wrapping<u64>>(isa, &mut Masks::new(), &mut planes);
        Wide::<S>::store(&mut planes, isa, Sink::new(&mut room));
        <Blocks<1> as Wide<S>>::load(isa, &room[..8])
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let mut cursor = Cursor::new::<P>(blocks);
        let enough = if self.tables { Self::enough::<S>() } else { 1 };
        if cursor.left() >= enough {
            let (cipher, cursor, direction) = (self, &mut cursor, PhantomData::<D>);
            isa.run(InPlanes { cipher, pass, cursor, enough, direction });
        }
        // Measured on Zen 5. Elsewhere gathers are slower, most of all where microcode guards them (CVE-2022-40982).
        if S::U32::FAST && two_cycle_vectors() {
            let count = 2 * S::U32::N;
            while let Some(at) = cursor.take(count) {
                let mut x: Halves<S::U32> = pass.enter(isa, at, count);
                self.look_up_wide::<S, D>(isa, &mut x);
                pass.leave(isa, at, count, &mut x);
            }
        }
        self.by_table::<S, D, 4>(isa, pass, &mut cursor);
        self.by_table::<S, D, 2>(isa, pass, &mut cursor);
        self.by_table::<S, D, 1>(isa, pass, &mut cursor);
    }
}

/// Batches of blocks in planes while there are `enough`. A call of its own, because of all that memory.
struct InPlanes<'a, P, D> {
    cipher: &'a Ice,
    pass: &'a mut P,
    cursor: &'a mut Cursor,
    enough: usize,
    direction: PhantomData<D>,
}

impl<P: Pass, D: Direction> Task for InPlanes<'_, P, D> {
    type Out = ();
    const VAES: bool = false;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let mut masks = Masks::new();
        let mut planes = Planes::<S::U64>::new(isa);
        while self.cursor.left() >= self.enough {
            let count = self.cursor.left().min(64 * S::U64::N);
            let Some(at) = self.cursor.take(count) else { break };
            self.pass.reenter(isa, at, count, &mut planes);
            self.cipher.planes::<S, D, _>(isa, &mut masks, &mut planes);
            self.pass.leave(isa, at, count, &mut planes);
        }
    }
}

/// Blocks as numbers, big-endian, each by itself.
#[derive(Clone, Copy)]
pub struct Blocks<const M: usize>([u64; M]);

impl<S: Isa, const M: usize> Wide<S> for Blocks<M> {
    const BLOCKS: usize = M;
    /// Four at most.
    type Bytes = [u8; 32];

    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        let mut blocks = [0; M];
        for (block, bytes) in blocks.iter_mut().zip(bytes.chunks_exact(8)) {
            *block = u64::from_be_bytes(bytes.try_into().expect("an ICE block"));
        }
        Self(blocks)
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        for i in (0..M).rev() {
            sink.put(8 * i, self.0[i].to_be_bytes());
        }
    }
    #[inline(always)]
    fn counters(_: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let mut blocks = [0; M];
        for (i, block) in blocks.iter_mut().enumerate() {
            let count = low.wrapping_add(i as u64);
            *block = if endian == Endian::Big { count } else { count.swap_bytes() };
        }
        Self(blocks)
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut blocks = self.0;
        for i in 0..M {
            blocks[i] ^= other.0[i];
        }
        Self(blocks)
    }
}

/// The left and the right halves of every other block, and those of the others.
#[derive(Clone, Copy)]
struct Halves<V>([V; 4]);

impl<S: Isa, V: Lanes<S, u32>> Wide<S> for Halves<V> {
    const BLOCKS: usize = 2 * V::N;
    /// Sixteen lanes.
    type Bytes = [u8; 256];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let mut halves = V::gather::<4>(isa, bytes);
        for half in &mut halves {
            *half = half.swap_bytes();
        }
        Self(halves)
    }
    #[inline(always)]
    fn store(&mut self, _: S, sink: Sink<'_>) {
        for half in &mut self.0 {
            *half = half.swap_bytes();
        }
        V::scatter(self.0, sink);
    }
    #[inline(always)]
    fn counters(isa: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let mut bytes = [0; 256];
        for (i, block) in bytes.chunks_exact_mut(8).enumerate() {
            let count = low.wrapping_add(i as u64);
            let count = if endian == Endian::Big { count } else { count.swap_bytes() };
            block.copy_from_slice(&count.to_be_bytes());
        }
        Self::load(isa, &bytes)
    }
    #[inline(always)]
    fn xor(mut self, _: S, other: Self) -> Self {
        for i in 0..4 {
            self.0[i] = self.0[i] ^ other.0[i];
        }
        self
    }
}
