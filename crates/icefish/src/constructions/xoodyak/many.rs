//! Many hashes at once: each message has a lane. When it ends, the lane takes the next message.

use super::colour;
use super::hash::WholeHash;
use crate::isa::{Extension, Isa, Lanes, Task};
use crate::permutations::xoodoo::plane::Slices;
use crate::permutations::xoodoo::rounds::{CONSTANTS, permute};
use crate::permutations::xoodoo::single::Best;
use crate::{Backend, Error};

/// The hash of every message, `N` bytes each, as by [`hash`](super::hash()).
///
/// The backend takes as many messages at a time as it has lanes of 32 bits. Many short messages take a fraction of the time that
/// they take one after the other.
///
/// ```
/// use icefish::{Backend, constructions::xoodyak};
/// let mut digests = [[0; 32]; 3];
/// xoodyak::hash_many(Backend::best(), &[b"one", b"two", b"twenty-three"], &mut digests)?;
/// # Ok::<(), icefish::Error>(())
/// ```
///
/// # Errors
/// [`Error::BufferLength`] if the numbers of digests and messages differ.
pub fn hash_many<const N: usize>(
    backend: Backend,
    messages: &[&[u8]],
    digests: &mut [[u8; N]],
) -> Result<(), Error> {
    if digests.len() != messages.len() {
        return Err(Error::BufferLength { got: digests.len() * N, need: messages.len() * N });
    }
    hash_each(backend, messages, digests.as_flattened_mut(), N)
}

/// The same for digests of `size` bytes, one after the other.
pub(crate) fn hash_each(
    backend: Backend,
    messages: &[&[u8]],
    digests: &mut [u8],
    size: usize,
) -> Result<(), Error> {
    let need = messages.len().saturating_mul(size);
    if digests.len() != need {
        return Err(Error::BufferLength { got: digests.len(), need });
    }
    if size > 0 {
        backend.run(ManyStates { messages, digests, size });
    }
    Ok(())
}

/// The largest number of lanes of any backend.
const LANES: usize = 16;

struct ManyStates<'a> {
    messages: &'a [&'a [u8]],
    digests: &'a mut [u8],
    size: usize,
}

impl Task for ManyStates<'_> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(self, isa: S) {
        let few = S::U32::N == 1 || self.messages.len() == 1;
        if few {
            for (message, digest) in self.messages.iter().zip(self.digests.chunks_mut(self.size)) {
                isa.run(Best(WholeHash { message, output: digest }));
            }
            return;
        }
        let idle = HashLane { rest: &[], digest: 0, given: 0, stage: Stage::Idle };
        let mut work = ManyWork { many: self, next: 0, lanes: [idle; LANES], active: 0 };
        for j in 0..S::U32::N {
            work.begin(j);
        }
        let zero = S::U32::splat(isa, 0);
        let mut a = [Slices([zero; 4]); 3];
        while work.active > 0 {
            let mut event = Event::new();
            for j in 0..S::U32::N {
                work.event(j, &mut event);
            }
            event.apply(isa, &mut a);
            permute(isa, &mut a, &CONSTANTS);
            work.give::<S>(&a[0]);
            work.plain_blocks(isa, &mut a);
        }
    }
}

/// The next step of a lane.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Idle,
    /// Absorbs the first block of a message into a state of zeros.
    Begin,
    Absorb,
    /// The whole message is absorbed. The outer part of the state is output after each permutation.
    Squeeze,
}

#[derive(Clone, Copy)]
struct HashLane<'a> {
    /// The rest of the message.
    rest: &'a [u8],
    /// The beginning of its digest.
    digest: usize,
    /// The number of bytes of the digest that are written.
    given: usize,
    stage: Stage,
}

/// The words that are added to the lanes before a permutation, where lanes are at different steps.
struct Event {
    /// The outer part, lane after lane.
    blocks: [u8; 16 * LANES],
    /// Word 4: the padding after a whole block.
    padding: [u8; 4 * LANES],
    /// Word 11: the colour.
    colour: [u8; 4 * LANES],
    /// All ones; zero where the old state is dropped.
    keep: [u8; 4 * LANES],
}

impl Event {
    #[inline(always)]
    fn new() -> Self {
        Self {
            blocks: [0; 16 * LANES],
            padding: [0; 4 * LANES],
            colour: [0; 4 * LANES],
            keep: [0xff; 4 * LANES],
        }
    }

    #[inline(always)]
    fn apply<S: Isa>(&self, isa: S, a: &mut [Slices<S::U32, 4>; 3]) {
        let keep = S::U32::load(isa, &self.keep);
        for plane in a.iter_mut() {
            for x in 0..4 {
                plane.0[x] = plane.0[x] & keep;
            }
        }
        let outer = S::U32::gather::<4>(isa, &self.blocks);
        for x in 0..4 {
            a[0].0[x] = a[0].0[x] ^ outer[x];
        }
        a[1].0[0] = a[1].0[0] ^ S::U32::load(isa, &self.padding);
        a[2].0[3] = a[2].0[3] ^ S::U32::load(isa, &self.colour);
    }
}

struct ManyWork<'a> {
    many: ManyStates<'a>,
    /// The number of the first message that no lane has taken.
    next: usize,
    lanes: [HashLane<'a>; LANES],
    /// The number of lanes that are not idle.
    active: usize,
}

impl<'a> ManyWork<'a> {
    /// Assigns the next message to the idle lane `j`.
    #[inline(always)]
    fn begin(&mut self, j: usize) {
        if let Some(&rest) = self.many.messages.get(self.next) {
            let digest = self.next * self.many.size;
            self.lanes[j] = HashLane { rest, digest, given: 0, stage: Stage::Begin };
            self.next += 1;
            self.active += 1;
        }
    }

    /// The next block of lane `j`, of any kind.
    #[inline(always)]
    fn event(&mut self, j: usize, event: &mut Event) {
        let lane = &mut self.lanes[j];
        let block = &mut event.blocks[16 * j..16 * j + 16];
        match lane.stage {
            Stage::Idle => return,
            Stage::Squeeze => {
                block[0] = 1;
                return;
            }
            Stage::Begin => {
                event.keep[4 * j..4 * j + 4].fill(0);
                event.colour[4 * j + 3] = colour::ABSORB & 1;
            }
            Stage::Absorb => {}
        }
        if lane.rest.len() >= 16 {
            let (now, rest) = lane.rest.split_at(16);
            block.copy_from_slice(now);
            event.padding[4 * j] = 1;
            lane.rest = rest;
        } else {
            block[..lane.rest.len()].copy_from_slice(lane.rest);
            block[lane.rest.len()] = 1;
            lane.rest = &[];
        }
        lane.stage = if lane.rest.is_empty() { Stage::Squeeze } else { Stage::Absorb };
    }

    /// Outputs from the lanes that squeeze, and assigns new messages to those that are finished.
    #[inline(always)]
    fn give<S: Isa>(&mut self, outer: &Slices<S::U32, 4>) {
        let n = S::U32::N;
        let mut words = [0; 16 * LANES];
        for x in 0..4 {
            outer.0[x].store(&mut words[4 * n * x..]);
        }
        for j in 0..n {
            if self.lanes[j].stage != Stage::Squeeze {
                continue;
            }
            let mut block = [0; 16];
            for x in 0..4 {
                let at = 4 * (n * x + j);
                block[4 * x..4 * x + 4].copy_from_slice(&words[at..at + 4]);
            }
            let lane = &mut self.lanes[j];
            let count = 16.min(self.many.size - lane.given);
            let from = lane.digest + lane.given;
            self.many.digests[from..from + count].copy_from_slice(&block[..count]);
            lane.given += count;
            if lane.given == self.many.size {
                lane.stage = Stage::Idle;
                self.active -= 1;
                self.begin(j);
            }
        }
    }

    /// The number of blocks that all active lanes have before any of them begins or ends a message.
    #[inline(always)]
    fn plain(&self) -> usize {
        let mut blocks = usize::MAX;
        for lane in &self.lanes {
            blocks = match lane.stage {
                Stage::Idle => blocks,
                Stage::Absorb => blocks.min((lane.rest.len() - 1) / 16),
                Stage::Begin | Stage::Squeeze => 0,
            };
        }
        blocks
    }

    /// Absorbs whole blocks, as long as all lanes have them.
    #[inline(always)]
    fn plain_blocks<S: Isa>(&mut self, isa: S, a: &mut [Slices<S::U32, 4>; 3]) {
        if self.active == 0 {
            return;
        }
        let one = S::U32::splat(isa, 1);
        // The blocks are copied one step ahead: a wide load of narrow stores that are still pending would stall.
        let mut blocks = [0; 16 * LANES];
        let count = self.plain();
        if count > 0 {
            self.stage::<S>(&mut blocks);
        }
        for i in 0..count {
            let outer = S::U32::gather::<4>(isa, &blocks);
            for x in 0..4 {
                a[0].0[x] = a[0].0[x] ^ outer[x];
            }
            a[1].0[0] = a[1].0[0] ^ one;
            if i + 1 < count {
                self.stage::<S>(&mut blocks);
            }
            permute(isa, a, &CONSTANTS);
        }
    }

    /// Takes 16 bytes from every active lane's message.
    #[inline(always)]
    fn stage<S: Isa>(&mut self, blocks: &mut [u8; 16 * LANES]) {
        for j in 0..S::U32::N {
            let lane = &mut self.lanes[j];
            if lane.stage == Stage::Absorb {
                let (now, rest) = lane.rest.split_at(16);
                blocks[16 * j..16 * j + 16].copy_from_slice(now);
                lane.rest = rest;
            }
        }
    }
}
