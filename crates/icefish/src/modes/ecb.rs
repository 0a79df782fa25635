//! Electronic codebook (NIST SP 800-38A, section 6.1).

use super::{Chain, Grain, Joint, Mode};
use crate::Block;
use crate::cipher::{self, Cipher, Direction, Many, Pass, Wide, Xor};
use crate::isa::{InOut, Isa};
use core::marker::PhantomData;

/// Every block by itself: equal blocks stay equal. For single blocks and old file formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ecb;

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
        cipher::load::<S, W, B>(isa, &self.io.input()[at * B::LEN..(at + count) * B::LEN])
    }
    #[inline(always)]
    fn reenter<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let bytes = &self.io.input()[at * B::LEN..(at + count) * B::LEN];
        cipher::reload::<S, W, B>(isa, bytes, blocks);
    }
    #[inline(always)]
    fn leave<S: Isa, W: Wide<S>>(&mut self, isa: S, at: usize, count: usize, blocks: &mut W) {
        let len = count * B::LEN;
        cipher::store::<S, W, B>(isa, blocks, &mut self.io, at * B::LEN, len, Xor::Nothing);
    }
}

impl Mode for Ecb {
    #[inline]
    fn grain(&self) -> Grain {
        Grain::Block
    }
    fn joint(&self, _: bool) -> Option<Joint> {
        Some(Joint::Nothing)
    }
    #[inline]
    fn iv_len(&self, _: usize) -> usize {
        0
    }
    #[inline(always)]
    fn blocks<C: Cipher, D: Direction, S: Isa>(
        &self,
        isa: S,
        cipher: &C,
        _: &mut Chain<C::Block>,
        io: InOut<'_>,
    ) {
        if C::is_short::<S>() && io.len() == C::Block::LEN {
            return cipher.block::<S, D>(isa, io);
        }
        let blocks = io.len() / C::Block::LEN;
        let pass = EcbPass::<C::Block>::new(io);
        isa.run(Many::<_, _, D>::new(cipher, pass, blocks));
    }
}
