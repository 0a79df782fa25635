//! Base64 of any length, in pieces: written in lines of 64 characters, read in lines of any length.

use crate::output::Destination;
use base64ct::{Base64, Encoding};
use std::io::{self, ErrorKind, Read, Write};

/// Bytes of a line of 64 characters.
const LINE: usize = 48;

/// Characters of a line, and its end.
const WRITTEN: usize = 65;

/// Lines that are written at a time.
const LINES: usize = 1024;

/// Bytes that are read at a time.
const READ: usize = 64 * 1024;

/// Writes base64 in lines. [`Lines::finish`] writes the last one.
pub(super) struct Lines<'a> {
    to: &'a mut dyn Write,
    held: Vec<u8>,
    text: Vec<u8>,
    written: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(to: &'a mut dyn Write) -> Self {
        let (held, text) = (Vec::with_capacity(LINES * LINE), vec![0; LINES * WRITTEN]);
        Self { to, held, text, written: 0 }
    }

    /// Writes what is left; returns the length of all.
    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.write_lines()?;
        Ok(self.written)
    }

    fn write_lines(&mut self) -> io::Result<()> {
        let mut len = 0;
        for line in self.held.chunks(LINE) {
            let encoded = Base64::encode(line, &mut self.text[len..]);
            len += encoded.map_err(|e| io::Error::other(e.to_string()))?.len();
            self.text[len] = b'\n';
            len += 1;
        }
        self.to.write_all(&self.text[..len])?;
        self.written += len as u64;
        self.held.clear();
        Ok(())
    }
}

impl Destination for Lines<'_> {}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(LINES * LINE - self.held.len());
        self.held.extend_from_slice(&bytes[..taken]);
        if self.held.len() == LINES * LINE {
            self.write_lines()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The bytes that base64 stands for. Whitespace is ignored, wherever it is.
pub(super) struct Decoded<R> {
    from: R,
    text: Vec<u8>,
    /// Characters that do not make whole bytes yet.
    held: Vec<u8>,
    bytes: Vec<u8>,
    /// How much of `bytes` was handed on.
    taken: usize,
    /// Characters before those in `held`.
    before: u64,
    /// Whether there was padding, which ends the text.
    padded: bool,
    ended: bool,
}

impl<R: Read> Decoded<R> {
    pub(super) fn new(from: R) -> Self {
        Self {
            from,
            text: vec![0; READ],
            held: Vec::with_capacity(READ + 4),
            bytes: Vec::with_capacity(READ),
            taken: 0,
            before: 0,
            padded: false,
            ended: false,
        }
    }

    /// Decodes what the next read gives.
    fn more(&mut self) -> io::Result<()> {
        let n = loop {
            match self.from.read(&mut self.text) {
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.ended = n == 0;
        let digits = self.text[..n].iter().filter(|b| !b.is_ascii_whitespace());
        self.held.extend(digits);
        if self.padded && !self.held.is_empty() {
            return Err(wrong(format!("character {} comes after its end", self.before + 1)));
        }
        let whole = self.held.len() / 4 * 4;
        if self.ended && whole < self.held.len() {
            return Err(wrong("it ends within a group of four characters".to_owned()));
        }
        self.bytes.resize(whole / 4 * 3, 0);
        self.taken = 0;
        let text = &self.held[..whole];
        let len = match Base64::decode(text, &mut self.bytes) {
            Ok(bytes) => bytes.len(),
            Err(_) => return Err(misplaced(text, self.before)),
        };
        self.bytes.truncate(len);
        self.padded = self.held[..whole].ends_with(b"=");
        self.held.drain(..whole);
        self.before += whole as u64;
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.bytes.len() && !self.ended {
            self.more()?;
        }
        let n = buffer.len().min(self.bytes.len() - self.taken);
        buffer[..n].copy_from_slice(&self.bytes[self.taken..self.taken + n]);
        self.taken += n;
        Ok(n)
    }
}

/// The error of `text`, which has `before` characters before it.
fn misplaced(text: &[u8], before: u64) -> io::Error {
    let is_digit = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
    match text.iter().position(|b| !is_digit(b)) {
        Some(at) if !text[at..].iter().all(|&b| b == b'=') => wrong(format!(
            "character {}, whitespace not counted, does not belong there",
            before + at as u64 + 1
        )),
        _ => wrong("its last characters are not whole bytes".to_owned()),
    }
}

fn wrong(what: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("it is not base64: {what}"))
}
