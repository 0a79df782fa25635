//! Files and streams sealed in chunks: Cobblestone (`icefish::storage::cobblestone`).
//!
//! A regular file that becomes a regular file is taken by a worker per core, each with runs of chunks that it reads, seals or opens,
//! and writes at their places. Streams go through workers in order. No byte is written, to a file or a stream, before its chunk
//! is verified.

mod part;
mod positioned;
mod run;
mod source;

pub use part::{Part, Place};

use super::passphrase::header::Header;
use crate::ordered::{Filled, Source as _};
use crate::output::Destination;
use crate::pipeline::Fault;
use crate::{Error, Input, Output, ordered, random, workers};
use icefish::storage::cobblestone::{CHUNK, HEADER, SALT, SEALED_CHUNK, chunk_offset, plain_len};
use icefish::suite::AnyChunked;
use part::Window;
use positioned::Work;
use run::Chunks;
use source::Source;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::num::NonZero;
use std::ops::Range;
use zeroize::Zeroizing;

/// Chunks that a worker takes at a time: half a mebibyte.
const RUN: usize = 32;

/// A key and how to use it for one file. The key is dropped before the work begins.
#[derive(Debug)]
pub struct Chunked<'k> {
    /// The key.
    pub key: AnyChunked,
    /// Data that the message is bound to, and does not contain.
    pub context: &'k [u8],
    /// How many threads work; without it, as many as the machine runs at the same time.
    pub threads: Option<NonZero<usize>>,
}

impl Chunked<'_> {
    /// Seals all of `input`; returns the length of the output. `progress` is told how much of it is written.
    ///
    /// Bytes that were written to `output` before stay before the message.
    ///
    /// # Errors
    /// [`Error::Changed`] if the length of a file changes meanwhile, and whatever reading and writing give.
    pub fn encrypt(
        self,
        input: Input,
        output: &mut Output,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut salt = [0; SALT];
        random::fill(&mut salt)?;
        let sealer = self.key.sealer(&salt, self.context);
        let header = sealer.header();
        output
            .write_all(&header)
            .map_err(|source| Error::Write { name: "the output".to_owned(), source })?;
        let written = run(Chunks::Sealer(sealer), self.workers(), input, output, progress)?;
        Ok(written + header.len() as u64)
    }

    /// Opens all of `input`, from its position on; returns the length of the output. `progress` is told how much of it is written.
    ///
    /// Only verified chunks are written. After an error a stream has those before it.
    ///
    /// # Errors
    /// [`icefish::Error::Commitment`], [`icefish::Error::ForgedChunk`], [`icefish::Error::Truncated`], [`Error::Changed`], and
    /// whatever reading and writing give.
    pub fn decrypt(
        self,
        mut input: Input,
        output: &mut Output,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let opener = self.opener(&mut input)?;
        run(opener, self.workers(), input, output, progress)
    }

    /// Opens a part of `input`, a regular file; returns the length of the output. Of its chunks only those of that part and the
    /// last one are read and verified.
    ///
    /// # Errors
    /// [`Error::NotAPlace`] if `input` is a stream, [`Error::Part`] if the plaintext is shorter; as [`Chunked::decrypt`].
    pub fn decrypt_part(
        self,
        mut input: Input,
        part: Part,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let Some(sealed) = input.len_hint() else {
            return Err(Error::NotAPlace { name: input.name().to_owned() });
        };
        let len = plain_len(sealed)?;
        let chunks = self.opener(&mut input)?;
        let workers = self.workers();
        let (name, file) = input.into_parts();
        take_part(chunks, workers, file, len, part, output, progress)
            .map_err(|fault| fault.named(&name))
    }

    /// Reads the header of the message.
    fn opener(&self, input: &mut Input) -> Result<Chunks, Error> {
        let mut header = [0; HEADER];
        let got = input.read_up_to(&mut header)?;
        match self.key.opener(&header[..got], self.context) {
            Ok(opener) => Ok(Chunks::Opener(opener)),
            Err(_) if Header::begins(&header) => {
                Err(Error::NeedsPassphrase { name: input.name().to_owned() })
            }
            Err(e) => Err(e.into()),
        }
    }

    /// The number of workers.
    fn workers(self) -> usize {
        // Each has two buffers for what it reads and two for what it writes.
        workers::count(self.threads, 4 * RUN * SEALED_CHUNK)
    }
}

/// All chunks, from file to file or in order.
fn run(
    chunks: Chunks,
    workers: usize,
    input: Input,
    output: &mut Output,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    // Some files of the system have a length of zero and more to read.
    let len = input.len_hint().filter(|&len| len > 0);
    if let (Chunks::Opener(_), Some(len)) = (&chunks, len) {
        plain_len(HEADER as u64 + len)?;
    }
    let (name, mut input) = input.into_parts();
    let done = match (len, output.regular()) {
        (Some(len), Some(output)) => at_places(chunks, workers, &mut input, len, output, progress),
        _ => {
            let workers = workers.min(runs(len.map_or(u64::MAX, |len| len / CHUNK as u64)));
            let source = Source::from_chunk(input, &chunks, 0, len);
            ordered::run(chunks, source, workers, output, progress)
        }
    };
    done.map_err(|fault| fault.named(&name))
}

/// No more workers than runs of so many chunks are of use.
fn runs(chunks: u64) -> usize {
    usize::try_from(chunks / RUN as u64).unwrap_or(usize::MAX).saturating_add(1)
}

/// The `len` bytes from the place of `input` on, to the place of `output`.
fn at_places(
    chunks: Chunks,
    workers: usize,
    input: &mut File,
    len: u64,
    output: &mut File,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    let from = input.stream_position().map_err(Fault::Read)?;
    let to = output.stream_position().map_err(Fault::Write)?;
    let work = Work { chunks, input, from, len, output, to };
    workers::run(work, workers, progress)
}

/// A part of a plaintext of `len` bytes, if its last chunk proves that length. The header of the message was read last.
fn take_part(
    chunks: Chunks,
    workers: usize,
    mut file: File,
    len: u64,
    part: Part,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    let start = file.stream_position().map_err(Fault::Read)? - HEADER as u64;
    let place = |number| SeekFrom::Start(start + chunk_offset(number));
    let last = len / CHUNK as u64;
    file.seek(place(last)).map_err(Fault::Read)?;
    verify_last(&chunks, &file, last)?;

    let Range { start, end } = part.of(len).map_err(Fault::Between)?;
    let (first, after) = (start / CHUNK as u64, end.div_ceil(CHUNK as u64));
    file.seek(place(first)).map_err(Fault::Read)?;
    let source = match after > last {
        true => Source::from_chunk(file, &chunks, first, None),
        false => Source::some(file, &chunks, first..after.max(first)),
    };
    let workers = workers.min(runs(after.saturating_sub(first)));
    let mut window = Window { skip: start % CHUNK as u64, left: end - start, inner: output };
    ordered::run(chunks, source, workers, &mut window, progress)?;
    Ok(end - start)
}

/// Verifies the last chunk of a message, which is the only one that proves its length.
fn verify_last(chunks: &Chunks, file: &File, number: u64) -> Result<(), Fault> {
    let mut source = Source::from_chunk(file, chunks, number, None);
    let mut input = [0; SEALED_CHUNK];
    let mut output = Zeroizing::new([0; CHUNK]);
    match source.fill(&mut input)? {
        Some(Filled { piece: run, len, end: true }) => {
            chunks.take(run, &input[..len], &mut *output).1.map_err(Fault::Between)
        }
        _ => Err(Fault::Changed),
    }
}
