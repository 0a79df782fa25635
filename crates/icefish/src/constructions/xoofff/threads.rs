//! Long strings and outputs on all cores, in pieces that each begin with their rolled state.

use super::compress::Compress;
use super::roll::{Compression, Expansion, Window};
use super::{BLOCK, Output, RunsOn};
use crate::isa::InOut;
use alloc::vec;
use zeroize::Zeroize;

/// Blocks in a piece: whole batches on every backend.
const BLOCKS: usize = 1344;
/// Bytes in a piece: 63 KiB.
const PIECE: usize = BLOCKS * BLOCK;
/// Less than two pieces is not worth another thread.
const LONG: usize = 2 * PIECE;

impl RunsOn {
    /// Adds the whole pieces of a long string to `sum`, and returns the rest of the string.
    pub(super) fn compress<'s>(
        self,
        string: &'s [u8],
        sum: &mut [u8; BLOCK],
        mask: &mut Window,
    ) -> &'s [u8] {
        if !self.threads || string.len() < LONG {
            return string;
        }
        let (pieces, rest) = string.split_at(string.len() / PIECE * PIECE);
        let mut sums = vec![[0; BLOCK]; pieces.len() / PIECE];
        rayon::scope(|scope| {
            for (string, sum) in pieces.chunks(PIECE).zip(&mut sums) {
                let mut mask_here = *mask;
                scope.spawn(move |_| {
                    let mask = &mut mask_here;
                    self.backend.run(Compress { string, end: 0, sum, mask });
                    mask_here.zeroize();
                });
                mask.skip::<Compression>(BLOCKS as u64);
            }
        });
        for piece in &sums {
            for (byte, p) in sum.iter_mut().zip(piece) {
                *byte ^= p;
            }
        }
        sums.as_flattened_mut().zeroize();
        rest
    }
}

impl Output {
    /// Outputs the whole pieces of long data, from the next block on, and returns the rest of the data.
    pub(super) fn threads<'a, const XOR: bool>(&mut self, io: InOut<'a>) -> InOut<'a> {
        if !self.place.threads || io.len() < LONG + BLOCK {
            return io;
        }
        let (first, mut io) = io.split_at((BLOCK - self.used) % BLOCK);
        self.here::<XOR>(first);
        rayon::scope(|scope| {
            while io.len() >= PIECE {
                let (piece, rest) = io.split_at(PIECE);
                let mut output = self.clone();
                scope.spawn(move |_| output.here::<XOR>(piece));
                self.now.skip::<Expansion>(BLOCKS as u64);
                self.block += BLOCKS as u64;
                io = rest;
            }
            io
        })
    }
}
