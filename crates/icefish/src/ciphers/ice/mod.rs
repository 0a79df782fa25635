//! ICE at every level (Kwan, "The Design of the ICE Encryption Algorithm", FSE 1997).

mod network2;
mod network3;
mod schedule;
mod sliced;
mod tables;

use crate::Error;
use crate::cipher::{Cipher, Cursor, Direction, Key, Pass, Wide};
use crate::isa::{Backend, Endian, Isa, Lanes, Places, Sink, erase, two_cycle_vectors};
use core::fmt;
use core::num::Wrapping;
use schedule::Subkey;
use sliced::{Planes, Rounds};
use zeroize::ZeroizeOnDrop;

/// A word in a general register: one lane.
type Word = Wrapping<u64>;

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
    fn look_up<S: Isa, D: Direction, V: Places<S>, const M: usize>(
        &self,
        isa: S,
        blocks: Blocks<V, M>,
    ) -> Blocks<V, M> {
        let Blocks(mut blocks) = blocks;
        let (mut left, mut right) = (blocks, blocks);
        for i in 0..M {
            (left[i], right[i]) = tables::split(isa, blocks[i]);
        }
        for pair in 0..self.rounds / 2 {
            let (first, second) = if D::ENCRYPT {
                (2 * pair, 2 * pair + 1)
            } else {
                (self.rounds - 1 - 2 * pair, self.rounds - 2 - 2 * pair)
            };
            let (first, second) = (&self.subkeys[first], &self.subkeys[second]);
            for i in 0..M {
                left[i] = tables::round(isa, left[i], right[i], first);
            }
            for i in 0..M {
                right[i] = tables::round(isa, right[i], left[i], second);
            }
        }
        for i in 0..M {
            blocks[i] = tables::join(isa, right[i], left[i]);
        }
        Blocks(blocks)
    }

    /// As many blocks by table as fill `M` vectors, and again, as long as there are enough.
    #[inline(always)]
    fn by_table<S: Isa, D: Direction, V: Places<S>, const M: usize>(
        &self,
        isa: S,
        pass: &mut impl Pass,
        cursor: &mut Cursor,
    ) {
        let count = M * V::N;
        while let Some(at) = cursor.take(count) {
            let x: Blocks<V, M> = pass.enter(isa, at, count);
            pass.leave(isa, at, count, &mut self.look_up::<S, D, V, M>(isa, x));
        }
    }

    /// Blocks in planes.
    #[inline(always)]
    fn planes<S: Isa, D: Direction, V: Lanes<S, u64>>(&self, isa: S, planes: &mut Planes<V>) {
        // Where two-input operations start twice as often, more of them take less time.
        if V::TERNARY && !two_cycle_vectors() {
            isa.run(Rounds::<S, V, D, true>::new(isa, &self.key, self.rounds, planes));
        } else {
            isa.run(Rounds::<S, V, D, false>::new(isa, &self.key, self.rounds, planes));
        }
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
            8 => 112,
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
    type One<S: Isa> = Blocks<Word, 1>;

    fn batch<S: Isa>() -> usize {
        64 * S::U64::N
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Blocks<Word, 1>) -> Blocks<Word, 1> {
        if self.tables {
            return self.look_up::<S, D, Word, 1>(isa, block);
        }
        let mut room = [0; 512];
        room[..8].copy_from_slice(&block.0[0].0.to_be_bytes());
        let mut planes = <Planes<Word> as Wide<S>>::load(isa, &room);
        self.planes::<S, D, Word>(isa, &mut planes);
        Wide::<S>::store(&mut planes, isa, Sink::new(&mut room));
        <Blocks<Word, 1> as Wide<S>>::load(isa, &room[..8])
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
        if S::U64::LOOKS_UP {
            self.by_table::<S, D, S::U64, 2>(isa, pass, &mut cursor);
        }
        self.by_table::<S, D, Word, 4>(isa, pass, &mut cursor);
        self.by_table::<S, D, Word, 2>(isa, pass, &mut cursor);
        self.by_table::<S, D, Word, 1>(isa, pass, &mut cursor);
    }
}

/// Blocks as numbers, big-endian, as many side by side as `M` vectors have lanes.
#[derive(Clone, Copy)]
pub struct Blocks<V, const M: usize>([V; M]);

impl<S: Isa, V: Lanes<S, u64>, const M: usize> Wide<S> for Blocks<V, M> {
    const BLOCKS: usize = M * V::N;
    /// Sixteen blocks at most.
    type Bytes = [u8; 128];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let mut blocks = [V::splat(isa, 0); M];
        for i in 0..M {
            blocks[i] = V::load(isa, &bytes[8 * V::N * i..]).swap_bytes();
        }
        Self(blocks)
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        for i in (0..M).rev() {
            self.0[i].swap_bytes().put(sink.part(8 * V::N * i, 8 * V::N));
        }
    }
    #[inline(always)]
    fn counters(isa: S, _: &[u8], endian: Endian, low: u64) -> Self {
        let mut blocks = [V::splat(isa, 0); M];
        for i in 0..M {
            let first = V::splat(isa, low.wrapping_add((V::N * i) as u64));
            let count = first + V::index(isa);
            blocks[i] = if endian == Endian::Big { count } else { count.swap_bytes() };
        }
        Self(blocks)
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut blocks = self.0;
        for i in 0..M {
            blocks[i] = blocks[i] ^ other.0[i];
        }
        Self(blocks)
    }
}
