//! Threefish-256, -512 and -1024 (The Skein Hash Function Family, version 1.3, section 3.3).
//!
//! Constant-time on every backend: it consists of additions, rotations and XORs.

pub(crate) mod fresh;
mod fresh_halves;
mod halves;
mod one;
pub(crate) mod rounds;
mod schedule;
#[cfg(all(test, feature = "std"))]
mod tests;

use crate::cipher::{BlockCipher, Cipher, Cursor, Direction, EcbPass, Key, NewCipher, Pass, Wide};
use crate::isa::{Endian, Extension, InOut, Isa, Lanes, Sink, aligned_frame, erase, forms, opaque};
use core::fmt;
use core::num::Wrapping;
use one::WordsOrHalves;
use rounds::{SameTweak, Tweaks};
pub(crate) use schedule::word;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Threefish with blocks and keys of `W` words of 64 bits, `B` bytes, and a tweak of 16 bytes.
///
/// ```
/// use icefish::{Key, ciphers::Threefish512};
/// let mut key = Key::<Threefish512>::new(&[7; 64])?;
/// key.set_tweak(&[1; 16]);
/// let mut block = [5; 64];
/// key.encrypt_block(&mut block);
/// key.decrypt_block(&mut block);
/// assert_eq!(block, [5; 64]);
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Threefish<const W: usize, const B: usize> {
    subkeys: schedule::Subkeys<W>,
    /// The tweak that the subkeys contain: t0, t1 and t2.
    pub(crate) tweak: [u64; 3],
}

/// Threefish with a block and a key of 32 bytes.
///
/// ```
/// use icefish::{Key, ciphers::Threefish256, modes::Ctr};
/// let mut data = [5; 100];
/// Key::<Threefish256>::new(&[7; 32])?.encrypt(Ctr::BE, &[1; 32], &mut data)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Threefish256 = Threefish<4, 32>;
/// Threefish with a block and a key of 64 bytes.
///
/// ```
/// use icefish::{Key, ciphers::Threefish512, modes::Ctr};
/// let mut data = [5; 100];
/// Key::<Threefish512>::new(&[7; 64])?.encrypt(Ctr::BE, &[1; 64], &mut data)?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub type Threefish512 = Threefish<8, 64>;
/// Threefish with a block and a key of 128 bytes.
///
/// ```
/// use icefish::{Key, ciphers::Threefish1024, modes::Ctr};
/// let mut data = [5; 100];
/// Key::<Threefish1024>::new(&[7; 128])?.encrypt(Ctr::BE, &[1; 128], &mut data)?;
/// # Ok::<(), icefish::Error>(())
/// ```
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
    fn blank() -> Self {
        Self { subkeys: schedule::Subkeys::blank(), tweak: [0; 3] }
    }

    #[inline(always)]
    fn schedule<S: Isa>(&mut self, _: S, key: &[u8], tweak: &[u8]) {
        self.tweak = schedule::tweak_words(tweak);
        self.subkeys.make(key);
        self.subkeys.add_tweak(self.tweak);
    }
}

impl<const W: usize, const B: usize> Threefish<W, B> {
    /// Sets another tweak for the same key. It takes some forty additions.
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

    /// The number of groups in parallel (a group has one block in each lane): enough to hide the latency of the rounds, as far
    /// as the registers allow.
    fn groups<S: Isa>() -> usize {
        match (S::U64::N, W) {
            (8, _) => 16 / W,
            (4, 4 | 8) => 2,
            _ => 1,
        }
    }

    /// Takes groups in registers through the cipher.
    #[inline(always)]
    pub(crate) fn words<
        S: Isa,
        D: Direction,
        V: Lanes<S, u64>,
        T: Tweaks<V, W, M>,
        const M: usize,
    >(
        &self,
        isa: S,
        tweaks: T,
        x: Words<V, W, M>,
    ) -> Words<V, W, M> {
        Words(if D::ENCRYPT {
            rounds::encrypt(isa, &self.subkeys, tweaks, x.0)
        } else {
            rounds::decrypt(isa, &self.subkeys, tweaks, x.0)
        })
    }

    /// Takes `count` blocks of a pass from block `at` on, in `M` groups.
    #[inline(always)]
    fn batch_at<S: Isa, D: Direction, P: Pass, T: Source, const M: usize>(
        &self,
        isa: S,
        pass: &mut P,
        source: &T,
        at: usize,
        count: usize,
    ) {
        // With AVX2, Threefish-512 would take 2.2 times as long where the spilled words cross a page (Zen 4). With AVX-512, nothing is
        // spilled.
        if S::U64::N == 4 {
            aligned_frame::<S::U64>();
        }
        let x: Words<S::U64, W, M> = pass.enter(isa, at, count);
        let tweaks = source.tweaks::<S, S::U64, W, M>(isa, &self.tweak, at);
        let mut x = self.words::<S, D, S::U64, _, M>(isa, tweaks, x);
        pass.leave(isa, at, count, &mut x);
    }

    /// Takes all blocks of a pass: first batches that fill the registers, then the rest in one batch of 1, 2 or 4 groups, full
    /// or not, or block by block if there are few. A batch takes almost the same time however many blocks it has.
    #[inline(always)]
    pub(crate) fn batches<S: Isa, D: Direction, P: Pass, T: Source>(
        &self,
        isa: S,
        pass: &mut P,
        source: &T,
        blocks: usize,
    ) {
        let (lanes, groups) = (S::U64::N, Self::groups::<S>());
        let mut cursor = Cursor::<P>::new(blocks);
        while let Some(at) = cursor.take(lanes * groups) {
            // One block ahead is less than CPUs prefetch by themselves.
            if lanes * groups > 1 {
                cursor.fetch(pass, lanes * groups);
            }
            // Subkeys that are loaded before the loop would be spilled to the stack, and be in memory twice.
            let cipher = opaque(self);
            match groups {
                4 => cipher.batch_at::<S, D, P, T, 4>(isa, pass, source, at, 4 * lanes),
                2 => cipher.batch_at::<S, D, P, T, 2>(isa, pass, source, at, 2 * lanes),
                _ => cipher.batch_at::<S, D, P, T, 1>(isa, pass, source, at, lanes),
            }
        }
        let rest = cursor.left();
        if rest >= Self::fewest::<S, D>()
            && let Some(at) = cursor.take(rest)
        {
            if groups == 4 && rest > 2 * lanes {
                self.batch_at::<S, D, P, T, 4>(isa, pass, source, at, rest);
            } else if groups >= 2 && rest > lanes {
                self.batch_at::<S, D, P, T, 2>(isa, pass, source, at, rest);
            } else {
                self.batch_at::<S, D, P, T, 1>(isa, pass, source, at, rest);
            }
        }
        while let Some(at) = cursor.take(1) {
            source.alone::<S, D, P, W, B>(isa, opaque(self), pass, at);
        }
    }

    /// The smallest number of blocks for which a batch is faster than one block after the other.
    #[inline(always)]
    fn fewest<S: Isa, D: Direction>() -> usize {
        match (S::U64::N, W) {
            (8, 16) => forms().threefish_1024_batch[usize::from(!D::ENCRYPT)],
            (4, 16) => forms().threefish_1024_batch_256[usize::from(!D::ENCRYPT)],
            (8, _) => forms().threefish_batch,
            (lanes, _) => lanes.max(2),
        }
    }
}

/// The source of the tweaks of blocks.
pub(crate) trait Source {
    type Of<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>: Tweaks<V, W, M>;
    /// The tweaks of `M` groups from block `at` on, less `t`, which the subkeys contain.
    fn tweaks<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
        &self,
        isa: S,
        t: &[u64; 3],
        at: usize,
    ) -> Self::Of<S, V, W, M>;
    /// Encrypts or decrypts block `at` of a pass.
    fn alone<S: Isa, D: Direction, P: Pass, const W: usize, const B: usize>(
        &self,
        isa: S,
        cipher: &Threefish<W, B>,
        pass: &mut P,
        at: usize,
    );
}

impl Source for SameTweak {
    type Of<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize> = Self;
    #[inline(always)]
    fn tweaks<S: Isa, V: Lanes<S, u64>, const W: usize, const M: usize>(
        &self,
        _: S,
        _: &[u64; 3],
        _: usize,
    ) -> Self {
        Self
    }
    #[inline(always)]
    fn alone<S: Isa, D: Direction, P: Pass, const W: usize, const B: usize>(
        &self,
        isa: S,
        cipher: &Threefish<W, B>,
        pass: &mut P,
        at: usize,
    ) {
        cipher.alone::<S, D, P>(isa, pass, at);
    }
}

impl<const W: usize, const B: usize> Key<Threefish<W, B>> {
    /// Sets another tweak for the same key, without a new key schedule.
    pub fn set_tweak(&mut self, tweak: &[u8; 16]) {
        self.cipher_mut().set_tweak(tweak);
    }
}

impl<const W: usize, const B: usize> BlockCipher for Threefish<W, B> {
    type Block = [u8; B];
    const EXTENSION: Extension = Extension::None;
    const CONSTANT_TIME: bool = true;
    type One<S: Isa> = WordsOrHalves<S::U64, W>;

    fn batch<S: Isa>() -> usize {
        S::U64::N * Self::groups::<S>()
    }

    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        self.single::<S, D>(isa, block)
    }

    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        self.batches::<S, D, P, SameTweak>(isa, pass, &SameTweak, blocks);
    }
}

impl<const W: usize, const B: usize> Cipher for Threefish<W, B> {
    fn hand_over<S: Isa>(&self) -> usize {
        64 * 1024
    }

    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, io: InOut<'_>) {
        self.alone::<S, D, _>(isa, &mut EcbPass::<Self::Block>::new(io), 0);
    }
}

/// Blocks of `W` words in `M` groups.
#[derive(Clone, Copy)]
pub(crate) struct Words<V, const W: usize, const M: usize>(rounds::Groups<V, W, M>);

impl<const W: usize> Words<Wrapping<u64>, W, 1> {
    #[inline(always)]
    fn zero() -> Self {
        Self([[Wrapping(0); W]])
    }
}

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
                // Without the barrier, Threefish-1024 in general registers spills other words, and takes 4 % longer (Zen 3).
                if V::N == 1 {
                    x[m][i] = x[m][i].opaque();
                }
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
