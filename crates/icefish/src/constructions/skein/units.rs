//! Leaves or nodes of a tree side by side.

use super::Skein;
use super::lanes::{Count, Io, LANES, SideBySide, Table};
use super::strings::{Run, Supply, Text, side_by_side};
use super::ubi::{FINAL, Kind, first, to_bytes};
use crate::ciphers::threefish::fresh::FIRST;
use crate::isa::erase;

/// Leaves or nodes of one level, all whole, side by side.
pub(super) struct Units<'a, const W: usize, const B: usize> {
    pub(super) skein: &'a Skein<W, B>,
    /// The number of the first.
    pub(super) first: u64,
    /// The number of the level in tweaks.
    pub(super) level: u64,
    /// Bytes of each.
    pub(super) size: usize,
    pub(super) data: &'a [u8],
}

impl<'a, const W: usize, const B: usize> Units<'a, W, B> {
    /// Writes the results one after the other.
    pub(super) fn run(&self, results: &mut [u8]) {
        let (backend, count) = (self.skein.backend(), results.len() / B);
        let [narrow, wide] = backend.run(Count::<W>);
        let whole = if wide > 1 { count / wide * wide } else { 0 };
        if whole > 0 {
            let chain = to_bytes(&self.skein.chain);
            let mut table =
                Abreast { units: self, chain, next: 0, end: whole, lanes: wide, results };
            if wide > narrow {
                backend.run(SideBySide::<W, true> { table: &mut table });
            } else {
                backend.run(SideBySide::<W, false> { table: &mut table });
            }
            erase(&mut table.chain);
        }
        let mut work = Results { units: self, next: whole, lanes: [0; LANES], results };
        side_by_side(backend, &mut work);
    }

    /// The bytes of unit `index`, and where in the string of its level it begins.
    fn unit(&self, index: usize) -> Option<(&'a [u8], u64)> {
        let bytes = self.data.get(self.size * index..)?.get(..self.size)?;
        Some((bytes, (self.first + index as u64).wrapping_mul(self.size as u64)))
    }
}

/// Groups of as many units as there are lanes, one group after the other. The units of a group begin and end together, so that
/// no lane has a state of its own.
struct Abreast<'a, 'r, const W: usize, const B: usize> {
    units: &'r Units<'a, W, B>,
    /// The value of the chain before each.
    chain: [u8; B],
    /// The first that has not begun.
    next: usize,
    /// Where they end: whole multiples of the lanes.
    end: usize,
    lanes: usize,
    results: &'r mut [u8],
}

impl<'a, const W: usize, const B: usize> Table<'a> for Abreast<'a, '_, W, B> {
    fn next(&mut self, io: &mut Io<'a>) -> bool {
        let bytes = B * self.lanes;
        if !io.begins {
            let at = B * self.next - bytes;
            self.results[at..at + bytes].copy_from_slice(&io.chains[..bytes]);
        }
        if self.next == self.end {
            return false;
        }
        let size = self.units.size;
        let flags = first(Kind::Message, self.units.level);
        for k in 0..self.lanes {
            // `end` is a multiple of the lanes: no unit is missing.
            let Some((unit, position)) = self.units.unit(self.next + k) else { return false };
            // Leaves and nodes have two blocks or more: the last is not the first.
            io.rows[k] = unit;
            io.ahead[k] = self.units.unit(self.next + self.lanes + k).map_or(&[], |(next, _)| next);
            io.chains[B * k..][..B].copy_from_slice(&self.chain);
            (io.position[k], io.flags[k]) = (position, flags);
            io.last_position[k] = position.wrapping_add(size as u64);
            io.last_flags[k] = flags & !FIRST | FINAL;
        }
        self.next += self.lanes;
        (io.begins, io.changed, io.ending, io.in_rows) = (false, true, true, true);
        io.plain = size / B - 1;
        true
    }
}

struct Results<'a, 'r, const W: usize, const B: usize> {
    units: &'a Units<'a, W, B>,
    /// The first that no lane has taken.
    next: usize,
    /// Which of them each lane has.
    lanes: [usize; LANES],
    results: &'r mut [u8],
}

impl<'a, const W: usize, const B: usize> Supply<'a, W> for Results<'a, '_, W, B> {
    fn next(&mut self, lane: usize) -> Option<Run<'a, W>> {
        let (bytes, position) = self.units.unit(self.next)?;
        self.lanes[lane] = self.next;
        self.next += 1;
        let tweak = [position, first(Kind::Message, self.units.level)];
        Some(Run { chain: self.units.skein.chain, tweak, string: Text::Bytes(bytes) })
    }

    fn take(&mut self, lane: usize, result: &[u64; W]) -> Option<Run<'a, W>> {
        let result: [u8; B] = to_bytes(result);
        self.results[B * self.lanes[lane]..][..B].copy_from_slice(&result);
        None
    }
}
