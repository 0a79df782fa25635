//! Sealed messages in memory: in one call, in pieces, and parts of them.

use crate::backend;
use crate::border::{Input, Output};
use crate::error::Failure;
use crate::threads::{count, each, release};
use icefish::storage::cobblestone::{CHUNK, HEADER, SALT, SEALED_CHUNK, TAG};
use icefish::storage::cobblestone::{chunk_offset, plain_len, sealed_len};
use icefish::suite::{AnyChunkOpener, AnyChunkSealer, AnyChunked, ChunkedSuite};
use icefish_files::formats::passphrase::{self, Cost, Header, Limit};
use icefish_files::random;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::borrow::Cow;
use std::fs::File;
use zeroize::{Zeroize, Zeroizing};

/// Chunks that a thread takes at a time: half a mebibyte.
pub(crate) const RUN: usize = 32;

/// What is held back until there is work for two threads.
const PENDING: usize = 2 * RUN * CHUNK;

/// The most bytes that a sealed file needs to be opened: both headers.
pub(crate) const HEAD: usize = passphrase::HEADER + HEADER;

/// A key or a passphrase, as the caller gave it.
#[derive(FromPyObject)]
pub(crate) struct Secret<'py> {
    key: Option<Input<'py>>,
    passphrase: Option<Input<'py>>,
    context: Input<'py>,
    /// Memory in KiB, passes and lanes of Argon2id for a new header.
    cost: Option<(u32, u32, u32)>,
    /// The most memory in KiB that a header may ask for.
    max_memory: Option<u64>,
}

/// What a message is sealed with, and what is written before it.
struct Lock<'a> {
    key: AnyChunked,
    context: Cow<'a, [u8]>,
    prefix: Vec<u8>,
}

impl Secret<'_> {
    /// For a key of 16 or 32 bytes.
    fn key(key: &Input<'_>) -> Result<AnyChunked, Failure> {
        let suite = match key.len() {
            16 => "cobblestone-128",
            32 => passphrase::SUITE,
            got => {
                return Err(Failure::wrong(format!(
                    "the key has {got} bytes, a sealed file takes 32, or 16 for Cobblestone-128"
                )));
            }
        };
        let suite: ChunkedSuite = suite.parse()?;
        Ok(suite.key(backend(None)?, key.bytes())?)
    }

    fn of_header(header: &Header, passphrase: &[u8]) -> Result<AnyChunked, Failure> {
        let suite: ChunkedSuite = passphrase::SUITE.parse()?;
        Ok(suite.key(backend(None)?, &*header.key(passphrase)?)?)
    }

    /// A passphrase or a key, and not both.
    fn one(&self) -> Result<(), Failure> {
        match (&self.key, &self.passphrase) {
            (Some(_), Some(_)) | (None, None) => {
                Err(Failure::wrong("a sealed file takes key=... or passphrase=..., one of them"))
            }
            (None, Some(_)) if self.context.len() != 0 => Err(Failure::wrong(
                "a file that is sealed with a passphrase has no other context; leave it out",
            )),
            _ => Ok(()),
        }
    }

    fn lock(&self, py: Python<'_>) -> Result<Lock<'_>, Failure> {
        self.one()?;
        let Some(passphrase) = &self.passphrase else {
            let key = self.key.as_ref().map_or(Err(Failure::Finished), Self::key)?;
            return Ok(Lock { key, context: self.context.bytes().into(), prefix: Vec::new() });
        };
        let cost = self.cost.map_or(Cost::DEFAULT, |(memory, passes, lanes)| Cost {
            memory,
            passes,
            lanes,
        });
        let header = Header::draw(cost)?;
        let prefix = header.bytes().to_vec();
        let passphrase = passphrase.bytes();
        let key = py.detach(|| Self::of_header(&header, passphrase))?;
        Ok(Lock { key, context: prefix.clone().into(), prefix })
    }

    /// A new message, and its head.
    pub(crate) fn sealer(&self, py: Python<'_>) -> Result<(AnyChunkSealer, Vec<u8>), Failure> {
        let lock = self.lock(py)?;
        let mut salt = [0; SALT];
        random::fill(&mut salt)?;
        let sealer = lock.key.sealer(&salt, &lock.context);
        let mut head = lock.prefix;
        head.extend_from_slice(&sealer.header());
        Ok((sealer, head))
    }

    /// The message of `len` bytes that begins with `head`, of a file of that name.
    pub(crate) fn opener(
        &self,
        py: Python<'_>,
        head: &[u8],
        len: u64,
        name: &str,
    ) -> Result<Opened, Failure> {
        self.one()?;
        let (key, context, prefix) = match (&self.passphrase, &self.key) {
            (Some(passphrase), _) => {
                let header = Header::parse(&head[..head.len().min(passphrase::HEADER)], name)?;
                let limit = self.max_memory.map_or(Limit::DEFAULT, |memory| Limit { memory });
                limit.check(header.cost(), name)?;
                let passphrase = passphrase.bytes();
                let key = py.detach(|| Self::of_header(&header, passphrase))?;
                (key, Cow::from(header.bytes().to_vec()), passphrase::HEADER)
            }
            (None, Some(key)) => (Self::key(key)?, Cow::from(self.context.bytes()), 0),
            (None, None) => return Err(Failure::Finished),
        };
        let message = head.get(prefix..).unwrap_or_default();
        match key.opener(&message[..message.len().min(HEADER)], &context) {
            Ok(opener) => {
                let sealed = len.saturating_sub(prefix as u64);
                Ok(Opened { opener, prefix: prefix as u64, sealed, size: plain_len(sealed)? })
            }
            Err(_) if prefix == 0 && Header::begins(head) => {
                Err(icefish_files::Error::NeedsPassphrase { name: name.to_owned() }.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Where a message is read.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    File(&'a File),
    /// Bytes of the message from that place on.
    Bytes(&'a [u8], u64),
}

/// A message that is being opened, by parts.
pub(crate) struct Opened {
    opener: AnyChunkOpener,
    /// Where the message begins.
    pub(crate) prefix: u64,
    /// Its length.
    sealed: u64,
    /// The length of its plaintext.
    pub(crate) size: u64,
}

impl Opened {
    /// Where the chunks are in the file that the bytes from `start` to `end` of the plaintext are in.
    pub(crate) fn span(&self, start: u64, end: u64) -> (u64, u64) {
        let (start, end) = (start.min(self.size), end.min(self.size));
        let after = end.div_ceil(CHUNK as u64).max(start / CHUNK as u64 + 1);
        let place = |number: u64| self.prefix + chunk_offset(number).min(self.sealed);
        let last = after > self.size / CHUNK as u64;
        (place(start / CHUNK as u64), if last { self.prefix + self.sealed } else { place(after) })
    }

    /// Verifies the last chunk, which proves the length.
    pub(crate) fn verify_end(&self, source: Source<'_>) -> Result<(), Failure> {
        let mut chunk = Zeroizing::new([0; CHUNK]);
        let number = self.size / CHUNK as u64;
        let len = (self.size % CHUNK as u64) as usize;
        let mut buffer = Vec::new();
        let sealed = self.read(source, number, len + TAG, &mut buffer)?;
        Ok(self.opener.open_between(number, true, sealed, &mut chunk[..len])?)
    }

    /// The plaintext from byte `start` on to `output`, which ends within it, on all cores. If a chunk is wrong, `output` becomes zeros.
    pub(crate) fn range(
        &self,
        source: Source<'_>,
        start: u64,
        output: &mut [u8],
    ) -> Result<(), Failure> {
        if start.checked_add(output.len() as u64).is_none_or(|end| end > self.size) {
            return Err(Failure::wrong(format!(
                "the range goes beyond the plaintext, which has {} bytes",
                self.size
            )));
        }
        let threads = count(output.len());
        // To the end of the run that it begins in; then whole runs.
        let run = RUN * CHUNK;
        let first = (run - (start % run as u64) as usize).min(output.len());
        let (head, rest) = output.split_at_mut(first);
        let places = (0..).map(|i| start + (first + i * run) as u64);
        let parts = std::iter::once((start, head)).chain(places.zip(rest.chunks_mut(run)));
        let done = each(threads, parts, Vec::new, |buffer, (start, part)| {
            if part.is_empty() { Ok(()) } else { self.part(source, start, part, buffer) }
        });
        if done.is_err() {
            output.fill(0);
        }
        done
    }

    /// A part of at most a run, by one thread.
    fn part(
        &self,
        source: Source<'_>,
        start: u64,
        output: &mut [u8],
        buffer: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let end = start + output.len() as u64;
        let (begin, after) = self.span(start, end);
        let mut number = start / CHUNK as u64;
        let mut sealed = self.read(source, number, (after - begin) as usize, buffer)?;
        let (mut at, mut output) = (start, output);
        while !output.is_empty() {
            let of_chunk = (self.size - number * CHUNK as u64).min(CHUNK as u64) as usize;
            let skip = (at % CHUNK as u64) as usize;
            let whole = output.len() / CHUNK;
            let (take, chunks) = match skip == 0 && output.len() >= of_chunk {
                // Whole chunks, or the last of the message.
                true => (if whole > 0 { whole * CHUNK } else { of_chunk }, whole.max(1)),
                false => ((of_chunk - skip).min(output.len()), 1),
            };
            let last = number + chunks as u64 > self.size / CHUNK as u64;
            let plain = if skip == 0 && take >= of_chunk { take } else { of_chunk };
            let (these, others) = sealed.split_at(plain + chunks * TAG);
            let (part, rest) = output.split_at_mut(take);
            if plain == take {
                self.opener.open_between(number, last, these, part)?;
            } else {
                let mut chunk = Zeroizing::new([0; CHUNK]);
                self.opener.open_between(number, last, these, &mut chunk[..plain])?;
                part.copy_from_slice(&chunk[skip..skip + take]);
            }
            (output, sealed, at) = (rest, others, at + take as u64);
            number += chunks as u64;
        }
        Ok(())
    }

    /// `len` bytes of the chunks from `number` on.
    fn read<'a>(
        &self,
        source: Source<'a>,
        number: u64,
        len: usize,
        buffer: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Failure> {
        let at = self.prefix + chunk_offset(number);
        match source {
            Source::File(file) => {
                buffer.resize(len, 0);
                crate::places::read(file, buffer, at)?;
                Ok(buffer)
            }
            Source::Bytes(bytes, from) => {
                let begin = at.checked_sub(from).and_then(|begin| usize::try_from(begin).ok());
                let part = begin.and_then(|begin| bytes.get(begin..)?.get(..len));
                part.ok_or_else(|| {
                    let got = bytes.len();
                    Failure::wrong(format!(
                        "{got} bytes were given, which are not all of these chunks"
                    ))
                })
            }
        }
    }
}

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

/// A message that is being sealed in memory. The sealed message is `head`, then what `update` and `finish` return.
#[pyclass(module = "icefish._icefish")]
pub(crate) struct Sealer {
    #[pyo3(get)]
    head: Vec<u8>,
    sealing: Option<Sealing>,
}

#[pymethods]
impl Sealer {
    #[new]
    fn new(py: Python<'_>, secret: Secret<'_>) -> PyResult<Self> {
        let (sealer, head) = secret.sealer(py)?;
        Ok(Self { head, sealing: Some(Sealing::new(sealer)) })
    }

    fn update<'py>(&mut self, py: Python<'py>, data: Input<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (data, sealing) = (data.bytes(), self.sealing.as_mut().ok_or(Failure::Finished)?);
        PyBytes::new_with(py, sealing.output_len(data.len()), |output| {
            Ok(release(py, data.len(), || sealing.update(data, Sink::Memory(output)))?)
        })
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let sealing = self.sealing.take().ok_or(Failure::Finished)?;
        let len = sealing.rest_len();
        PyBytes::new_with(py, len, |output| {
            Ok(release(py, len, || sealing.finish(Sink::Memory(output)))?)
        })
    }
}

/// A sealed message that is opened by parts, of which the caller reads the chunks.
#[pyclass(frozen, module = "icefish._icefish")]
pub(crate) struct Opener(Opened);

#[pymethods]
impl Opener {
    /// Of a file of `length` bytes that begins with `head`; `HEAD` bytes of it are enough.
    #[new]
    fn new(
        py: Python<'_>,
        secret: Secret<'_>,
        head: Input<'_>,
        length: u64,
        name: &str,
    ) -> PyResult<Self> {
        Ok(Self(secret.opener(py, head.bytes(), length, name)?))
    }

    /// Length of the plaintext.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size
    }

    /// Where the chunks begin and end that have the bytes of the plaintext from `start` to `end`.
    fn span(&self, start: u64, end: u64) -> (u64, u64) {
        self.0.span(start, end)
    }

    /// Verifies the last chunk, which proves the length. `sealed` is the file from `span(size, size)[0]` on.
    fn verify_end(&self, sealed: Input<'_>) -> PyResult<()> {
        let from = self.0.span(self.0.size, self.0.size).0;
        Ok(self.0.verify_end(Source::Bytes(sealed.bytes(), from))?)
    }

    /// The plaintext from `start` on, all of `out`. `sealed` is what `span` says.
    fn open_into<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        sealed: Input<'py>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let mut output = Output::beside(out, &[&sealed])?;
        let (output, sealed) = (output.bytes(), sealed.bytes());
        let source = Source::Bytes(sealed, self.0.span(start, start).0);
        Ok(release(py, output.len(), || self.0.range(source, start, output))?)
    }

    /// `length` bytes of the plaintext from `start` on. `sealed` is what `span` says.
    fn open<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        length: usize,
        sealed: Input<'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let source = Source::Bytes(sealed.bytes(), self.0.span(start, start).0);
        PyBytes::new_with(py, length, |output| {
            Ok(release(py, length, || self.0.range(source, start, output))?)
        })
    }
}

/// `icefish.seal`.
#[pyfunction]
pub(crate) fn seal<'py>(
    py: Python<'py>,
    data: Input<'py>,
    secret: Secret<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (sealer, head) = secret.sealer(py)?;
    let data = data.bytes();
    let len = sealed_len(data.len() as u64).map_err(Failure::from)? as usize;
    PyBytes::new_with(py, len + head.len() - HEADER, |output| {
        let (start, chunks) = output.split_at_mut(head.len());
        start.copy_from_slice(&head);
        let seal = || seal_chunks(&sealer, 0, true, data, Sink::Memory(chunks));
        Ok(release(py, data.len(), seal)?)
    })
}

/// `icefish.open_bytes`.
#[pyfunction]
pub(crate) fn open_bytes<'py>(
    py: Python<'py>,
    data: Input<'py>,
    secret: Secret<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = data.bytes();
    let opened = secret.opener(py, &data[..data.len().min(HEAD)], data.len() as u64, "the data")?;
    let len = usize::try_from(opened.size).unwrap_or(usize::MAX);
    PyBytes::new_with(py, len, |output| {
        let open = || {
            opened.verify_end(Source::Bytes(data, 0))?;
            opened.range(Source::Bytes(data, 0), 0, output)
        };
        Ok(release(py, data.len(), open)?)
    })
}

/// Length of the plaintext of a sealed file of `sealed` bytes. Nothing is verified by that.
#[pyfunction]
pub(crate) fn plain_length(sealed: u64, passphrase: bool) -> PyResult<u64> {
    let prefix = if passphrase { passphrase::HEADER as u64 } else { 0 };
    Ok(plain_len(sealed.saturating_sub(prefix)).map_err(Failure::from)?)
}
