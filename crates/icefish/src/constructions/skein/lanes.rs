//! Many strings side by side, each in a lane. When one ends, the lane takes the next.

use super::ubi::{BIT_PAD, FINAL};
use crate::ciphers::threefish::fresh::{Chained, FIRST, encrypt};
use crate::ciphers::threefish::word;
use crate::isa::{Gain, Isa, Lanes, Places, Sink, Task, erase};

/// The largest number of lanes of any backend.
pub(super) const LANES: usize = 8;

/// So many strings are not slower one after the other.
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

    /// What the tweak of the last block has besides.
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

/// Where strings come from, and their results go to. Its methods are called once a string.
pub(super) trait Supply<'a, const W: usize> {
    /// The next string, for a lane that is free.
    fn next(&mut self, lane: usize) -> Option<Run<'a, W>>;
    /// Takes the result of a lane's string. The lane may go on with another.
    fn take(&mut self, lane: usize, result: &[u64; W]) -> Option<Run<'a, W>>;
}

/// Runs all strings of a supply.
pub(super) struct SideBySide<'s, 'a, const W: usize> {
    pub(super) supply: &'s mut (dyn Supply<'a, W> + 's),
}

impl<const W: usize> Task for SideBySide<'_, '_, W> {
    type Out = ();
    const GAIN: Gain = Gain::Nothing;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let idle = Lane {
            run: Run { chain: [0; W], tweak: [0; 2], string: Text::Bytes(&[]) },
            at: 0,
            busy: false,
            ending: false,
        };
        let mut work = Work { supply: self.supply, lanes: [idle; LANES], busy: 0 };
        for j in 0..S::U64::N {
            let run = work.supply.next(j);
            work.begin(j, run);
        }
        if S::U64::N > 1 {
            work.together(isa);
        }
        for j in 0..S::U64::N {
            work.alone(isa, j);
        }
        for lane in &mut work.lanes {
            erase(&mut lane.run.chain);
        }
    }
}

#[derive(Clone, Copy)]
struct Lane<'a, const W: usize> {
    /// The string. Its chain and tweak are those before the next block.
    run: Run<'a, W>,
    /// The number of bytes of the string that are done.
    at: usize,
    /// Whether there is a string.
    busy: bool,
    /// Whether the block that is staged is its last.
    ending: bool,
}

impl<const W: usize> Lane<'_, W> {
    /// The number of blocks before the last.
    #[inline(always)]
    fn plain(&self) -> usize {
        (self.run.string.len() - self.at).saturating_sub(1) / (8 * W)
    }
}

struct Work<'s, 'a, const W: usize> {
    supply: &'s mut (dyn Supply<'a, W> + 's),
    lanes: [Lane<'a, W>; LANES],
    /// The number of lanes that have a string.
    busy: usize,
}

impl<'a, const W: usize> Work<'_, 'a, W> {
    /// Gives lane `j`, which has no string, one.
    #[inline(always)]
    fn begin(&mut self, j: usize, run: Option<Run<'a, W>>) {
        if let Some(run) = run {
            self.lanes[j] = Lane { run, at: 0, busy: true, ending: false };
            self.busy += 1;
        }
    }

    /// The result of lane `j` is in its chain: the lane goes on with another string, or is free.
    #[inline(always)]
    fn end(&mut self, j: usize) {
        (self.lanes[j].busy, self.lanes[j].ending) = (false, false);
        self.busy -= 1;
        let chain = self.lanes[j].run.chain;
        let run = match self.supply.take(j, &chain) {
            Some(run) => Some(run),
            None => self.supply.next(j),
        };
        self.begin(j, run);
    }

    /// Finishes lane `j`, and all that it goes on with.
    #[inline(always)]
    fn alone<S: Isa>(&mut self, isa: S, j: usize) {
        let mut block = [0; 128];
        let block = &mut block[..8 * W];
        while self.lanes[j].busy {
            let lane = &mut self.lanes[j];
            let plain = lane.plain() * 8 * W;
            let rest = lane.run.string.len() - lane.at - plain;
            let Run { chain, tweak, string } = &mut lane.run;
            if plain > 0 {
                let data = &string.bytes()[lane.at..lane.at + plain];
                isa.run(Chained { chain, tweak, step: 8 * W as u64, data });
            }
            string.last(lane.at + plain, block);
            tweak[1] |= string.flags();
            isa.run(Chained { chain, tweak, step: rest as u64, data: block });
            self.end(j);
        }
        erase(block);
    }

    /// Runs strings as long as there are enough of them to be faster side by side.
    #[inline(always)]
    fn together<S: Isa>(&mut self, isa: S) {
        if self.busy <= FEW {
            return;
        }
        let (mut chains, mut blocks) = ([0; 128 * LANES], [0; 128 * LANES]);
        let (mut plain, mut at) = (0, 0);
        let mut rows: [&[u8]; LANES] = [&[]; LANES];
        let mut tweaks = [S::U64::splat(isa, 0); 2];
        let mut chain = self.load(isa, &mut chains);
        loop {
            let x = if plain > 0 {
                tweaks[0] = tweaks[0] + S::U64::splat(isa, 8 * W as u64);
                S::U64::gather_at::<W>(isa, &rows, at)
            } else {
                tweaks = self.stage(isa, &mut blocks);
                S::U64::gather::<W>(isa, &blocks)
            };
            let y: [S::U64; W] = encrypt(isa, &chain, tweaks, x);
            for i in 0..W {
                chain[i] = y[i] ^ x[i];
            }
            tweaks[1] = tweaks[1] & S::U64::splat(isa, !FIRST);
            if plain > 1 {
                (plain, at) = (plain - 1, at + 8 * W);
                continue;
            }
            if plain == 0 && self.ending() {
                self.store(isa, chain, &mut chains);
                self.end_all();
                if self.busy <= FEW {
                    break;
                }
                chain = self.load(isa, &mut chains);
            }
            (plain, at) = (self.plain(&mut rows), 0);
            if plain > 0 {
                tweaks = self.tweaks(isa);
                self.skip(plain);
            }
        }
        erase(&mut chains);
        erase(&mut blocks);
    }

    /// The chains of all lanes.
    #[inline(always)]
    fn load<S: Isa>(&self, isa: S, bytes: &mut [u8; 128 * LANES]) -> [S::U64; W] {
        for j in 0..S::U64::N {
            for i in 0..W {
                let word = self.lanes[j].run.chain[i].to_le_bytes();
                bytes[8 * (W * j + i)..][..8].copy_from_slice(&word);
            }
        }
        S::U64::gather::<W>(isa, bytes)
    }

    /// Gives all lanes their chains.
    #[inline(always)]
    fn store<S: Isa>(&mut self, _: S, chain: [S::U64; W], bytes: &mut [u8; 128 * LANES]) {
        S::U64::scatter::<W>(chain, Sink::new(&mut bytes[..8 * W * S::U64::N]));
        for j in 0..S::U64::N {
            for i in 0..W {
                self.lanes[j].run.chain[i] = word(bytes, W * j + i);
            }
        }
    }

    /// The tweaks of all lanes.
    #[inline(always)]
    fn tweaks<S: Isa>(&self, isa: S) -> [S::U64; 2] {
        let mut words = [[0; LANES]; 2];
        for j in 0..LANES {
            words[0][j] = self.lanes[j].run.tweak[0];
            words[1][j] = self.lanes[j].run.tweak[1];
        }
        [S::U64::of(isa, &words[0]), S::U64::of(isa, &words[1])]
    }

    /// The next block of every lane, of any kind, and its tweaks.
    #[inline(always)]
    fn stage<S: Isa>(&mut self, isa: S, blocks: &mut [u8; 128 * LANES]) -> [S::U64; 2] {
        for j in 0..S::U64::N {
            let lane = &mut self.lanes[j];
            if !lane.busy {
                continue;
            }
            let block = &mut blocks[8 * W * j..][..8 * W];
            let rest = lane.run.string.len() - lane.at;
            if rest > 8 * W {
                block.copy_from_slice(&lane.run.string.bytes()[lane.at..][..8 * W]);
                lane.run.tweak[0] += 8 * W as u64;
                lane.at += 8 * W;
            } else {
                lane.run.string.last(lane.at, block);
                lane.run.tweak[0] += rest as u64;
                lane.run.tweak[1] |= lane.run.string.flags();
                lane.ending = true;
            }
        }
        let tweaks = self.tweaks(isa);
        for lane in &mut self.lanes {
            lane.run.tweak[1] &= !FIRST;
        }
        tweaks
    }

    /// Whether a string ends with the block that was staged.
    #[inline(always)]
    fn ending(&self) -> bool {
        let mut ending = false;
        for lane in &self.lanes {
            ending |= lane.ending;
        }
        ending
    }

    #[inline(always)]
    fn end_all(&mut self) {
        for j in 0..LANES {
            if self.lanes[j].ending {
                self.end(j);
            }
        }
    }

    /// The number of blocks that all lanes have before any of them has its last, and where these blocks are. A lane without a
    /// string reads those of another.
    #[inline(always)]
    fn plain(&self, rows: &mut [&'a [u8]; LANES]) -> usize {
        let (mut count, mut any) = (usize::MAX, 0);
        for (j, lane) in self.lanes.iter().enumerate() {
            if lane.busy {
                (count, any) = (count.min(lane.plain()), j);
            }
        }
        if count > 0 {
            for j in 0..LANES {
                let lane = &self.lanes[if self.lanes[j].busy { j } else { any }];
                rows[j] = &lane.run.string.bytes()[lane.at..][..8 * W * count];
            }
        }
        count
    }

    /// Marks the next `count` blocks of every lane as done.
    #[inline(always)]
    fn skip(&mut self, count: usize) {
        for lane in &mut self.lanes {
            lane.at += 8 * W * count;
            lane.run.tweak[0] += (8 * W * count) as u64;
            lane.run.tweak[1] &= !FIRST;
        }
    }
}
