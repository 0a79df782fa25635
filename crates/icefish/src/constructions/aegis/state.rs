//! The states of a message, in one or more rings, and what a job does to them.

use super::ring::{StateRing, load};
use super::steps::{Begin, End, Steps, WholeSteps};
use crate::isa::{AesRounds, InOut, Isa, Sink};

/// 64 bytes of ones and 64 zeros.
static KEEP: [u8; 128] = {
    let (mut keep, mut i) = ([0; 128], 0);
    while i < 64 {
        keep[i] = 0xff;
        i += 1;
    }
    keep
};

/// Where the blocks of a ring lie: from byte `at` of a step or a state on, `row` bytes apart.
#[derive(Clone, Copy)]
struct RingRows {
    at: usize,
    row: usize,
}

/// Does a job of a variant with `degree` states, ring by ring. Rings are independent until their tags are combined, and on many
/// CPUs the registers hold only one ring.
#[inline(always)]
pub(super) fn rings<S: Isa, A: AesRounds<S>, const B: usize, const M: usize>(
    isa: S,
    data: WholeSteps<'_>,
    job: &mut Steps<'_>,
    degree: usize,
) {
    let WholeSteps { absorb, mut io } = data;
    let row = 16 * degree;
    let mut at = 0;
    while at < row {
        let place = RingRows { at, row };
        let (saved, row_of_saved) = match (job.begin, &job.saved) {
            (Begin::First(saved), _) if degree == 1 => (Some(saved), saved.len() / B),
            (Begin::First(saved), _) => (Some(saved), row),
            (_, saved) => (saved.as_deref(), row),
        };
        let mut ring = match (job.begin, saved) {
            (Begin::New(new), _) => StateRing::<S, A, B, M>::begin(isa, new, at, degree),
            (_, Some(saved)) => StateRing::load(isa, &saved[at..], row_of_saved),
            _ => return,
        };
        ring.absorb(absorb, &job.last_absorbed, place);
        if S::Aes::SLICED {
            ring.crypt_either(io.reborrow(), job.seal, place);
        } else if job.seal {
            ring.crypt::<true>(io.reborrow(), place);
        } else {
            ring.crypt::<false>(io.reborrow(), place);
        }
        if let Some((last, len)) = &mut job.last {
            ring.crypt_last(last, *len, job.seal, place);
        }
        if let Some(End { lengths, short, tags }) = &mut job.end {
            ring.end(lengths);
            tags.put(isa, ring.tags(*short), at, row);
        }
        if let Some(saved) = &mut job.saved {
            StateRing::<S, A, B, M>::put(isa, ring.s, &mut Sink::new(&mut saved[at..]), row);
        }
        at += 16 * A::N;
    }
}

impl<S: Isa, A: AesRounds<S>, const B: usize, const M: usize> StateRing<S, A, B, M> {
    #[inline(always)]
    fn load(isa: S, bytes: &[u8], row: usize) -> Self {
        Self { isa, s: Self::blocks(isa, bytes, row) }
    }

    /// Bytes from the first to the last that the ring takes of a step.
    #[inline(always)]
    fn span(row: usize) -> usize {
        row * (M - 1) + 16 * A::N
    }

    /// Absorb (sections 3.5 and 4.5), of whole steps.
    #[inline(always)]
    fn absorb(&mut self, steps: &[u8], last: &Option<&[u8]>, place: RingRows) {
        let RingRows { at, row } = place;
        let (span, rate) = (Self::span(row), row * M);
        let (mut part, mut next) = (steps, Some(last));
        loop {
            while part.len() >= rate {
                let (step, after) = part.split_at(rate);
                self.step::<false>(Self::blocks(self.isa, &step[at..at + span], row));
                part = after;
            }
            let Some(Some(last)) = next.take() else { return };
            part = last;
        }
    }

    /// Enc or Dec (sections 3.6, 3.7, 4.6 and 4.7), of whole steps.
    #[inline(always)]
    fn crypt<const SEAL: bool>(&mut self, steps: InOut<'_>, place: RingRows) {
        let rate = place.row * M;
        let mut part = steps;
        // Two at a time: in a loop of one, every block moves to another register in each step. Pairs of steps open 16 KiB in 4
        // % less time (Zen 5).
        while A::ORDERS && B == 8 && part.len() >= 2 * rate {
            let (first, rest) = part.split_at(rate);
            let (second, after) = rest.split_at(rate);
            self.crypt_rounds_first::<SEAL>(first, place);
            self.crypt_rounds_first::<SEAL>(second, place);
            part = after;
        }
        while part.len() >= rate {
            let (step, after) = part.split_at(rate);
            if A::ORDERS && B == 8 {
                self.crypt_rounds_first::<SEAL>(step, place);
            } else {
                self.crypt_step::<SEAL>(step, place);
            }
            part = after;
        }
    }

    /// The same in either direction: without AES instructions a step takes long, and a loop for each direction is not faster.
    #[inline(always)]
    fn crypt_either(&mut self, steps: InOut<'_>, seal: bool, place: RingRows) {
        let RingRows { at, row } = place;
        let (rate, span) = (row * M, Self::span(row));
        let mut part = steps;
        while part.len() >= rate {
            let (mut step, after) = part.split_at(rate);
            let m = Self::blocks(self.isa, &step.input()[at..at + span], row);
            let out = xor(m, self.keystream());
            Self::put(self.isa, out, &mut step.sink(at, span), row);
            self.step::<false>(if seal { m } else { out });
            part = after;
        }
    }

    /// One step.
    #[inline(always)]
    fn crypt_step<const SEAL: bool>(&mut self, mut step: InOut<'_>, place: RingRows) {
        let RingRows { at, row } = place;
        let span = Self::span(row);
        let m = Self::blocks(self.isa, &step.input()[at..at + span], row);
        let out = xor(m, self.keystream());
        Self::put(self.isa, out, &mut step.sink(at, span), row);
        if SEAL {
            self.step::<false>(m);
        } else {
            self.step::<true>(out);
        }
    }

    /// The same with the rounds first. The CPU gives an instruction to a unit when it is decoded; in this order, other operations
    /// go to other units than the rounds. A step of AEGIS-128X4 takes 8.3 cycles instead of 9.8 (Zen 4, 8 rounds of 512 bits).
    #[inline(always)]
    fn crypt_rounds_first<const SEAL: bool>(&mut self, mut step: InOut<'_>, place: RingRows) {
        let RingRows { at, row } = place;
        let (span, old) = (Self::span(row), *self);
        let m = Self::blocks(self.isa, &step.input()[at..at + span], row);
        if SEAL {
            self.rounds::<false>(m);
        } else {
            self.rounds::<true>(m);
        }
        let mut late = m;
        for i in 0..M {
            late[i] = m[i].after(&self.s);
        }
        let out = xor(late, old.keystream());
        Self::put(self.isa, out, &mut step.sink(at, span), row);
        if SEAL {
            self.enter::<false>(m, &old.s);
        } else {
            self.enter::<true>(out, &old.s);
        }
    }

    /// The last `len` bytes, fewer than a step takes, with zeros after them (sections 3.6, 3.8, 4.6 and 4.8).
    #[inline(always)]
    fn crypt_last(&mut self, last: &mut [u8], len: usize, seal: bool, place: RingRows) {
        let RingRows { at, row } = place;
        let span = Self::span(row);
        let given = Self::blocks(self.isa, &last[at..at + span], row);
        let made = xor(given, self.keystream());
        Self::put(self.isa, made, &mut Sink::new(&mut last[at..at + span]), row);
        let mut data = given;
        if !seal {
            for i in 0..M {
                let keep = len.saturating_sub(row * i + at).min(64);
                data[i] = made[i].and(load(self.isa, &KEEP[64 - keep..]));
            }
        }
        self.step::<false>(data);
    }
}

#[inline(always)]
fn xor<S: Isa, A: AesRounds<S>, const M: usize>(a: [A; M], b: [A; M]) -> [A; M] {
    let mut sum = a;
    for i in 0..M {
        sum[i] = a[i].xor(b[i]);
    }
    sum
}
