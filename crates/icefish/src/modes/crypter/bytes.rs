//! Takes the bytes of a message through a mode, on the key's backend.

use super::State;
use crate::Block;
use crate::cipher::{Cipher, Direction, Key, With, Work};
use crate::isa::{AesRounds, Extension, InOut, Isa, Task};
use crate::modes::{Chain, Granularity, Mode, ModeTask, Position};
use core::marker::PhantomData;

/// Where blocks begin, with what goes with it on its way to the kernel.
pub(super) enum Start<'a, B: Block, M = ()> {
    /// A message, with this initial chaining block. What comes after its last block is of no use.
    Message(&'a B, M),
    /// A piece of a message, whose chaining value is updated.
    Piece(&'a mut Position<B>, M),
}

impl<'a, B: Block> Start<'a, B> {
    /// Whether the cipher's messages begin as such. Where a copy of a block takes less time than the cipher, all are pieces: the
    /// compiler would compile a chain for both.
    #[inline(always)]
    pub(super) const fn messages<C: Cipher>() -> bool {
        matches!(C::EXTENSION, Extension::Aes)
    }

    #[inline(always)]
    fn with<M>(self, mode: M) -> Start<'a, B, M> {
        match self {
            Self::Message(block, ()) => Start::Message(block, mode),
            Self::Piece(position, ()) => Start::Piece(position, mode),
        }
    }
}

/// Whole blocks on the key's backend. It is compiled for each mode, not for modes by name.
pub(super) struct MessageBlocks<'a, C: Cipher, D> {
    pub(super) key: &'a Key<C>,
    pub(super) start: Start<'a, C::Block>,
    pub(super) io: InOut<'a>,
    pub(super) direction: PhantomData<D>,
}

impl<C: Cipher, D: Direction> ModeTask for MessageBlocks<'_, C, D> {
    type Out = ();
    #[inline(always)]
    fn call<M: Mode>(self, mode: &M) {
        let Self { key, start, io, direction } = self;
        if !io.is_empty() {
            let (cipher, start) = (key.cipher(), start.with(*mode));
            key.backend().run(WholeBlocks { cipher, start, io, direction });
        }
    }
}

/// Bytes on the key's backend.
pub(super) struct MessageBytes<'a, C: Cipher, D> {
    pub(super) key: &'a Key<C>,
    pub(super) state: &'a mut State<C::Block>,
    pub(super) io: InOut<'a>,
    pub(super) direction: PhantomData<D>,
}

impl<C: Cipher, D: Direction> ModeTask for MessageBytes<'_, C, D> {
    type Out = ();
    #[inline(always)]
    fn call<M: Mode>(self, mode: &M) {
        let Self { key, state, io, direction } = self;
        // The caller keeps incomplete blocks of block modes.
        let parts = mode.granularity() == Granularity::Stream
            && (state.filled > 0 || !io.len().is_multiple_of(C::Block::LEN));
        if !parts {
            let start = Start::Piece(&mut state.position, ());
            return MessageBlocks { key, start, io, direction }.call(mode);
        }
        key.backend().run(With(key.cipher(), StreamParts { mode: *mode, state, io, direction }));
    }
}

/// Whole blocks through a mode, at least one. Most messages are of this kind, and short ones need the shortest path. All modes
/// share this task, so that each is compiled once per cipher, direction and instruction set.
struct WholeBlocks<'a, C: Cipher, M, D> {
    cipher: &'a C,
    start: Start<'a, C::Block, M>,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<C: Cipher, M: Mode, D: Direction> Task for WholeBlocks<'_, C, M, D> {
    type Out = ();
    const EXTENSION: Extension = C::EXTENSION;
    const SHORT: bool = matches!(C::EXTENSION, Extension::Aes);
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let Self { cipher, start, io, direction } = self;
        if C::HANDS_ON && S::Aes::SLICED {
            let mut room;
            let (mode, position) = match start {
                Start::Message(initial, mode) => {
                    room = Position { block: *initial, index: 0 };
                    (mode, &mut room)
                }
                Start::Piece(position, mode) => (mode, position),
            };
            return cipher.work(isa, HandedOn { mode, position, io: io.apart(), direction });
        }
        let (mode, chain) = match start {
            Start::Message(initial, mode) if Start::<C::Block>::messages::<C>() => {
                (mode, Chain::message(initial))
            }
            Start::Message(..) => unreachable!("all are pieces"),
            Start::Piece(position, mode) => (mode, Chain::piece(position)),
        };
        mode.blocks::<C, D, S>(isa, cipher, chain, io.apart());
    }
}

/// [`WholeBlocks`] in the form of a [`Work`]. It is used only where needed: work is copied by vector loads on its way, which would
/// stall on the words that were just stored, and a short message would wait for that.
struct HandedOn<'a, B: Block, M, D> {
    mode: M,
    position: &'a mut Position<B>,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<B: Block, M: Mode, D: Direction> Work<B> for HandedOn<'_, B, M, D> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        let Self { mode, position, io, .. } = self;
        mode.blocks::<C, D, S>(isa, cipher, Chain::piece(position), io.apart());
    }
}

/// Bytes through a stream mode: the rest of an incomplete block, whole blocks, and an incomplete block.
struct StreamParts<'a, B: Block, M, D> {
    mode: M,
    state: &'a mut State<B>,
    io: InOut<'a>,
    direction: PhantomData<D>,
}

impl<B: Block, M: Mode, D: Direction> StreamParts<'_, B, M, D> {
    /// A part of a block, from byte `filled` of its keystream on. It goes by words, because short messages consist of such parts.
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
        self.state.filled = (self.state.filled + len) % B::LEN;
    }

    /// The `W` bytes from `at` on. Returns the position after them.
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
            self.state.position.block.as_mut()[from..from + W].copy_from_slice(&kept);
        }
        at + W
    }
}

impl<B: Block, M: Mode, D: Direction> Work<B> for StreamParts<'_, B, M, D> {
    type Out = ();
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(mut self, isa: S, cipher: &C) {
        let mut io = core::mem::replace(&mut self.io, InOut::in_place(&mut [])).apart();
        if self.state.filled > 0 {
            let mid = io.len().min(B::LEN - self.state.filled);
            let (head, rest) = io.split_at(mid);
            self.part(head);
            io = rest;
        }
        let mid = io.len() / B::LEN * B::LEN;
        let (io, tail) = io.split_at(mid);
        if !io.is_empty() {
            let Self { mode, direction, .. } = self;
            let position = &mut self.state.position;
            if matches!(C::EXTENSION, Extension::Aes) && S::Aes::SLICED {
                // `WholeBlocks` of AES runs this task, too, so that the mode is compiled once for both.
                isa.run(With(cipher, HandedOn { mode, position, io, direction }));
            } else {
                isa.run(WholeBlocks { cipher, start: Start::Piece(position, mode), io, direction });
            }
        }
        if !tail.is_empty() {
            self.state.buffer = self.mode.pad(isa, cipher, Chain::piece(&mut self.state.position));
            self.part(tail);
        }
    }
}
