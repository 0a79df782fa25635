//! Many strings side by side, each in a lane. When one ends, the lane takes the next.

use super::lanes::{Count, Io, LANES, SideBySide, Table};
use super::ubi::{BIT_PAD, FINAL};
use crate::Backend;
use crate::ciphers::threefish::fresh::{Chained, FIRST};
use crate::ciphers::threefish::word;
use crate::isa::erase;

/// The largest number of strings that are as fast one after the other.
const FEW: usize = 2;

/// A string to run a chain over.
#[derive(Clone, Copy)]
pub(super) struct Run<'a, const W: usize> {
    pub(super) chain: [u64; W],
    /// The tweak of the first block, whose first word is still the position of the string.
    pub(super) tweak: [u64; 2],
    pub(super) string: Text<'a>,
}

/// The bytes of a string.
#[derive(Clone, Copy)]
pub(super) enum Text<'a> {
    Bytes(&'a [u8]),
    /// The same, and a last byte that contains its padding.
    Bits(&'a [u8], u8),
    /// A number of 8 bytes.
    Number(u64),
}

impl<'a> Text<'a> {
    fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Bits(bytes, _) => bytes.len() + 1,
            Self::Number(_) => 8,
        }
    }

    /// The bytes that are in memory.
    fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) | Self::Bits(bytes, _) => bytes,
            Self::Number(_) => &[],
        }
    }

    /// The flags that the tweak of the last block also has.
    fn flags(&self) -> u64 {
        match self {
            Self::Bits(..) => FINAL | BIT_PAD,
            _ => FINAL,
        }
    }

    /// The last block, from byte `at` on.
    fn last(&self, at: usize, block: &mut [u8]) {
        let bytes = &self.bytes()[at..];
        block.fill(0);
        block[..bytes.len()].copy_from_slice(bytes);
        match self {
            Self::Bytes(_) => {}
            Self::Bits(_, byte) => block[bytes.len()] = *byte,
            Self::Number(number) => block[..8].copy_from_slice(&number.to_le_bytes()),
        }
    }
}

/// A source of strings, which also takes their results. Its methods are called once for each string.
pub(super) trait Supply<'a, const W: usize> {
    /// The next string, for a lane that is free.
    fn next(&mut self, lane: usize) -> Option<Run<'a, W>>;
    /// Takes the result of a lane's string. The lane may go on with another.
    fn take(&mut self, lane: usize, result: &[u64; W]) -> Option<Run<'a, W>>;
}

/// Runs all strings of a supply.
pub(super) fn side_by_side<'a, const W: usize>(backend: Backend, supply: &mut dyn Supply<'a, W>) {
    let run = Run { chain: [0; W], tweak: [0; 2], string: Text::Bytes(&[]) };
    let idle = StringLane { run, at: 0, busy: false, ending: false };
    let slots = core::array::from_fn(|k| k);
    let mut work = BusyLanes { supply, lanes: [idle; LANES], slots, busy: 0, few: FEW };
    let [narrow, wide] = backend.run(Count::<W>);
    for j in 0..wide {
        let run = work.supply.next(j);
        work.begin(j, run);
    }
    if wide > narrow && work.busy > narrow {
        work.few = narrow;
        backend.run(SideBySide::<W, true> { table: &mut work });
        work.close_up();
        work.few = FEW;
    }
    if narrow > 1 {
        backend.run(SideBySide::<W, false> { table: &mut work });
    }
    for j in 0..wide {
        work.alone(backend, j);
    }
    for lane in &mut work.lanes {
        erase(&mut lane.run.chain);
    }
}

#[derive(Clone, Copy)]
struct StringLane<'a, const W: usize> {
    /// The string. Its tweak is that of the last block processed. Its chain is current only outside the lanes.
    run: Run<'a, W>,
    /// The number of bytes of the string that are done.
    at: usize,
    /// Whether there is a string.
    busy: bool,
    /// Whether the block that is staged is its last.
    ending: bool,
}

impl<const W: usize> StringLane<'_, W> {
    /// The number of blocks before the last.
    fn plain(&self) -> usize {
        (self.run.string.len() - self.at).saturating_sub(1) / (8 * W)
    }
}

struct BusyLanes<'s, 'a, const W: usize> {
    supply: &'s mut dyn Supply<'a, W>,
    lanes: [StringLane<'a, W>; LANES],
    /// Which lane each place in the registers has.
    slots: [usize; LANES],
    /// The number of lanes that have a string.
    busy: usize,
    /// The largest number of strings with which the lanes stop, and other code continues.
    few: usize,
}

impl<'a, const W: usize> BusyLanes<'_, 'a, W> {
    /// Gives a string to lane `j`, which has none.
    fn begin(&mut self, j: usize, run: Option<Run<'a, W>>) {
        if let Some(run) = run {
            self.lanes[j] = StringLane { run, at: 0, busy: true, ending: false };
            self.busy += 1;
        }
    }

    /// The result of lane `j` is in its chain: the lane takes another string, or is free.
    fn end(&mut self, j: usize) {
        (self.lanes[j].busy, self.lanes[j].ending) = (false, false);
        self.busy -= 1;
        let run = match self.supply.take(j, &self.lanes[j].run.chain) {
            Some(run) => Some(run),
            None => self.supply.next(j),
        };
        self.begin(j, run);
    }

    /// Finishes lane `j`, and all strings that it takes after that.
    fn alone(&mut self, backend: Backend, j: usize) {
        let mut block = [0; 128];
        let block = &mut block[..8 * W];
        while self.lanes[j].busy {
            let lane = &mut self.lanes[j];
            let plain = lane.plain() * 8 * W;
            let rest = lane.run.string.len() - lane.at - plain;
            let Run { chain, tweak, string } = &mut lane.run;
            if plain > 0 {
                let data = &string.bytes()[lane.at..lane.at + plain];
                backend.run(Chained { chain, tweak, step: 8 * W as u64, data });
            }
            string.last(lane.at + plain, block);
            tweak[1] |= string.flags();
            backend.run(Chained { chain, tweak, step: rest as u64, data: block });
            self.end(j);
        }
        erase(block);
    }

    /// Gives the lanes that have a string the first places.
    fn close_up(&mut self) {
        let mut k = 0;
        for busy in [true, false] {
            for j in 0..LANES {
                if self.lanes[j].busy == busy {
                    self.slots[k] = j;
                    k += 1;
                }
            }
        }
    }

    /// Takes the results of strings that have ended, and begins others.
    fn exchange(&mut self, io: &mut Io<'_>) {
        for (k, j) in self.slots.into_iter().enumerate() {
            if self.lanes[j].ending {
                self.take_chain(k, io);
                self.end(j);
                self.put_chain(k, io);
            }
        }
    }

    fn take_chain(&mut self, k: usize, io: &Io<'_>) {
        for i in 0..W {
            self.lanes[self.slots[k]].run.chain[i] = word(&io.chains, W * k + i);
        }
    }

    fn put_chain(&self, k: usize, io: &mut Io<'_>) {
        for i in 0..W {
            let bytes = self.lanes[self.slots[k]].run.chain[i].to_le_bytes();
            io.chains[8 * (W * k + i)..][..8].copy_from_slice(&bytes);
        }
    }

    /// Blocks that all lanes have before any of them has its last. A lane without a string reads those of another.
    fn plain(&mut self, io: &mut Io<'a>) {
        let (mut count, mut any) = (usize::MAX, 0);
        for (j, lane) in self.lanes.iter().enumerate() {
            if lane.busy {
                (count, any) = (count.min(lane.plain()), j);
            }
        }
        io.plain = count;
        if count == 0 {
            return;
        }
        for (k, j) in self.slots.into_iter().enumerate() {
            let lane = &self.lanes[if self.lanes[j].busy { j } else { any }];
            io.rows[k] = &lane.run.string.bytes()[lane.at..][..8 * W * count];
            [io.position[k], io.flags[k]] = lane.run.tweak;
        }
        for lane in &mut self.lanes {
            lane.at += 8 * W * count;
            lane.run.tweak[0] = lane.run.tweak[0].wrapping_add((8 * W * count) as u64);
            lane.run.tweak[1] &= !FIRST;
        }
    }

    /// The next block of every lane, of any kind, and its tweak.
    fn last(&mut self, io: &mut Io<'a>) {
        io.ending = false;
        for (k, j) in self.slots.into_iter().enumerate() {
            let lane = &mut self.lanes[j];
            if !lane.busy {
                continue;
            }
            let block = &mut io.blocks[8 * W * k..][..8 * W];
            let rest = lane.run.string.len() - lane.at;
            let now = rest.min(8 * W);
            lane.run.tweak[0] = lane.run.tweak[0].wrapping_add(now as u64);
            if rest > 8 * W {
                block.copy_from_slice(&lane.run.string.bytes()[lane.at..][..8 * W]);
            } else {
                lane.run.string.last(lane.at, block);
                lane.run.tweak[1] |= lane.run.string.flags();
                (lane.ending, io.ending) = (true, true);
            }
            lane.at += now;
            [io.last_position[k], io.last_flags[k]] = lane.run.tweak;
            lane.run.tweak[1] &= !FIRST;
        }
    }
}

impl<'a, const W: usize> Table<'a> for BusyLanes<'_, 'a, W> {
    fn next(&mut self, io: &mut Io<'a>) -> bool {
        io.changed = io.ending;
        if io.ending {
            self.exchange(io);
        } else if io.begins {
            for (k, j) in self.slots.into_iter().enumerate() {
                if self.lanes[j].busy {
                    self.put_chain(k, io);
                }
            }
            (io.begins, io.changed) = (false, true);
        }
        if self.busy <= self.few {
            for (k, j) in self.slots.into_iter().enumerate() {
                if self.lanes[j].busy {
                    self.take_chain(k, io);
                }
            }
            return false;
        }
        self.plain(io);
        self.last(io);
        true
    }
}
