//! Counter mode in pieces: each continues at the byte at which the one before ended.

use crate::Block;
use crate::cipher::{Cipher, Key, With, Work};
use crate::isa::{InOut, Isa, erase};
use crate::modes::Ctr;

/// Where the counter mode of a message is.
pub(crate) struct Counter<B: Block> {
    ctr: Ctr,
    /// The block that the index is added to.
    first: B,
    /// The index of the next block.
    index: u128,
    /// The keystream of a block of which a part is used up.
    pad: B,
    /// How many bytes of `pad` are used up: 0 if there is none.
    used: usize,
}

impl<B: Block> Counter<B> {
    pub(crate) fn new(ctr: Ctr, first: B, index: u128) -> Self {
        Self { ctr, first, index, pad: B::zero(), used: 0 }
    }

    pub(crate) fn first(&self) -> &B {
        &self.first
    }

    /// The index of the next block.
    pub(crate) fn index(&self) -> u128 {
        self.index
    }

    /// Moves on by blocks that another kernel has taken.
    pub(crate) fn skip(&mut self, blocks: usize) {
        self.index += blocks as u128;
    }

    /// The bytes under the keystream that is left of a block, the whole blocks after them, and the last part of a block.
    pub(crate) fn split<'a>(&self, io: InOut<'a>) -> [InOut<'a>; 3] {
        let left = if self.used == 0 { 0 } else { B::LEN - self.used };
        let at = left.min(io.len());
        let (head, rest) = io.split_at(at);
        let whole = rest.len() / B::LEN * B::LEN;
        let (whole, tail) = rest.split_at(whole);
        [head, whole, tail]
    }

    /// A part of a block, which begins where the part before ended.
    pub(crate) fn part<C: Cipher<Block = B>>(&mut self, key: &Key<C>, mut io: InOut<'_>) {
        if io.is_empty() {
            return;
        }
        if self.used == 0 {
            self.pad = B::zero();
            let mut pad = self.pad;
            self.whole(key, InOut::in_place(pad.as_mut()));
            self.pad = pad;
            erase(pad.as_mut());
        }
        let end = self.used + io.len();
        io.xor_bytes(0, &self.pad.as_ref()[self.used..end]);
        self.used = end % B::LEN;
        if self.used == 0 {
            erase(self.pad.as_mut());
        }
    }

    /// Whole blocks, in the same time wherever the counter wraps.
    pub(crate) fn whole<C: Cipher<Block = B>>(&mut self, key: &Key<C>, io: InOut<'_>) {
        if io.is_empty() {
            return;
        }
        let blocks = io.len() / B::LEN;
        let keystream = Keystream { ctr: self.ctr, first: self.first, index: self.index, io };
        key.backend().run(With(key.cipher(), keystream));
        self.skip(blocks);
    }
}

impl<B: Block> Drop for Counter<B> {
    fn drop(&mut self) {
        erase(self.first.as_mut());
        erase(self.pad.as_mut());
    }
}

/// Data and the keystream from a counter block on.
struct Keystream<'a, B> {
    ctr: Ctr,
    first: B,
    index: u128,
    io: InOut<'a>,
}

impl<B: Block> Work<B> for Keystream<'_, B> {
    type Out = ();
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = B>, S: Isa>(self, isa: S, cipher: &C) {
        self.ctr.message_from_secret(isa, cipher, self.first, self.index, self.io.apart());
    }
}
