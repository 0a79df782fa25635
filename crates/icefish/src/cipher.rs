//! What a mode asks of a block cipher, and what a cipher asks of a mode.

mod apart;
mod batches;
mod chains;
mod ecb;
mod few;
mod key;
#[cfg(feature = "aes")]
mod strips;
mod work;

pub(crate) use batches::{Cursor, Xor, load, reload, store};
pub use chains::{CbcChain, CfbChain, Chaining, MacChain};
pub(crate) use chains::{Chains, WIDE, batch, by_batches, one_by_one, xor};
pub(crate) use ecb::EcbPass;
pub use key::Key;
#[cfg(feature = "aes")]
pub(crate) use strips::{InPlace, ROOM, STRIP, Stripped, Strips, through};
pub use work::Work;
pub(crate) use work::{Many, OneBlock, With, block, encrypt_one, in_place};

use crate::Block;
use crate::isa::{Endian, Gain, InOut, Isa, Sink, Streams};

/// Which way a cipher runs, as a type.
pub trait Direction: Copy + Send + Sync + 'static {
    /// Whether this is encryption.
    const ENCRYPT: bool;
}

/// Plaintext to ciphertext.
#[derive(Clone, Copy, Debug)]
pub struct Encrypt;

/// Ciphertext to plaintext.
#[derive(Clone, Copy, Debug)]
pub struct Decrypt;

impl Direction for Encrypt {
    const ENCRYPT: bool = true;
}
impl Direction for Decrypt {
    const ENCRYPT: bool = false;
}

/// Blocks in the registers of the instruction set `S`, in whatever layout their cipher works on.
pub trait Wide<S: Isa>: Copy {
    /// Number of blocks.
    const BLOCKS: usize;
    /// Room for all of them in memory.
    type Bytes: Block;
    /// Reads [`Wide::BLOCKS`] blocks that lie one after the other.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// The same, into `self`: for blocks that are too many for registers.
    #[inline(always)]
    fn reload(&mut self, isa: S, bytes: &[u8]) {
        *self = Self::load(isa, bytes);
    }
    /// Writes them, from the last byte to the first. What is left in `self` is of no use.
    fn store(&mut self, isa: S, sink: Sink<'_>);
    /// Block `j` is `template` with its counter word set to `low + j`: the last eight bytes,
    /// big-endian, or the first eight, little-endian; all bytes of a shorter block.
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self;
    /// XOR, block by block.
    fn xor(self, isa: S, other: Self) -> Self;
}

/// A mode whose blocks do not wait for each other: what goes into the cipher and what becomes of what
/// comes out. `at` and `count` are in blocks; `count` is at most `W::BLOCKS`.
pub trait Pass {
    /// Whether batches must be taken from the last to the first.
    const BACKWARD: bool;
    /// Whether it does work of its own for each batch: then smaller batches than those that suit the cipher best are faster, because
    /// the CPU overlaps two of them.
    const PREFERS_SMALL_BATCHES: bool = false;
    /// Asks for the memory of the `count` blocks from `at` on, if there are so many.
    #[inline(always)]
    fn fetch(&self, at: usize, count: usize) {
        let _ = (at, count);
    }
    /// The state of work that goes on between the rounds of a batch, or `()`.
    type Beside<S: Isa>;
    /// Work to be done in [`Pass::STEPS`] steps between the rounds of the batch of `count` blocks at `at`, if there is some and
    /// the cipher can: it may also leave it to [`Pass::leave`]. A CPU looks some hundred instructions ahead, too few to find
    /// work that stands behind all rounds.
    #[inline(always)]
    fn beside<S: Isa, W: Wide<S>>(
        &mut self,
        isa: S,
        at: usize,
        count: usize,
    ) -> Option<Self::Beside<S>> {
        let _ = (isa, at, count);
        None
    }
    /// One step of that work, `step` counting from 0.
    #[inline(always)]
    fn step<S: Isa>(&mut self, isa: S, work: &mut Self::Beside<S>, step: usize) {
        let _ = (isa, work, step);
    }
    /// Number of steps.
    const STEPS: usize = 9;
    /// How many blocks may have entered and not left.
    const MOST: usize = usize::MAX;
    /// The input of the cipher for `count` blocks from block `at` on; blocks past `count` are ignored.
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W;
    /// The same, into `blocks`: for a `W` that is more than registers.
    #[inline(always)]
    fn reenter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        *blocks = self.enter(isa, at, count);
    }
    /// Takes the output of the cipher for those blocks.
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W);
}

/// A block cipher with its key schedule.
pub trait Cipher: Send + Sync + Sized {
    /// Its block, an array of bytes.
    type Block: Block;
    /// What it gains from the wider variants of a backend ([`Task::GAIN`](crate::isa::Task::GAIN)).
    const GAIN: Gain;
    /// Whether it is a cipher behind a call already.
    const CALLED: bool = false;
    /// One block, in the form that is fastest when each waits for the one before.
    type One<S: Isa>: Wide<S>;
    /// How many blocks fill the registers of `S`.
    fn batch<S: Isa>() -> usize;
    /// Encrypts or decrypts one block.
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Self::One<S>) -> Self::One<S>;
    /// Encrypts or decrypts one block that nothing waits for, from memory to memory.
    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, io: InOut<'_>) {
        block::<Self, S, D>(self, isa, io);
    }
    /// Whether one block is so little code, and so little work, that a mode has its own copy of it for messages of
    /// one block: a call would cost as much.
    fn is_short<S: Isa>() -> bool {
        false
    }
    /// How many chains under one key are fastest side by side.
    fn lanes<S: Isa>() -> usize {
        batch::<Self, S>()
    }
    /// Chains side by side, each through all that is open of its stream. `ciphers` has the key of all, for at most
    /// [`Cipher::lanes`] chains, or one for each of at most eight.
    #[inline(always)]
    fn chains<S: Isa, H: Chaining>(
        ciphers: &[&Self],
        isa: S,
        streams: &mut Streams<'_, Self::Block>,
    ) {
        match ciphers {
            [cipher] => by_batches::<Self, S, H>(cipher, isa, streams),
            _ => one_by_one::<Self, S, H>(ciphers, isa, streams),
        }
    }
    /// Whether [`Cipher::many`] asks passes for work between the rounds ([`Pass::beside`]) of every batch of [`Cipher::batch`]
    /// blocks, and does all its steps.
    #[inline(always)]
    fn asks_beside<S: Isa>() -> bool {
        false
    }
    /// Encrypts blocks that lie in registers each, without a way through memory.
    #[inline(always)]
    fn side_by_side<S: Isa, const M: usize>(
        &self,
        isa: S,
        mut blocks: [Self::One<S>; M],
    ) -> [Self::One<S>; M] {
        for block in &mut blocks {
            *block = self.one::<S, Encrypt>(isa, *block);
        }
        blocks
    }
    /// The first step of an encryption, if it is the XOR of a key; done twice, it is undone. With [`Cipher::middle`] and
    /// [`Cipher::finish`], what chaining modes encrypt by: a cipher that begins and ends with such an XOR
    /// takes the mode's own XORs into it, off the path from block to block.
    #[inline(always)]
    fn whiten<S: Isa>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        let _ = isa;
        block
    }
    /// All between [`Cipher::whiten`] and [`Cipher::finish`].
    #[inline(always)]
    fn middle<S: Isa>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        self.one::<S, Encrypt>(isa, block)
    }
    /// The end of an encryption, XORed with `with`.
    #[inline(always)]
    fn finish<S: Isa>(&self, isa: S, block: Self::One<S>, with: Self::One<S>) -> Self::One<S> {
        block.xor(isa, with)
    }
    /// [`Cipher::finish`] with `with`, and without.
    #[inline(always)]
    fn finish_both<S: Isa>(
        &self,
        isa: S,
        block: Self::One<S>,
        with: Self::One<S>,
    ) -> [Self::One<S>; 2] {
        [block.xor(isa, with), block]
    }
    /// Decrypts one block; the result is XORed with `with`, which a cipher that ends with the XOR of a key takes into
    /// that.
    #[inline(always)]
    fn decrypt_xor<S: Isa>(&self, isa: S, block: Self::One<S>, with: Self::One<S>) -> Self::One<S> {
        self.one::<S, Decrypt>(isa, block).xor(isa, with)
    }
    /// How many bytes are worth the hand-over to another thread, which costs 5 to 6 µs. Here those of AES.
    fn hand_over<S: Isa>(&self) -> usize {
        96 * 1024
    }
    /// Takes `blocks` blocks through the cipher, as many at a time as is fastest.
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize);
    /// Blocks that lie one after the other, as a call of its own.
    #[inline(always)]
    fn in_place<S: Isa, D: Direction>(&self, isa: S, blocks: &mut [u8]) {
        in_place::<Self, S, D>(self, isa, blocks);
    }
    /// Whether it hands work on where there are no AES instructions: to another form of itself, which several ciphers share.
    const HANDS_ON: bool = false;
    /// Does work with that form.
    #[inline(always)]
    fn work<S: Isa, W: Work<Self::Block>>(&self, isa: S, work: W) -> W::Out {
        work.call(isa, self)
    }
}

/// A cipher that is made from a key, and a tweak where it has one.
///
/// Its schedule is made where it stays: what is returned and moved leaves copies on the stack.
pub trait NewCipher: Cipher + Clone {
    /// Length of a key in bytes.
    const KEY: usize;
    /// Length of a tweak in bytes, 0 if there is none.
    const TWEAK: usize;
    /// The place of a key schedule, with no key of anybody's. What it encrypts has no meaning.
    fn blank() -> Self;
    /// Makes the key schedule. `key` has [`NewCipher::KEY`] bytes, `tweak` [`NewCipher::TWEAK`].
    fn schedule<S: Isa>(&mut self, isa: S, key: &[u8], tweak: &[u8]);
}
