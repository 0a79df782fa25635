//! A hash of data that comes in pieces.

use super::{Hash, Last, Order, Powers, SoFar};
use crate::cipher::{Cipher, Key, With, Work};
use crate::isa::{Isa, erase};
use core::marker::PhantomData;

/// The state of a hash between two pieces of any length.
#[derive(Clone)]
pub(crate) struct Running<O> {
    /// The hash of the whole blocks before.
    sum: [u8; 16],
    /// Bytes that wait for the rest of their block, with zeros behind them.
    part: [u8; 16],
    filled: usize,
    order: PhantomData<O>,
}

impl<O: Order> Running<O> {
    /// The state after blocks whose hash is `sum`.
    pub(crate) fn after(sum: [u8; 16]) -> Self {
        Self { sum, part: [0; 16], filled: 0, order: PhantomData }
    }

    /// The hash of the whole blocks so far.
    pub(crate) fn sum(&self) -> &[u8; 16] {
        &self.sum
    }

    /// The same, for a pass that hashes whole blocks by itself. No bytes may wait.
    pub(crate) fn sum_mut(&mut self) -> &mut [u8; 16] {
        debug_assert_eq!(self.filled, 0);
        &mut self.sum
    }

    /// Hashes the next bytes, on the backend of `key`.
    pub(crate) fn absorb<C>(&mut self, key: &Key<C>, powers: &Powers, bytes: &[u8])
    where
        C: Cipher<Block = [u8; 16]>,
    {
        let mut bytes = bytes;
        if self.filled > 0 {
            let (head, rest) = bytes.split_at((16 - self.filled).min(bytes.len()));
            self.part[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.filled += head.len();
            if self.filled < 16 {
                return;
            }
            self.pad(key, powers);
            bytes = rest;
        }
        let (whole, tail) = bytes.split_at(bytes.len() / 16 * 16);
        if !whole.is_empty() {
            self.hash(key, powers, whole);
        }
        self.part[..tail.len()].copy_from_slice(tail);
        self.filled = tail.len();
    }

    /// Hashes the block that waits, filled up with zeros.
    pub(crate) fn pad<C: Cipher<Block = [u8; 16]>>(&mut self, key: &Key<C>, powers: &Powers) {
        if self.filled > 0 {
            let block = self.part;
            self.hash(key, powers, &block);
            self.part = [0; 16];
            self.filled = 0;
        }
    }

    fn hash<C>(&mut self, key: &Key<C>, powers: &Powers, blocks: &[u8])
    where
        C: Cipher<Block = [u8; 16]>,
    {
        let (sum, order) = (&mut self.sum, PhantomData::<O>);
        key.backend().run(With(key.cipher(), HashBlocksOnly { powers, sum, blocks, order }));
    }
}

impl<O> Drop for Running<O> {
    fn drop(&mut self) {
        erase(&mut self.sum);
        erase(&mut self.part);
    }
}

/// Whole blocks through the hash.
struct HashBlocksOnly<'a, O> {
    powers: &'a Powers,
    sum: &'a mut [u8; 16],
    blocks: &'a [u8],
    order: PhantomData<O>,
}

impl<O: Order> Work<[u8; 16]> for HashBlocksOnly<'_, O> {
    type Out = ();
    const FUSED: bool = false;
    #[inline(always)]
    fn call<C: Cipher<Block = [u8; 16]>, S: Isa>(self, isa: S, _: &C) {
        let hash = Hash::<O>::new(self.powers, SoFar::new(*self.sum), self.blocks, Last::default());
        *self.sum = isa.run(hash);
    }
}
