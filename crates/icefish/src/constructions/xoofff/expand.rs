//! Expansion of a state to any number of bytes: rolled states are permuted, as many in parallel as there are lanes.

use super::compress::{self, load, store};
use super::roll::{Expansion, Sequence, Window};
use super::{BLOCK, CONSTANTS, RunsOn};
use crate::Error;
use crate::isa::{Extension, InOut, Isa, Lanes, Sink, Task};
use crate::permutations::xoodoo::plane::{Form, Plane, Slices, Two};
use crate::permutations::xoodoo::rounds::permute;
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The output of a deck function for one sequence of strings: any number of bytes, from any position on.
///
/// Dropping it erases the state.
///
/// ```
/// use icefish::constructions::xoofff::Xoofff;
/// let history = Xoofff::new(&[7; 32])?.history();
/// let mut data = *b"attack at dawn";
/// history.output().apply(&mut data);
/// history.output().apply(&mut data);
/// assert_eq!(&data, b"attack at dawn");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone)]
pub struct Output {
    /// The state of block 0.
    start: Window,
    /// The state of block `block`.
    pub(super) now: Window,
    pub(super) block: u64,
    /// The number of bytes of that block that are used.
    pub(super) used: usize,
    mask: [u8; BLOCK],
    pub(super) place: RunsOn,
}

impl Output {
    pub(super) fn new(start: &[u8; BLOCK], mask: [u8; BLOCK], place: RunsOn) -> Self {
        let start = Window::of(start);
        Self { start, now: start, block: 0, used: 0, mask, place }
    }

    /// The position in bytes.
    pub fn position(&self) -> u64 {
        self.block * BLOCK as u64 + self.used as u64
    }

    /// Moves to byte `position`. The rolling function has no short cut: moving forward takes about a nanosecond for every 48
    /// bytes, and moving back starts from the beginning.
    pub fn seek(&mut self, position: u64) {
        let block = position / BLOCK as u64;
        if block < self.block {
            (self.now, self.block) = (self.start, 0);
        }
        self.now.skip::<Expansion>(block - self.block);
        self.block = block;
        self.used = (position % BLOCK as u64) as usize;
    }

    /// Fills `output` with the next bytes.
    pub fn fill(&mut self, output: &mut [u8]) {
        self.run::<false>(InOut::in_place(output));
    }

    /// XORs the next bytes into `data`.
    pub fn apply(&mut self, data: &mut [u8]) {
        self.run::<true>(InOut::in_place(data));
    }

    /// Writes `input` XOR the next bytes to `output`.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the lengths differ.
    pub fn apply_between(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.run::<true>(InOut::between(input, output)?);
        Ok(())
    }

    pub(crate) fn run<const XOR: bool>(&mut self, io: InOut<'_>) {
        #[cfg(feature = "parallel")]
        let io = self.threads::<XOR>(io);
        self.here::<XOR>(io);
    }

    /// The work without other threads.
    pub(super) fn here<const XOR: bool>(&mut self, io: InOut<'_>) {
        self.place.backend.run(Expand::<XOR> { output: self, io, at: 0 });
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.start.zeroize();
        self.now.zeroize();
        self.mask.zeroize();
    }
}

impl ZeroizeOnDrop for Output {}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("position", &self.position()).finish_non_exhaustive()
    }
}

struct Expand<'a, 'b, const XOR: bool> {
    output: &'a mut Output,
    io: InOut<'b>,
    /// The number of bytes of `io` that are done.
    at: usize,
}

impl<const XOR: bool> Task for Expand<'_, '_, XOR> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        if self.output.used > 0 {
            self.single(isa);
        }
        // A batch takes about as long as two single blocks.
        if S::U32::N > 1 && self.left() > 2 * BLOCK {
            self.batches(isa);
        }
        while self.left() > 0 {
            self.single(isa);
        }
    }
}

impl<const XOR: bool> Expand<'_, '_, XOR> {
    #[inline(always)]
    fn left(&self) -> usize {
        self.io.len() - self.at
    }

    /// The sink for the next `len` bytes.
    #[inline(always)]
    fn sink(&mut self, len: usize) -> Sink<'_> {
        if XOR { self.io.sink_xor_input(self.at, len, self.at) } else { self.io.sink(self.at, len) }
    }

    /// Outputs `stream`, which is a part of a block.
    #[inline(always)]
    fn put_bytes(&mut self, stream: &[u8]) {
        if XOR {
            self.io.xor_bytes(self.at, stream);
        } else {
            self.io.output()[self.at..self.at + stream.len()].copy_from_slice(stream);
        }
        self.at += stream.len();
    }

    /// Takes batches while more than two blocks are left.
    #[inline(always)]
    fn batches<S: Isa>(&mut self, isa: S) {
        let size = BLOCK * S::U32::N;
        let blocks = self.left().div_ceil(BLOCK);
        let mut states = Sequence::<Expansion>::new(&self.output.now, blocks, S::U32::N);
        while self.left() >= 2 * size {
            self.io.fetch(self.at + 2 * size, 2 * size);
            let a = states.next(isa, S::U32::N);
            let mut both = Two::join(a, states.next(isa, S::U32::N));
            permute(isa, &mut both, CONSTANTS);
            let (a, b) = Two::split(both);
            self.put(isa, a);
            self.put(isa, b);
        }
        if self.left() >= size {
            let mut a = states.next(isa, S::U32::N);
            permute(isa, &mut a, CONSTANTS);
            self.put(isa, a);
        }
        let left = self.left();
        if left > 2 * BLOCK {
            let whole = left / BLOCK;
            let mut a = states.next(isa, whole);
            permute(isa, &mut a, CONSTANTS);
            let mut room = [0; 16 * BLOCK];
            Form::<S, u32>::scatter(self.add_mask(isa, a), Sink::new(&mut room[..size]));
            for block in 0..whole {
                let state = load::<S, S::Row32>(isa, &room[BLOCK * block..]);
                compress::put(state, self.sink(BLOCK));
                self.at += BLOCK;
            }
            self.put_bytes(&room[BLOCK * whole..left]);
            self.output.block += whole as u64;
            self.output.used = left % BLOCK;
        }
        self.output.now = states.window();
    }

    /// Outputs a whole batch.
    #[inline(always)]
    fn put<S: Isa>(&mut self, isa: S, a: [Slices<S::U32, 4>; 3]) {
        let size = BLOCK * S::U32::N;
        Form::<S, u32>::scatter(self.add_mask(isa, a), self.sink(size));
        self.at += size;
        self.output.block += S::U32::N as u64;
    }

    #[inline(always)]
    fn add_mask<S: Isa>(&self, isa: S, mut a: [Slices<S::U32, 4>; 3]) -> [Slices<S::U32, 4>; 3] {
        for y in 0..3 {
            for x in 0..4 {
                let at = 16 * y + 4 * x;
                let mask = &self.output.mask;
                let word = [mask[at], mask[at + 1], mask[at + 2], mask[at + 3]];
                let mask = S::U32::splat(isa, u32::from_le_bytes(word));
                a[y].0[x] = a[y].0[x] ^ mask;
            }
        }
        a
    }

    /// Outputs the rest of the current block, or as much of it as is needed.
    #[inline(always)]
    fn single<S: Isa>(&mut self, isa: S) {
        // The form in rows is used on every CPU: blocks are independent, so a shorter dependency chain gains nothing.
        let mut a = load::<S, S::Row32>(isa, &self.output.now.state());
        permute(isa, &mut a, CONSTANTS);
        let mask = load(isa, &self.output.mask);
        for y in 0..3 {
            a[y] = Plane::<S, u32>::xor(a[y], mask[y]);
        }
        let used = self.output.used;
        let count = self.left().min(BLOCK - used);
        if count == BLOCK {
            compress::put(a, self.sink(BLOCK));
            self.at += BLOCK;
        } else {
            let mut block = [0; BLOCK];
            store(a, &mut block);
            self.put_bytes(&block[used..used + count]);
        }
        self.output.used += count;
        if self.output.used == BLOCK {
            self.output.used = 0;
            self.output.block += 1;
            self.output.now.roll::<Expansion>();
        }
    }
}
