//! Sectors of Threefish on all cores.

use super::piece_of;
use crate::cipher::{Cipher, Key};
use crate::ciphers::Threefish;
use crate::{Block, Error};
use rayon::prelude::*;

/// [`Key::encrypt_sector`] on all cores.
///
/// # Errors
/// [`Error::PartialBlock`] if `data` is not whole blocks: nothing was encrypted.
pub fn encrypt_sector<const W: usize, const B: usize>(
    key: &Key<Threefish<W, B>>,
    sector: u64,
    first: u64,
    data: &mut [u8],
) -> Result<(), Error> {
    pieces_of_sector(key, data, first, |first, data| key.encrypt_sector(sector, first, data))
}

/// [`Key::decrypt_sector`] on all cores.
///
/// # Errors
/// [`Error::PartialBlock`] if `data` is not whole blocks: nothing was decrypted.
pub fn decrypt_sector<const W: usize, const B: usize>(
    key: &Key<Threefish<W, B>>,
    sector: u64,
    first: u64,
    data: &mut [u8],
) -> Result<(), Error> {
    pieces_of_sector(key, data, first, |first, data| key.decrypt_sector(sector, first, data))
}

/// Calls `piece` with every piece of a sector and the number of its first block.
fn pieces_of_sector<C: Cipher>(
    key: &Key<C>,
    data: &mut [u8],
    first: u64,
    piece: impl Fn(u64, &mut [u8]) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let (got, block) = (data.len(), C::Block::LEN);
    if !got.is_multiple_of(block) {
        return Err(Error::PartialBlock { got, block });
    }
    let len = piece_of(key, got);
    if got <= len {
        return piece(first, data);
    }
    data.par_chunks_mut(len).enumerate().try_for_each(|(index, data)| {
        piece(first.wrapping_add((index * (len / block)) as u64), data)
    })
}
