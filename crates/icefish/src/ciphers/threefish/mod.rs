//! Threefish-256, -512 and -1024 (The Skein Hash Function Family, version 1.3, section 3.3).
//!
//! Constant time on every backend: additions, rotations and XORs only.

mod rounds;
mod schedule;
mod sector;

use crate::cipher::{Cipher, Cursor, Direction, Key, NewCipher, Pass, Wide};
use crate::isa::{Endian, Isa, Lanes, Sink, erase};
use core::fmt;
use core::num::Wrapping;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Threefish with blocks and keys of `W` words of 64 bits, `B` bytes, and a tweak of 16 bytes.
#[derive(Clone)]
pub struct Threefish<const W: usize, const B: usize> {
    subkeys: schedule::Subkeys<W>,
    /// What of the tweak the subkeys contain: t0, t1 and t2.
    tweak: [u64; 3],
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
        erase(&mut self.tweak);
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
        let mut cipher = Self { subkeys: schedule::expand(key), tweak: [0; 3] };
        cipher.change_tweak(schedule::tweak_words(tweak));
        cipher
    }
}

impl<const W: usize, const B: usize> Threefish<W, B> {
    /// Another tweak for the same key, at the cost of some forty additions.
    pub fn set_tweak(&mut self, tweak: &[u8; 16]) {
        self.change_tweak(schedule::tweak_words(tweak));
    }

    #[inline(always)]
    fn change_tweak(&mut self, t: [u64; 3]) {
        let mut difference = [0; 3];
        for j in 0..3 {
            difference[j] = t[j].wrapping_sub(self.tweak[j]);
        }
        self.subkeys.add_tweak(difference);
        self.tweak = t;
    }

    #[inline(always)]
    fn words<S: Isa, D: Direction, V: Lanes<S, u64>, const M: usize>(
        &self,
        isa: S,
        x: Words<V, W, M>,
    ) -> Words<V, W, M> {
        Words(if D::ENCRYPT {
            rounds::encrypt(isa, &self.subkeys, rounds::Same, x.0)
        } else {
            rounds::decrypt(isa, &self.subkeys, rounds::Same, x.0)
        })
    }

    /// Groups side by side: as many registers of words as hide the latency of the rounds, of those that
    /// there are.
    fn groups<S: Isa>() -> usize {
        match (S::U64::N, W) {
            (8, _) => 16 / W,
            (4, 4 | 8) => 2,
            _ => 1,
        }
    }

    /// As many batches of `M` groups as there are blocks for.
    #[inline(always)]
    fn batches<S: Isa, D: Direction, P: Pass, const M: usize>(
        &self,
        isa: S,
        pass: &mut P,
        cursor: &mut Cursor,
    ) {
        let blocks = M * S::U64::N;
        while let Some(at) = cursor.take(blocks) {
            let x: Words<S::U64, W, M> = pass.enter(isa, at, blocks);
            let mut x = self.words::<S, D, S::U64, M>(isa, x);
            pass.leave(isa, at, blocks, &mut x);
        }
    }
}

impl<const W: usize, const B: usize> Key<Threefish<W, B>> {
    /// Another tweak for the same key: no new key schedule.
    pub fn set_tweak(&mut self, tweak: &[u8; 16]) {
        self.cipher_mut().set_tweak(tweak);
    }
}

impl<const W: usize, const B: usize> Cipher for Threefish<W, B> {
    type Block = [u8; B];
    const VAES: bool = false;
    type One<S: Isa> = Words<Wrapping<u64>, W, 1>;

    fn batch<S: Isa>() -> usize {
        S::U64::N * Self::groups::<S>()
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        self.words::<S, D, Wrapping<u64>, 1>(isa, block)
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        let mut cursor = Cursor::new::<P>(blocks);
        if Self::groups::<S>() == 4 {
            self.batches::<S, D, P, 4>(isa, pass, &mut cursor);
        }
        if Self::groups::<S>() >= 2 {
            self.batches::<S, D, P, 2>(isa, pass, &mut cursor);
        }
        self.batches::<S, D, P, 1>(isa, pass, &mut cursor);
        // A batch costs about as much as this many single blocks; two lanes are no better than one word.
        let rest = cursor.left();
        if rest >= S::U64::N.div_ceil(2).max(2)
            && let Some(at) = cursor.take(rest)
        {
            let x: Words<S::U64, W, 1> = pass.enter(isa, at, rest);
            let mut x = self.words::<S, D, S::U64, 1>(isa, x);
            pass.leave(isa, at, rest, &mut x);
        }
        while let Some(at) = cursor.take(1) {
            let x: Words<Wrapping<u64>, W, 1> = pass.enter(isa, at, 1);
            let mut x = self.words::<S, D, Wrapping<u64>, 1>(isa, x);
            pass.leave(isa, at, 1, &mut x);
        }
    }
}

/// Blocks of `W` words in `M` groups.
#[derive(Clone, Copy)]
pub struct Words<V, const W: usize, const M: usize>(rounds::Groups<V, W, M>);

impl<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize> Wide<S> for Words<V, W, M> {
    const BLOCKS: usize = M * V::N;
    /// 32 blocks of 32 bytes, 16 of 64 or 8 of 128.
    type Bytes = [u8; 1024];

    #[inline(always)]
    fn load(isa: S, bytes: &[u8]) -> Self {
        let bytes = &bytes[..8 * W * V::N * M];
        let mut x = [[V::splat(isa, 0); W]; M];
        for m in 0..M {
            x[m] = V::gather::<W>(isa, &bytes[8 * W * V::N * m..]);
        }
        Self(x)
    }
    #[inline(always)]
    fn store(&mut self, _: S, mut sink: Sink<'_>) {
        let group = 8 * W * V::N;
        for m in (0..M).rev() {
            V::scatter::<W>(self.0[m], sink.part(group * m, group));
        }
    }
    #[inline(always)]
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self {
        let template = &template[..8 * W];
        let mut x = [[V::splat(isa, 0); W]; M];
        for m in 0..M {
            for i in 0..W {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&template[8 * i..8 * i + 8]);
                x[m][i] = V::splat(isa, u64::from_le_bytes(bytes));
            }
            let first = low.wrapping_add((V::N * m) as u64);
            let count = V::splat(isa, first) + V::index(isa);
            match endian {
                Endian::Big => x[m][W - 1] = count.swap_bytes(),
                Endian::Little => x[m][0] = count,
            }
        }
        Self(x)
    }
    #[inline(always)]
    fn xor(self, _: S, other: Self) -> Self {
        let mut x = self.0;
        for m in 0..M {
            for i in 0..W {
                x[m][i] = x[m][i] ^ other.0[m][i];
                if V::N == 1 {
                    x[m][i] = x[m][i].opaque();
                }
            }
        }
        Self(x)
    }
}
