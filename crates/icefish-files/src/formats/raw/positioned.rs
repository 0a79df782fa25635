//! A message whose pieces can be taken by themselves, read and written at their places by [`workers`](crate::workers).

use super::Raw;
use crate::Error;
use crate::aligned::Aligned;
use crate::formats::Way;
use crate::pipeline::Fault;
use crate::workers::{Runs, read_at, write_at};
use icefish::modes::{DependsOn, Granularity, Mode, Padding};
use std::fs::File;

/// Bytes that a worker takes at a time.
pub(super) const PIECE: usize = 256 * 1024;

/// A message and its places.
pub(super) struct Work<'f> {
    pub(super) raw: Raw<'f>,
    pub(super) iv: &'f [u8],
    pub(super) way: Way,
    /// What a piece needs of those before it.
    pub(super) needs: DependsOn,
    pub(super) input: &'f File,
    /// Where it begins in the input.
    pub(super) from: u64,
    /// How many bytes it has there.
    pub(super) len: u64,
    pub(super) output: &'f File,
    /// Where it begins in the output.
    pub(super) to: u64,
}

impl Work<'_> {
    /// Refuses a length before anything is written: a worker knows of its piece only.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Raw { key, mode, padding, .. } = self.raw;
        let (got, block) = (self.len, key.cipher().block);
        let whole = mode.granularity() != Granularity::Block || got.is_multiple_of(block as u64);
        match self.way {
            Way::Encrypt if !whole && padding == Padding::None => {
                return Err(Error::PartialPlaintext { got, block });
            }
            Way::Decrypt if !whole => return Err(Error::PartialCiphertext { got, block }),
            _ => {}
        }
        if u128::from(got.div_ceil(block as u64)) > mode.limit(block) {
            return Err(icefish::Error::CounterExhausted.into());
        }
        Ok(())
    }

    fn block(&self) -> usize {
        self.raw.key.cipher().block
    }

    /// Takes the piece that is the first `len` bytes of `data`, and begins `at` bytes after the message; returns its new length.
    fn crypt(
        &self,
        iv: &[u8],
        padding: Padding,
        at: u64,
        data: &mut [u8],
        len: usize,
    ) -> Result<usize, Error> {
        let Raw { key, mode, .. } = self.raw;
        Ok(match self.way {
            Way::Encrypt if self.needs != DependsOn::Index => {
                key.encrypt_in_place(mode, iv, padding, data, len)?
            }
            Way::Decrypt if self.needs != DependsOn::Index => {
                key.decrypt_in_place(mode, iv, padding, data, len)?
            }
            way => {
                let mut crypter = match way {
                    Way::Encrypt => key.encryptor(mode, iv, padding)?,
                    Way::Decrypt => key.decryptor(mode, iv, padding)?,
                };
                crypter.seek(at.into())?;
                crypter.update_in_place(&mut data[..len])?;
                len
            }
        })
    }
}

impl Runs for Work<'_> {
    type Buffers = Aligned;

    fn runs(&self) -> u64 {
        self.len.div_ceil(PIECE as u64)
    }

    fn buffers(&self) -> Self::Buffers {
        // A block before, and one more where a padding is added.
        Aligned::new(PIECE + 2 * self.block())
    }

    fn take(&self, number: u64, buffer: &mut Self::Buffers) -> Result<u64, Fault> {
        let at = number * PIECE as u64;
        let len = (self.len - at).min(PIECE as u64) as usize;
        // The ciphertext block before a piece is its initialization vector.
        let before = match self.needs {
            DependsOn::Ciphertext if number > 0 => self.block(),
            _ => 0,
        };
        let place = self.from + at - before as u64;
        let buffer = buffer.at(place, PIECE + 2 * self.block());
        read_at(self.input, &mut buffer[..before + len], place)?;
        let (block, data) = buffer.split_at_mut(before);
        let iv = if before > 0 { block } else { self.iv };
        let last = number + 1 == self.runs();
        let padding = if last { self.raw.padding } else { Padding::None };
        let len = self.crypt(iv, padding, at, data, len).map_err(Fault::Between)?;
        write_at(self.output, &data[..len], self.to + at).map_err(Fault::Write)?;
        Ok(len as u64)
    }

    fn end(&self) -> (&File, u64) {
        (self.input, self.from + self.len)
    }
}
