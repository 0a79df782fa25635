//! A message whose chunks are read and written at their places, by [`workers`](crate::workers).

use super::RUN;
use super::run::{Chunks, Run};
use crate::aligned::Aligned;
use crate::pipeline::Fault;
use crate::workers::{Runs, read_at, write_at};
use std::fs::File;
use zeroize::Zeroizing;

/// A message and its places.
pub(super) struct Work<'f> {
    pub(super) chunks: Chunks,
    pub(super) input: &'f File,
    /// Where its chunks begin in the input.
    pub(super) from: u64,
    /// How many bytes of them there are.
    pub(super) len: u64,
    pub(super) output: &'f File,
    /// Where its chunks begin in the output.
    pub(super) to: u64,
}

/// The buffers of a worker.
pub(super) struct Buffers {
    input: Aligned,
    output: Zeroizing<Vec<u8>>,
}

impl Runs for Work<'_> {
    type Buffers = Buffers;

    fn runs(&self) -> u64 {
        // The last chunk is there, even if it is empty.
        (self.len / self.chunks.input() as u64 + 1).div_ceil(RUN as u64)
    }

    fn buffers(&self) -> Buffers {
        let count = (self.len / self.chunks.input() as u64 + 1).min(RUN as u64) as usize;
        Buffers {
            input: Aligned::new(count * self.chunks.input()),
            output: Zeroizing::new(vec![0; count * self.chunks.output()]),
        }
    }

    fn take(&self, number: u64, buffers: &mut Buffers) -> Result<u64, Fault> {
        let run = Run { first: number * RUN as u64, last: number + 1 == self.runs() };
        let (from, to) = (self.chunks.input() as u64, self.chunks.output() as u64);
        let len = (self.len - run.first * from).min(RUN as u64 * from) as usize;
        let place = self.from + run.first * from;
        let input = buffers.input.at(place, len);
        read_at(self.input, input, place)?;
        let (len, taken) = self.chunks.take(run, input, &mut buffers.output);
        taken.map_err(Fault::Between)?;
        write_at(self.output, &buffers.output[..len], self.to + run.first * to)
            .map_err(Fault::Write)?;
        Ok(len as u64)
    }

    fn end(&self) -> (&File, u64) {
        (self.input, self.from + self.len)
    }
}
