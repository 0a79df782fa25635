//! A message of any length in one pass, for modes that take messages in pieces.

use super::{Sealed, put};
use crate::formats::raw::run;
use crate::pipeline::Transform;
use crate::{Error, Input};
use icefish::aead::{OpenError, Revocable, Sealer, SinkOpener};
use icefish::suite::AnyPieces;
use std::convert::Infallible;
use std::io::Write;
use zeroize::Zeroizing;

/// As [`Sealed::encrypt`], with a sealer that has the associated data; `header` goes before the message.
pub(super) fn encrypt(
    sealed: &Sealed<'_>,
    sealer: Sealer<AnyPieces<'_>>,
    header: &[u8],
    input: Input,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    put(output, header)?;
    let (before, seals) = (header.len() as u64, Seals { sealer, tag: sealed.key.tag_len() });
    let body = run(input, seals, output, &mut |done| progress(before + done))?;
    Ok(before + body)
}

/// As [`Sealed::decrypt`], to an output that can be taken back. `header` bytes of the input are read.
pub(super) fn decrypt(
    sealed: &Sealed<'_>,
    mut opener: SinkOpener<AnyPieces<'_>, Held>,
    header: usize,
    input: Input,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    opener.associated(sealed.associated).map_err(refused)?;
    let tag = sealed.key.tag_len();
    let opens = Opens { opener, tag, header, tail: Vec::with_capacity(2 * tag) };
    run(input, opens, output, progress)
}

/// Ciphertext, then the tag.
struct Seals<'k> {
    sealer: Sealer<AnyPieces<'k>>,
    tag: usize,
}

impl Transform for Seals<'_> {
    fn output_len(&self, input: usize) -> usize {
        input.max(self.tag)
    }

    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        Ok(self.sealer.update(input, output)?)
    }

    fn finish(self, output: &mut [u8]) -> Result<usize, Error> {
        self.sealer.finish_to(&mut output[..self.tag])?;
        Ok(self.tag)
    }
}

/// Plaintext. The last bytes that have arrived may be the tag, and wait.
struct Opens<'k> {
    opener: SinkOpener<AnyPieces<'k>, Held>,
    /// Length of the tag.
    tag: usize,
    /// Length of what was before the ciphertext.
    header: usize,
    tail: Vec<u8>,
}

impl Transform for Opens<'_> {
    fn output_len(&self, input: usize) -> usize {
        input
    }

    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        // The bytes of tail and input that are certain to lie before the tag.
        let ready = (self.tail.len() + input.len()).saturating_sub(self.tag);
        let of_tail = ready.min(self.tail.len());
        let (now, rest) = input.split_at(ready - of_tail);
        self.opener.update(&self.tail[..of_tail]).map_err(refused)?;
        self.opener.update(now).map_err(refused)?;
        self.tail.drain(..of_tail);
        self.tail.extend_from_slice(rest);
        let plain = self.opener.sink().map(|held| &mut held.0).ok_or(icefish::Error::Forged)?;
        output[..ready].copy_from_slice(plain);
        plain.clear();
        Ok(ready)
    }

    fn finish(self, _: &mut [u8]) -> Result<usize, Error> {
        if self.tail.len() < self.tag {
            let got = (self.header + self.tail.len()) as u64;
            return Err(Error::MissingTag { got, need: self.header + self.tag });
        }
        self.opener.finish(&self.tail).map_err(refused)?;
        Ok(0)
    }
}

/// Plaintext on its way to an output that has no name until the tag is verified.
#[derive(Default)]
pub(super) struct Held(Zeroizing<Vec<u8>>);

impl Revocable for Held {
    type Error = Infallible;

    fn write(&mut self, piece: &[u8]) -> Result<(), Infallible> {
        self.0.extend_from_slice(piece);
        Ok(())
    }

    fn keep(self) -> Result<(), Infallible> {
        Ok(())
    }

    fn discard(self) {}
}

fn refused(error: OpenError<Infallible>) -> Error {
    match error {
        OpenError::Message(error) => error.into(),
        OpenError::Sink(never) => match never {},
        // The error that discarded it has ended the stream.
        OpenError::Discarded => icefish::Error::Forged.into(),
    }
}
