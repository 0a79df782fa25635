//! Modes and ciphers that are compiled apart: strips of blocks in memory, and a call for each.
//!
//! A mode that is compiled together with a cipher keeps its data in registers. Where a cipher takes a cycle a byte or more
//! that saves nothing, and code is as much as modes times ciphers. There, a mode works with [`Apart`]: it has the form of a
//! cipher, and behind it are two calls, which the mode does not know the cipher of.

use super::few::Alone;
use super::strips::{Room, STRIP, Strips, Through};
use super::{Cipher, Decrypt, Direction, Encrypt, Pass};
use crate::Block;
use crate::isa::{AesRounds, Gain, InOut, Isa, Task, erase};
use crate::modes::EcbPass;
use core::marker::PhantomData;

/// Where a cipher is compiled together with modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fused {
    /// On every instruction set.
    Everywhere,
    /// On those with AES instructions.
    WithAes,
    /// On none: it is not compiled here, but somewhere else.
    Nowhere,
}

/// Whether the cipher `C` is compiled apart from modes on the instruction set `S`: a constant, so that of both forms only
/// one is compiled.
pub(crate) struct On<C, S>(PhantomData<(C, S)>);

impl<C: Cipher, S: Isa> On<C, S> {
    pub(crate) const APART: bool = matches!(C::FUSED, Fused::WithAes) && S::Aes::SLICED;
}

/// A cipher on an instruction set, behind calls that name neither.
pub(crate) trait Called<B>: Send + Sync {
    /// One block.
    fn one(&self, encrypt: bool, block: &mut B);
    /// Blocks that lie one after the other.
    fn in_place(&self, encrypt: bool, blocks: &mut [u8]);
    /// All strips.
    fn strips(&self, encrypt: bool, strips: &mut dyn Strips);
}

/// A cipher with the instruction set that it runs on.
pub(crate) struct Bound<'a, C, S>(pub(crate) &'a C, pub(crate) S);

impl<C, S: Copy> Copy for Bound<'_, C, S> {}
impl<C, S: Copy> Clone for Bound<'_, C, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Cipher, S: Isa> Called<C::Block> for Bound<'_, C, S> {
    fn one(&self, encrypt: bool, block: &mut C::Block) {
        if encrypt {
            self.0.alone::<S, Encrypt>(self.1, block);
        } else {
            self.0.alone::<S, Decrypt>(self.1, block);
        }
    }
    fn in_place(&self, encrypt: bool, blocks: &mut [u8]) {
        if encrypt {
            self.0.in_place::<S, Encrypt>(self.1, blocks);
        } else {
            self.0.in_place::<S, Decrypt>(self.1, blocks);
        }
    }
    fn strips(&self, encrypt: bool, strips: &mut dyn Strips) {
        if encrypt {
            self.0.strips::<S, Encrypt>(self.1, strips);
        } else {
            self.0.strips::<S, Decrypt>(self.1, strips);
        }
    }
}

/// What modes see of a cipher that is compiled apart.
#[derive(Clone, Copy)]
pub(crate) struct Apart<'a, B>(&'a dyn Called<B>);

impl<'a, B: Block> Apart<'a, B> {
    #[inline(always)]
    pub(crate) fn new<C: Cipher<Block = B>, S: Isa>(bound: &'a Bound<'_, C, S>) -> Self {
        Self(bound)
    }

    /// A pass by way of a room.
    #[inline(always)]
    fn through<S: Isa, D: Direction, P: Pass, const ROOM: usize>(
        &self,
        isa: S,
        pass: &mut P,
        blocks: usize,
    ) {
        let mut room = Room([0; ROOM]);
        self.0.strips(D::ENCRYPT, &mut Through::<S, P, B>::new(isa, pass, blocks, &mut room.0));
        erase(&mut room.0);
    }
}

impl<B: Block> Cipher for Apart<'_, B> {
    type Block = B;
    const GAIN: Gain = Gain::Aes;
    const FUSED: Fused = Fused::Nowhere;
    type One<S: Isa> = Alone<B>;

    fn batch<S: Isa>() -> usize {
        STRIP / B::LEN
    }
    #[inline(always)]
    fn one<S: Isa, D: Direction>(&self, _: S, mut block: Alone<B>) -> Alone<B> {
        self.0.one(D::ENCRYPT, &mut block.0);
        block
    }
    #[inline(always)]
    fn many<S: Isa, D: Direction, P: Pass>(&self, isa: S, pass: &mut P, blocks: usize) {
        if blocks == 1 {
            let block = pass.enter(isa, 0, 1);
            return pass.leave(isa, 0, 1, &mut self.one::<S, D>(isa, block));
        }
        // Rooms are cleared and erased; large ones are filled and emptied with fewer waits.
        match blocks * B::LEN {
            ..=512 => self.through::<S, D, P, 512>(isa, pass, blocks),
            ..=4096 => self.through::<S, D, P, STRIP>(isa, pass, blocks),
            _ => self.through::<S, D, P, 4096>(isa, pass, blocks),
        }
    }
    #[inline(always)]
    fn in_place<S: Isa, D: Direction>(&self, _: S, blocks: &mut [u8]) {
        self.0.in_place(D::ENCRYPT, blocks);
    }
}

/// Strips by [`Cipher::many`]: for a cipher that has nothing better.
pub(super) struct ByMany<'a, 's, C, D> {
    cipher: &'a C,
    strips: &'a mut (dyn Strips + 's),
    direction: PhantomData<D>,
}

impl<'a, 's, C, D> ByMany<'a, 's, C, D> {
    #[inline(always)]
    pub(super) fn new(cipher: &'a C, strips: &'a mut (dyn Strips + 's)) -> Self {
        Self { cipher, strips, direction: PhantomData }
    }
}

impl<C: Cipher, D: Direction> Task for ByMany<'_, '_, C, D> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        loop {
            let (blocks, len) = self.strips.next();
            if len == 0 {
                return;
            }
            let mut pass = EcbPass::<C::Block>::new(InOut::in_place(&mut blocks[..len]));
            self.cipher.many::<S, D, _>(isa, &mut pass, len / C::Block::LEN);
        }
    }
}
