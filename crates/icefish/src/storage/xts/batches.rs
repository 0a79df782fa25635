//! Whole blocks by batches, and their tweaks.

use crate::Block;
use crate::cipher::{self, Cipher, Direction, Pass, Wide, Xor};
use crate::isa::{InOut, Isa, Polynomials};

/// The tweaks of consecutive blocks, as many as the largest batch has, and the next ones: those are made while the cipher is
/// busy with these, because it would otherwise wait for them. Aligned: what is stored across a line of the cache is late for
/// the load that follows.
#[repr(C, align(64))]
struct Tweaks<const ROOM: usize> {
    halves: [[u8; ROOM]; 2],
    /// How often batches went to the other half.
    now: usize,
    /// The block that the first tweak of that half is of.
    from: usize,
    /// How many a half has: a multiple of 8, and the sum of some batches.
    count: usize,
    /// How many blocks need one.
    all: usize,
}

impl<const ROOM: usize> Tweaks<ROOM> {
    /// For `all` blocks in batches of at most `batch`; `first` is the tweak of the first.
    #[inline(always)]
    fn start<S: Isa>(isa: S, first: &[u8; 16], all: usize, batch: usize) -> Self {
        let (n, count) = (16 * S::Poly::N, all.min(batch).min(ROOM / 16).next_multiple_of(8));
        let mut halves = [[0; ROOM]; 2];
        let (eight, others) = halves[0][..16 * count].split_at_mut(16 * 8);
        for at in (0..16 * 8).step_by(n) {
            S::Poly::times_powers(isa, first, at / 16).store(&mut eight[at..at + n]);
        }
        for (i, others) in others.chunks_exact_mut(16 * 8).enumerate() {
            for at in (0..16 * 8).step_by(n) {
                let tweaks = S::Poly::load(isa, &eight[at..at + n]).times_x8(isa, i + 1);
                tweaks.store(&mut others[at..at + n]);
            }
        }
        Self { halves, now: 0, from: 0, count, all }
    }

    /// A batch begins with block `at`: if it is the first of its half, makes the other half.
    #[inline(always)]
    fn begin<S: Isa>(&mut self, isa: S, at: usize) {
        if at == self.from && at + self.count < self.all {
            // The number of a whole batch is a constant.
            if self.count == ROOM / 16 {
                self.make(isa, ROOM / 16);
            } else {
                self.make(isa, self.count);
            }
        }
    }

    /// Makes the other half, of `count` tweaks.
    #[inline(always)]
    fn make<S: Isa>(&mut self, isa: S, count: usize) {
        for at in (0..16 * count).step_by(16 * S::Poly::N) {
            let now = S::Poly::load(isa, &self.halves[self.now % 2][at..]);
            let next = &mut self.halves[(self.now + 1) % 2][at..at + 16 * S::Poly::N];
            now.times_x8(isa, count / 8).store(next);
        }
    }

    /// All blocks before `end` are done.
    #[inline(always)]
    fn end(&mut self, end: usize) {
        if end == self.from + self.count {
            (self.now, self.from) = (self.now + 1, end);
        }
    }

    /// Those of `count` blocks from `at` on.
    #[inline(always)]
    fn get(&self, at: usize, count: usize) -> &[u8] {
        let i = 16 * (at - self.from);
        &self.halves[self.now % 2][i..i + 16 * count]
    }
}

/// Whole blocks with their tweaks.
struct XtsPass<'a, const ROOM: usize> {
    io: InOut<'a>,
    tweaks: Tweaks<ROOM>,
}

impl<const ROOM: usize> Pass for XtsPass<'_, ROOM> {
    const BACKWARD: bool = false;
    const PREFERS_SMALL_BATCHES: bool = true;
    const MOST: usize = ROOM / 16;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        self.tweaks.begin(isa, at);
        let tweaks = cipher::load::<S, W, [u8; 16]>(isa, self.tweaks.get(at, count));
        let input = &self.io.input()[16 * at..16 * (at + count)];
        cipher::load::<S, W, [u8; 16]>(isa, input).xor(isa, tweaks)
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let tweaks = Xor::Bytes(self.tweaks.get(at, count));
        cipher::store::<S, W, [u8; 16]>(isa, blocks, &mut self.io, 16 * at, 16 * count, tweaks);
        self.tweaks.end(at + count);
    }
}

/// Whole blocks by batches. There are `all` tweaks, one more than blocks if one is stolen from: the result is that one.
#[inline(always)]
pub(super) fn many<C: Cipher<Block = [u8; 16]>, D: Direction, S: Isa, const ROOM: usize>(
    isa: S,
    cipher: &C,
    tweak: &[u8; 16],
    all: usize,
    io: InOut<'_>,
) -> [u8; 16] {
    let blocks = io.len() / 16;
    let tweaks = Tweaks::<ROOM>::start(isa, tweak, all, C::batch::<S>());
    let mut pass = XtsPass { io, tweaks };
    cipher.many::<S, D, _>(isa, &mut pass, blocks);
    if blocks == all {
        return [0; 16];
    }
    <[u8; 16]>::take(pass.tweaks.get(blocks, 1))
}
