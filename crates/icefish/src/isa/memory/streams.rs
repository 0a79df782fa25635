//! Messages in parallel lanes, one block of each at a time.
#![allow(unsafe_code)]

use crate::Block;
use core::marker::PhantomData;

/// Messages of blocks `B` in parallel lanes. A register holds blocks of several lanes, one of each.
///
/// A lane without a message shares the memory of the first lane: it reads and writes the same bytes.
///
/// ```
/// use icefish::isa::{Row, Streams};
/// let (mut tails, mut one, mut two) = ([[0; 16]; 32], [1; 32], [2; 16]);
/// let mut streams = Streams::new(&mut tails);
/// streams.put(0, &mut one);
/// streams.put(1, &mut two);
/// streams.open(2, 2, usize::MAX); // what both have
/// assert_eq!(streams.blocks().len(), 16);
/// assert_eq!(streams.blocks().block(Row::Data(0), 1), [2; 16]);
/// ```
#[derive(Debug)]
pub struct Streams<'a, B> {
    /// Where the rest of each lane begins. At least `window` bytes are available in every lane.
    starts: [*mut u8; MOST],
    /// Length of the rest of each lane.
    rests: [usize; MOST],
    chains: [B; MOST],
    tails: *mut [B; MOST],
    count: usize,
    window: usize,
    writable: bool,
    lifetime: PhantomData<&'a mut [u8]>,
}

/// The largest number of lanes: as many as the widest AES unit has in flight.
pub(crate) const MOST: usize = 32;

/// The number of lanes is rounded up to a multiple of this.
const GROUP: usize = 8;

/// On x86-64, a first-level cache has 64 sets of 64-byte lines, so addresses a page apart are in the same set. Other caches differ:
/// there it is a guess, which costs time at worst.
const PAGE: usize = 4096;
const LINE: usize = 64;
/// Lines per set, on the x86-64 CPUs with AVX2 that have the fewest.
const WAYS: usize = 8;

/// A block of each lane.
///
/// ```
/// use icefish::isa::Row;
/// assert!(matches!(Row::Data(32), Row::Data(at) if at == 2 * 16)); // the third block of 16 bytes
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// The chaining value.
    Chain,
    /// The block at this byte of the rest.
    Data(usize),
}

impl<'a, B: Block> Streams<'a, B> {
    /// Lanes without messages. `tails` is room for the blocks of [`Streams::put_tail`]; what it holds is overwritten.
    #[inline(always)]
    pub fn new(tails: &'a mut [B; MOST]) -> Self {
        Self {
            starts: [core::ptr::null_mut(); MOST],
            rests: [0; MOST],
            chains: [B::zero(); MOST],
            tails,
            count: 0,
            window: 0,
            writable: true,
            lifetime: PhantomData,
        }
    }

    /// Puts a message into `lane`: whole blocks, to read and to write.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, data: &'a mut [u8]) {
        self.set(lane, data.as_mut_ptr(), data.len());
    }

    /// Puts a read-only message into `lane`. No lane can be written then.
    #[inline(always)]
    pub fn put_input(&mut self, lane: usize, data: &'a [u8]) {
        self.writable = false;
        self.set(lane, data.as_ptr().cast_mut(), data.len());
    }

    /// Puts a single block into `lane`, in a buffer of its own.
    #[inline(always)]
    pub fn put_tail(&mut self, lane: usize, block: B) {
        let tail = self.tail_mut(lane);
        *tail = block;
        let (start, len) = (tail.as_mut().as_mut_ptr(), tail.as_ref().len());
        self.set(lane, start, len);
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, start: *mut u8, len: usize) {
        assert!(len.is_multiple_of(B::LEN), "a message of whole blocks");
        (self.starts[lane], self.rests[lane], self.window) = (start, len, 0);
    }

    #[inline(always)]
    fn tail_mut(&mut self, lane: usize) -> &mut B {
        assert!(lane < MOST, "past the last lane");
        // SAFETY: borrowed for 'a, and `lane` is in the array. No other reference into it is alive.
        unsafe { &mut *self.tails.cast::<B>().add(lane) }
    }

    /// The chaining value of `lane`.
    #[inline(always)]
    pub fn chain(&mut self, lane: usize) -> &mut B {
        &mut self.chains[lane]
    }

    /// Whether, in at least `WAYS` of the first `count` lanes, the next block is in the same cache set as the beginning of `data`:
    /// the two addresses, apart from the offset in the line, differ by a multiple of `PAGE`.
    #[inline(always)]
    pub fn is_crowded(&self, count: usize, data: &[u8]) -> bool {
        let mut there = 0;
        for lane in 0..count {
            let apart = self.starts[lane].addr() ^ data.as_ptr().addr();
            there += usize::from(apart & (PAGE - LINE) == 0);
        }
        there >= WAYS
    }

    /// Whether `lane` has no bytes left.
    #[inline(always)]
    pub fn is_done(&self, lane: usize) -> bool {
        self.rests[lane] == 0
    }

    /// Gives the message and the chaining value of lane `from` to lane `to`. Lane `from` must not be used before it has another
    /// message.
    #[inline(always)]
    pub fn take(&mut self, from: usize, to: usize) {
        self.starts[to] = self.starts[from];
        self.rests[to] = self.rests[from];
        self.chains[to] = self.chains[from];
        self.window = 0;
    }

    /// Opens the next bytes of the first `count` of `lanes` lanes: as many as every one of them has, and at most `most`. The lanes
    /// from `count` on become copies of the first: a kernel computes `lanes` lanes, whether they have messages or not.
    ///
    /// # Panics
    /// If not 0 < `count` <= `lanes` <= 32.
    #[inline(always)]
    pub fn open(&mut self, count: usize, lanes: usize, most: usize) {
        assert!(0 < count && count <= lanes && lanes <= MOST, "lanes from one to all");
        let lanes = lanes.next_multiple_of(GROUP);
        for lane in count..lanes {
            self.starts[lane] = self.starts[0];
            self.rests[lane] = self.rests[0];
            self.chains[lane] = self.chains[0];
        }
        for group in (lanes..MOST).step_by(GROUP) {
            let (start, rest) = (self.starts[0], self.rests[0]);
            self.starts[group..group + GROUP].fill(start);
            self.rests[group..group + GROUP].fill(rest);
        }
        let mut least = [most; GROUP];
        for lane in 0..MOST {
            least[lane % GROUP] = least[lane % GROUP].min(self.rests[lane]);
        }
        let mut window = most;
        for rest in least {
            window = window.min(rest);
        }
        (self.count, self.window) = (count, window);
    }

    /// Marks the open bytes as done.
    #[inline(always)]
    pub fn close(&mut self) {
        for lane in 0..MOST {
            self.starts[lane] = self.starts[lane].wrapping_add(self.window);
            self.rests[lane] -= self.window;
        }
        self.window = 0;
    }

    /// Erases the chaining values.
    #[inline(always)]
    pub fn erase(&mut self) {
        for chain in &mut self.chains {
            crate::isa::erase(chain.as_mut());
        }
    }

    /// The number of open lanes.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The open blocks.
    #[inline(always)]
    pub fn blocks(&mut self) -> OpenBlocks<'_, B> {
        let Self { starts, chains, window, writable, .. } = self;
        OpenBlocks { starts, chains, len: *window, writable: *writable }
    }
}

/// The blocks of all lanes that [`Streams::open`] opened. Keep it in a local variable: the compiler then knows that stores to
/// messages do not change `len`, and a bound that is checked for one lane is not checked again for the others.
///
/// ```
/// use icefish::isa::{Row, Streams};
/// let mut tails = [[0; 16]; 32];
/// let mut streams = Streams::new(&mut tails);
/// *streams.chain(0) = [7; 16];
/// assert_eq!(streams.blocks().block(Row::Chain, 0), [7; 16]);
/// ```
#[derive(Debug)]
pub struct OpenBlocks<'s, B> {
    starts: &'s [*mut u8; MOST],
    chains: &'s mut [B; MOST],
    len: usize,
    writable: bool,
}

impl<B: Block> OpenBlocks<'_, B> {
    /// The number of open bytes of each lane.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no bytes are open.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Pointers to read block `row` of `N` lanes: lanes `lane`, `lane + step` and so on.
    ///
    /// # Panics
    /// If it is not open, or a lane is past the last.
    #[inline(always)]
    pub(in crate::isa) fn inputs<const N: usize>(
        &self,
        row: Row,
        lane: usize,
        step: usize,
    ) -> [*const u8; N] {
        let mut inputs = [core::ptr::null(); N];
        for j in 0..N {
            inputs[j] = match row {
                Row::Chain => self.chains[lane + step * j].as_ref()[..B::LEN].as_ptr(),
                Row::Data(at) => {
                    let inside = at < self.len && B::LEN <= self.len - at;
                    assert!(inside, "past the end of what is open");
                    // SAFETY: `self.len` bytes are there.
                    unsafe { self.starts[lane + step * j].add(at) }
                }
            };
        }
        inputs
    }

    /// Pointers to write that block of each lane.
    ///
    /// # Panics
    /// As [`OpenBlocks::inputs`]; also if `row` is [`Row::Data`] and the messages are read-only.
    #[inline(always)]
    pub(in crate::isa) fn outputs<const N: usize>(
        &mut self,
        row: Row,
        lane: usize,
        step: usize,
    ) -> [*mut u8; N] {
        match row {
            Row::Chain => {
                let mut outputs = [core::ptr::null_mut(); N];
                for j in 0..N {
                    outputs[j] = self.chains[lane + step * j].as_mut()[..B::LEN].as_mut_ptr();
                }
                outputs
            }
            Row::Data(_) => {
                assert!(self.writable, "messages that are not to be written to");
                self.inputs::<N>(row, lane, step).map(<*const u8>::cast_mut)
            }
        }
    }

    /// Block `row` of `lane`.
    ///
    /// # Panics
    /// If it is not open, or `lane` is past the last.
    #[inline(always)]
    pub fn block(&self, row: Row, lane: usize) -> &[u8] {
        let [start] = self.inputs::<1>(row, lane, 0);
        // SAFETY: readable, and nothing is written while `self` is borrowed.
        unsafe { core::slice::from_raw_parts(start, B::LEN) }
    }

    /// The same block, to write.
    ///
    /// # Panics
    /// As [`OpenBlocks::block`]; also if `row` is [`Row::Data`] and the messages are read-only.
    #[inline(always)]
    pub fn block_mut(&mut self, row: Row, lane: usize) -> &mut [u8] {
        let [start] = self.outputs::<1>(row, lane, 0);
        // SAFETY: writable, and borrowed as long as the result lives.
        unsafe { core::slice::from_raw_parts_mut(start, B::LEN) }
    }
}
