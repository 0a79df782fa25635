//! A message as a tree (section 3.5.6). Leaves and nodes are the same: strings of at most so many bytes, each run over the chain
//! before the message, and the results are the string of the next level.

use super::lanes::LANES;
use super::ubi::{Kind, Ubi, to_bytes};
use super::units::Units;
use super::{Leaves, Skein, Tree};
use crate::Error;
use crate::isa::erase;
use alloc::vec;
use alloc::vec::Vec;

/// The levels of a tree that have been begun, the leaves first.
#[derive(Clone)]
pub(super) struct Levels<const W: usize, const B: usize> {
    tree: Tree,
    levels: Vec<Level<W, B>>,
}

/// A level: how many leaves or nodes are done, and the one that is begun, with its length.
#[derive(Clone)]
struct Level<const W: usize, const B: usize> {
    done: u64,
    part: Option<(Ubi<W, B>, u64)>,
    /// The bytes after that, which wait until nodes fill the lanes. Leaves never wait.
    waiting: Vec<u8>,
}

impl<const W: usize, const B: usize> Level<W, B> {
    fn new() -> Self {
        Self { done: 0, part: None, waiting: Vec::new() }
    }
}

impl<const W: usize, const B: usize> Drop for Level<W, B> {
    fn drop(&mut self) {
        erase(&mut self.waiting);
    }
}

/// The largest number of bytes of nodes that wait until they fill the lanes.
const WAITING: usize = 256 * 1024;

/// Units whose results are held before they go to the next level. With nodes of up to 64 results, these fill all of its lanes.
const BATCH: usize = 64 * LANES;

impl<const W: usize, const B: usize> Levels<W, B> {
    pub(super) fn new(tree: Tree) -> Self {
        Self { tree, levels: Vec::new() }
    }

    /// Bytes of a leaf, or of a node of level `index`, which counts from 0.
    fn size(&self, index: usize) -> u64 {
        if index + 1 >= usize::from(self.tree.height) {
            return u64::MAX;
        }
        let blocks = if index == 0 { self.tree.leaf } else { self.tree.node };
        (B as u64)
            .checked_shl(blocks.into())
            .filter(|size| size >> blocks == B as u64)
            .unwrap_or(u64::MAX)
    }

    /// Adds bytes of the message.
    pub(super) fn update(&mut self, skein: &Skein<W, B>, data: &[u8]) {
        self.add(skein, 0, data);
    }

    /// Adds leaves that are done, if they are the next.
    pub(super) fn append(&mut self, skein: &Skein<W, B>, leaves: &Leaves) -> Result<(), Error> {
        if self.levels.is_empty() {
            self.levels.push(Level::new());
        }
        let (size, level) = (self.size(0), &mut self.levels[0]);
        let whole = leaves.results.len().is_multiple_of(B);
        if level.part.is_some() || level.done.wrapping_mul(size) != leaves.position || !whole {
            return Err(Error::Leaves);
        }
        level.done += (leaves.results.len() / B) as u64;
        self.add(skein, 1, &leaves.results);
        Ok(())
    }

    /// Adds bytes to the string of level `index`. Those of nodes wait until there are enough for all lanes.
    fn add(&mut self, skein: &Skein<W, B>, index: usize, data: &[u8]) {
        if self.levels.len() == index {
            self.levels.push(Level::new());
        }
        let lanes = self.size(index).saturating_mul(LANES as u64);
        if index == 0 || lanes > WAITING as u64 {
            return self.take(skein, index, data);
        }
        let lanes = lanes as usize;
        if data.len() >= lanes {
            self.take_waiting(skein, index, true);
            return self.take(skein, index, data);
        }
        let waiting = &mut self.levels[index].waiting;
        // The vector never grows, which would leave a copy of its bytes: what waits and what comes are both shorter than
        // `lanes`.
        waiting.reserve_exact(2 * lanes - waiting.len());
        waiting.extend_from_slice(data);
        if waiting.len() >= lanes {
            self.take_waiting(skein, index, false);
        }
    }

    /// Takes what waits at level `index`: whole nodes, or all.
    fn take_waiting(&mut self, skein: &Skein<W, B>, index: usize, all: bool) {
        let size = self.size(index);
        let mut waiting = core::mem::take(&mut self.levels[index].waiting);
        let rest = if all { 0 } else { (waiting.len() as u64 % size) as usize };
        let whole = waiting.len() - rest;
        self.take(skein, index, &waiting[..whole]);
        waiting.copy_within(whole.., 0);
        erase(&mut waiting[rest..]);
        waiting.truncate(rest);
        self.levels[index].waiting = waiting;
    }

    /// Takes the string of level `index`.
    fn take(&mut self, skein: &Skein<W, B>, index: usize, mut data: &[u8]) {
        let size = self.size(index);
        while !data.is_empty() {
            if self.levels[index].part.is_none() && data.len() as u64 >= size {
                data = self.whole(skein, index, size as usize, data);
                continue;
            }
            if self.levels[index].part.is_none() {
                self.begin(skein, index);
            }
            let Some((ubi, len)) = &mut self.levels[index].part else { return };
            let now = (size - *len).min(data.len() as u64);
            let (piece, rest) = data.split_at(now as usize);
            ubi.update(skein.backend(), piece);
            *len += now;
            data = rest;
            if *len == size {
                self.end(skein, index, None);
            }
        }
    }

    /// Begins a leaf or a node.
    fn begin(&mut self, skein: &Skein<W, B>, index: usize) {
        let position = self.levels[index].done.wrapping_mul(self.size(index));
        let ubi = Ubi::new(&skein.chain, Kind::Message, index as u64 + 1, position);
        self.levels[index].part = Some((ubi, 0));
    }

    /// Takes all whole leaves or nodes that `data` has, in lanes; the rest of `data`.
    #[inline(never)]
    fn whole<'d>(
        &mut self,
        skein: &Skein<W, B>,
        index: usize,
        size: usize,
        data: &'d [u8],
    ) -> &'d [u8] {
        let level = index as u64 + 1;
        let (units, rest) = data.split_at(data.len() / size * size);
        #[cfg(feature = "parallel")]
        if let Some(results) =
            super::threads::units(skein, self.levels[index].done, level, size, units)
        {
            self.levels[index].done += (units.len() / size) as u64;
            self.add(skein, index + 1, &results);
            return rest;
        }
        let mut results = vec![0; B * (units.len() / size).min(BATCH)];
        for units in units.chunks(size * BATCH) {
            let results = &mut results[..B * (units.len() / size)];
            Units { skein, first: self.levels[index].done, level, size, data: units }.run(results);
            self.levels[index].done += (units.len() / size) as u64;
            self.add(skein, index + 1, results);
        }
        erase(&mut results);
        rest
    }

    /// Ends the leaf or node that is begun.
    fn end(&mut self, skein: &Skein<W, B>, index: usize, last: Option<u8>) {
        let level = &mut self.levels[index];
        let Some((mut ubi, _)) = level.part.take() else { return };
        level.done += 1;
        let result: [u8; B] = to_bytes(&ubi.finish(skein.backend(), last));
        self.add(skein, index + 1, &result);
    }

    /// The value of the chain at the end of the message. `last` is a byte with padding.
    pub(super) fn finish(&mut self, skein: &Skein<W, B>, last: Option<u8>) -> [u64; W] {
        if self.levels.is_empty() {
            self.levels.push(Level::new());
        }
        let leaves = &mut self.levels[0];
        if leaves.part.is_none() && (leaves.done == 0 || last.is_some()) {
            self.begin(skein, 0);
        }
        self.end(skein, 0, last);
        let mut index = 1;
        loop {
            self.take_waiting(skein, index, true);
            let level = &self.levels[index];
            match &level.part {
                // One block is not hashed again.
                Some((ubi, len)) if level.done == 0 && *len == B as u64 => return ubi.only(),
                _ => self.end(skein, index, None),
            }
            index += 1;
        }
    }
}
