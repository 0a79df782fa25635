//! One large buffer on all cores, for the modes whose pieces do not wait for each other, and for sectors.
//!
//! Threads are those of the `rayon` pool that the call runs in.
//!
//! ```
//! use icefish::{Key, ciphers::Aes256, modes::Ctr, parallel};
//! let key = Key::<Aes256>::new(&[7; 32])?;
//! let mut data = vec![0; 1 << 20];
//! parallel::encrypt_in_place(&key, Ctr::BE, &[1; 16], &mut data)?;
//! parallel::decrypt_in_place(&key, Ctr::BE, &[1; 16], &mut data)?;
//! assert_eq!(data, vec![0; 1 << 20]);
//! # Ok::<(), icefish::Error>(())
//! ```

use crate::cipher::{Cipher, Decrypt, Direction, Encrypt, Key};
use crate::ciphers::Threefish;
use crate::modes::{Crypter, Grain, Joint, Mode, Padding};
use crate::{Block, Error};
use alloc::vec::Vec;
use rayon::prelude::*;

/// Bytes of a piece, if it is whole blocks: small enough for the second cache of a core.
const PIECE: usize = 128 * 1024;

/// Bytes of a piece of whole blocks.
const fn piece_of(block: usize) -> usize {
    PIECE / block * block
}

/// Encrypts a message in place, without padding: ECB and counter modes.
///
/// # Errors
/// [`Error::Serial`] for other modes; [`Error::IvLength`], [`Error::PartialBlock`],
/// [`Error::CounterExhausted`].
pub fn encrypt_in_place<C: Cipher, M: Mode>(
    key: &Key<C>,
    mode: M,
    iv: &[u8],
    data: &mut [u8],
) -> Result<(), Error> {
    in_place::<C, M, Encrypt>(key, mode, iv, data)
}

/// Decrypts a message in place, without padding: ECB, CBC, CFB and counter modes.
///
/// # Errors
/// As [`encrypt_in_place`].
pub fn decrypt_in_place<C: Cipher, M: Mode>(
    key: &Key<C>,
    mode: M,
    iv: &[u8],
    data: &mut [u8],
) -> Result<(), Error> {
    in_place::<C, M, Decrypt>(key, mode, iv, data)
}

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
    pieces_of_sector(data, B, first, |first, data| key.encrypt_sector(sector, first, data))
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
    pieces_of_sector(data, B, first, |first, data| key.decrypt_sector(sector, first, data))
}

/// Calls `piece` with every piece of a sector and the number of its first block.
fn pieces_of_sector(
    data: &mut [u8],
    block: usize,
    first: u64,
    piece: impl Fn(u64, &mut [u8]) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    if !data.len().is_multiple_of(block) {
        return Err(Error::PartialBlock { got: data.len(), block });
    }
    let len = piece_of(block);
    data.par_chunks_mut(len).enumerate().try_for_each(|(index, data)| {
        piece(first.wrapping_add((index * (len / block)) as u64), data)
    })
}

fn in_place<C: Cipher, M: Mode, D: Direction>(
    key: &Key<C>,
    mode: M,
    iv: &[u8],
    data: &mut [u8],
) -> Result<(), Error> {
    let (got, block) = (data.len(), C::Block::LEN);
    let joint = mode.joint(D::ENCRYPT).ok_or(Error::Serial)?;
    if mode.grain() == Grain::Block && !got.is_multiple_of(block) {
        return Err(Error::PartialBlock { got, block });
    }
    if got.div_ceil(block) as u128 > mode.limit(block) {
        return Err(Error::CounterExhausted);
    }
    // Refuses a wrong IV before anything is written.
    mode.start::<C::Block>(iv)?;
    let len = piece_of(block);
    let piece = |index: usize, iv: &[u8], data: &mut [u8]| {
        let mut crypter = Crypter::<C, M, D>::new(key, mode, iv)?.padding(Padding::None);
        if joint == Joint::Index {
            crypter.seek(index as u128 * len as u128)?;
        }
        crypter.update_in_place(data)
    };
    if joint != Joint::Ciphertext {
        let pieces = data.par_chunks_mut(len).enumerate();
        return pieces.try_for_each(|(index, data)| piece(index, iv, data));
    }
    // The ciphertext block before each piece, while it is there.
    let before =
        data.chunks(len).map(|data| C::Block::take(&data[data.len().max(block) - block..]));
    let mut ivs: Vec<C::Block> = Vec::with_capacity(got / len + 1);
    ivs.push(C::Block::take(iv));
    ivs.extend(before.take(got.saturating_sub(1) / len));
    let pieces = data.par_chunks_mut(len).zip(ivs.par_iter()).enumerate();
    pieces.try_for_each(|(index, (data, iv))| piece(index, iv.as_ref(), data))
}
