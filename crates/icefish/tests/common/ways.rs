//! The ways to process a message: in one call in place, between buffers, and in random pieces.

use super::Random;
use icefish::Error;
use icefish::aead::Revocable;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::{AnyCrypter, AnyKey, AnyMode};
use std::convert::Infallible;

/// The pieces of some bytes, each of at most 40.
pub(crate) fn pieces<'a>(random: &mut Random, mut bytes: &'a [u8]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    while !bytes.is_empty() {
        let (now, rest) = bytes.split_at(random.below(bytes.len().min(40) + 1));
        pieces.push(now);
        bytes = rest;
    }
    pieces
}

/// How a message is processed.
pub(crate) struct Message<'a> {
    pub(crate) key: &'a AnyKey,
    pub(crate) mode: AnyMode,
    pub(crate) iv: &'a [u8],
    pub(crate) padding: Padding,
}

impl Message<'_> {
    /// What `input` becomes, which is the same in every way. Where it is refused in pieces, the error may be another one.
    pub(crate) fn every_way(
        &self,
        encrypt: bool,
        input: &[u8],
        random: &mut Random,
    ) -> Result<Vec<u8>, Error> {
        let in_place = self.in_place(encrypt, input);
        assert_eq!(self.between(encrypt, input), in_place, "between buffers");
        let in_pieces = self.in_pieces(encrypt, input, random);
        let same = in_pieces == in_place || in_pieces.is_err() && in_place.is_err();
        assert!(same, "in pieces {in_pieces:?}, not {in_place:?}");
        in_place
    }

    /// How many bytes an input may become.
    fn room(&self, encrypt: bool, input: &[u8]) -> usize {
        if encrypt { input.len() + self.key.cipher().block } else { input.len() }
    }

    fn in_place(&self, encrypt: bool, input: &[u8]) -> Result<Vec<u8>, Error> {
        let mut buffer = input.to_vec();
        buffer.resize(self.room(encrypt, input), 0);
        let call = if encrypt { AnyKey::encrypt_in_place } else { AnyKey::decrypt_in_place };
        let len = call(self.key, self.mode, self.iv, self.padding, &mut buffer, input.len())?;
        buffer.truncate(len);
        Ok(buffer)
    }

    fn between(&self, encrypt: bool, input: &[u8]) -> Result<Vec<u8>, Error> {
        let mut output = vec![0xa5; self.room(encrypt, input)];
        let call = if encrypt { AnyKey::encrypt_between } else { AnyKey::decrypt_between };
        let len = call(self.key, self.mode, self.iv, self.padding, input, &mut output)?;
        output.truncate(len);
        Ok(output)
    }

    /// In pieces between buffers, and in stream modes some of them in place.
    fn in_pieces(
        &self,
        encrypt: bool,
        input: &[u8],
        random: &mut Random,
    ) -> Result<Vec<u8>, Error> {
        let start = if encrypt { AnyKey::encryptor } else { AnyKey::decryptor };
        let mut crypter = start(self.key, self.mode, self.iv, self.padding)?;
        let blocks = self.mode.granularity() == Granularity::Block;
        let mut out = Vec::new();
        for piece in pieces(random, input) {
            if !blocks && random.below(2) == 0 {
                let mut piece = piece.to_vec();
                crypter.update_in_place(&mut piece)?;
                out.extend(piece);
                continue;
            }
            let mut room = vec![0; crypter.output_len(piece.len())];
            let len = crypter.update(piece, &mut room)?;
            out.extend_from_slice(&room[..len]);
        }
        out.extend(end(crypter, self.key.cipher().block)?);
        Ok(out)
    }
}

/// The last bytes of a message in pieces.
fn end(crypter: AnyCrypter<'_>, block: usize) -> Result<Vec<u8>, Error> {
    let mut room = vec![0; block];
    let len = crypter.finish(&mut room)?;
    room.truncate(len);
    Ok(room)
}

/// Shows what was written to it if that is kept.
pub(crate) struct Hidden<'a> {
    shown: &'a mut Option<Vec<u8>>,
    hidden: Vec<u8>,
}

impl<'a> Hidden<'a> {
    pub(crate) fn to(shown: &'a mut Option<Vec<u8>>) -> Self {
        Self { shown, hidden: Vec::new() }
    }
}

impl Revocable for Hidden<'_> {
    type Error = Infallible;
    fn write(&mut self, piece: &[u8]) -> Result<(), Infallible> {
        self.hidden.extend_from_slice(piece);
        Ok(())
    }
    fn keep(self) -> Result<(), Infallible> {
        *self.shown = Some(self.hidden);
        Ok(())
    }
    fn discard(self) {}
}

/// Shows everything: a test sees what nobody may see.
pub(crate) struct Seen<'a>(pub(crate) &'a mut Vec<u8>);

impl Revocable for Seen<'_> {
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
