//! Strips: runs of blocks for a cipher that is compiled separately from the pass. For whole batches of a [`Direct`] pass, the
//! cipher reads and writes the message itself, unless the message is short. For other blocks, the pass writes the input of the
//! cipher to a buffer, and reads its output there. A few blocks go through a small buffer in one call, not as a strip. A single
//! block stays in registers.

use super::byte_blocks::{ByteBlock, ByteBlocks};
use super::{Cipher, Cursor, Direct, Direction, Pass, Wide};
use crate::Block;
use crate::isa::{Isa, Sink, Task, erase};
use core::marker::PhantomData;

/// Bytes of the largest batch of the ciphers that use strips.
pub(crate) const STRIP: usize = 1024;

/// Bytes of the small buffer: as many as the largest bit-sliced [`CryptoVectors::Aes`](crate::isa::CryptoVectors::Aes) value has,
/// which is that of AVX-512.
pub(crate) const ROOM: usize = 512;

/// The most bytes that count as a few blocks.
pub(crate) const FEW: usize = 64;

/// Blocks to be taken through a cipher, strip by strip.
pub(crate) trait Strips {
    /// The next strip, or none after the last one. The cipher is done with a strip before it asks for the next one.
    fn next(&mut self) -> Option<Strip<'_>>;
    /// Bytes of the longest strip. To be called only before the first [`Strips::next`].
    fn longest(&self) -> usize;
}

/// What a cipher takes at once.
pub(crate) enum Strip<'a> {
    /// Blocks that the cipher replaces by its output, and their length in bytes. It may overwrite the bytes after them.
    Buffer(&'a mut [u8], usize),
    /// Bytes of a message: a whole number of batches.
    Message(Part<'a>),
}

/// Whole batches of a message, or of a buffer that is treated like a message.
pub(crate) struct Part<'a> {
    pub(crate) direct: Direct<'a>,
    pub(crate) at: usize,
    pub(crate) len: usize,
    /// Whether batches must be taken from the last to the first.
    pub(crate) backward: bool,
}

/// Consecutive blocks in memory: a single strip.
pub(crate) struct InPlace<'a> {
    blocks: &'a mut [u8],
    len: usize,
}

impl<'a> InPlace<'a> {
    /// The first `len` bytes of `blocks`.
    #[inline(always)]
    pub(crate) fn new(blocks: &'a mut [u8], len: usize) -> Self {
        Self { blocks, len }
    }
}

impl Strips for InPlace<'_> {
    fn next(&mut self) -> Option<Strip<'_>> {
        let len = core::mem::take(&mut self.len);
        (len > 0).then_some(Strip::Buffer(self.blocks, len))
    }
    fn longest(&self) -> usize {
        self.len
    }
}

/// A cipher that takes blocks in strips.
pub(crate) trait Stripped: Cipher {
    /// Takes all strips through the cipher, as a call that is not inlined.
    fn strips<S: Isa, D: Direction>(&self, isa: S, strips: &mut dyn Strips);
    /// The most bytes for which [`Stripped::few`] takes less time than a strip. At most [`FEW`].
    fn most_few<S: Isa>() -> usize;
    /// Takes the first `blocks` blocks of `room` through the cipher, as a call that is not inlined. It may overwrite all of `room`.
    fn few<S: Isa, D: Direction>(&self, isa: S, room: &mut [u8; FEW], blocks: usize);
    /// Number of blocks in a batch of a long message.
    fn long<S: Isa>() -> usize;
}

/// [`BlockCipher::many`](super::BlockCipher::many) of a [`Stripped`] cipher. The buffer is zeroed before and after, which takes
/// time, so short messages have a small one. For long messages, a large one has fewer stalls between filling, the cipher and
/// emptying.
#[inline(always)]
pub(crate) fn through<C: Stripped, S: Isa, D: Direction, P: Pass>(
    cipher: &C,
    isa: S,
    pass: &mut P,
    blocks: usize,
) {
    if blocks == 0 {
        return;
    }
    if blocks == 1 {
        let block: C::One<S> = pass.enter(isa, 0, 1);
        return pass.leave(isa, 0, 1, &mut cipher.one::<S, D>(isa, block));
    }
    if blocks * C::Block::LEN <= C::most_few::<S>() {
        return few::<C, S, D, P>(cipher, isa, pass, blocks);
    }
    let long = pass.direct().map(|_| C::long::<S>());
    let rest = C::Block::LEN * (blocks - whole(blocks, long));
    if long.is_some() && rest == 0 {
        by::<C, S, D, P, 0>(cipher, isa, pass, blocks);
    } else if blocks * C::Block::LEN <= ROOM {
        at_once::<C, S, D, P>(cipher, isa, pass, blocks);
    } else if rest <= ROOM {
        by::<C, S, D, P, ROOM>(cipher, isa, pass, blocks);
    } else if long.is_some() || rest <= LARGE || P::MOST < LARGE / C::Block::LEN {
        by::<C, S, D, P, STRIP>(cipher, isa, pass, blocks);
    } else {
        by::<C, S, D, P, LARGE>(cipher, isa, pass, blocks);
    }
}

/// How many of `left` blocks go to the cipher as a [`Part`], in batches of `long`. `None`: the pass is not direct, so no block
/// does.
#[inline(always)]
fn whole(left: usize, long: Option<usize>) -> usize {
    long.map_or(0, |long| left - left % long)
}

/// Bytes of the largest buffer.
const LARGE: usize = 4 * STRIP;

/// [`through`] with a buffer of `LEN` bytes.
#[inline(always)]
fn by<C: Stripped, S: Isa, D: Direction, P: Pass, const LEN: usize>(
    cipher: &C,
    isa: S,
    pass: &mut P,
    blocks: usize,
) {
    let mut room = StripBuffer([0; LEN]);
    let long = pass.direct().map(|_| C::long::<S>());
    let mut through = Through::<S, P, C::Block>::new(isa, pass, blocks, long, &mut room.0);
    cipher.strips::<S, D>(isa, &mut through);
    erase(&mut room.0);
}

/// [`through`] in one strip.
#[inline(always)]
fn at_once<C: Stripped, S: Isa, D: Direction, P: Pass>(
    cipher: &C,
    isa: S,
    pass: &mut P,
    count: usize,
) {
    let (mut room, block) = (StripBuffer([0; ROOM]), PhantomData::<C::Block>);
    isa.run(Enter { pass, at: 0, count, room: &mut room.0, block });
    cipher.strips::<S, D>(isa, &mut InPlace::new(&mut room.0, count * C::Block::LEN));
    isa.run(Leave { pass, at: 0, count, room: &room.0, block });
    erase(&mut room.0);
}

/// [`through`] for a few blocks. Calls to fill and to empty a buffer would take much of the time.
#[inline(always)]
fn few<C: Stripped, S: Isa, D: Direction, P: Pass>(
    cipher: &C,
    isa: S,
    pass: &mut P,
    blocks: usize,
) {
    let mut room = StripBuffer([0; FEW]);
    for i in 0..blocks {
        enter::<S, P, C::Block, ByteBlock<C::Block>>(isa, pass, 0, i, &mut room.0);
    }
    cipher.few::<S, D>(isa, &mut room.0, blocks);
    for i in 0..blocks {
        let i = if P::BACKWARD { blocks - 1 - i } else { i };
        leave::<S, P, C::Block, ByteBlock<C::Block>>(isa, pass, 0, i, &room.0);
    }
    erase(&mut room.0);
}

/// The buffer of a strip. It is aligned so that no load crosses a cache line.
#[repr(C, align(64))]
struct StripBuffer<const LEN: usize>([u8; LEN]);

/// The strips of a pass, in its order: one with all whole batches of a direct pass, then one for each filling of the buffer.
struct Through<'p, S, P, B> {
    isa: S,
    pass: &'p mut P,
    cursor: Cursor<P>,
    /// Blocks in a batch of a [`Part`]. `None`: the pass is not direct.
    long: Option<usize>,
    room: &'p mut [u8],
    /// The first block of the strip in `room`.
    at: usize,
    /// Number of its blocks.
    count: usize,
    block: PhantomData<B>,
}

impl<'p, S, P: Pass, B: Block> Through<'p, S, P, B> {
    #[inline(always)]
    fn new(
        isa: S,
        pass: &'p mut P,
        blocks: usize,
        long: Option<usize>,
        room: &'p mut [u8],
    ) -> Self {
        let cursor = Cursor::<P>::new(blocks);
        Self { isa, pass, cursor, long, room, at: 0, count: 0, block: PhantomData }
    }
}

impl<S: Isa, P: Pass, B: Block> Strips for Through<'_, S, P, B> {
    fn next(&mut self) -> Option<Strip<'_>> {
        let Self { isa, pass, cursor, long, room, at, count, block } = self;
        let whole = whole(cursor.left(), *long);
        if whole > 0
            && let Some(first) = cursor.take(whole)
        {
            let (at, len, backward) = (first * B::LEN, whole * B::LEN, P::BACKWARD);
            return pass.direct().map(|direct| Strip::Message(Part { direct, at, len, backward }));
        }
        if *count > 0 {
            let (pass, at, count, room, block) = (&mut **pass, *at, *count, &**room, *block);
            isa.run(Leave { pass, at, count, room, block });
        }
        let most = room.len() / B::LEN;
        *count = cursor.left().min(most);
        if *count > 0
            && let Some(first) = cursor.take(*count)
        {
            *at = first;
            cursor.fetch(*pass, most);
            let (pass, at, count, block) = (&mut **pass, *at, *count, *block);
            isa.run(Enter { pass, at, count, room, block });
        }
        (*count > 0).then_some(Strip::Buffer(room, *count * B::LEN))
    }
    fn longest(&self) -> usize {
        let (left, whole) = (self.cursor.left(), whole(self.cursor.left(), self.long));
        B::LEN * whole.max(left.min(self.room.len() / B::LEN))
    }
}

/// Registers that are stored together when the buffer is filled, and loaded together when it is emptied.
const TOGETHER: usize = 8;

/// Fills a strip with the input of the cipher.
struct Enter<'a, P, B> {
    pass: &'a mut P,
    at: usize,
    count: usize,
    room: &'a mut [u8],
    block: PhantomData<B>,
}

impl<P: Pass, B: Block> Task for Enter<'_, P, B> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { pass, at, count, room, .. } = self;
        let (steps, ones) = steps::<S, B>(count);
        for i in (0..steps).step_by(blocks::<S, B, TOGETHER>()) {
            enter::<S, P, B, ByteBlocks<S::U64, B, TOGETHER>>(isa, pass, at, i, room);
        }
        for i in (steps..ones).step_by(blocks::<S, B, 1>().max(1)) {
            enter::<S, P, B, ByteBlocks<S::U64, B, 1>>(isa, pass, at, i, room);
        }
        for i in ones..count {
            enter::<S, P, B, ByteBlock<B>>(isa, pass, at, i, room);
        }
    }
}

/// Gives the output of the cipher for a strip to the pass.
struct Leave<'a, P, B> {
    pass: &'a mut P,
    at: usize,
    count: usize,
    room: &'a [u8],
    block: PhantomData<B>,
}

impl<P: Pass, B: Block> Task for Leave<'_, P, B> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { pass, at, count, room, .. } = self;
        let (steps, ones) = steps::<S, B>(count);
        if P::BACKWARD {
            for i in (ones..count).rev() {
                leave::<S, P, B, ByteBlock<B>>(isa, pass, at, i, room);
            }
            for i in (steps..ones).step_by(blocks::<S, B, 1>().max(1)).rev() {
                leave::<S, P, B, ByteBlocks<S::U64, B, 1>>(isa, pass, at, i, room);
            }
            for i in (0..steps).step_by(blocks::<S, B, TOGETHER>()).rev() {
                leave::<S, P, B, ByteBlocks<S::U64, B, TOGETHER>>(isa, pass, at, i, room);
            }
            return;
        }
        for i in (0..steps).step_by(blocks::<S, B, TOGETHER>()) {
            leave::<S, P, B, ByteBlocks<S::U64, B, TOGETHER>>(isa, pass, at, i, room);
        }
        for i in (steps..ones).step_by(blocks::<S, B, 1>().max(1)) {
            leave::<S, P, B, ByteBlocks<S::U64, B, 1>>(isa, pass, at, i, room);
        }
        for i in ones..count {
            leave::<S, P, B, ByteBlock<B>>(isa, pass, at, i, room);
        }
    }
}

/// Blocks in `R` registers.
#[inline(always)]
fn blocks<S: Isa, B: Block, const R: usize>() -> usize {
    <ByteBlocks<S::U64, B, R> as Wide<S>>::BLOCKS
}

/// How many of `count` blocks fill groups of [`TOGETHER`] registers, and how many fill whole registers.
#[inline(always)]
fn steps<S: Isa, B: Block>(count: usize) -> (usize, usize) {
    let groups = count - count % blocks::<S, B, TOGETHER>();
    (groups, if blocks::<S, B, 1>() == 0 { groups } else { count - count % blocks::<S, B, 1>() })
}

/// Stores the input of the cipher for the blocks of a `W`, from block `i` of the strip on. Block `i` of the strip is block `at + i`
/// of the pass.
#[inline(always)]
fn enter<S: Isa, P: Pass, B: Block, W: Wide<S>>(
    isa: S,
    pass: &mut P,
    at: usize,
    i: usize,
    room: &mut [u8],
) {
    let mut blocks: W = pass.enter(isa, at + i, W::BLOCKS);
    blocks.store(isa, Sink::new(&mut room[i * B::LEN..(i + W::BLOCKS) * B::LEN]));
}

/// Gives the output of the cipher for the same blocks to the pass.
#[inline(always)]
fn leave<S: Isa, P: Pass, B: Block, W: Wide<S>>(
    isa: S,
    pass: &mut P,
    at: usize,
    i: usize,
    room: &[u8],
) {
    let mut blocks = W::load(isa, &room[i * B::LEN..(i + W::BLOCKS) * B::LEN]);
    pass.leave(isa, at + i, W::BLOCKS, &mut blocks);
}
