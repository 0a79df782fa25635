//! ICE at every level (Kwan, "The Design of the ICE Encryption Algorithm", FSE 1997).

mod blocks;
mod columns;
mod expansion;
mod fields;
mod network2;
mod network3;
mod planes;
mod schedule;
mod sliced;
mod tables;
mod terminals;

use crate::Error;
use crate::cipher::{BlockCipher, Cipher, Cursor, Direction, Key, NewCipher, Pass, Wide};
use crate::isa::{
    Backend, Extension, Gf256, Isa, Lanes, Rows, Sink, Task, aligned_frame, erase, forms,
};
use blocks::{RowBlocks, WordBlocks};
use columns::{ColumnKey, SboxColumns};
use core::fmt;
use core::marker::PhantomData;
use core::num::Wrapping;
use planes::BlockPlanes;
use schedule::{ExpandedSubkey, Masks};
use sliced::SlicedRounds;
use tables::Halves;
use zeroize::ZeroizeOnDrop;

/// ICE: blocks of 8 bytes. Level 0 is Thin-ICE with 8 rounds; level n has 16 n rounds.
///
/// Many blocks at once are computed in constant time on every backend but `scalar`: bit-sliced, or by arithmetic in GF(2^8). Calls
/// for one block, serial modes, short messages, and the blocks that the batches of a long one leave over (up to 115) look up tables
/// at addresses that depend on the data. Other programs on the same machine may be able to observe these addresses: such calls are
/// **not constant-time**, unless the key was made [constant-time](Ice::constant_time).
///
/// [`Key::new`] takes the level from the length of the key: 8 n bytes are level n. Thin-ICE has a key of 8 bytes too, so it must
/// be asked for, by [`Key::with_level`] or [`Ice::new`].
///
/// ```
/// use icefish::{Backend, Key, ciphers::Ice};
/// let key = Key::<Ice>::new(&[7; 16])?; // level 2
/// let other = Key::from_cipher(Backend::best(), Ice::new(2, &[7; 16])?.constant_time());
/// let mut block = [5; 8];
/// key.encrypt_block(&mut block);
/// other.decrypt_block(&mut block);
/// assert_eq!(block, [5; 8]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Ice {
    /// 8 bytes in each word, big-endian.
    key: [u64; Ice::MAX_LEVEL],
    subkeys: [ExpandedSubkey; Ice::MAX_ROUNDS],
    /// The same subkeys in the form of [`fields`]. They are an array of their own, because the tables fill the L1 cache of most
    /// CPUs: with both forms in one array, ICE at level 2 takes 545 cycles instead of 505 (Zen 4).
    columns: [ColumnKey; Ice::MAX_ROUNDS],
    rounds: usize,
    tables: bool,
}

impl Ice {
    /// The largest level: a key of 64 bytes and 128 rounds.
    ///
    /// The paper sets no limit. This library does, because it works without an allocator: the schedule is an array with room for
    /// every round of the largest level, 8 KiB in each key, also of Thin-ICE. Higher levels would add no security: a key of level 2
    /// (16 bytes) already cannot be guessed, and blocks of 8 bytes begin to repeat after 2^32 at any level. The programs that we
    /// know to use ICE (games) use levels 0 to 2. We know of no published test vector above level 8.
    pub const MAX_LEVEL: usize = 8;
    const MAX_ROUNDS: usize = 16 * Self::MAX_LEVEL;

    /// Length in bytes of a key of `level`.
    pub const fn key_len(level: usize) -> usize {
        8 * if level == 0 { 1 } else { level }
    }

    /// ICE of `level`, with a key of [`Ice::key_len`] bytes.
    ///
    /// # Errors
    /// [`Error::Level`] above [`Ice::MAX_LEVEL`], which explains the limit; [`Error::KeyLength`].
    pub fn new(level: usize, key: &[u8]) -> Result<Self, Error> {
        let mut made = Self::of_level(level)?;
        made.set_key(key)?;
        // A clone and not a move: the original is dropped here, and so erased.
        Ok(made.clone())
    }

    /// Room for a key of `level`.
    pub(crate) fn of_level(level: usize) -> Result<Self, Error> {
        if level > Self::MAX_LEVEL {
            return Err(Error::Level { got: level, most: Self::MAX_LEVEL });
        }
        let rounds = if level == 0 { 8 } else { 16 * level };
        Ok(Self { rounds, ..Self::blank() })
    }

    /// Replaces the key by one of the same level. The schedule is made in its final place.
    ///
    /// # Errors
    /// [`Error::KeyLength`]: the key is unchanged.
    pub fn set_key(&mut self, key: &[u8]) -> Result<(), Error> {
        let (got, need) = (key.len(), Self::key_len(self.rounds / 16));
        if got != need {
            return Err(Error::KeyLength { got, need });
        }
        self.expand(key);
        Ok(())
    }

    /// The schedule of a key of this level.
    fn expand(&mut self, key: &[u8]) {
        for (word, bytes) in self.key.iter_mut().zip(key.chunks_exact(8)) {
            *word = bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        for round in 0..self.rounds {
            let (part, wires) = schedule::source(round, self.rounds);
            let subkey = ExpandedSubkey::new(self.key[part], wires);
            self.columns[round] = ColumnKey::new(subkey.key, subkey.salt);
            self.subkeys[round] = subkey;
        }
    }

    /// The same cipher without tables. Every call is constant-time, but slow for few blocks: one block takes as long as 64, or as
    /// 32 with GFNI at 256 bits, and in some modes as long as a [batch](crate::Key::batch).
    #[must_use]
    pub fn constant_time(mut self) -> Self {
        self.tables = false;
        self
    }

    fn columns(&self) -> &[ColumnKey] {
        &self.columns[..self.rounds]
    }

    fn erase_subkeys(&mut self) {
        erase(&mut self.subkeys[..self.rounds]);
        erase(&mut self.columns[..self.rounds]);
    }

    /// `M` independent blocks by table.
    #[inline(always)]
    fn look_up<S: Isa, D: Direction, W: Halves<S, M>, const M: usize>(&self, isa: S, x: W) -> W {
        let [mut left, mut right] = x.split(isa);
        let (pairs, _) = self.subkeys[..self.rounds].as_chunks::<2>();
        for i in 0..pairs.len() {
            let (first, second) = match &pairs[if D::ENCRYPT { i } else { pairs.len() - 1 - i }] {
                [first, second] if D::ENCRYPT => (first, second),
                [second, first] => (first, second),
            };
            for i in 0..M {
                left[i] = tables::round::<S>(left[i], right[i], first);
            }
            for i in 0..M {
                right[i] = tables::round::<S>(right[i], left[i], second);
            }
        }
        W::join(isa, [right, left])
    }

    /// Blocks by table, `M` at a time, as long as there are enough.
    #[inline(always)]
    fn by_table<S: Isa, D: Direction, P: Pass, W: Halves<S, M>, const M: usize>(
        &self,
        isa: S,
        pass: &mut P,
        cursor: &mut Cursor<P>,
    ) {
        while let Some(at) = cursor.take(M) {
            let x: W = pass.enter(isa, at, M);
            pass.leave(isa, at, M, &mut self.look_up::<S, D, W, M>(isa, x));
        }
    }

    /// The rounds for blocks in bit planes.
    #[inline(always)]
    fn planes<S: Isa, D: Direction, V: Lanes<S, u64>>(
        &self,
        isa: S,
        masks: &mut Masks,
        planes: &mut BlockPlanes<V>,
    ) {
        let (key, rounds) = (&self.key, self.rounds);
        if V::TERNARY {
            isa.run(SlicedRounds::<S, V, D, true>::new(isa, key, rounds, masks, planes));
        } else {
            isa.run(SlicedRounds::<S, V, D, false>::new(isa, key, rounds, masks, planes));
        }
    }

    /// The smallest number of blocks that are not looked up in tables, but computed in GF(2^8) (columns) or bit-sliced (planes).
    /// The documentation promises constant time from fixed numbers on, which none of these may exceed. In general registers,
    /// bit-slicing is never faster.
    #[inline(always)]
    fn enough<S: Isa>() -> usize {
        match (S::Gf256::FAST, S::U64::N) {
            (true, n) => forms().ice_fields[usize::from(n < 8)],
            (false, 4 | 8) => forms().ice_planes,
            (false, 2) => 64,
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
        Ok(Self::from_cipher(Backend::best(), Ice::new(level, key)?))
    }
}

impl Drop for Ice {
    fn drop(&mut self) {
        erase(&mut self.key);
        self.erase_subkeys();
    }
}

impl ZeroizeOnDrop for Ice {}

impl fmt::Debug for Ice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ice({} rounds)", self.rounds)
    }
}

impl BlockCipher for Ice {
    type Block = [u8; 8];
    const EXTENSION: Extension = Extension::Gf256;
    /// A key uses tables unless it was made by [`Ice::constant_time`].
    const CONSTANT_TIME: bool = false;
    type One<S: Isa> = WordBlocks<1>;

    fn batch<S: Isa>() -> usize {
        if S::Gf256::FAST { <SboxColumns<S::Gf256, 2> as Wide<S>>::BLOCKS } else { 64 * S::U64::N }
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: WordBlocks<1>) -> WordBlocks<1> {
        if self.tables {
            return self.look_up::<S, D, WordBlocks<1>, 1>(isa, block);
        }
        let cipher = self;
        WordBlocks([isa.run(WithoutTables {
            cipher,
            block: block.0[0],
            direction: PhantomData::<D>,
        })])
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let mut cursor = Cursor::<P>::new(blocks);
        let enough = if self.tables { Self::enough::<S>() } else { 1 };
        if cursor.left() >= enough {
            let (cipher, direction) = (self, PhantomData::<D>);
            cursor = isa.run(Batches { cipher, pass, cursor, enough, direction });
        }
        if S::Row32::PICKS {
            self.by_table::<S, D, P, RowBlocks<S::Row32, 2>, 4>(isa, pass, &mut cursor);
            self.by_table::<S, D, P, RowBlocks<S::Row32, 1>, 2>(isa, pass, &mut cursor);
        } else {
            self.by_table::<S, D, P, WordBlocks<4>, 4>(isa, pass, &mut cursor);
            self.by_table::<S, D, P, WordBlocks<2>, 2>(isa, pass, &mut cursor);
        }
        self.by_table::<S, D, P, WordBlocks<1>, 1>(isa, pass, &mut cursor);
    }
}

/// The length of a new key determines the level. 8 bytes are level 1, or Thin-ICE if the cipher is Thin-ICE at that moment.
impl NewCipher for Ice {
    const KEY: usize = Self::key_len(Self::MAX_LEVEL);

    #[inline(always)]
    fn has_keys_of(len: usize) -> bool {
        len == Self::nearest_key(len)
    }
    fn nearest_key(len: usize) -> usize {
        len.next_multiple_of(8).clamp(8, Self::KEY)
    }
    #[inline(always)]
    fn key_len(&self) -> usize {
        Self::key_len(self.rounds / 16)
    }
    #[inline(always)]
    fn blank() -> Self {
        Self {
            key: [0; Self::MAX_LEVEL],
            subkeys: [ExpandedSubkey::default(); Self::MAX_ROUNDS],
            columns: [ColumnKey::default(); Self::MAX_ROUNDS],
            rounds: Self::MAX_ROUNDS,
            tables: true,
        }
    }
    #[inline(always)]
    fn schedule<S: Isa>(&mut self, _: S, key: &[u8], _: &[u8]) {
        if key.len() != Self::key_len(self.rounds / 16) {
            // Nothing of a longer key is left behind.
            erase(&mut self.key);
            self.erase_subkeys();
            self.rounds = 16 * (key.len() / 8);
        }
        self.expand(key);
    }
}

impl Cipher for Ice {
    /// Bytes that take 3 to 13 µs on the CPUs that were measured. At 8 rounds, these encrypt 3.7 to 7.8 bytes a ns in GF(2^8) with
    /// 512 bits, 1.9 to 2.6 with 256; bit-sliced, 2.6 to 5.4 with 512 bits, 1.5 to 2.3 with 256.
    fn hand_over<S: Isa>(&self) -> usize {
        let eight_rounds = match (S::Gf256::FAST, S::U64::N) {
            (true, 8) => 48 * 1024,
            (true, _) => 24 * 1024,
            (false, _) => 16 * 1024,
        };
        8 * eight_rounds / self.rounds
    }
}

/// One block without tables.
struct WithoutTables<'a, D> {
    cipher: &'a Ice,
    block: u64,
    direction: PhantomData<D>,
}

impl<D: Direction> Task for WithoutTables<'_, D> {
    type Out = u64;
    const EXTENSION: Extension = Extension::Gf256;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> u64 {
        let mut room = [0; 512];
        room[..8].copy_from_slice(&self.block.to_be_bytes());
        if S::Gf256::FAST {
            let mut columns = <SboxColumns<S::Gf256, 1> as Wide<S>>::load(isa, &room);
            fields::rounds::<S, D, 1>(isa, self.cipher.columns(), &mut columns);
            columns.store(isa, Sink::new(&mut room));
        } else {
            let mut planes = <BlockPlanes<Wrapping<u64>> as Wide<S>>::load(isa, &room);
            self.cipher.planes::<S, D, Wrapping<u64>>(isa, &mut Masks::new(), &mut planes);
            Wide::<S>::store(&mut planes, isa, Sink::new(&mut room));
        }
        <WordBlocks<1> as Wide<S>>::load(isa, &room[..8]).0[0]
    }
}

/// Batches of blocks, as columns or in planes, while there are `enough`. Returns the blocks that are left. A call that is not
/// inlined, because of its large stack frame.
struct Batches<'a, P, D> {
    cipher: &'a Ice,
    pass: &'a mut P,
    cursor: Cursor<P>,
    enough: usize,
    direction: PhantomData<D>,
}

impl<P: Pass, D: Direction> Batches<'_, P, D> {
    /// Takes the next blocks, as many as `K` vectors have bytes.
    #[inline(always)]
    fn columns<S: Isa, const K: usize>(&mut self, isa: S) {
        let count = self.cursor.left().min(<SboxColumns<S::Gf256, K> as Wide<S>>::BLOCKS);
        let Some(at) = self.cursor.take(count) else { return };
        self.cursor.fetch(self.pass, count);
        let mut columns: SboxColumns<S::Gf256, K> = self.pass.enter(isa, at, count);
        fields::rounds::<S, D, K>(isa, self.cipher.columns(), &mut columns);
        self.pass.leave(isa, at, count, &mut columns);
    }
}

impl<P: Pass, D: Direction> Task for Batches<'_, P, D> {
    type Out = Cursor<P>;
    const EXTENSION: Extension = Extension::Gf256;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) -> Cursor<P> {
        if S::Gf256::FAST {
            aligned_frame::<S::Gf256>();
            while self.cursor.left() > <SboxColumns<S::Gf256, 1> as Wide<S>>::BLOCKS {
                self.columns::<S, 2>(isa);
            }
            if self.cursor.left() >= self.enough {
                self.columns::<S, 1>(isa);
            }
            return self.cursor;
        }
        let mut masks = Masks::new();
        let mut planes = BlockPlanes::<S::U64>::new(isa);
        while self.cursor.left() >= self.enough {
            let count = self.cursor.left().min(64 * S::U64::N);
            let Some(at) = self.cursor.take(count) else { break };
            self.cursor.fetch(self.pass, count);
            self.pass.reenter(isa, at, count, &mut planes);
            self.cipher.planes::<S, D, _>(isa, &mut masks, &mut planes);
            self.pass.leave(isa, at, count, &mut planes);
        }
        self.cursor
    }
}
