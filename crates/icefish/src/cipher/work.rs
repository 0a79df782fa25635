//! Work with a cipher, and the type of cipher that it is compiled for.

use super::apart::{Apart, CipherOnSet};
use super::{Cipher, Direction, EcbPass, Encrypt, Pass, Wide};
use crate::Block;
use crate::isa::{AesRounds, Extension, InOut, Isa, Sink, Task};
use core::marker::PhantomData;

/// Work with a cipher whose block is `B`. It is to a cipher what a [`Task`] is to an instruction set.
///
/// Implementations of [`Work::call`] are `#[inline(always)]`.
///
/// ```
/// use icefish::cipher::{Cipher, Work};
/// use icefish::isa::Isa;
///
/// /// The number of chains that are fastest in parallel.
/// struct CountLanes;
///
/// impl<B> Work<B> for CountLanes {
///     type Out = usize;
///     #[inline(always)]
///     fn call<C: Cipher<Block = B>, S: Isa>(self, _: S, _: &C) -> usize {
///         C::lanes::<S>()
///     }
/// }
/// ```
pub trait Work<B> {
    /// What the work returns.
    type Out;
    /// Whether it gains from being compiled together with the cipher. It does not if it calls the cipher for whole buffers of
    /// blocks.
    const FUSED: bool = true;
    /// Does the work with `cipher`.
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) -> Self::Out;
}

/// A cipher and work with it.
pub(crate) struct With<'a, C, W>(pub(crate) &'a C, pub(crate) W);

impl<C: Cipher, W: Work<C::Block>> Task for With<'_, C, W> {
    type Out = W::Out;
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) -> W::Out {
        if !W::FUSED && !C::CALLED {
            return isa.run(With(&Apart::new(&CipherOnSet(self.0, isa)), self.1));
        }
        if C::HANDS_ON && S::Aes::SLICED {
            return self.0.work(isa, self.1);
        }
        // `self` is not moved to a new name: the copy would be a vector load, and stall on the words that the caller has just
        // stored.
        self.1.call(isa, self.0)
    }
}

/// Takes blocks through a cipher as a call that is not inlined, so that code that several modes and both directions share is
/// compiled once. It is not a [`Work`], because work is copied on its way, and the pass of a short message would stall on the
/// copy.
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
    const EXTENSION: Extension = C::EXTENSION;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        self.cipher.many::<S, D, P>(isa, &mut self.pass, self.blocks);
    }
}

/// [`Cipher::block`], by [`BlockCipher::one`](super::BlockCipher::one).
#[inline(always)]
pub(crate) fn block<C: Cipher, S: Isa, D: Direction>(cipher: &C, isa: S, mut io: InOut<'_>) {
    let x = C::One::<S>::load(isa, io.input());
    cipher.one::<S, D>(isa, x).store(isa, io.sink(0, C::Block::LEN));
}

/// [`Cipher::in_place`], by [`BlockCipher::many`](super::BlockCipher::many).
#[inline(always)]
pub(crate) fn in_place<C: Cipher, S: Isa, D: Direction>(cipher: &C, isa: S, blocks: &mut [u8]) {
    let count = blocks.len() / C::Block::LEN;
    let pass = EcbPass::<C::Block>::new(InOut::in_place(blocks));
    isa.run(Many::<_, _, D>::new(cipher, pass, count));
}

/// A block in memory.
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
    const EXTENSION: Extension = C::EXTENSION;
    const SHORT: bool = matches!(C::EXTENSION, Extension::Aes);
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        self.cipher.block::<S, D>(isa, InOut::in_place(self.block.as_mut()));
    }
}

/// Encrypts one block that is in memory.
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
