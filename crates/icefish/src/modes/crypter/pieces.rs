//! Messages in pieces, and from any byte on.

use super::super::{Granularity, Mode, Padding};
use super::Crypter;
use crate::cipher::{Cipher, Direction};
use crate::isa::{InOut, erase};
use crate::{Block, Error};

impl<C: Cipher, M: Mode, D: Direction> Crypter<'_, C, M, D> {
    /// Encrypts or decrypts the next bytes of the message. Returns the number of bytes written: at most [`Crypter::output_len`],
    /// and in stream modes as many as were read.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::CounterExhausted`]: the state is unchanged.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        if self.mode.granularity() != Granularity::Block {
            let got = output.len();
            let output = output
                .get_mut(..input.len())
                .ok_or(Error::BufferLength { got, need: input.len() })?;
            self.stream(InOut::between(input, output)?)?;
            return Ok(input.len());
        }
        let block = C::Block::LEN;
        let total = self.state.filled + input.len();
        // The last block to decrypt may contain the padding, so it is kept for `finish`.
        let holds = !D::ENCRYPT && self.padding != Padding::None;
        let whole = if holds { total.saturating_sub(1) } else { total } / block * block;
        if whole > output.len() {
            return Err(Error::BufferLength { got: output.len(), need: whole });
        }
        let mut input = input;
        let mut written = 0;
        if self.state.filled > 0 && whole > 0 {
            let (head, rest) = input.split_at(block - self.state.filled);
            self.state.buffer.as_mut()[self.state.filled..].copy_from_slice(head);
            let mut first = self.state.buffer;
            self.state.filled = 0;
            self.run(InOut::in_place(first.as_mut()));
            self.state.position.index += 1;
            output[..block].copy_from_slice(first.as_ref());
            erase(first.as_mut());
            (input, written) = (rest, block);
        }
        let (now, rest) = input.split_at(whole - written);
        if !now.is_empty() {
            self.run(InOut::between(now, &mut output[written..whole])?);
            self.state.position.index += (now.len() / block) as u128;
        }
        self.state.buffer.as_mut()[self.state.filled..self.state.filled + rest.len()]
            .copy_from_slice(rest);
        self.state.filled += rest.len();
        Ok(whole)
    }

    /// [`Crypter::update`] in place: any length in stream modes, whole blocks in block modes.
    ///
    /// # Errors
    /// [`Error::PartialBlock`] if the mode works on whole blocks and the data has another length, or an incomplete block is
    /// pending; [`Error::CounterExhausted`].
    pub fn update_in_place(&mut self, data: &mut [u8]) -> Result<(), Error> {
        if self.mode.granularity() != Granularity::Block {
            return self.stream(InOut::in_place(data));
        }
        if self.state.filled > 0 || !data.len().is_multiple_of(C::Block::LEN) {
            return Err(Error::PartialBlock {
                got: self.state.filled + data.len(),
                block: C::Block::LEN,
            });
        }
        let blocks = data.len() / C::Block::LEN;
        self.run(InOut::in_place(data));
        self.state.position.index += blocks as u128;
        Ok(())
    }

    /// Ends the message: writes the pending bytes, with the padding added or removed. Returns the number of bytes written, at
    /// most one block.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::PartialBlock`], [`Error::Padding`], [`Error::PaddingBlock`].
    pub fn finish(mut self, output: &mut [u8]) -> Result<usize, Error> {
        if self.mode.granularity() != Granularity::Block {
            return Ok(0);
        }
        let whole =
            if D::ENCRYPT { self.padded_len(self.state.filled) } else { Ok(self.state.filled) };
        let whole =
            whole.and_then(|whole| self.whole_blocks(self.state.filled, whole).map(|()| whole));
        let before = (self.state.position.index as usize).saturating_mul(C::Block::LEN);
        let whole = whole.map_err(|e| match e {
            // The error gives the length of the whole message, not of the pending bytes.
            Error::PartialBlock { got, block } => {
                Error::PartialBlock { got: before.saturating_add(got), block }
            }
            e => e,
        })?;
        let mut block = self.state.buffer;
        if D::ENCRYPT && whole > self.state.filled {
            self.padding.fill(block.as_mut(), self.state.filled);
        }
        self.state.filled = 0;
        self.run(InOut::in_place(&mut block.as_mut()[..whole]));
        let len = self.unpadded_len(&block.as_ref()[..whole]).and_then(|len| {
            let got = output.len();
            let room = output.get_mut(..len).ok_or(Error::BufferLength { got, need: len })?;
            room.copy_from_slice(&block.as_ref()[..len]);
            Ok(len)
        });
        erase(block.as_mut());
        len
    }

    /// Moves to byte `position` of the message. Of the modes of this library, only counter modes can ([`Mode::seekable`]).
    ///
    /// # Errors
    /// [`Error::NotSeekable`]; [`Error::CounterExhausted`] if the position is beyond the end of the counter;
    /// [`Error::PartialBlock`] if the mode works on whole blocks and no block begins there.
    pub fn seek(&mut self, position: u128) -> Result<(), Error> {
        let block = C::Block::LEN as u128;
        if !self.mode.seekable() {
            return Err(Error::NotSeekable);
        }
        if position / block >= self.mode.limit(C::Block::LEN) {
            return Err(Error::CounterExhausted);
        }
        let got = (position % block) as usize;
        if got > 0 && self.mode.granularity() == Granularity::Block {
            return Err(Error::PartialBlock { got, block: C::Block::LEN });
        }
        self.state.position.index = position / block;
        self.state.filled = 0;
        let mut skipped = C::Block::zero();
        let there = self.stream(InOut::in_place(&mut skipped.as_mut()[..got]));
        // It now holds keystream.
        erase(skipped.as_mut());
        there
    }
}

/// The result of a message of which `written` bytes were there before its end.
pub(crate) fn ended(written: usize, end: Result<usize, Error>) -> Result<usize, Error> {
    match end {
        Ok(len) => Ok(written + len),
        Err(Error::BufferLength { got, need }) => {
            Err(Error::BufferLength { got: written + got, need: written + need })
        }
        Err(error) => Err(error),
    }
}
