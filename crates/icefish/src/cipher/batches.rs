//! Batches of blocks: handing them out, and their way between memory and registers.

use super::{Pass, Wide};
use crate::Block;
use crate::isa::{InOut, Isa, Sink};

/// Hands out the blocks `0..n` in batches, from the first to the last or the other way.
pub(crate) struct Cursor {
    low: usize,
    high: usize,
    backward: bool,
}

impl Cursor {
    #[inline(always)]
    pub(crate) fn new<P: Pass>(blocks: usize) -> Self {
        Self { low: 0, high: blocks, backward: P::BACKWARD }
    }

    /// How many blocks are left.
    #[inline(always)]
    pub(crate) fn left(&self) -> usize {
        self.high - self.low
    }

    /// Asks for the memory of the next `n` blocks.
    #[inline(always)]
    pub(crate) fn fetch<P: Pass>(&self, pass: &P, n: usize) {
        let count = n.min(self.left());
        pass.fetch(if self.backward { self.high - count } else { self.low }, count);
    }

    /// The first of the next `n` blocks, if as many are left.
    #[inline(always)]
    pub(crate) fn take(&mut self, n: usize) -> Option<usize> {
        if self.left() < n {
            None
        } else if self.backward {
            self.high -= n;
            Some(self.high)
        } else {
            self.low += n;
            Some(self.low - n)
        }
    }
}

/// A batch from `bytes`, at most as many as it has: what is missing is zero.
#[inline(always)]
pub(crate) fn load<S: Isa, W: Wide<S>, B: Block>(isa: S, bytes: &[u8]) -> W {
    if bytes.len() == W::BLOCKS * B::LEN {
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

/// What a batch is XORed with on its way out.
#[derive(Clone, Copy)]
pub(crate) enum Xor<'a> {
    Nothing,
    /// The input from this byte on, which is not after the output.
    Input(usize),
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
    if len == W::BLOCKS * B::LEN {
        let sink = match xor {
            Xor::Nothing => io.sink(at, len),
            Xor::Input(from) => io.sink_xor_input(at, len, from),
            Xor::Bytes(bytes) => io.sink(at, len).xor(bytes),
        };
        return blocks.store(isa, sink);
    }
    let mut room = W::Bytes::zero();
    blocks.store(isa, Sink::new(&mut room.as_mut()[..W::BLOCKS * B::LEN]));
    let room = &mut room.as_mut()[..len];
    match xor {
        Xor::Nothing => {}
        Xor::Input(from) => xor_into(room, &io.input()[from..from + len]),
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
