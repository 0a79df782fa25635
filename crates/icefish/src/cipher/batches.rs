//! Batches of blocks, and the tail that does not fill one: how they are numbered, loaded and stored.

use super::{Pass, Wide};
use crate::Block;
use crate::isa::{InOut, Isa, Sink};
use core::marker::PhantomData;

/// From this number of bytes on, a message does not fit into the caches.
#[cfg(any(feature = "aes", feature = "parallel"))]
pub(crate) const FROM_MEMORY: usize = 4 << 20;

/// Numbers the batches of the blocks `0..n` of a pass, from the first to the last or in reverse.
pub(crate) struct Cursor<P> {
    /// The first block that is left, in a pass from the first to the last.
    next: usize,
    left: usize,
    pass: PhantomData<fn(&P)>,
}

impl<P: Pass> Cursor<P> {
    #[inline(always)]
    pub(crate) fn new(blocks: usize) -> Self {
        Self { next: 0, left: blocks, pass: PhantomData }
    }

    /// How many blocks are left.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Prefetches the next `n` blocks.
    #[inline(always)]
    pub(crate) fn fetch(&self, pass: &P, n: usize) {
        let count = n.min(self.left);
        pass.fetch(if P::BACKWARD { self.left - count } else { self.next }, count);
    }

    /// The first of the next `n` blocks, if at least `n` are left.
    #[inline(always)]
    pub(crate) fn take(&mut self, n: usize) -> Option<usize> {
        if self.left < n {
            return None;
        }
        self.left -= n;
        if P::BACKWARD {
            return Some(self.left);
        }
        let first = self.next;
        self.next += n;
        Some(first)
    }
}

/// Loads a batch from `bytes`. If there are fewer blocks than in a batch, the others are zero.
#[inline(always)]
pub(crate) fn load<S: Isa, W: Wide<S>, B: Block>(isa: S, bytes: &[u8]) -> W {
    load_blocks(isa, bytes, B::LEN)
}

/// The same for blocks of `size` bytes.
#[inline(always)]
pub(crate) fn load_blocks<S: Isa, W: Wide<S>>(isa: S, bytes: &[u8], size: usize) -> W {
    if bytes.len() == W::BLOCKS * size {
        return W::load(isa, bytes);
    }
    let mut room = W::Bytes::zero();
    room.as_mut()[..bytes.len()].copy_from_slice(bytes);
    W::load(isa, room.as_ref())
}

/// The same, into `blocks`.
#[inline(always)]
pub(crate) fn reload<S: Isa, W: Wide<S>, B: Block>(isa: S, bytes: &[u8], blocks: &mut W) {
    if bytes.len() == W::BLOCKS * B::LEN {
        return blocks.reload(isa, bytes);
    }
    let mut room = W::Bytes::zero();
    room.as_mut()[..bytes.len()].copy_from_slice(bytes);
    blocks.reload(isa, room.as_ref());
}

/// The operand of the XOR with the output of a batch.
#[derive(Clone, Copy)]
pub(crate) enum Xor<'a> {
    Nothing,
    /// The input of the batch, in a pass from the first batch to the last. Its first byte.
    Input(usize),
    /// The input from this byte on, in a pass from the last batch to the first. It is not after the first byte of the output.
    Backward(usize),
    Bytes(&'a [u8]),
}

/// Stores the first `len` bytes of a batch at `output[at..]`.
#[inline(always)]
pub(crate) fn store<S: Isa, W: Wide<S>, B: Block>(
    isa: S,
    blocks: &mut W,
    io: &mut InOut<'_>,
    at: usize,
    len: usize,
    xor: Xor<'_>,
) {
    store_blocks(isa, blocks, io, at, len, xor, B::LEN);
}

/// The same for blocks of `size` bytes.
#[inline(always)]
pub(crate) fn store_blocks<S: Isa, W: Wide<S>>(
    isa: S,
    blocks: &mut W,
    io: &mut InOut<'_>,
    at: usize,
    len: usize,
    xor: Xor<'_>,
    size: usize,
) {
    if len == W::BLOCKS * size {
        let sink = match xor {
            Xor::Nothing => io.sink(at, len),
            Xor::Input(from) => io.sink_xor_input(at, len, from),
            Xor::Backward(from) => io.sink_xor_input(at, len, from).descending(),
            Xor::Bytes(bytes) => io.sink(at, len).xor(bytes),
        };
        return blocks.store(isa, sink);
    }
    let mut room = W::Bytes::zero();
    blocks.store(isa, Sink::new(&mut room.as_mut()[..W::BLOCKS * size]));
    let room = &mut room.as_mut()[..len];
    match xor {
        Xor::Nothing => {}
        Xor::Input(from) | Xor::Backward(from) => xor_into(room, &io.input()[from..from + len]),
        Xor::Bytes(bytes) => xor_into(room, &bytes[..len]),
    }
    io.output()[at..at + len].copy_from_slice(room);
}

#[inline(always)]
fn xor_into(room: &mut [u8], with: &[u8]) {
    for (r, w) in room.iter_mut().zip(with) {
        *r ^= w;
    }
}
