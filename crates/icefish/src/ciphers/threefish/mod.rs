//! Threefish-256, -512 and -1024 (The Skein Hash Function Family, version 1.3, section 3.3).
//!
//! Constant time on every backend: additions, rotations and XORs only.

mod rounds;
mod schedule;

use crate::cipher::{Cipher, Cursor, Direction, NewCipher, Pass, Wide};
use crate::isa::{Endian, Isa, Lanes, Sink};
use core::fmt;
use core::num::Wrapping;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Threefish with blocks and keys of `W` words of 64 bits, `B` bytes, and a tweak of 16 bytes.
#[derive(Clone)]
pub struct Threefish<const W: usize, const B: usize> {
    subkeys: schedule::Subkeys<W>,
}

/// Threefish with a block and a key of 32 bytes.
pub type Threefish256 = Threefish<4, 32>;
/// Threefish with a block and a key of 64 bytes.
pub type Threefish512 = Threefish<8, 64>;
/// Threefish with a block and a key of 128 bytes.
pub type Threefish1024 = Threefish<16, 128>;

impl<const W: usize, const B: usize> Drop for Threefish<W, B> {
    fn drop(&mut self) {
        self.subkeys.zeroize();
    }
}

impl<const W: usize, const B: usize> ZeroizeOnDrop for Threefish<W, B> {}

impl<const W: usize, const B: usize> fmt::Debug for Threefish<W, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Threefish{}", 8 * B)
    }
}

impl<const W: usize, const B: usize> NewCipher for Threefish<W, B> {
    const KEY: usize = B;
    const TWEAK: usize = 16;

    #[inline(always)]
    fn schedule<S: Isa>(_: S, key: &[u8], tweak: &[u8]) -> Self {
        Self { subkeys: schedule::expand(key, tweak) }
    }
}

impl<const W: usize, const B: usize> Threefish<W, B> {
    #[inline(always)]
    fn words<S: Isa, D: Direction, V: Lanes<S, u64>>(&self, isa: S, x: Words<V, W>) -> Words<V, W> {
        Words(if D::ENCRYPT {
            rounds::encrypt(isa, &self.subkeys, x.0)
        } else {
            rounds::decrypt(isa, &self.subkeys, x.0)
        })
    }
}

impl<const W: usize, const B: usize> Cipher for Threefish<W, B> {
    type Block = [u8; B];
    const VAES: bool = false;
    type One<S: Isa> = Words<Wrapping<u64>, W>;

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        self.words::<S, D, Wrapping<u64>>(isa, block)
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let mut cursor = Cursor::new::<P>(blocks);
        // A batch costs about as much as this many single blocks; two lanes are no better than one word.
        let enough = S::U64::N.div_ceil(2).max(S::U64::N.min(2));
        while cursor.left() >= enough {
            let count = cursor.left().min(S::U64::N);
            let Some(at) = cursor.take(count) else { break };
            let x: Words<S::U64, W> = pass.enter(isa, at, count);
            let x = self.words::<S, D, S::U64>(isa, x);
            pass.leave(isa, at, count, x);
        }
        while let Some(at) = cursor.take(1) {
            let x: Words<Wrapping<u64>, W> = pass.enter(isa, at, 1);
            let x = self.words::<S, D, Wrapping<u64>>(isa, x);
            pass.leave(isa, at, 1, x);
        }
    }
}

/// Blocks of `W` words: word `i` of every block in vector `i`.
#[derive(Clone, Copy)]
pub struct Words<V, const W: usize>([V; W]);

impl<S: Isa, V: Lanes<S, u64>, const W: usize> Wide<S> for Words<V, W> {
    const BLOCKS: usize = V::N;
    /// Eight blocks of 128 bytes.
    type Bytes = [u8; 1024];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        Self(V::gather::<W>(isa, bytes))
    }
    #[inline(always)]
    fn store(self, _: S, sink: Sink<'_>) {
        V::scatter::<W>(self.0, sink);
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let template = &template[..8 * W];
        let mut x = [V::splat(isa, 0); W];
        for (i, word) in x.iter_mut().enumerate() {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&template[8 * i..8 * i + 8]);
            *word = V::splat(isa, u64::from_le_bytes(bytes));
        }
        let count = V::splat(isa, low) + V::index(isa);
        match endian {
            Endian::Big => x[W - 1] = count.swap_bytes(),
            Endian::Little => x[0] = count,
        }
        Self(x)
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut x = self.0;
        for (i, word) in x.iter_mut().enumerate() {
            *word = *word ^ other.0[i];
        }
        Self(x)
    }
}
