//! ICE at every level (Kwan, "The Design of the ICE Encryption Algorithm", FSE 1997).

mod schedule;
mod tables;

use crate::Error;
use crate::cipher::{Cipher, Cursor, Direction, Key, Pass, Wide};
use crate::isa::{Backend, Endian, Isa, Sink};
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// ICE: blocks of 8 bytes; level 0 is Thin-ICE with 8 rounds, level n has 16 n.
///
/// One-block calls and serial modes look up tables at addresses that depend on the data, which other
/// programs on the same machine may be able to observe: they are **not constant-time**.
#[derive(Clone)]
pub struct Ice {
    subkeys: [Subkey; Ice::MAX_ROUNDS],
    rounds: usize,
}

/// A round's subkey: the two halves that the expanded block is XORed with, and the salt.
#[derive(Clone, Copy, Default)]
struct Subkey {
    left: u32,
    right: u32,
    salt: u32,
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
        let mut ice = Self { subkeys: [Subkey::default(); Self::MAX_ROUNDS], rounds };
        schedule::expand(&mut ice.subkeys[..rounds], key);
        Ok(ice)
    }

    #[inline(always)]
    fn block<D: Direction>(&self, block: u64) -> u64 {
        let (mut l, mut r) = ((block >> 32) as u32, block as u32);
        let subkeys = &self.subkeys[..self.rounds];
        for pair in 0..self.rounds / 2 {
            let (first, second) = if D::ENCRYPT {
                (2 * pair, 2 * pair + 1)
            } else {
                (self.rounds - 1 - 2 * pair, self.rounds - 2 - 2 * pair)
            };
            l ^= tables::f(r, &subkeys[first]);
            r ^= tables::f(l, &subkeys[second]);
        }
        u64::from(r) << 32 | u64::from(l)
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
        for subkey in &mut self.subkeys[..self.rounds] {
            subkey.left.zeroize();
            subkey.right.zeroize();
            subkey.salt.zeroize();
        }
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
    type One<S: Isa> = One;

    fn batch<S: Isa>() -> usize {
        1
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, _: S, block: One) -> One {
        One(self.block::<D>(block.0))
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let mut cursor = Cursor::new::<P>(blocks);
        while let Some(at) = cursor.take(1) {
            let x: One = pass.enter(isa, at, 1);
            let x = self.one::<S, D>(isa, x);
            pass.leave(isa, at, 1, x);
        }
    }
}

/// One block as a number, big-endian.
#[derive(Clone, Copy)]
pub struct One(u64);

impl<S: Isa> Wide<S> for One {
    const BLOCKS: usize = 1;
    type Bytes = [u8; 8];

    #[inline(always)]
    fn load(_: S, bytes: &[u8]) -> Self {
        Self(u64::from_be_bytes(bytes.try_into().expect("an ICE block")))
    }
    #[inline(always)]
    fn store(self, _: S, mut sink: Sink<'_>) {
        sink.put(0, self.0.to_be_bytes());
    }
    #[inline(always)]
    fn counters(_: S, _: &[u8], endian: Endian, low: u64) -> Self {
        Self(if endian == Endian::Big { low } else { low.swap_bytes() })
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}
