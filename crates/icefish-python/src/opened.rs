//! Parts of sealed messages, verified and decrypted on all cores.

use crate::error::Failure;
use crate::sealing::RUN;
use crate::threads::{count, each};
use icefish::storage::cobblestone::{CHUNK, TAG, chunk_offset};
use icefish::suite::AnyChunkOpener;
use std::fs::File;
use zeroize::Zeroizing;

/// Where a message is read.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    File(&'a File),
    /// Bytes of the message from that place on.
    Bytes(&'a [u8], u64),
}

/// A message that is being opened, by parts.
pub(crate) struct Opened {
    pub(crate) opener: AnyChunkOpener,
    /// Where the message begins.
    pub(crate) prefix: u64,
    /// Its length.
    pub(crate) sealed: u64,
    /// The length of its plaintext.
    pub(crate) size: u64,
}

impl Opened {
    /// The range of the file with the chunks that hold the bytes from `start` to `end` of the plaintext.
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

    /// The plaintext from byte `start` on to `output`, as `range`. If a chunk is wrong, `output` becomes zeros.
    pub(crate) fn range_into(
        &self,
        source: Source<'_>,
        start: u64,
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let done = self.range(source, start, output);
        if done.is_err() {
            output.fill(0);
        }
        done
    }

    /// The plaintext from byte `start` on to `output`, which ends within it, on all cores.
    pub(crate) fn range(
        &self,
        source: Source<'_>,
        start: u64,
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let len = output.len();
        if start.checked_add(len as u64).is_none_or(|end| end > self.size) {
            return Err(Failure::wrong(format!(
                "the range goes beyond the plaintext, which has {} bytes",
                self.size
            )));
        }
        let run = RUN * CHUNK;
        let (mut rest, mut at) = (Some(output), start);
        // To the end of the run that it begins in; then whole runs.
        let parts = std::iter::from_fn(|| {
            let room = rest.take().filter(|room| !room.is_empty())?;
            let len = (run - (at % run as u64) as usize).min(room.len());
            let (part, after) = room.split_at_mut(len);
            let begin = at;
            (rest, at) = (Some(after), at + len as u64);
            Some((begin, part))
        });
        each(count(len), parts, Vec::new, |buffer, (start, part)| {
            self.part(source, start, part, buffer)
        })
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
