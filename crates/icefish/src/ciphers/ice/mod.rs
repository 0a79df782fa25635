//! ICE at every level (Kwan, "The Design of the ICE Encryption Algorithm", FSE 1997).

mod network2;
mod network3;
mod schedule;
mod sliced;
mod tables;

use crate::Error;
use crate::cipher::{Cipher, Cursor, Direction, Key, Pass, Wide};
use crate::isa::{Backend, Endian, Isa, Lanes, Sink, erase};
use core::fmt;
use core::num::Wrapping;
use schedule::Subkey;
use sliced::{Planes, Rounds};
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

    /// Blocks by table, each waiting for nothing but itself.
    #[inline(always)]
    fn blocks<S: Isa, D: Direction, const M: usize>(&self, mut blocks: [u64; M]) -> [u64; M] {
        let (mut left, mut right) = ([0; M], [0; M]);
        for i in 0..M {
            left[i] = tables::expand((blocks[i] >> 32) as u32);
            right[i] = tables::expand(blocks[i] as u32);
        }
        for pair in 0..self.rounds / 2 {
            let (first, second) = if D::ENCRYPT {
                (2 * pair, 2 * pair + 1)
            } else {
                (self.rounds - 1 - 2 * pair, self.rounds - 2 - 2 * pair)
            };
            let (first, second) = (&self.subkeys[first], &self.subkeys[second]);
            for i in 0..M {
                left[i] = tables::round::<S>(left[i], right[i], first);
                right[i] = tables::round::<S>(right[i], left[i], second);
            }
        }
        for i in 0..M {
            let (left, right) =
                (tables::contract::<S, M>(left[i]), tables::contract::<S, M>(right[i]));
            blocks[i] = u64::from(right) << 32 | u64::from(left);
        }
        blocks
    }

    /// Blocks in planes.
    #[inline(always)]
    fn planes<S: Isa, D: Direction, V: Lanes<S, u64>>(&self, isa: S, planes: &mut Planes<V>) {
        isa.run(Rounds::<S, V, D>::new(isa, &self.key, self.rounds, planes));
    }

    /// Up to a batch of blocks in planes.
    #[inline(always)]
    fn batch_of<S: Isa, D: Direction, V: Lanes<S, u64>, P: Pass>(
        &self,
        isa: S,
        planes: &mut Planes<V>,
        pass: &mut P,
        cursor: &mut Cursor,
        count: usize,
    ) {
        if let Some(at) = cursor.take(count) {
            pass.reenter(isa, at, count, planes);
            self.planes::<S, D, V>(isa, planes);
            pass.leave(isa, at, count, planes);
        }
    }

    /// From how many blocks on planes are faster than tables. In general registers they never are.
    const fn enough<S: Isa>() -> usize {
        match S::U64::N {
            8 => 80,
            4 => 110,
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
            return Blocks(self.blocks::<S, D, 1>(block.0));
        }
        let mut room = [0; 512];
        room[..8].copy_from_slice(&block.0[0].to_be_bytes());
        let mut planes = <Planes<Wrapping<u64>> as Wide<S>>::load(isa, &room);
        self.planes::<S, D, Wrapping<u64>>(isa, &mut planes);
        Wide::<S>::store(&mut planes, isa, Sink::new(&mut room));
        <Blocks<1> as Wide<S>>::load(isa, &room[..8])
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let mut cursor = Cursor::new::<P>(blocks);
        let wide = 64 * S::U64::N;
        let enough = if self.tables { Self::enough::<S>() } else { 1 };
        if cursor.left() >= enough {
            let mut planes = Planes::<S::U64>::new(isa);
            while cursor.left() >= enough {
                let count = cursor.left().min(wide);
                self.batch_of::<S, D, _, P>(isa, &mut planes, pass, &mut cursor, count);
            }
        }
        while let Some(at) = cursor.take(4) {
            let x: Blocks<4> = pass.enter(isa, at, 4);
            pass.leave(isa, at, 4, &mut Blocks(self.blocks::<S, D, 4>(x.0)));
        }
        while let Some(at) = cursor.take(2) {
            let x: Blocks<2> = pass.enter(isa, at, 2);
            pass.leave(isa, at, 2, &mut Blocks(self.blocks::<S, D, 2>(x.0)));
        }
        while let Some(at) = cursor.take(1) {
            let x: Blocks<1> = pass.enter(isa, at, 1);
            pass.leave(isa, at, 1, &mut Blocks(self.blocks::<S, D, 1>(x.0)));
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
