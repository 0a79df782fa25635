//! A message whose pieces can be taken by themselves, from or to a stream, by workers in [order](crate::ordered).

use crate::Error;
use crate::formats::{Way, partial};
use crate::ordered::{self, Filled};
use crate::pipeline::Fault;
use icefish::modes::{DependsOn, Granularity, Mode, Padding};
use icefish::suite::{AnyKey, AnyMode};
use std::io::{ErrorKind, Read};
use std::sync::Arc;
use zeroize::Zeroizing;

/// Most bytes that a read gives.
pub(super) const PIECE: usize = 512 * 1024;

/// A message. Its workers outlive the caller's thread if they wait for input.
pub(super) struct Message {
    pub(super) key: Arc<AnyKey>,
    pub(super) mode: AnyMode,
    pub(super) padding: Padding,
    pub(super) iv: Zeroizing<Vec<u8>>,
    pub(super) way: Way,
    /// What a piece needs of those before it.
    pub(super) needs: DependsOn,
}

/// A piece of a message, after the ciphertext block before it if it needs that.
pub(super) struct Piece {
    /// Where it begins in the message: where a block does.
    at: u64,
    /// Length of the ciphertext block before it.
    before: usize,
    /// How many bytes at its beginning belong to the piece before it.
    skip: usize,
    last: bool,
}

/// Pieces, as reading gives them.
pub(super) struct Source<R> {
    input: R,
    block: usize,
    needs: DependsOn,
    granularity: Granularity,
    /// The last block of what was read must wait until it is known whether it is the last of the message.
    waits: bool,
    /// What the next buffer begins with.
    carry: Zeroizing<Vec<u8>>,
    /// Where the next piece begins in the message.
    at: u64,
    /// How many bytes of the next piece were handed on before.
    skip: usize,
    ended: bool,
}

impl Message {
    fn block(&self) -> usize {
        self.key.cipher().block
    }

    /// The pieces of all that `input` gives.
    pub(super) fn source<R: Read>(&self, input: R) -> Source<R> {
        Source {
            input,
            block: self.block(),
            needs: self.needs,
            granularity: self.mode.granularity(),
            waits: self.way == Way::Decrypt && self.padding != Padding::None,
            carry: Zeroizing::new(Vec::with_capacity(2 * self.block())),
            at: 0,
            skip: 0,
            ended: false,
        }
    }

    fn crypt(&self, piece: &Piece, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        let (before, data) = input.split_at(piece.before);
        let (done, data) = data.split_at(piece.skip);
        let iv = if before.is_empty() { &self.iv } else { before };
        let padding = if piece.last { self.padding } else { Padding::None };
        let mut crypter = match self.way {
            Way::Encrypt => self.key.encryptor(self.mode, iv, padding)?,
            Way::Decrypt => self.key.decryptor(self.mode, iv, padding)?,
        };
        match self.needs {
            // An empty one may stand where the counter ends.
            DependsOn::Index if !data.is_empty() => {
                crypter.seek((piece.at + piece.skip as u64).into())?;
            }
            // Written over by what comes next.
            DependsOn::Ciphertext if piece.skip > 0 => {
                crypter.update(done, output)?;
            }
            _ => {}
        }
        let len = crypter.update(data, output)?;
        Ok(len + crypter.finish(&mut output[len..])?)
    }
}

impl ordered::Work for Message {
    type Piece = Piece;

    fn room(&self) -> (usize, usize) {
        // The ciphertext block before, and what waited; a padding. A crypter asks for a block more than it writes.
        (PIECE + 2 * self.block(), PIECE + 4 * self.block())
    }

    fn take(&self, piece: Piece, input: &[u8], output: &mut [u8]) -> (usize, Result<(), Error>) {
        match self.crypt(&piece, input, output) {
            Ok(len) => (len, Ok(())),
            Err(Error::Crypt(icefish::Error::PartialBlock { block, .. })) => {
                let got = piece.at + (input.len() - piece.before) as u64;
                (0, Err(partial(self.way, got, block)))
            }
            Err(e) => (0, Err(e)),
        }
    }
}

impl<R: Read> Source<R> {
    /// How many of the `len` bytes from a block's beginning on can be taken without the next.
    fn ready(&self, len: usize) -> usize {
        match self.granularity {
            Granularity::Block if self.waits => len.saturating_sub(1) / self.block * self.block,
            Granularity::Block => len / self.block * self.block,
            Granularity::Stream | Granularity::Byte => len,
        }
    }

    fn before(&self) -> usize {
        if self.needs == DependsOn::Ciphertext && self.at > 0 { self.block } else { 0 }
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<Filled<Piece>, Fault> {
        let (before, skip) = (self.before(), self.skip);
        let mut len = self.carry.len();
        buffer[..len].copy_from_slice(&self.carry);
        self.carry.clear();
        loop {
            match self.input.read(&mut buffer[len..]) {
                Ok(0) => {
                    let piece = Piece { at: self.at, before, skip, last: true };
                    return Ok(Filled { piece, len, end: true });
                }
                Ok(n) => len += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(Fault::Read(e)),
            }
            let ready = self.ready(len - before);
            if ready > skip {
                let piece = Piece { at: self.at, before, skip, last: false };
                self.carry(&buffer[..len], before, ready);
                return Ok(Filled { piece, len: before + ready, end: false });
            }
        }
    }

    /// Keeps what the next piece needs of `buffer`, of which `ready` bytes after `before` are handed on.
    fn carry(&mut self, buffer: &[u8], before: usize, ready: usize) {
        let whole = ready / self.block * self.block;
        self.at += whole as u64;
        self.skip = ready - whole;
        let start = before + whole - self.before();
        self.carry.extend_from_slice(&buffer[start..]);
    }
}

impl<R: Read> ordered::Source for Source<R> {
    type Piece = Piece;

    fn fill(&mut self, buffer: &mut [u8]) -> Result<Option<Filled<Piece>>, Fault> {
        if self.ended {
            return Ok(None);
        }
        let filled = self.read(buffer);
        self.ended = !matches!(filled, Ok(Filled { end: false, .. }));
        filled.map(Some)
    }
}

#[cfg(test)]
mod tests;
