//! Authenticated messages: nonce, if it was drawn, ciphertext and tag.
//!
//! A message is in memory as a whole: no byte of it is written before its tag is verified, to a stream no
//! more than to a file.

use crate::pipeline::CHUNK;
use crate::{Error, Input, random};
use icefish::suite::AnyAead;
use std::io::{Read, Write};
use zeroize::Zeroizing;

/// A key and how to use it.
#[derive(Clone, Copy, Debug)]
pub struct Sealed<'k> {
    /// The key.
    pub key: &'k AnyAead,
    /// The nonce. Without one, encryption draws it from the operating system and writes it first, and
    /// decryption reads it from there.
    pub nonce: Option<&'k [u8]>,
    /// What is authenticated with the message without being a part of it.
    pub associated: &'k [u8],
}

impl Sealed<'_> {
    /// Most bytes of an input: 1 GiB.
    pub const MOST: u64 = 1 << 30;

    /// Encrypts all of `input`; returns the length of the output. `progress` is told how much of it is
    /// written.
    ///
    /// # Errors
    /// [`Error::TooLarge`], and whatever reading and writing give.
    pub fn encrypt(
        &self,
        input: Input,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut data = read(input)?;
        let suite = self.key.suite();
        let (mut drawn, mut tag) = (vec![0; suite.nonce], vec![0; self.key.tag_len()]);
        let nonce = match self.nonce {
            Some(nonce) => nonce,
            None => {
                random::fill(&mut drawn)?;
                &drawn
            }
        };
        self.key.seal_in_place(nonce, self.associated, &mut data, &mut tag)?;
        let header: &[u8] = if self.nonce.is_none() { nonce } else { &[] };
        write(&[header, &data, &tag], output, progress)
    }

    /// Decrypts all of `input`, and writes it if its tag belongs to it; returns the length of the output.
    ///
    /// # Errors
    /// [`Error::MissingTag`], [`icefish::Error::Forged`], [`Error::TooLarge`], and whatever reading and
    /// writing give. Before any of these but the last, nothing was written.
    pub fn decrypt(
        &self,
        input: Input,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut data = read(input)?;
        let suite = self.key.suite();
        let header = if self.nonce.is_none() { suite.nonce } else { 0 };
        let (got, need) = (data.len() as u64, header + self.key.tag_len());
        let Some(len) = data.len().checked_sub(need) else {
            return Err(Error::MissingTag { got, need });
        };
        let (header, rest) = data.split_at_mut(header);
        let (message, tag) = rest.split_at_mut(len);
        let nonce = self.nonce.unwrap_or(header);
        self.key.open_in_place(nonce, self.associated, message, tag)?;
        write(&[message], output, progress)
    }
}

/// All of `input`, with no copy left behind by a buffer that grows. Of a stream that is too long, one byte more than
/// is allowed is taken, and there is no more memory than that.
fn read(mut input: Input) -> Result<Zeroizing<Vec<u8>>, Error> {
    let too_large = |name: &str| Error::TooLarge { name: name.to_owned(), most: Sealed::MOST };
    let hint = input.len_hint().unwrap_or(0);
    if hint > Sealed::MOST {
        return Err(too_large(input.name()));
    }
    // One byte more than there should be, to see the end.
    let mut room = (hint as usize + 1).max(64 * 1024);
    let (mut pieces, mut total) = (Vec::new(), 0);
    loop {
        room = room.min((Sealed::MOST + 1 - total) as usize);
        let piece = piece(&mut input, room)?;
        let ended = piece.len() < room;
        total += piece.len() as u64;
        if total > Sealed::MOST {
            return Err(too_large(input.name()));
        }
        pieces.push(piece);
        if ended {
            return join(pieces, total as usize);
        }
        room = CHUNK;
    }
}

/// Up to `room` bytes: fewer if the input ends.
fn piece(input: &mut Input, room: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut piece = empty(room)?;
    let read = input.by_ref().take(room as u64).read_to_end(&mut piece);
    read.map_err(|source| Error::Read { name: input.name().to_owned(), source })?;
    Ok(piece)
}

/// All pieces in one. Each goes as soon as it is copied.
fn join(mut pieces: Vec<Zeroizing<Vec<u8>>>, total: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    if pieces.len() == 1 {
        return Ok(pieces.remove(0));
    }
    let mut data = empty(total)?;
    for piece in pieces {
        data.extend_from_slice(&piece);
    }
    Ok(data)
}

/// A buffer that does not grow up to `room` bytes.
fn empty(room: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(room).map_err(|_| Error::Memory { need: room })?;
    Ok(Zeroizing::new(buffer))
}

fn write(
    parts: &[&[u8]],
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let mut written = 0;
    for part in parts {
        for chunk in part.chunks(CHUNK) {
            let wrote = output.write_all(chunk);
            wrote.map_err(|source| Error::Write { name: "the output".to_owned(), source })?;
            written += chunk.len() as u64;
            progress(written);
        }
    }
    Ok(written)
}
