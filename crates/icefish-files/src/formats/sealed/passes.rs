//! GCM-SIV from file to file in little memory. Sealing reads the input twice. Opening reads the tag, which is at the end, first.

use super::{Sealed, pieces::Held};
use crate::aligned::Aligned;
use crate::pipeline::{CHUNK, Fault};
use crate::workers::read_at;
use crate::{Error, Input};
use icefish::aead::{Sealer, SinkOpener};
use icefish::suite::AnyPieces;
use std::fs::File;
use std::io::{Seek, SeekFrom};

/// The length of `input`, if it can be read twice, and that is worth it: less is in memory at once anyway. The output must be
/// revocable: an input that changed meanwhile shows at the end.
pub(super) fn are_possible(input: &Input, revocable: bool) -> Option<u64> {
    input.len_hint().filter(|&len| revocable && len > CHUNK as u64)
}

/// The pass before the one that encrypts, after which the input is where it was before. `progress` is told how much of it is read.
pub(super) fn first<'k>(
    sealed: &Sealed<'k>,
    nonce: &[u8],
    input: &mut Input,
    len: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<Sealer<AnyPieces<'k>>, Error> {
    let mut first = sealed.key.first_pass(nonce)?;
    first.associated(sealed.associated)?;
    let (name, file) = input.parts();
    let mut buffer = Aligned::new(CHUNK);
    let from = place(file).map_err(|fault| fault.named(name))?;
    let mut done = 0;
    while done < len {
        let piece = &mut buffer[..(len - done).min(CHUNK as u64) as usize];
        read_at(file, piece, from + done).map_err(|fault| fault.named(name))?;
        first.update(piece)?;
        done += piece.len() as u64;
        progress(done);
    }
    back(file, from).map_err(|fault| fault.named(name))?;
    Ok(first.finish())
}

/// A message that opens all of `input`, whose tag was read first; `None` if `input` is to be opened in memory.
pub(super) fn opener<'k>(
    sealed: &Sealed<'k>,
    nonce: &[u8],
    input: &mut Input,
) -> Result<Option<SinkOpener<AnyPieces<'k>, Held>>, Error> {
    let Some(len) = are_possible(input, true) else { return Ok(None) };
    let mut tag = vec![0; sealed.key.tag_len()];
    let at = len.saturating_sub(tag.len() as u64);
    let (name, file) = input.parts();
    let read = place(file).and_then(|from| {
        read_at(file, &mut tag, from + at)?;
        back(file, from)
    });
    read.map_err(|fault| fault.named(name))?;
    Ok(Some(sealed.key.opener_with_tag(nonce, &tag, Held::default())?))
}

/// The error of a second pass over a file that was changed after the first.
pub(super) fn explain(error: Error, name: String) -> Error {
    match error {
        Error::Crypt(icefish::Error::Forged) => Error::Changed { name },
        other => other,
    }
}

fn place(mut file: &File) -> Result<u64, Fault> {
    file.stream_position().map_err(Fault::Read)
}

/// Reading at a place moves on, on some systems.
fn back(mut file: &File, to: u64) -> Result<(), Fault> {
    file.seek(SeekFrom::Start(to)).map_err(Fault::Read).map(|_| ())
}
