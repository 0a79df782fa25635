//! Strips: blocks of a pass in memory, on their way to a cipher that is compiled apart and back.

use super::few::{Alone, Few};
use super::{Cursor, Pass, Wide};
use crate::Block;
use crate::isa::{Isa, Sink, Task};
use core::marker::PhantomData;
use core::ops::Range;

/// Bytes of a strip: as much as the widest of such ciphers takes at once.
pub(crate) const STRIP: usize = 1024;

/// Blocks on their way through a cipher, strip by strip.
pub trait Strips {
    /// The next blocks, to be replaced by what becomes of them; the one before is done. With how many bytes they are, none after
    /// the last: what follows them may be written over.
    fn next(&mut self) -> (&mut [u8], usize);
}

/// Blocks that lie one after the other: a single strip.
pub(crate) struct InPlace<'a> {
    blocks: &'a mut [u8],
    done: bool,
}

impl<'a> InPlace<'a> {
    #[inline(always)]
    pub(crate) fn new(blocks: &'a mut [u8]) -> Self {
        Self { blocks, done: false }
    }
}

impl Strips for InPlace<'_> {
    fn next(&mut self) -> (&mut [u8], usize) {
        let len = if self.done { 0 } else { self.blocks.len() };
        self.done = true;
        (self.blocks, len)
    }
}

/// A strip's place. Aligned: no load crosses a line of the cache.
#[repr(C, align(64))]
pub(super) struct Room<const LEN: usize>(pub(super) [u8; LEN]);

/// A pass as strips: as many blocks as there is room for, in the order of the pass.
pub(super) struct Through<'p, S, P, B> {
    isa: S,
    pass: &'p mut P,
    cursor: Cursor,
    room: &'p mut [u8],
    /// The strip that is on its way, in blocks.
    at: usize,
    count: usize,
    block: PhantomData<B>,
}

impl<'p, S, P: Pass, B: Block> Through<'p, S, P, B> {
    #[inline(always)]
    pub(super) fn new(isa: S, pass: &'p mut P, blocks: usize, room: &'p mut [u8]) -> Self {
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

/// Up to as many blocks one by one are faster than a few that are not there.
const ALONE: usize = 4;

/// How many of `count` blocks are taken `step` by `step`; the others follow one by one.
#[inline(always)]
fn by_steps(count: usize, step: usize) -> usize {
    if count % step <= ALONE { count - count % step } else { count }
}

/// What goes into a strip.
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
        let step = <Few<S::U64, B> as Wide<S>>::BLOCKS;
        let steps = by_steps(count, step);
        for i in (0..steps).step_by(step) {
            let mut blocks: Few<S::U64, B> = pass.enter(isa, at + i, step.min(count - i));
            blocks.store(isa, Sink::new(&mut room[i * B::LEN..(i + step) * B::LEN]));
        }
        for i in steps..count {
            let mut block: Alone<B> = pass.enter(isa, at + i, 1);
            block.store(isa, Sink::new(&mut room[i * B::LEN..(i + 1) * B::LEN]));
        }
    }
}

/// What becomes of a strip.
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
        let step = <Few<S::U64, B> as Wide<S>>::BLOCKS;
        let (steps, end) = (by_steps(count, step), by_steps(count, step).div_ceil(step));
        if P::BACKWARD {
            one_by_one::<S, P, B>(isa, pass, at, steps..count, room);
        }
        for i in 0..end {
            let i = step * if P::BACKWARD { end - 1 - i } else { i };
            let from = &room[i * B::LEN..(i + step) * B::LEN];
            let mut blocks = <Few<S::U64, B> as Wide<S>>::load(isa, from);
            pass.leave(isa, at + i, step.min(count - i), &mut blocks);
        }
        if !P::BACKWARD {
            one_by_one::<S, P, B>(isa, pass, at, steps..count, room);
        }
    }
}

/// What becomes of the last blocks of a strip.
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
        let mut block = <Alone<B> as Wide<S>>::load(isa, &room[i * B::LEN..(i + 1) * B::LEN]);
        pass.leave(isa, at + i, 1, &mut block);
    }
}
