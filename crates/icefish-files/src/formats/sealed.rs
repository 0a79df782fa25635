//! Authenticated messages: nonce, if it was drawn, ciphertext and tag.
//!
//! Nobody sees a byte of a message whose tag is not verified. A message is sealed or opened to a file in one pass, because the
//! file has no name until its tag is verified. GCM-SIV takes two passes to seal a file. A message that is opened to a stream is
//! held in memory as a whole, and so is a message of GCM-SIV that comes from a stream or goes to one.

mod passes;
mod pieces;

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
    /// Associated data: authenticated with the message, and not a part of it.
    pub associated: &'k [u8],
}

impl Sealed<'_> {
    /// Most bytes of an input that must be in memory: 1 GiB.
    pub const MOST: u64 = 1 << 30;

    /// Encrypts all of `input`; returns the length of the output. `revocable` says that nobody sees the output before this has
    /// succeeded. `progress` is told how much of it is written; where two passes are needed, half of that after the first.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Changed`], and whatever reading and writing give: the output must be taken back.
    pub fn encrypt(
        &self,
        mut input: Input,
        output: &mut dyn Write,
        revocable: bool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let (nonce, header) = drawn(self)?;
        match self.key.sealer(&nonce) {
            Ok(mut sealer) => {
                sealer.associated(self.associated)?;
                return pieces::encrypt(self, sealer, &nonce[..header], input, output, progress);
            }
            Err(icefish::Error::WholeMessage) => {}
            Err(error) => return Err(error.into()),
        }
        if let Some(len) = passes::are_possible(&input, revocable) {
            let (name, half) = (input.name().to_owned(), len / 2);
            let sealer = passes::first(self, &nonce, &mut input, len, &mut |at| progress(at / 2))?;
            let mut progress = |at: u64| progress(half + at / 2);
            let header = &nonce[..header];
            let done = pieces::encrypt(self, sealer, header, input, output, &mut progress);
            return done.map_err(|error| passes::explain(error, name));
        }
        let mut data = read(input)?;
        let mut tag = vec![0; self.key.tag_len()];
        self.key.seal_in_place(&nonce, self.associated, &mut data, &mut tag)?;
        write(&[&nonce[..header], &data, &tag], output, progress)
    }

    /// Decrypts all of `input`; returns the length of the output. `revocable` says that nobody sees the output before this has
    /// succeeded. Otherwise nothing is written before the tag is verified.
    ///
    /// # Errors
    /// [`Error::MissingTag`], [`icefish::Error::Forged`], [`Error::TooLarge`], and whatever reading and
    /// writing give: the output must be taken back.
    pub fn decrypt(
        &self,
        mut input: Input,
        output: &mut dyn Write,
        revocable: bool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let tag = self.key.tag_len();
        let mut header = vec![0; if self.nonce.is_none() { self.key.suite().nonce } else { 0 }];
        let (got, need) = (input.read_up_to(&mut header)?, header.len() + tag);
        if got < header.len() {
            return Err(Error::MissingTag { got: got as u64, need });
        }
        let nonce = self.nonce.unwrap_or(&header);
        if revocable {
            let opener = match self.key.opener_to(nonce, pieces::Held::default()) {
                Err(icefish::Error::WholeMessage) => passes::opener(self, nonce, &mut input)?,
                opener => Some(opener?),
            };
            if let Some(opener) = opener {
                return pieces::decrypt(self, opener, got, input, output, progress);
            }
        }
        let mut data = read(input)?;
        let Some(len) = data.len().checked_sub(tag) else {
            return Err(Error::MissingTag { got: (got + data.len()) as u64, need });
        };
        let (message, tag) = data.split_at_mut(len);
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

/// The nonce of a message to seal, and how many bytes of it go before the message: all if it was drawn.
fn drawn(sealed: &Sealed<'_>) -> Result<(Vec<u8>, usize), Error> {
    if let Some(nonce) = sealed.nonce {
        return Ok((nonce.to_vec(), 0));
    }
    let mut nonce = vec![0; sealed.key.suite().nonce];
    random::fill(&mut nonce)?;
    let len = nonce.len();
    Ok((nonce, len))
}

fn put(output: &mut dyn Write, bytes: &[u8]) -> Result<(), Error> {
    let written = output.write_all(bytes);
    written.map_err(|source| Error::Write { name: "the output".to_owned(), source })
}

fn write(
    parts: &[&[u8]],
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let mut written = 0;
    for part in parts {
        for chunk in part.chunks(CHUNK) {
            put(output, chunk)?;
            written += chunk.len() as u64;
            progress(written);
        }
    }
    Ok(written)
}
