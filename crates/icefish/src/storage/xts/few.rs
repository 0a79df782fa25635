//! One to [`MOST`] whole blocks with AES instructions.

use crate::cipher::{self, Cipher, Direction, Pass, Wide, Xor};
use crate::isa::{InOut, Isa, Polynomials, times_x};

/// The largest number of blocks: that of the powers of x that [`Polynomials::times_powers`] takes.
pub(super) const MOST: usize = 8;

/// Whether [`blocks`] takes this data unit.
#[inline(always)]
pub(super) fn takes(io: &InOut<'_>) -> bool {
    io.len().is_multiple_of(16) && io.len() <= 16 * MOST
}

/// Encrypts or decrypts a data unit. `tweak` is the tweak of its first block.
#[inline(always)]
pub(super) fn blocks<C: Cipher<Block = [u8; 16]>, D: Direction, S: Isa>(
    isa: S,
    cipher: &C,
    tweak: &[u8; 16],
    io: InOut<'_>,
) {
    let count = io.len() / 16;
    if count == 1 {
        return super::whitened::<C, D, S>(isa, cipher, *tweak, io);
    }
    // With one state in a register, eight blocks take 98 cycles at once, and 89 in turn. While registers of 512 bits are in use,
    // Intel CPUs have one port instead of two for the rounds of narrower ones: three blocks take 59 cycles with their tweaks in
    // such a register, and 43 in turn (Intel family 6 model 167).
    if count < 4 || S::Poly::N == 1 {
        let mut pass = InTurn { io, tweak: u128::from_le_bytes(*tweak) };
        return cipher.many::<S, D, _>(isa, &mut pass, count);
    }
    let mut pass = AtOnce { io, tweaks: [0; 16 * MOST] };
    for first in (0..MOST).step_by(S::Poly::N) {
        if first < count {
            let to = &mut pass.tweaks[16 * first..16 * (first + S::Poly::N)];
            S::Poly::times_powers(isa, tweak, first).store(to);
        }
    }
    cipher.many::<S, D, _>(isa, &mut pass, count);
}

/// Blocks whose tweaks are all made before.
struct AtOnce<'a> {
    io: InOut<'a>,
    tweaks: [u8; 16 * MOST],
}

impl Pass for AtOnce<'_> {
    const BACKWARD: bool = false;
    const VECTORS: usize = 4;
    const MOST: usize = MOST;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        let bytes = 16 * at..16 * (at + count);
        let tweaks = cipher::load::<S, W, [u8; 16]>(isa, &self.tweaks[bytes.clone()]);
        cipher::load::<S, W, [u8; 16]>(isa, &self.io.input()[bytes]).xor(isa, tweaks)
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let (at, len) = (16 * at, 16 * count);
        let tweaks = Xor::Bytes(&self.tweaks[at..at + len]);
        cipher::store::<S, W, [u8; 16]>(isa, blocks, &mut self.io, at, len, tweaks);
    }
}

/// Blocks one after the other, and the tweak of the next one.
struct InTurn<'a> {
    io: InOut<'a>,
    tweak: u128,
}

impl Pass for InTurn<'_> {
    const BACKWARD: bool = false;
    const MOST: usize = 1;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        assert_eq!(count, Self::MOST, "blocks in a batch");
        let tweak = W::load(isa, &self.tweak.to_le_bytes());
        W::load(isa, &self.io.input()[16 * at..16 * (at + 1)]).xor(isa, tweak)
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, _: usize, block: &mut W) {
        let tweak = W::load(isa, &self.tweak.to_le_bytes());
        block.xor(isa, tweak).store(isa, self.io.sink(16 * at, 16));
        self.tweak = times_x(self.tweak);
    }
}
