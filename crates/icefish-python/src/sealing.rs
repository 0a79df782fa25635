//! Messages that are being sealed, on all cores.

use crate::error::Failure;
use crate::threads::{count, each};
use icefish::storage::cobblestone::{CHUNK, SEALED_CHUNK, TAG};
use icefish::suite::AnyChunkSealer;
use std::fs::File;
use zeroize::{Zeroize, Zeroizing};

/// Chunks that a thread takes at a time: half a mebibyte.
pub(crate) const RUN: usize = 32;

/// What is held back until there is work for two threads.
const PENDING: usize = 2 * RUN * CHUNK;

/// Where sealed chunks go.
pub(crate) enum Sink<'a> {
    /// Memory, of their length.
    Memory(&'a mut [u8]),
    /// A file, from that place on.
    File(&'a File, u64),
}

/// The length of chunks of `plain` bytes.
pub(crate) fn chunks_len(plain: usize, last: bool) -> usize {
    plain + TAG * (plain / CHUNK + usize::from(last))
}

/// Seals chunks from number `first` on, on all cores.
pub(crate) fn seal_chunks(
    sealer: &AnyChunkSealer,
    first: u64,
    last: bool,
    plain: &[u8],
    sink: Sink<'_>,
) -> Result<(), Failure> {
    let runs = plain.len() / (RUN * CHUNK);
    // The last run is the one that is not full, and may be empty.
    let parts = plain
        .chunks(RUN * CHUNK)
        .chain((last && plain.len() == runs * RUN * CHUNK).then_some(&[][..]));
    let parts = (first..).step_by(RUN).zip(parts);
    let ends = |part: &[u8]| last && part.len() < RUN * CHUNK;
    match sink {
        Sink::Memory(output) => {
            let mut outputs = output;
            let parts = parts.map_while(move |(number, part)| {
                let output = outputs.split_off_mut(..chunks_len(part.len(), ends(part)))?;
                Some((number, part, output))
            });
            each(
                count(plain.len()),
                parts,
                || (),
                |(), (number, part, output)| {
                    Ok(sealer.seal_between(number, ends(part), part, output)?)
                },
            )
        }
        Sink::File(file, at) => {
            each(count(plain.len()), parts, Vec::new, |buffer, (number, part)| {
                buffer.resize(chunks_len(part.len(), ends(part)), 0);
                sealer.seal_between(number, ends(part), part, buffer)?;
                let place = at + (number - first) / RUN as u64 * (RUN * SEALED_CHUNK) as u64;
                Ok(crate::places::write(file, buffer, place)?)
            })
        }
    }
}

/// A message that is being sealed, in pieces.
pub(crate) struct Sealing {
    sealer: AnyChunkSealer,
    /// Less than `PENDING` bytes that are not sealed yet.
    pending: Zeroizing<Vec<u8>>,
    /// The number of the next chunk.
    next: u64,
}

impl Sealing {
    pub(crate) fn new(sealer: AnyChunkSealer) -> Self {
        let pending = Zeroizing::new(Vec::with_capacity(PENDING + CHUNK));
        Self { sealer, pending, next: 0 }
    }

    /// How many bytes of the next `len` fill up what is pending, and how many behind them are whole chunks.
    fn plan(&self, len: usize) -> Option<(usize, usize)> {
        if self.pending.len() + len < PENDING {
            return None;
        }
        let fill = self.pending.len().next_multiple_of(CHUNK) - self.pending.len();
        Some((fill, (len - fill) / CHUNK * CHUNK))
    }

    /// How many bytes the next `len` give.
    pub(crate) fn output_len(&self, len: usize) -> usize {
        let plan = self.plan(len);
        plan.map_or(0, |(fill, whole)| chunks_len(self.pending.len() + fill + whole, false))
    }

    /// Seals what is ready, of `output_len` bytes.
    pub(crate) fn update(&mut self, data: &[u8], sink: Sink<'_>) -> Result<(), Failure> {
        let Some((fill, whole)) = self.plan(data.len()) else {
            self.pending.extend_from_slice(data);
            return Ok(());
        };
        let (fill, data) = data.split_at(fill);
        let (whole, rest) = data.split_at(whole);
        self.pending.extend_from_slice(fill);
        let len = chunks_len(self.pending.len(), false);
        let (first, second) = match sink {
            Sink::Memory(output) => {
                let (first, second) = output.split_at_mut(len);
                (Sink::Memory(first), Sink::Memory(second))
            }
            Sink::File(file, at) => (Sink::File(file, at), Sink::File(file, at + len as u64)),
        };
        seal_chunks(&self.sealer, self.next, false, &self.pending, first)?;
        self.next += (self.pending.len() / CHUNK) as u64;
        seal_chunks(&self.sealer, self.next, false, whole, second)?;
        self.next += (whole.len() / CHUNK) as u64;
        self.pending.zeroize();
        self.pending.extend_from_slice(rest);
        Ok(())
    }

    /// How many bytes the end gives.
    pub(crate) fn rest_len(&self) -> usize {
        chunks_len(self.pending.len(), true)
    }

    /// Seals the rest.
    pub(crate) fn finish(self, sink: Sink<'_>) -> Result<(), Failure> {
        seal_chunks(&self.sealer, self.next, true, &self.pending, sink)
    }
}
