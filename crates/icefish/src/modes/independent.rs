//! Modes of independent blocks, written as two functions: one before the cipher, one after it.

use super::{Chain, Mode};
use crate::Block;
use crate::cipher::{self, Cipher, Direction, Many, Pass, Wide, Xor};
use crate::isa::{Endian, InOut, Isa};

/// Consecutive blocks of a message, for [`Mode::enter`] and [`Mode::leave`]: their data, their numbers, and the IV. There are as many
/// as a cipher takes in parallel, or fewer at the end of the message.
///
/// ```
/// use icefish::{Key, cipher::Wide, ciphers::Aes128, isa::Isa, modes::{Blocks, Mode}};
///
/// /// The number of each block, counted from the IV on, is XORed before and after the cipher. It has no use.
/// #[derive(Clone, Copy)]
/// struct Numbered;
///
/// impl Mode for Numbered {
///     #[inline(always)]
///     fn enter<S: Isa, W: Wide<S>>(&self, isa: S, blocks: &Blocks<'_>) -> W {
///         blocks.load::<S, W>(isa).xor(isa, blocks.counters(isa))
///     }
///     #[inline(always)]
///     fn leave<S: Isa, W: Wide<S>>(&self, isa: S, output: W, blocks: &mut Blocks<'_>) {
///         blocks.store(isa, output.xor(isa, blocks.counters(isa)));
///     }
/// }
///
/// let key = Key::<Aes128>::new(&[7; 16])?;
/// let mut data = [5; 64];
/// key.encrypt(Numbered, &[1; 16], &mut data)?;
/// assert_ne!(data[..16], data[16..32]); // equal plaintext blocks do not show
/// key.decrypt(Numbered, &[1; 16], &mut data)?;
/// assert_eq!(data, [5; 64]);
/// # Ok::<(), icefish::Error>(())
/// ```
pub struct Blocks<'a> {
    io: InOut<'a>,
    iv: &'a [u8],
    index: u128,
}

impl core::fmt::Debug for Blocks<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Blocks").field("index", &self.index).finish_non_exhaustive()
    }
}

impl Blocks<'_> {
    /// The IV, with zeros after it if it is shorter than a block.
    #[inline(always)]
    pub fn iv(&self) -> &[u8] {
        self.iv
    }

    /// The number of the first of these blocks in the message, from 0 on.
    #[inline(always)]
    pub fn index(&self) -> u128 {
        self.index
    }

    /// The input of the mode: plaintext to encrypt, ciphertext to decrypt. If there are fewer blocks than `W` has, the others are zero.
    #[inline(always)]
    pub fn load<S: Isa, W: Wide<S>>(&self, isa: S) -> W {
        cipher::load_blocks(isa, self.io.input(), self.iv.len())
    }

    /// Block `j` is the IV plus [`Blocks::index`] plus `j`, where the last eight bytes of the IV, or all of a shorter block, are a
    /// big-endian number that wraps.
    #[inline(always)]
    pub fn counters<S: Isa, W: Wide<S>>(&self, isa: S) -> W {
        let low = Endian::Big.low(self.iv).wrapping_add(self.index as u64);
        W::counters(isa, self.iv, Endian::Big, low)
    }

    /// Writes the output of the mode. Blocks past the end of the message are left out.
    #[inline(always)]
    pub fn store<S: Isa, W: Wide<S>>(&mut self, isa: S, mut output: W) {
        let len = self.io.len();
        cipher::store_blocks(isa, &mut output, &mut self.io, 0, len, Xor::Nothing, self.iv.len());
    }
}

/// The pass of a mode with [`Mode::enter`] and [`Mode::leave`].
struct IndependentPass<'a, M, B> {
    mode: M,
    io: InOut<'a>,
    iv: &'a B,
    index: u128,
}

impl<M, B: Block> IndependentPass<'_, M, B> {
    #[inline(always)]
    fn blocks(&mut self, at: usize, count: usize) -> Blocks<'_> {
        let (_, rest) = self.io.reborrow().split_at(at * B::LEN);
        let (io, _) = rest.split_at(count * B::LEN);
        Blocks { io, iv: self.iv.as_ref(), index: self.index + at as u128 }
    }
}

impl<M: Mode, B: Block> Pass for IndependentPass<'_, M, B> {
    const BACKWARD: bool = false;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn fetch(&self, at: usize, count: usize) {
        self.io.fetch(at * B::LEN, count * B::LEN);
    }
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        let mode = self.mode;
        mode.enter(isa, &self.blocks(at, count))
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let mode = self.mode;
        mode.leave(isa, *blocks, &mut self.blocks(at, count));
    }
}

/// [`Mode::blocks`], by [`Mode::enter`] and [`Mode::leave`].
#[inline(always)]
pub(super) fn blocks<M: Mode, C: Cipher, D: Direction, S: Isa>(
    mode: M,
    isa: S,
    cipher: &C,
    chain: Chain<'_, C::Block>,
    io: InOut<'_>,
) {
    let blocks = io.len() / C::Block::LEN;
    let pass = IndependentPass { mode, io, iv: chain.block(), index: chain.index() };
    isa.run(Many::<_, _, D>::new(cipher, pass, blocks));
}
