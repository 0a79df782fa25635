//! Strips: blocks of a pass are copied into a buffer, and a cipher that is compiled separately from the pass takes them through
//! it.

use super::byte_blocks::{ByteBlock, ByteBlocks};
use super::{Cipher, Cursor, Direction, Pass, Wide};
use crate::Block;
use crate::isa::{InOut, Isa, Sink, Task, erase};
use core::marker::PhantomData;
use core::ops::Range;

/// Bytes of a strip: the largest batch of the ciphers that use strips.
pub(crate) const STRIP: usize = 1024;

/// Bytes of the smallest buffer: the states of one [`CryptoVectors::Aes`](crate::isa::CryptoVectors::Aes) value on the widest
/// instruction set.
pub(crate) const ROOM: usize = 512;

/// Blocks to be taken through a cipher, strip by strip.
pub(crate) trait Strips {
    /// The next strip and its length in bytes, which is 0 after the last strip. The cipher replaces the blocks of a strip by its
    /// output before it asks for the next one. It may overwrite the bytes after the length. No strip is longer than the first.
    fn next(&mut self) -> (&mut [u8], usize);
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
    fn next(&mut self) -> (&mut [u8], usize) {
        (self.blocks, core::mem::take(&mut self.len))
    }
}

/// A cipher that takes blocks in strips.
pub(crate) trait Stripped: Cipher {
    /// Takes all strips through the cipher, as a call that is not inlined.
    fn strips<S: Isa, D: Direction>(&self, isa: S, strips: &mut dyn Strips);
}

/// [`BlockCipher::many`](super::BlockCipher::many) of such a cipher. The buffer is cleared and erased, so it is only as large as
/// the message needs. A large one has fewer stalls between filling, the cipher and emptying.
#[inline(always)]
pub(crate) fn through<C: Stripped, S: Isa, D: Direction, P: Pass>(
    cipher: &C,
    isa: S,
    pass: &mut P,
    blocks: usize,
) {
    let len = blocks * C::Block::LEN;
    if blocks == 1 {
        let mut block: ByteBlock<C::Block> = pass.enter(isa, 0, 1);
        cipher.block::<S, D>(isa, InOut::in_place(block.0.as_mut()));
        pass.leave(isa, 0, 1, &mut block);
    } else if blocks <= ALONE {
        few::<C, S, D, P>(cipher, isa, pass, blocks);
    } else if len <= ROOM {
        by::<C, S, D, P, ROOM>(cipher, isa, pass, blocks);
    } else if len <= LARGE || P::MOST < LARGE / C::Block::LEN {
        by::<C, S, D, P, STRIP>(cipher, isa, pass, blocks);
    } else {
        by::<C, S, D, P, LARGE>(cipher, isa, pass, blocks);
    }
}

/// Bytes of the largest buffer.
const LARGE: usize = 4 * STRIP;

/// The same by a buffer of `LEN` bytes.
#[inline(always)]
fn by<C: Stripped, S: Isa, D: Direction, P: Pass, const LEN: usize>(
    cipher: &C,
    isa: S,
    pass: &mut P,
    blocks: usize,
) {
    let mut room = StripBuffer([0; LEN]);
    let mut through = Through::<S, P, C::Block>::new(isa, pass, blocks, &mut room.0);
    cipher.strips::<S, D>(isa, &mut through);
    erase(&mut room.0);
}

/// The same for so few blocks that calls to fill and to empty the buffer would take much of the time.
#[inline(always)]
fn few<C: Stripped, S: Isa, D: Direction, P: Pass>(
    cipher: &C,
    isa: S,
    pass: &mut P,
    blocks: usize,
) {
    let (mut room, size) = (StripBuffer([0; ROOM]), C::Block::LEN);
    for (i, to) in room.0.chunks_exact_mut(size).take(blocks).enumerate() {
        let mut block: ByteBlock<C::Block> = pass.enter(isa, i, 1);
        block.store(isa, Sink::new(to));
    }
    cipher.strips::<S, D>(isa, &mut InPlace::new(&mut room.0, size * blocks));
    one_by_one::<S, P, C::Block>(isa, pass, 0, 0..blocks, &room.0);
    erase(&mut room.0);
}

/// The buffer of a strip. It is aligned so that no load crosses a cache line.
#[repr(C, align(64))]
struct StripBuffer<const LEN: usize>([u8; LEN]);

/// A pass as strips: as many blocks as fit in the buffer, in the order of the pass.
struct Through<'p, S, P, B> {
    isa: S,
    pass: &'p mut P,
    cursor: Cursor,
    room: &'p mut [u8],
    /// The strip that the cipher works on, in blocks.
    at: usize,
    count: usize,
    block: PhantomData<B>,
}

impl<'p, S, P: Pass, B: Block> Through<'p, S, P, B> {
    #[inline(always)]
    fn new(isa: S, pass: &'p mut P, blocks: usize, room: &'p mut [u8]) -> Self {
        let cursor = Cursor::new::<P>(blocks);
        Self { isa, pass, cursor, room, at: 0, count: 0, block: PhantomData }
    }
}

impl<S: Isa, P: Pass, B: Block> Strips for Through<'_, S, P, B> {
    fn next(&mut self) -> (&mut [u8], usize) {
        let Self { isa, pass, cursor, room, at, count, block } = self;
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
        (room, *count * B::LEN)
    }
}

/// Up to this number, blocks one by one are faster than a batch that is not full.
const ALONE: usize = 4;

/// How many of `count` blocks are taken in batches of `step`; the others follow one by one.
#[inline(always)]
fn by_steps(count: usize, step: usize) -> usize {
    if count % step <= ALONE { count - count % step } else { count }
}

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
        let step = <ByteBlocks<S::U64, B> as Wide<S>>::BLOCKS;
        let steps = by_steps(count, step);
        for i in (0..steps).step_by(step) {
            let mut blocks: ByteBlocks<S::U64, B> = pass.enter(isa, at + i, step.min(count - i));
            blocks.store(isa, Sink::new(&mut room[i * B::LEN..(i + step) * B::LEN]));
        }
        for i in steps..count {
            let mut block: ByteBlock<B> = pass.enter(isa, at + i, 1);
            block.store(isa, Sink::new(&mut room[i * B::LEN..(i + 1) * B::LEN]));
        }
    }
}

/// Passes the output of the cipher for a strip to the pass.
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
        let step = <ByteBlocks<S::U64, B> as Wide<S>>::BLOCKS;
        let (steps, end) = (by_steps(count, step), by_steps(count, step).div_ceil(step));
        if P::BACKWARD {
            one_by_one::<S, P, B>(isa, pass, at, steps..count, room);
        }
        for i in 0..end {
            let i = step * if P::BACKWARD { end - 1 - i } else { i };
            let from = &room[i * B::LEN..(i + step) * B::LEN];
            let mut blocks = <ByteBlocks<S::U64, B> as Wide<S>>::load(isa, from);
            pass.leave(isa, at + i, step.min(count - i), &mut blocks);
        }
        if !P::BACKWARD {
            one_by_one::<S, P, B>(isa, pass, at, steps..count, room);
        }
    }
}

/// The same for the last blocks of a strip, one by one.
#[inline(always)]
fn one_by_one<S: Isa, P: Pass, B: Block>(
    isa: S,
    pass: &mut P,
    at: usize,
    blocks: Range<usize>,
    room: &[u8],
) {
    for i in 0..blocks.len() {
        let i = if P::BACKWARD { blocks.end - 1 - i } else { blocks.start + i };
        let mut block = <ByteBlock<B> as Wide<S>>::load(isa, &room[i * B::LEN..(i + 1) * B::LEN]);
        pass.leave(isa, at + i, 1, &mut block);
    }
}
