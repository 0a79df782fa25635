//! Many small files, in memory at the same time.

use super::Raw;
use crate::formats::Contents;
use crate::{Error, random};
use icefish::many::Message;
use icefish::modes::{Granularity, Mode};
use icefish::suite::AnyMode;
use zeroize::Zeroizing;

impl Raw<'_> {
    /// Encrypts files, each with an initialization vector of its own, which is drawn and goes before it. In CBC, which
    /// encrypts one block after the other, the files share registers ([`AnyKey::encrypt_many`](icefish::suite::AnyKey::encrypt_many)).
    ///
    /// # Errors
    /// For each file as [`Raw::encrypt`].
    pub fn encrypt_many(&self, files: &[Contents]) -> Vec<Result<Contents, Error>> {
        let mut outputs: Vec<_> = files.iter().map(|file| self.begin(file)).collect();
        let (iv_len, block) = (self.iv_len(), self.key.cipher().block);
        let whole = |len: usize| match self.mode.granularity() {
            Granularity::Block => len / block * block,
            Granularity::Stream | Granularity::Byte => len,
        };
        let share = self.mode == AnyMode::Cbc;
        if share {
            let begun = outputs.iter_mut().zip(files);
            let begun = begun.filter_map(|(output, file)| Some((output.as_mut().ok()?, file)));
            let mut messages: Vec<_> = begun
                .map(|(output, file)| {
                    let (iv, data) = output.split_at_mut(iv_len);
                    Message { iv, data: &mut data[..whole(file.len())] }
                })
                .collect();
            if let Err(e) = self.key.encrypt_many(self.mode, &mut messages) {
                return files.iter().map(|_| Err(e.into())).collect();
            }
        }
        let ended = outputs.into_iter().zip(files).map(|(output, file)| {
            let done = if share { whole(file.len()) } else { 0 };
            self.end(output?, done, file.len())
        });
        ended.collect()
    }

    /// Decrypts files, which begin with their initialization vectors.
    ///
    /// # Errors
    /// For each file as [`Raw::decrypt`].
    pub fn decrypt_many(&self, files: &[Contents]) -> Vec<Result<Contents, Error>> {
        // Decryption fills registers with the blocks of one file, in the modes that can.
        files.iter().map(|file| self.decrypt_one(file)).collect()
    }

    /// An initialization vector, the plaintext, and room for a padding.
    fn begin(&self, file: &[u8]) -> Result<Contents, Error> {
        let (iv_len, block) = (self.iv_len(), self.key.cipher().block);
        let mut output = Zeroizing::new(vec![0; iv_len + file.len() + block]);
        random::fill(&mut output[..iv_len])?;
        output[iv_len..iv_len + file.len()].copy_from_slice(file);
        Ok(output)
    }

    /// Encrypts what comes after `done` bytes of plaintext, of `len`.
    fn end(&self, mut output: Contents, done: usize, len: usize) -> Result<Contents, Error> {
        let iv_len = self.iv_len();
        let (before, rest) = output.split_at_mut(iv_len + done);
        let mut end = before.len();
        if self.mode.granularity() == Granularity::Block || done == 0 {
            // The last block, or the initialization vector.
            let iv = &before[before.len() - iv_len..];
            let left = len - done;
            let ended = self.key.encrypt_in_place(self.mode, iv, self.padding, rest, left);
            end += ended.map_err(|e| match e {
                icefish::Error::PartialBlock { block, .. } => {
                    Error::PartialPlaintext { got: len as u64, block }
                }
                e => e.into(),
            })?;
        }
        output.truncate(end);
        Ok(output)
    }

    fn decrypt_one(&self, file: &[u8]) -> Result<Contents, Error> {
        let need = self.iv_len();
        let Some((iv, data)) = file.split_at_checked(need) else {
            return Err(Error::MissingIv { got: file.len() as u64, need });
        };
        let mut output = Zeroizing::new(data.to_vec());
        let len = self.key.decrypt_in_place(self.mode, iv, self.padding, &mut output, data.len());
        let len = len.map_err(|e| match e {
            icefish::Error::PartialBlock { got, block } => {
                Error::PartialCiphertext { got: got as u64, block }
            }
            e => e.into(),
        })?;
        output.truncate(len);
        Ok(output)
    }
}
