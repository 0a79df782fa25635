//! A digest in pieces.

use super::Place;
use super::lanes::LANES;
use super::strings::{Run, Supply, Text, side_by_side};
use super::ubi::{self, Kind};
use crate::isa::erase;
use core::fmt;
use zeroize::ZeroizeOnDrop;

/// A digest in pieces. It does not end at the length that the hash was made with. That length is a part of what is hashed: a
/// stream of unknown length takes [`Skein::ENDLESS`](super::Skein::ENDLESS).
///
/// ```
/// use icefish::constructions::skein::Skein512;
/// let mut hasher = Skein512::new(Skein512::ENDLESS).hasher();
/// hasher.update(b"seed");
/// let (mut whole, mut pieces) = ([0; 200], [0; 200]);
/// hasher.clone().output().fill(&mut whole);
/// let mut output = hasher.output();
/// output.fill(&mut pieces[..33]);
/// output.fill(&mut pieces[33..]);
/// assert_eq!(pieces, whole);
/// ```
#[derive(Clone)]
pub struct Output<const W: usize, const B: usize> {
    place: Place,
    chain: [u64; W],
    /// The number of the next block.
    next: u64,
    /// The block before it, whose last bytes are still to be returned.
    block: [u8; B],
    left: usize,
}

impl<const W: usize, const B: usize> Output<W, B> {
    pub(super) fn new(place: Place, chain: [u64; W]) -> Self {
        Self { place, chain, next: 0, block: [0; B], left: 0 }
    }

    /// Fills `output` with the next bytes.
    pub fn fill(&mut self, output: &mut [u8]) {
        let (now, rest) = output.split_at_mut(output.len().min(self.left));
        now.copy_from_slice(&self.block[B - self.left..][..now.len()]);
        self.left -= now.len();
        let (blocks, rest) = rest.split_at_mut(rest.len() / B * B);
        if blocks.len() > B {
            let supply = &mut Blocks {
                chain: &self.chain,
                first: self.next,
                next: 0,
                lanes: [0; LANES],
                blocks,
            };
            side_by_side(self.place.backend, supply);
        } else if !blocks.is_empty() {
            blocks.copy_from_slice(&ubi::output::<W, B>(
                self.place.backend,
                &self.chain,
                self.next,
            ));
        }
        self.next = self.next.wrapping_add((blocks.len() / B) as u64);
        if !rest.is_empty() {
            self.block = ubi::output(self.place.backend, &self.chain, self.next);
            self.next = self.next.wrapping_add(1);
            self.left = B - rest.len();
            rest.copy_from_slice(&self.block[..rest.len()]);
        }
    }
}

/// Whole blocks of a digest.
struct Blocks<'a, const W: usize> {
    chain: &'a [u64; W],
    /// The number of the first.
    first: u64,
    /// How many lanes have taken.
    next: usize,
    /// Which block each lane has.
    lanes: [usize; LANES],
    blocks: &'a mut [u8],
}

impl<const W: usize> Supply<'_, W> for Blocks<'_, W> {
    fn next(&mut self, lane: usize) -> Option<Run<'static, W>> {
        if self.next == self.blocks.len() / (8 * W) {
            return None;
        }
        self.lanes[lane] = self.next;
        let number = self.first.wrapping_add(self.next as u64);
        self.next += 1;
        Some(Run {
            chain: *self.chain,
            tweak: [0, ubi::first(Kind::Output, 0)],
            string: Text::Number(number),
        })
    }

    fn take(&mut self, lane: usize, result: &[u64; W]) -> Option<Run<'static, W>> {
        let block = &mut self.blocks[8 * W * self.lanes[lane]..][..8 * W];
        for (bytes, word) in block.chunks_exact_mut(8).zip(result) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        None
    }
}

impl<const W: usize, const B: usize> Drop for Output<W, B> {
    fn drop(&mut self) {
        erase(&mut self.chain);
        erase(&mut self.block);
    }
}

impl<const W: usize, const B: usize> ZeroizeOnDrop for Output<W, B> {}

impl<const W: usize, const B: usize> fmt::Debug for Output<W, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("backend", &self.place.backend.name())
            .finish_non_exhaustive()
    }
}
