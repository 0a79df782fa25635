//! The interface between block ciphers and modes.
//!
#![doc = include_str!("cipher/adding_a_cipher.md")]

mod apart;
mod batches;
mod byte_blocks;
mod chains;
mod direct;
mod direction;
mod ecb;
mod key;
#[cfg(feature = "aes")]
mod strips;
mod work;

#[cfg(any(feature = "aes", feature = "parallel"))]
pub(crate) use batches::FROM_MEMORY;
pub(crate) use batches::{Cursor, Xor, load, load_blocks, reload, store, store_blocks};
pub use byte_blocks::ByteBlock;
pub use chains::{CbcChain, CfbChain, Chaining, MacChain};
pub(crate) use chains::{Chains, WIDE, batch, by_batches, one_by_one, xor};
pub use direct::{Direct, Source};
pub use direction::{Decrypt, Direction, Encrypt, Way};
pub(crate) use ecb::EcbPass;
pub use key::{Key, KeyOptions};
pub(crate) use key::{schedule, zero_tweak};
#[cfg(feature = "aes")]
pub(crate) use strips::{FEW, InPlace, Part, ROOM, STRIP, Strip, Stripped, Strips, through};
pub use work::Work;
pub(crate) use work::{Many, OneBlock, With, block, encrypt_one, in_place};

use crate::Block;
use crate::isa::{Endian, Extension, InOut, Isa, Sink, Streams};

/// Blocks in the registers of the instruction set `S`, in the layout that their cipher works on.
///
/// ```
/// use icefish::cipher::Wide;
/// use icefish::isa::{Isa, Sink};
///
/// /// The XOR of two blocks in memory, through registers.
/// #[inline(always)]
/// fn add<S: Isa, W: Wide<S>>(isa: S, block: &mut [u8], other: &[u8]) {
///     W::load(isa, block).xor(isa, W::load(isa, other)).store(isa, Sink::new(block));
/// }
/// ```
pub trait Wide<S: Isa>: Copy {
    /// Number of blocks.
    const BLOCKS: usize;
    /// An array of bytes that holds all of them.
    type Bytes: Block;
    /// Reads [`Wide::BLOCKS`] consecutive blocks.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// Reads into `self`: for types that hold more blocks than fit in registers.
    #[inline(always)]
    fn reload(&mut self, isa: S, bytes: &[u8]) {
        *self = Self::load(isa, bytes);
    }
    /// Finishes rounds that [`Wide::store`] would otherwise combine with the XOR of the sink's bytes. Call it before a store to a
    /// sink with public bytes: the compiler could keep the XOR of those bytes and a round key on the stack.
    #[inline(always)]
    fn settle(&mut self, isa: S) {
        let _ = isa;
    }
    /// Writes the blocks: from the last one to the first, unless [`Sink::ascends`] allows the other order. The value left in `self`
    /// is unspecified.
    fn store(&mut self, isa: S, sink: Sink<'_>);
    /// Block `j` is `template` with its counter word set to `low + j`: the last eight bytes,
    /// big-endian, or the first eight, little-endian; all bytes of a shorter block.
    fn counters(isa: S, template: &[u8], endian: Endian, low: u64) -> Self;
    /// XOR, block by block.
    fn xor(self, isa: S, other: Self) -> Self;
}

/// Counter blocks: block `i` is `template` with its counter word set to `low + i`, as in [`Wide::counters`].
///
/// ```
/// use icefish::cipher::Counters;
/// use icefish::isa::Endian;
/// let counters = Counters { template: &[7; 16], endian: Endian::Big, low: 1 };
/// # let _ = counters;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counters<'a> {
    /// A block. Its counter word is ignored.
    pub template: &'a [u8],
    /// The byte order of the counter word.
    pub endian: Endian,
    /// The counter word of block 0. The caller takes so few blocks that it does not wrap.
    pub low: u64,
}

/// A mode whose blocks are independent: it provides the input of the cipher and takes its output. `at` and `count` are in blocks;
/// `count` is at most `W::BLOCKS`.
///
/// ```
/// use icefish::cipher::{Pass, Wide};
/// use icefish::isa::{InOut, Isa};
///
/// /// ECB of blocks of 16 bytes, where every batch is full.
/// struct Blocks<'a>(InOut<'a>);
///
/// impl Pass for Blocks<'_> {
///     const BACKWARD: bool = false;
///     type Beside<S: Isa> = ();
///     #[inline(always)]
///     fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
///         W::load(isa, &self.0.input()[16 * at..16 * (at + count)])
///     }
///     #[inline(always)]
///     fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
///         blocks.store(isa, self.0.sink(16 * at, 16 * count));
///     }
/// }
/// ```
pub trait Pass {
    /// Whether batches must be taken from the last to the first.
    const BACKWARD: bool;
    /// The input of the cipher for `count` blocks from block `at` on; blocks past `count` are ignored.
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W;
    /// Takes the output of the cipher for those blocks.
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W);
    /// The state of work that is interleaved with the rounds of a batch, or `()`.
    type Beside<S: Isa>;

    /// [`Pass::enter`] into `blocks`: for a `W` that does not fit in registers.
    #[inline(always)]
    fn reenter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        *blocks = self.enter(isa, at, count);
    }
    /// Prefetches the `count` blocks from block `at` on, as far as they exist.
    #[inline(always)]
    fn fetch(&self, at: usize, count: usize) {
        let _ = (at, count);
    }
    /// The largest number of vectors in a batch that pays. Where the mode does extra work per batch, 8 are faster than more,
    /// because the CPU overlaps two batches.
    const VECTORS: usize = 16;
    /// The largest number of blocks in a batch.
    const MOST: usize = usize::MAX;
    /// Starts work that is interleaved with the `rounds` rounds of the batch of `count` blocks at `at`, in [`Pass::STEPS`] steps.
    /// `None` means that there is none. A cipher need not call this method: the pass then does the work in [`Pass::enter`] or
    /// [`Pass::leave`]. The out-of-order window of a CPU is a few hundred instructions: too short to overlap the rounds with work
    /// that comes after all of them.
    #[inline(always)]
    fn beside<S: Isa, W: Wide<S>>(
        &mut self,
        isa: S,
        at: usize,
        count: usize,
        rounds: usize,
    ) -> Option<Self::Beside<S>> {
        let _ = (isa, at, count, rounds);
        None
    }
    /// Step `STEP` of that work, counting from 0.
    #[inline(always)]
    fn step<S: Isa, const STEP: usize>(&mut self, isa: S, work: &mut Self::Beside<S>) {
        let _ = (isa, work);
    }
    /// Number of steps.
    const STEPS: usize = 9;
    /// Whether the compiler finds better places for the steps than the order of the program. A cipher may keep that order nevertheless
    /// (AES does where a register has four blocks).
    const MOVES_STEPS: bool = false;
    /// The counter blocks from block `at` on, if the input of the cipher is nothing else. A cipher need not call this method.
    #[inline(always)]
    fn counters(&self, at: usize) -> Option<Counters<'_>> {
        let _ = at;
        None
    }
    /// The pass as loads, XORs and stores, if it is no more than these.
    #[inline(always)]
    fn direct(&mut self) -> Option<Direct<'_>> {
        None
    }
}

/// A block cipher with its key schedule: what the author of a cipher writes, with [`NewCipher`] where a key makes it.
///
/// Modes take a [`Cipher`], which is this with methods that have defaults: `impl Cipher for MyCipher {}`.
///
/// ```
/// use icefish::cipher::{BlockCipher, Encrypt, Wide};
/// use icefish::isa::{Isa, Sink};
///
/// /// Encrypts one block in place.
/// #[inline(always)]
/// fn encrypt<C: BlockCipher, S: Isa>(cipher: &C, isa: S, block: &mut C::Block) {
///     let input = C::One::<S>::load(isa, block.as_ref());
///     cipher.one::<S, Encrypt>(isa, input).store(isa, Sink::new(block.as_mut()));
/// }
/// ```
pub trait BlockCipher: Send + Sync + Sized {
    /// Its block, an array of bytes.
    type Block: Block;
    /// One block, in the form with the lowest latency: for blocks that each depend on the one before.
    type One<S: Isa>: Wide<S>;
    /// Encrypts or decrypts one block.
    fn one<S: Isa, D: Direction>(&self, isa: S, block: Self::One<S>) -> Self::One<S>;
    /// How many blocks fill the registers of `S`.
    fn batch<S: Isa>() -> usize {
        1
    }
    /// Takes `blocks` blocks through the cipher, in the batches that are fastest, the largest ones first. A batch may be larger
    /// than [`BlockCipher::batch`] if [`Pass::VECTORS`] and [`Pass::MOST`] allow it. The default takes one block after the other.
    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        for i in 0..blocks {
            let i = if P::BACKWARD { blocks - 1 - i } else { i };
            let block: Self::One<S> = pass.enter(isa, i, 1);
            pass.leave(isa, i, 1, &mut self.one::<S, D>(isa, block));
        }
    }
    /// The extension that it and its modes profit from ([`Task::EXTENSION`](crate::isa::Task::EXTENSION)). The default is AES
    /// rounds and carry-less multiplication, which GCM uses with any cipher.
    const EXTENSION: Extension = Extension::Aes;
    /// Whether every call takes a time that depends on no secret. The default makes no such promise.
    const CONSTANT_TIME: bool = false;
}

/// A [`BlockCipher`] as modes use it. Every method has a default, which is right for every cipher: a cipher overrides those that
/// it can do faster. `whiten`, `middle` and `finish` are parts of one encryption: override all of them, or none.
///
/// ```
/// use icefish::{Block, Error, Key, cipher::Cipher, ciphers::Aes128, modes::Ctr};
///
/// /// Encrypts in CTR with any cipher, from counter 0 on.
/// fn encrypt<C: Cipher>(key: &Key<C>, data: &mut [u8]) -> Result<(), Error> {
///     key.encrypt(Ctr::BE, C::Block::zero().as_ref(), data)
/// }
///
/// encrypt(&Key::<Aes128>::new(&[7; 16])?, &mut [5; 20])?;
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait Cipher: BlockCipher {
    // What chaining modes use.
    /// The first step of an encryption, if it is the XOR of a key; otherwise nothing. Applied twice, it cancels. Chaining modes
    /// encrypt by [`Cipher::whiten`], [`Cipher::middle`] and [`Cipher::finish`]: a cipher that begins and ends with the XOR of a
    /// key merges the mode's XORs into it, which takes them off the dependency chain from block to block.
    #[inline(always)]
    fn whiten<S: Isa>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        let _ = isa;
        block
    }
    /// The steps between [`Cipher::whiten`] and [`Cipher::finish`].
    #[inline(always)]
    fn middle<S: Isa>(&self, isa: S, block: Self::One<S>) -> Self::One<S> {
        self.one::<S, Encrypt>(isa, block)
    }
    /// The last step of an encryption, XORed with `with`.
    #[inline(always)]
    fn finish<S: Isa>(&self, isa: S, block: Self::One<S>, with: Self::One<S>) -> Self::One<S> {
        block.xor(isa, with)
    }
    /// [`Cipher::finish`] with `with`, and the same without it.
    #[inline(always)]
    fn finish_twice<S: Isa>(
        &self,
        isa: S,
        block: Self::One<S>,
        with: Self::One<S>,
    ) -> [Self::One<S>; 2] {
        let first = self.finish(isa, block, with);
        [first, first.xor(isa, with)]
    }
    /// Decrypts one block and XORs the result with `with`. A cipher that ends with the XOR of a key merges the two XORs.
    #[inline(always)]
    fn decrypt_xor<S: Isa>(&self, isa: S, block: Self::One<S>, with: Self::One<S>) -> Self::One<S> {
        self.one::<S, Decrypt>(isa, block).xor(isa, with)
    }
    /// The same, but `None` if something has to be made first, which a pass also does. The code of one block then needs no stack frame
    /// for that.
    #[inline(always)]
    fn decrypt_xor_now<S: Isa>(
        &self,
        isa: S,
        block: Self::One<S>,
        with: Self::One<S>,
    ) -> Option<Self::One<S>> {
        Some(self.decrypt_xor(isa, block, with))
    }

    /// Does work that encrypts a chain of blocks, with a form of the cipher whose keys stay in registers, if it has one.
    #[inline(always)]
    fn held<S: Isa, W: Work<Self::Block>>(&self, isa: S, work: W) -> W::Out {
        work.call(isa, self)
    }

    // Blocks in memory, and in several registers.
    /// Encrypts or decrypts one block from memory to memory, when no other block depends on it.
    #[inline(always)]
    fn block<S: Isa, D: Direction>(&self, isa: S, io: InOut<'_>) {
        block::<Self, S, D>(self, isa, io);
    }
    /// Takes consecutive blocks through the cipher, as a call that is not inlined.
    #[inline(always)]
    fn in_place<S: Isa, D: Direction>(&self, isa: S, blocks: &mut [u8]) {
        in_place::<Self, S, D>(self, isa, blocks);
    }
    /// Whether one block takes so little code and time that a call would cost as much. Modes then inline it for short messages, and
    /// making a key inlines [`NewCipher::schedule`].
    fn is_short<S: Isa>() -> bool {
        false
    }
    /// Whether modes take a message of one block through [`BlockCipher::one`] or [`Cipher::block`] instead of a pass. That pays if
    /// these are little code, or are themselves calls.
    fn takes_one<S: Isa>() -> bool {
        Self::is_short::<S>()
    }
    /// The smallest number of consecutive counter blocks for which [`Cipher::counted`] is faster in a pass `P`. With the default, it
    /// is never used.
    fn counted_from<S: Isa, P: Pass>() -> usize {
        usize::MAX
    }
    /// Takes some of `blocks` blocks, from block 0 on, through the cipher. Their inputs are `counters`; `pass` is never asked for
    /// inputs. Returns how many blocks it took, which are whole batches: [`BlockCipher::many`] takes the others.
    #[inline(always)]
    fn counted<S: Isa, P: Pass>(
        &self,
        isa: S,
        counters: Counters<'_>,
        pass: &mut P,
        blocks: usize,
    ) -> usize {
        let _ = (isa, counters, pass, blocks);
        0
    }
    /// Whether [`BlockCipher::many`] calls [`Pass::beside`] for every batch of [`BlockCipher::batch`] blocks and runs all its
    /// steps. [`Cipher::counted`] then does so too, and has no other batches, for a pass whose [`Pass::Beside`] is not `()`.
    #[inline(always)]
    fn asks_beside<S: Isa>() -> bool {
        false
    }
    /// Encrypts blocks that are in a register each, without storing them to memory.
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

    // Several chains, and threads.
    /// The number of chains under one key that is fastest in parallel.
    fn lanes<S: Isa>() -> usize {
        batch::<Self, S>()
    }
    /// Runs chains in parallel, each over the blocks of its stream that [`Streams::open`] opened. `ciphers` has either one key
    /// for all of at most [`Cipher::lanes`] chains, or a key for each of at most eight chains.
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
    /// The smallest number of bytes that is worth a hand-over to another thread, which takes 5 to 6 µs. The default is that of
    /// AES.
    fn hand_over<S: Isa>(&self) -> usize {
        96 * 1024
    }

    // How work with the cipher is compiled.
    /// Whether the implementation is already an indirect call to a cipher.
    const CALLED: bool = false;
    /// Whether, without AES instructions, it delegates work to another form of itself, which several ciphers share.
    const HANDS_ON: bool = false;
    /// Does work with that form.
    #[inline(always)]
    fn work<S: Isa, W: Work<Self::Block>>(&self, isa: S, work: W) -> W::Out {
        work.call(isa, self)
    }
}

/// A cipher that is made from a key, and a tweak where it has one.
///
/// [`NewCipher::schedule`] writes the key schedule into the cipher. `Key::set_key` calls it where the key is, so that no copy is
/// made. `Key::new` returns a new cipher by value, which may leave a copy on the stack.
///
/// ```
/// use icefish::{Error, Key, cipher::NewCipher, ciphers::Aes256};
///
/// /// A key of any cipher from the first bytes of `bytes`.
/// fn key<C: NewCipher>(bytes: &[u8; 128]) -> Result<Key<C>, Error> {
///     Key::new(&bytes[..C::KEY])
/// }
///
/// let key = key::<Aes256>(&[7; 128])?;
/// # let _ = key;
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait NewCipher: Cipher + Clone {
    /// Length of a key in bytes.
    const KEY: usize;
    /// Length of a tweak in bytes, at most 128. The default, 0, means that there is none.
    const TWEAK: usize = 0;
    /// Whether there are keys of `len` bytes. A cipher may have keys of more lengths than [`NewCipher::KEY`], its longest.
    #[inline(always)]
    fn has_keys_of(len: usize) -> bool {
        len == Self::KEY
    }
    /// The length that the error about a key of `len` bytes names.
    fn nearest_key(len: usize) -> usize {
        let _ = len;
        Self::KEY
    }
    /// Length of this key in bytes.
    #[inline(always)]
    fn key_len(&self) -> usize {
        Self::KEY
    }
    /// Room for a key schedule, without a key. What it encrypts is meaningless.
    fn blank() -> Self;
    /// Makes the key schedule. `key` has a length that [`NewCipher::has_keys_of`] takes, `tweak` has [`NewCipher::TWEAK`] bytes.
    fn schedule<S: Isa>(&mut self, isa: S, key: &[u8], tweak: &[u8]);
}
