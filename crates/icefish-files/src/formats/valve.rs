//! Scripts of Source-engine games: `.ctx`, `.nuc` and `.ekv` files.
//!
//! ICE in ECB mode, level 0 (Thin-ICE) in every game known, with a key of eight characters. Bytes
//! after the last whole block of eight are copied unencrypted. There is no check: a wrong key gives
//! wrong bytes.

use super::{Contents, Way, raw};
use crate::pipeline::Transform;
use crate::{Error, Input};
use icefish::modes::Padding;
use icefish::suite::{AnyCrypter, AnyKey, AnyMode, CipherInfo};
use icefish::{Backend, Error as Refusal};
use std::io::Write;

/// Length of a block of ICE.
pub(super) const BLOCK: usize = 8;

/// The largest level of ICE.
pub const MAX_LEVEL: usize = icefish::ciphers::Ice::MAX_LEVEL;

/// The level of scripts.
pub const LEVEL: usize = 0;

/// ICE of `level`.
///
/// # Errors
/// [`icefish::Error::Level`].
pub fn cipher(level: usize) -> Result<&'static CipherInfo, Error> {
    if level > MAX_LEVEL {
        return Err(Refusal::Level { got: level, most: MAX_LEVEL }.into());
    }
    Ok(CipherInfo::by_name(&format!("ice-{level}"))?)
}

/// A key of ICE of `level`: 8 bytes at levels 0 and 1, 8 times the level at the others.
///
/// # Errors
/// [`icefish::Error::Level`], [`icefish::Error::KeyLength`].
pub fn key(level: usize, key: &[u8], backend: Backend) -> Result<AnyKey, Error> {
    Ok(cipher(level)?.key(backend, key, &[])?)
}

/// Encrypts or decrypts a script in place. `key` is of a cipher with blocks of 8 bytes.
///
/// # Errors
/// [`icefish::Error::PartialBlock`] for a key of another cipher.
pub fn crypt_in_place(key: &AnyKey, way: Way, script: &mut [u8]) -> Result<(), Error> {
    let whole = script.len() / BLOCK * BLOCK;
    match way {
        Way::Encrypt => key.encrypt_blocks(&mut script[..whole])?,
        Way::Decrypt => key.decrypt_blocks(&mut script[..whole])?,
    }
    Ok(())
}

/// Encrypts or decrypts scripts in place, the blocks of all in one call: those of a short script do not fill the registers. `key` is
/// as in [`crypt_in_place`].
///
/// # Errors
/// As [`crypt_in_place`].
pub fn crypt_many(key: &AnyKey, way: Way, scripts: &mut [Contents]) -> Result<(), Error> {
    let whole = |script: &Contents| script.len() / BLOCK * BLOCK;
    let mut blocks = Contents::new(Vec::with_capacity(scripts.iter().map(whole).sum()));
    for script in &*scripts {
        blocks.extend_from_slice(&script[..whole(script)]);
    }
    crypt_in_place(key, way, &mut blocks)?;
    let mut rest = &blocks[..];
    for script in scripts {
        let (now, after) = rest.split_at(whole(script));
        script[..now.len()].copy_from_slice(now);
        rest = after;
    }
    Ok(())
}

/// Encrypts or decrypts all of `input`; returns its length. `progress` is told how much is written.
///
/// # Errors
/// Errors of reading and writing.
pub fn crypt(
    key: &AnyKey,
    way: Way,
    input: Input,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    raw::run(input, Script::new(key, way)?, output, progress)
}

/// A script on its way, piece by piece.
#[derive(Debug)]
pub struct Script<'k> {
    crypter: AnyCrypter<'k>,
    /// The bytes after the last whole block.
    tail: [u8; BLOCK],
    len: usize,
}

impl<'k> Script<'k> {
    /// A script to encrypt or decrypt. `key` is of a cipher with blocks of 8 bytes.
    ///
    /// # Errors
    /// [`icefish::Error::BlockLength`] for a key of another cipher.
    pub fn new(key: &'k AnyKey, way: Way) -> Result<Self, Error> {
        let block = key.cipher().block;
        if block != BLOCK {
            return Err(Refusal::BlockLength { got: block, need: BLOCK }.into());
        }
        let crypter = match way {
            Way::Encrypt => key.encryptor(AnyMode::Ecb, &[], Padding::None)?,
            Way::Decrypt => key.decryptor(AnyMode::Ecb, &[], Padding::None)?,
        };
        Ok(Self { crypter, tail: [0; BLOCK], len: 0 })
    }
}

impl Transform for Script<'_> {
    fn output_len(&self, input: usize) -> usize {
        self.crypter.output_len(input)
    }

    fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        let written = self.crypter.update(input, output)?;
        // The crypter keeps these bytes too, but gives them back in whole blocks only.
        let len = (self.len + input.len()) % BLOCK;
        let fresh = len.min(input.len());
        let kept = len - fresh;
        self.tail[kept..len].copy_from_slice(&input[input.len() - fresh..]);
        self.len = len;
        Ok(written)
    }

    fn finish(self, output: &mut [u8]) -> Result<usize, Error> {
        let got = output.len();
        let room = output.get_mut(..self.len);
        let room = room.ok_or(Refusal::BufferLength { got, need: self.len })?;
        room.copy_from_slice(&self.tail[..self.len]);
        Ok(self.len)
    }
}
