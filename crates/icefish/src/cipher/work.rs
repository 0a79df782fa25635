//! Work with a cipher, and what type of cipher it is compiled for.

use super::apart::{Apart, Bound};
use super::{Cipher, Direction, EcbPass, Encrypt, Pass, Wide};
use crate::Block;
use crate::isa::{AesRounds, Gain, InOut, Isa, Sink, Task};
use core::marker::PhantomData;

/// Work with a cipher whose block is `B`: what a [`Task`] is to an instruction set.
///
/// Implementations of [`Work::call`] are `#[inline(always)]`.
pub trait Work<B> {
    /// What the work returns.
    type Out;
    /// Whether it gains from being compiled together with a cipher: not if it calls the cipher for whole rooms of blocks.
    const FUSED: bool = true;
    /// Does the work with `cipher`.
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) -> Self::Out;
}

/// A cipher and work with it.
pub(crate) struct With<'a, C, W>(pub(crate) &'a C, pub(crate) W);

impl<C: Cipher, W: Work<C::Block>> Task for With<'_, C, W> {
    type Out = W::Out;
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> W::Out {
        if !W::FUSED && !C::CALLED {
            return isa.run(With(&Apart::new(&Bound(self.0, isa)), self.1));
        }
        if C::HANDS_ON && S::Aes::SLICED {
            return self.0.work(isa, self.1);
        }
        // Not by another name: a copy would be read in vectors, and wait for what the caller has written in words.
        self.1.call(isa, self.0)
    }
}

/// Blocks through a cipher as a call of its own: the code that several modes and both directions have
/// in common is compiled once. No [`Work`]: what is moved on its way is copied, and the pass of a short message would wait for that.
pub(crate) struct Many<'a, C, P, D> {
    cipher: &'a C,
    pass: P,
    blocks: usize,
    direction: PhantomData<D>,
}

impl<'a, C: Cipher, P, D: Direction> Many<'a, C, P, D> {
    #[inline(always)]
    pub(crate) fn new(cipher: &'a C, pass: P, blocks: usize) -> Self {
        Self { cipher, pass, blocks, direction: PhantomData }
    }
}

impl<C: Cipher, P: Pass, D: Direction> Task for Many<'_, C, P, D> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        self.cipher.many::<S, D, P>(isa, &mut self.pass, self.blocks);
    }
}

/// [`Cipher::block`], by [`Cipher::one`].
#[inline(always)]
pub(crate) fn block<C: Cipher, S: Isa, D: Direction>(cipher: &C, isa: S, mut io: InOut<'_>) {
    let x = C::One::<S>::load(isa, io.input());
    cipher.one::<S, D>(isa, x).store(isa, io.sink(0, C::Block::LEN));
}

/// [`Cipher::in_place`], by [`Cipher::many`].
#[inline(always)]
pub(crate) fn in_place<C: Cipher, S: Isa, D: Direction>(cipher: &C, isa: S, blocks: &mut [u8]) {
    let count = blocks.len() / C::Block::LEN;
    let pass = EcbPass::<C::Block>::new(InOut::in_place(blocks));
    isa.run(Many::<_, _, D>::new(cipher, pass, count));
}

/// A block that is in memory.
pub(crate) struct OneBlock<'a, C: Cipher, D> {
    cipher: &'a C,
    block: &'a mut C::Block,
    direction: PhantomData<D>,
}

impl<'a, C: Cipher, D: Direction> OneBlock<'a, C, D> {
    #[inline(always)]
    pub(crate) fn new(cipher: &'a C, block: &'a mut C::Block) -> Self {
        Self { cipher, block, direction: PhantomData }
    }
}

impl<C: Cipher, D: Direction> Task for OneBlock<'_, C, D> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        self.cipher.block::<S, D>(isa, InOut::in_place(self.block.as_mut()));
    }
}

/// Encrypts one block that is not in registers.
#[inline(always)]
pub(crate) fn encrypt_one<C: Cipher, S: Isa>(isa: S, cipher: &C, block: &C::Block) -> C::Block {
    let mut out = *block;
    if C::is_short::<S>() {
        let mut x = cipher.one::<S, Encrypt>(isa, C::One::<S>::load(isa, block.as_ref()));
        x.store(isa, Sink::new(out.as_mut()));
        return out;
    }
    isa.run(OneBlock::<C, Encrypt>::new(cipher, &mut out));
    out
}
