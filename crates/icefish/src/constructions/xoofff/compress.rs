//! Compression of strings: the sum of their blocks, each XORed with its mask and permuted, as many in parallel as there are
//! lanes.

use super::roll::{Compression, Sequence, Window};
use super::{BLOCK, CONSTANTS};
use crate::isa::{Extension, Isa, Lanes, Rows, Sink, Task, fetch_input};
use crate::permutations::xoodoo::plane::{Form, Plane, PlaneRow, Slices, Two};
use crate::permutations::xoodoo::rounds::permute;
use crate::permutations::xoodoo::single::{Best, OnOneState};

/// Adds the blocks of `string` to `sum`, and rolls `mask` past them. `end` is the last byte: the last bits of the string,
/// and the padding. If it is 0, there is no such byte, and the blocks are whole.
pub(super) struct Compress<'a> {
    pub(super) string: &'a [u8],
    pub(super) end: u8,
    pub(super) sum: &'a mut [u8; BLOCK],
    pub(super) mask: &'a mut Window,
}

impl Task for Compress<'_> {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    #[inline(always)]
    fn call<S: Isa>(mut self, isa: S) {
        let blocks = self.blocks();
        // A batch takes about as long as two single blocks.
        if S::U32::N > 1 && blocks > 2 {
            self.batches(isa, blocks);
        }
        if self.blocks() > 0 {
            isa.run(Best(Singles(&mut self)));
        }
    }
}

impl Compress<'_> {
    /// The number of blocks left.
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.string.len() / BLOCK + usize::from(self.end != 0)
    }

    /// Takes batches while more than two blocks are left. Shortens the string accordingly; `end` becomes 0 when it is done.
    #[inline(always)]
    fn batches<S: Isa>(&mut self, isa: S, blocks: usize) {
        let size = BLOCK * S::U32::N;
        let mut masks = Sequence::<Compression>::new(self.mask, blocks, S::U32::N);
        let mut sums = [Slices([S::U32::splat(isa, 0); 4]); 3];
        while self.string.len() >= 2 * size {
            let (now, rest) = self.string.split_at(2 * size);
            fetch_input(rest, 2 * size);
            let (low, high) = now.split_at(size);
            let a = Self::masked(isa, low, masks.next(isa, S::U32::N));
            let b = Self::masked(isa, high, masks.next(isa, S::U32::N));
            let mut both = Two::join(a, b);
            permute(isa, &mut both, CONSTANTS);
            let (a, b) = Two::split(both);
            for y in 0..3 {
                sums[y] = Plane::<S, u32>::xor3(sums[y], a[y], b[y]);
            }
            self.string = rest;
        }
        if self.string.len() >= size {
            let (now, rest) = self.string.split_at(size);
            let mut a = Self::masked(isa, now, masks.next(isa, S::U32::N));
            permute(isa, &mut a, CONSTANTS);
            for y in 0..3 {
                sums[y] = Plane::<S, u32>::xor(sums[y], a[y]);
            }
            self.string = rest;
        }
        if self.blocks() < blocks {
            self.fold(isa, sums, S::U32::N);
        }
        let left = self.blocks();
        if left > 2 {
            // One more byte, for an end of 0.
            let mut room = [0; 16 * BLOCK + 1];
            room[..self.string.len()].copy_from_slice(self.string);
            room[self.string.len()] = self.end;
            let mut a = Self::masked(isa, &room[..size], masks.next(isa, left));
            permute(isa, &mut a, CONSTANTS);
            self.fold(isa, a, left);
            (self.string, self.end) = (&[], 0);
        }
        *self.mask = masks.window();
    }

    #[inline(always)]
    fn masked<S: Isa>(
        isa: S,
        blocks: &[u8],
        masks: [Slices<S::U32, 4>; 3],
    ) -> [Slices<S::U32, 4>; 3] {
        let mut a: [Slices<S::U32, 4>; 3] = Form::<S, u32>::gather(isa, blocks);
        for y in 0..3 {
            a[y] = Plane::<S, u32>::xor(a[y], masks[y]);
        }
        a
    }

    /// Adds the first `count` of the states to the sum.
    #[inline(always)]
    fn fold<S: Isa>(&mut self, isa: S, states: [Slices<S::U32, 4>; 3], count: usize) {
        let mut room = [0; 16 * BLOCK];
        Form::<S, u32>::scatter(states, Sink::new(&mut room[..BLOCK * S::U32::N]));
        let mut sum = load::<S, S::Row32>(isa, self.sum);
        for state in 0..count {
            let a = load::<S, S::Row32>(isa, &room[BLOCK * state..]);
            for y in 0..3 {
                sum[y] = Plane::<S, u32>::xor(sum[y], a[y]);
            }
        }
        store::<S, _>(sum, self.sum);
    }
}

/// Takes the remaining blocks one after the other.
struct Singles<'a, 'b>(&'a mut Compress<'b>);

impl OnOneState for Singles<'_, '_> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let work = self.0;
        let mut sum = load::<S, R>(isa, work.sum);
        while work.blocks() > 0 {
            let (now, rest) = work.string.split_at(work.string.len().min(BLOCK));
            let mut block = [0; BLOCK];
            block[..now.len()].copy_from_slice(now);
            if now.len() < BLOCK {
                block[now.len()] = work.end;
                work.end = 0;
            }
            work.string = rest;
            let (mut a, mask) = (load::<S, R>(isa, &block), load(isa, &work.mask.state()));
            for y in 0..3 {
                a[y] = Plane::<S, u32>::xor(a[y], mask[y]);
            }
            permute(isa, &mut a, CONSTANTS);
            for y in 0..3 {
                sum[y] = Plane::<S, u32>::xor(sum[y], a[y]);
            }
            work.mask.roll::<Compression>();
        }
        store(sum, work.sum);
    }
}

/// Loads one state, with a plane in each row.
#[inline(always)]
pub(super) fn load<S: Isa, R: Rows<S, u32>>(isa: S, state: &[u8]) -> [PlaneRow<R>; 3] {
    let [p, q, r] = R::gather::<3>(isa, state);
    [PlaneRow(p), PlaneRow(q), PlaneRow(r)]
}

#[inline(always)]
pub(super) fn store<S: Isa, R: Rows<S, u32>>(planes: [PlaneRow<R>; 3], state: &mut [u8; BLOCK]) {
    put::<S, R>(planes, Sink::new(state));
}

#[inline(always)]
pub(super) fn put<S: Isa, R: Rows<S, u32>>([p, q, r]: [PlaneRow<R>; 3], sink: Sink<'_>) {
    R::scatter::<3>([p.0, q.0, r.0], sink);
}

/// Permutes one state in memory.
pub(super) struct Permute<'a>(pub(super) &'a mut [u8; BLOCK]);

impl OnOneState for Permute<'_> {
    type Out = ();
    #[inline(always)]
    fn call<S: Isa, R: Rows<S, u32>>(self, isa: S) {
        let mut a = load::<S, R>(isa, self.0);
        permute(isa, &mut a, CONSTANTS);
        store(a, self.0);
    }
}
