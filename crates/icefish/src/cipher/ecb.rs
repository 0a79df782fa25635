//! The pass of ECB: independent blocks, and no XOR around the cipher. A cipher uses it for single blocks, too.

use super::{Direct, Pass, Source, Wide, Xor, load, reload, store};
use crate::Block;
use crate::isa::{InOut, Isa};
use core::marker::PhantomData;

pub(crate) struct EcbPass<'a, B> {
    io: InOut<'a>,
    block: PhantomData<B>,
}

impl<'a, B> EcbPass<'a, B> {
    #[inline(always)]
    pub(crate) fn new(io: InOut<'a>) -> Self {
        Self { io, block: PhantomData }
    }
}

impl<B: Block> Pass for EcbPass<'_, B> {
    const BACKWARD: bool = false;
    type Beside<S: Isa> = ();

    #[inline(always)]
    fn fetch(&self, at: usize, count: usize) {
        self.io.fetch(at * B::LEN, count * B::LEN);
    }
    #[inline(always)]
    fn enter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize) -> W {
        load::<S, W, B>(isa, &self.io.input()[at * B::LEN..(at + count) * B::LEN])
    }
    #[inline(always)]
    fn reenter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let bytes = &self.io.input()[at * B::LEN..(at + count) * B::LEN];
        reload::<S, W, B>(isa, bytes, blocks);
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let len = count * B::LEN;
        store::<S, W, B>(isa, blocks, &mut self.io, at * B::LEN, len, Xor::Nothing);
    }
    #[inline(always)]
    fn direct(&mut self) -> Option<Direct<'_>> {
        let (io, source) = (self.io.reborrow(), Source::Before(0));
        Some(Direct { io, before: &[], source, xor: None })
    }
}
