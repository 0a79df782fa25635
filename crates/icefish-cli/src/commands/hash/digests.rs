//! Digests of many files in bounded memory: short ones side by side, long ones piece by piece.

use super::open;
use crate::errors::Failure;
use icefish::Backend;
use icefish::constructions::xoodyak::{Hasher, hash_many};
use icefish_files::{Error, Input};
use std::ffi::OsString;
use std::io::{ErrorKind, Read};

/// A file, and how many bytes of its digest are wanted.
pub(super) struct Job {
    pub(super) name: OsString,
    pub(super) length: usize,
}

/// The length of the digests that can be made side by side.
const USUAL: usize = 32;
/// Bytes of a piece; a file that fits is short.
const PIECE: usize = 128 * 1024;
/// How many short files wait for each other, and how many bytes they may have together.
const FILES: usize = 64;
const BYTES: usize = 4 << 20;

/// Calls `tell` for every file in order, with its place and its digest.
pub(super) fn each(
    backend: Backend,
    jobs: &[Job],
    tell: &mut impl FnMut(usize, Result<Vec<u8>, Error>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut short: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut piece = vec![0; PIECE];
    for (index, job) in jobs.iter().enumerate() {
        let begun = open(&job.name).and_then(|mut input| {
            let len = fill(&mut input, &mut piece)?;
            Ok((input, len))
        });
        if let Ok((_, len)) = &begun
            && *len < PIECE
            && job.length == USUAL
        {
            short.push((index, piece[..*len].to_vec()));
            let bytes: usize = short.iter().map(|(_, bytes)| bytes.len()).sum();
            if short.len() == FILES || bytes >= BYTES {
                together(backend, &mut short, tell)?;
            }
            continue;
        }
        // In order, also if it takes long.
        together(backend, &mut short, tell)?;
        tell(
            index,
            begun.and_then(|(input, len)| long(backend, input, &mut piece, len, job.length)),
        )?;
    }
    together(backend, &mut short, tell)
}

/// Digests of the files that have been read, and no such files left.
fn together(
    backend: Backend,
    short: &mut Vec<(usize, Vec<u8>)>,
    tell: &mut impl FnMut(usize, Result<Vec<u8>, Error>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let messages: Vec<&[u8]> = short.iter().map(|(_, bytes)| &bytes[..]).collect();
    let mut digests = vec![[0; USUAL]; messages.len()];
    hash_many(backend, &messages, &mut digests)?;
    for ((index, _), digest) in short.drain(..).zip(&digests) {
        tell(index, Ok(digest.to_vec()))?;
    }
    Ok(())
}

/// The digest of a file whose first `len` bytes are in `piece`.
fn long(
    backend: Backend,
    mut input: Input,
    piece: &mut [u8],
    mut len: usize,
    length: usize,
) -> Result<Vec<u8>, Error> {
    let mut hasher = Hasher::on(backend);
    while len > 0 {
        hasher.update(&piece[..len]);
        len = fill(&mut input, piece)?;
    }
    let mut digest = vec![0; length];
    hasher.finish(&mut digest);
    Ok(digest)
}

/// Reads until `buffer` is full or the file ends.
fn fill(input: &mut Input, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut len = 0;
    while len < buffer.len() {
        match input.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(count) => len += count,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(source) => return Err(Error::Read { name: input.name().to_owned(), source }),
        }
    }
    Ok(len)
}
