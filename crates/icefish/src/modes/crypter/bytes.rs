//! Bytes of a message through a mode, on the key's backend.

use super::State;
use crate::Block;
use crate::cipher::{Cipher, Direction, Key};
use crate::isa::{Gain, InOut, Isa, Task};
use crate::modes::{Grain, Mode, ModeTask};
use core::marker::PhantomData;

/// [`Bytes`] on the key's backend: code for a mode, not for a mode by name.
pub(super) struct Run<'a, C: Cipher, D> {
    pub(super) key: &'a Key<C>,
    pub(super) state: &'a mut State<C::Block>,
    pub(super) io: InOut<'a>,
    pub(super) direction: PhantomData<D>,
}

impl<C: Cipher, D: Direction> ModeTask for Run<'_, C, D> {
    type Out = ();
    #[inline(always)]
    fn call<M: Mode>(self, mode: &M) {
        let Self { key, state, io, direction } = self;
        key.backend().run(Bytes { cipher: key.cipher(), mode, state, io, direction });
    }
}

/// Bytes through a mode: the rest of a block that was begun, whole blocks, and the beginning of one.
/// One task for all modes, so that each is compiled once per cipher, direction and instruction set.
struct Bytes<'a, C: Cipher, M, D> {
    cipher: &'a C,
    mode: &'a M,
    state: &'a mut State<C::Block>,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<C: Cipher, M: Mode, D: Direction> Bytes<'_, C, M, D> {
    /// Part of a block, from byte `filled` of its keystream on. In words: short messages are made of this.
    #[inline(always)]
    fn part(&mut self, mut io: InOut<'_>) {
        let (len, mut at) = (io.len(), 0);
        while len - at >= 8 {
            at = self.word::<8>(&mut io, at);
        }
        if len & 4 != 0 {
            at = self.word::<4>(&mut io, at);
        }
        if len & 2 != 0 {
            at = self.word::<2>(&mut io, at);
        }
        if len & 1 != 0 {
            self.word::<1>(&mut io, at);
        }
        self.state.filled = (self.state.filled + len) % C::Block::LEN;
    }

    /// The `W` bytes from `at` on; returns where they end.
    #[inline(always)]
    fn word<const W: usize>(&mut self, io: &mut InOut<'_>, at: usize) -> usize
    where
        [u8; W]: Block,
    {
        let from = self.state.filled + at;
        let input = <[u8; W]>::take(&io.input()[at..]);
        let mut output = <[u8; W]>::take(&self.state.buffer.as_ref()[from..]);
        for i in 0..W {
            output[i] ^= input[i];
        }
        io.output()[at..at + W].copy_from_slice(&output);
        if self.mode.feedback() {
            let kept = if D::ENCRYPT { output } else { input };
            self.state.chain.block.as_mut()[from..from + W].copy_from_slice(&kept);
        }
        at + W
    }
}

impl<C: Cipher, M: Mode, D: Direction> Task for Bytes<'_, C, M, D> {
    type Out = ();
    const GAIN: Gain = C::GAIN;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        let mut io = core::mem::replace(&mut self.io, InOut::in_place(&mut [])).apart();
        let block = if self.mode.grain() == Grain::Byte { 1 } else { C::Block::LEN };
        // What waits for the rest of a block of a block mode does not come here.
        if self.mode.grain() != Grain::Block && self.state.filled > 0 {
            let (head, rest) = {
                let mid = io.len().min(block - self.state.filled);
                io.split_at(mid)
            };
            self.part(head);
            io = rest;
        }
        let mid = io.len() / block * block;
        let (whole, tail) = io.split_at(mid);
        if !whole.is_empty() {
            self.mode.blocks::<C, D, S>(isa, self.cipher, &mut self.state.chain, whole);
        }
        if self.mode.grain() != Grain::Block && !tail.is_empty() {
            self.state.buffer = self.mode.pad(isa, self.cipher, &mut self.state.chain);
            self.part(tail);
        }
    }
}
