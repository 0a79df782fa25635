//! Xoofff as a stream cipher: a nonce, if it was drawn, and the plaintext XOR the output of Xoofff for the nonce.
//!
//! Nothing is authenticated. All cores work: the output can be computed from any byte on, and seeking to the next piece is cheap.

use super::Way;
use crate::aligned::Aligned;
use crate::ordered::{self, Filled};
use crate::output::Destination;
use crate::pipeline::Fault;
use crate::workers::{self, Runs, read_at, write_at};
use crate::{Error, Input, random};
use icefish::constructions::xoofff::{Output, Xoofff};
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::num::NonZero;

/// Bytes that a worker takes at a time.
const PIECE: usize = 256 * 1024;

/// A key and how to use it.
#[derive(Clone, Copy, Debug)]
pub struct KeyStream<'k> {
    /// The key.
    pub key: &'k Xoofff,
    /// The nonce, of any length. Without one, encryption draws it from the operating system and writes it first, and decryption
    /// reads it from there.
    pub nonce: Option<&'k [u8]>,
    /// How many threads work; without it, as many as the machine runs at the same time.
    pub threads: Option<NonZero<usize>>,
}

impl KeyStream<'_> {
    /// The name of what this is.
    pub const NAME: &'static str = "xoofff";

    /// Length of a nonce that is drawn.
    pub const NONCE: usize = 16;

    /// Encrypts or decrypts all of `input`; returns the length of the output. `progress` is told how much of it is written.
    ///
    /// # Errors
    /// [`Error::MissingIv`], [`Error::Changed`], and whatever reading and writing give.
    pub fn crypt(
        &self,
        way: Way,
        mut input: Input,
        output: &mut dyn Destination,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut drawn = [0; Self::NONCE];
        let mut before = 0;
        match (self.nonce, way) {
            (Some(_), _) => {}
            (None, Way::Encrypt) => {
                random::fill(&mut drawn)?;
                let written = output.write_all(&drawn);
                written.map_err(|e| Fault::Write(e).named(input.name()))?;
                before = drawn.len() as u64;
            }
            (None, Way::Decrypt) => {
                let got = input.read_up_to(&mut drawn)?;
                if got < drawn.len() {
                    return Err(Error::MissingIv { got: got as u64, need: drawn.len() });
                }
            }
        }
        let mut history = self.key.history();
        history.push(self.nonce.unwrap_or(&drawn));
        let body = self.body(history.output(), input, output, progress)?;
        Ok(before + body)
    }

    /// All that comes after the nonce.
    fn body(
        &self,
        stream: Output,
        input: Input,
        output: &mut dyn Destination,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let len = input.len_hint();
        let (name, mut input) = input.into_parts();
        // Each has a buffer to read to, and one or two to write from.
        let workers = workers::count(self.threads, 3 * PIECE);
        // Some files of the system have a length of zero and more to read.
        let done = match (len.filter(|&len| len > 0), output.regular()) {
            (Some(len), Some(file)) => Work::new(stream, &mut input, len, file)
                .and_then(|work| workers::run(work, workers, progress)),
            _ => {
                let workers = if len == Some(0) { 1 } else { workers };
                let source = Source { stream, input, ended: false };
                ordered::run(Pieces, source, workers, output, progress)
            }
        };
        done.map_err(|fault| fault.named(&name))
    }
}

/// From file to file.
struct Work<'f> {
    stream: Output,
    input: &'f File,
    /// Where the message begins in the input.
    from: u64,
    /// How many bytes it has there.
    len: u64,
    output: &'f File,
    /// Where it begins in the output.
    to: u64,
}

impl<'f> Work<'f> {
    fn new(
        stream: Output,
        input: &'f mut File,
        len: u64,
        output: &'f mut File,
    ) -> Result<Self, Fault> {
        let from = input.stream_position().map_err(Fault::Read)?;
        let to = output.stream_position().map_err(Fault::Write)?;
        Ok(Self { stream, input, from, len, output, to })
    }
}

impl Runs for Work<'_> {
    /// The runs of a worker have rising numbers, so its stream moves forward only.
    type Buffers = (Aligned, Output);

    fn runs(&self) -> u64 {
        self.len.div_ceil(PIECE as u64)
    }

    fn buffers(&self) -> Self::Buffers {
        (Aligned::new(PIECE), self.stream.clone())
    }

    fn take(&self, number: u64, (buffer, stream): &mut Self::Buffers) -> Result<u64, Fault> {
        let at = number * PIECE as u64;
        let len = (self.len - at).min(PIECE as u64) as usize;
        let data = buffer.at(self.from + at, len);
        read_at(self.input, data, self.from + at)?;
        stream.seek(at);
        stream.apply(data);
        write_at(self.output, data, self.to + at).map_err(Fault::Write)?;
        Ok(len as u64)
    }

    fn end(&self) -> (&File, u64) {
        (self.input, self.from + self.len)
    }
}

/// From or to a stream: each piece has the output from its first byte on.
struct Source<R> {
    stream: Output,
    input: R,
    ended: bool,
}

impl<R: Read> ordered::Source for Source<R> {
    type Piece = Output;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<Option<Filled<Output>>, Fault> {
        if self.ended {
            return Ok(None);
        }
        let read = loop {
            match self.input.read(buffer) {
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.ended = !matches!(read, Ok(1..));
        let len = read.map_err(Fault::Read)?;
        let piece = self.stream.clone();
        self.stream.seek(piece.position() + len as u64);
        Ok(Some(Filled { piece, len, end: self.ended }))
    }
}

/// The work on such pieces.
struct Pieces;

impl ordered::Work for Pieces {
    type Piece = Output;

    fn room(&self) -> (usize, usize) {
        (PIECE, PIECE)
    }

    fn take(
        &self,
        mut stream: Output,
        input: &[u8],
        output: &mut [u8],
    ) -> (usize, Result<(), Error>) {
        let len = input.len();
        (len, stream.apply_between(input, &mut output[..len]).map_err(Error::from))
    }
}
