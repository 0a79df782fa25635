//! Keys of authenticated modes without their types.

use super::super::pieces::{AnyPieces, NamedAead};
use crate::aead::Aead;
use crate::isa::InOut;
use crate::verdict::has_len;
use crate::{Block, Error};

/// The calls of [`Aead`] without its type.
pub(in crate::suite) trait ErasedAead: Send + Sync {
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error>;
    fn two_passes(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error>;
    fn tag_len(&self) -> usize;
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error>;
    fn seal(
        &self,
        nonce: &[u8],
        associated: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error>;
    fn open(&self, nonce: &[u8], associated: &[u8], io: InOut<'_>, tag: &[u8])
    -> Result<(), Error>;
}

/// Copies as much of a tag as there is room for. A whole tag is the usual case, and a copy of known length.
#[inline(always)]
fn put<B: Block>(full: B, tag: &mut [u8]) {
    if tag.len() == B::LEN {
        return tag.copy_from_slice(&full.as_ref()[..B::LEN]);
    }
    put_part(full, tag);
}

#[cold]
#[inline(never)]
fn put_part<B: Block>(full: B, tag: &mut [u8]) {
    let len = tag.len();
    tag.copy_from_slice(&full.as_ref()[..len]);
}

impl<A: NamedAead> ErasedAead for A {
    fn pieces(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        NamedAead::pieces(self, nonce)
    }
    fn two_passes(&self, nonce: &[u8]) -> Result<AnyPieces<'_>, Error> {
        NamedAead::two_passes(self, nonce)
    }
    fn tag_len(&self) -> usize {
        Aead::tag_len(self)
    }
    fn set_tag_len(&mut self, len: usize) -> Result<(), Error> {
        Aead::set_tag_len(self, len)
    }
    fn seal(
        &self,
        nonce: &[u8],
        associated: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        has_len(tag, Aead::tag_len(self))?;
        put(Aead::seal(self, nonce, associated, io.apart())?, tag);
        Ok(())
    }
    fn open(
        &self,
        nonce: &[u8],
        associated: &[u8],
        io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        Aead::open(self, nonce, associated, io.apart(), tag)
    }
}
