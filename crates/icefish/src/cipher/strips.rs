//! Strips: blocks of a pass in memory, on their way to a cipher that is compiled apart and back.

use super::few::Few;
use super::{Cursor, Pass, Wide};
use crate::Block;
use crate::isa::{Isa, Sink, Task};
use core::marker::PhantomData;

/// Bytes of a strip: as much as the widest of such ciphers takes at once.
pub(crate) const STRIP: usize = 1024;

/// Blocks on their way through a cipher, strip by strip.
pub trait Strips {
    /// Writes the input of the next strip to `room`, which has 1024 bytes; returns how many bytes of it are blocks: none
    /// after the last.
    fn enter(&mut self, room: &mut [u8]) -> usize;
    /// Takes what became of them.
    fn leave(&mut self, room: &[u8]);
}

/// A strip's place. Aligned: no load crosses a line of the cache.
#[repr(C, align(64))]
pub(crate) struct Room(pub(crate) [u8; STRIP]);

/// A pass as strips: as many blocks as a strip has room for, in the order of the pass.
pub(super) struct Through<'p, S, P, B> {
    isa: S,
    pass: &'p mut P,
    cursor: Cursor,
    /// The strip that is on its way, in blocks.
    at: usize,
    count: usize,
    block: PhantomData<B>,
}

impl<'p, S, P: Pass, B: Block> Through<'p, S, P, B> {
    #[inline(always)]
    pub(super) fn new(isa: S, pass: &'p mut P, blocks: usize) -> Self {
        let cursor = Cursor::new::<P>(blocks);
        Self { isa, pass, cursor, at: 0, count: 0, block: PhantomData }
    }
}

impl<S: Isa, P: Pass, B: Block> Strips for Through<'_, S, P, B> {
    fn enter(&mut self, room: &mut [u8]) -> usize {
        let most = STRIP / B::LEN;
        self.count = self.cursor.left().min(most);
        let Some(at) = self.cursor.take(self.count) else { return 0 };
        self.at = at;
        if self.count > 0 {
            self.cursor.fetch(self.pass, most);
            let (pass, count, block) = (&mut *self.pass, self.count, self.block);
            self.isa.run(Enter { pass, at, count, room, block });
        }
        self.count * B::LEN
    }
    fn leave(&mut self, room: &[u8]) {
        let (pass, at, count, block) = (&mut *self.pass, self.at, self.count, self.block);
        self.isa.run(Leave { pass, at, count, room, block });
    }
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
        for i in (0..count).step_by(step) {
            let mut blocks: Few<S::U64, B> = pass.enter(isa, at + i, step.min(count - i));
            blocks.store(isa, Sink::new(&mut room[i * B::LEN..(i + step) * B::LEN]));
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
        let steps = count.div_ceil(step);
        for i in 0..steps {
            let i = step * if P::BACKWARD { steps - 1 - i } else { i };
            let mut blocks =
                <Few<S::U64, B> as Wide<S>>::load(isa, &room[i * B::LEN..(i + step) * B::LEN]);
            pass.leave(isa, at + i, step.min(count - i), &mut blocks);
        }
    }
}
