//! Ciphertext as the mode gives it. If its initialization vector was drawn, it goes before.

use super::{Crypted, Way};
use crate::pipeline;
use crate::{Error, Input, random};
use icefish::modes::{Mode, Padding};
use icefish::suite::{AnyKey, AnyMode};
use std::io::Write;
use zeroize::Zeroizing;

/// A key and how to use it.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'k> {
    /// The key.
    pub key: &'k AnyKey,
    /// The mode.
    pub mode: AnyMode,
    /// The padding, where the mode needs one.
    pub padding: Padding,
    /// The initialization vector. Without one, encryption draws it from the operating system and
    /// writes it first, and decryption reads it from there.
    pub iv: Option<&'k [u8]>,
}

impl Raw<'_> {
    /// Encrypts all of `input`; returns the length of the output. `progress` is told how much of it
    /// is written.
    ///
    /// # Errors
    /// [`Error::PartialPlaintext`], and whatever reading and writing give.
    pub fn encrypt(
        &self,
        input: Input,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let Some(iv) = self.iv else {
            let mut iv = Zeroizing::new(vec![0; self.iv_len()]);
            random::fill(&mut iv)?;
            let crypter = self.key.encryptor(self.mode, &iv, self.padding)?;
            output
                .write_all(&iv)
                .map_err(|source| Error::Write { name: "the output".to_owned(), source })?;
            let body = run(input, Crypted::new(crypter, Way::Encrypt), output, progress)?;
            return Ok(body + iv.len() as u64);
        };
        let crypter = self.key.encryptor(self.mode, iv, self.padding)?;
        run(input, Crypted::new(crypter, Way::Encrypt), output, progress)
    }

    /// Decrypts all of `input`; returns the length of the output. `progress` is told how much of it
    /// is written.
    ///
    /// Whether the padding is right shows at the end: until then everything but the last block has
    /// been written.
    ///
    /// # Errors
    /// [`Error::MissingIv`], [`Error::PartialCiphertext`], [`icefish::Error::Padding`], and whatever
    /// reading and writing give.
    pub fn decrypt(
        &self,
        mut input: Input,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut header = Zeroizing::new(Vec::new());
        let iv = match self.iv {
            Some(iv) => iv,
            None => {
                header.resize(self.iv_len(), 0);
                let got = input.read_up_to(&mut header)?;
                if got < header.len() {
                    return Err(Error::MissingIv { got: got as u64, need: header.len() });
                }
                &header
            }
        };
        let crypter = self.key.decryptor(self.mode, iv, self.padding)?;
        run(input, Crypted::new(crypter, Way::Decrypt), output, progress)
    }

    /// Length of the initialization vector.
    fn iv_len(&self) -> usize {
        self.mode.iv_len(self.key.cipher().block)
    }
}

/// The pipeline, with the name of the input in its errors.
pub(super) fn run(
    input: Input,
    transform: impl pipeline::Transform,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    let len = input.len_hint();
    let (name, file) = input.into_parts();
    pipeline::run(file, len, transform, output, progress).map_err(|fault| fault.named(&name))
}
