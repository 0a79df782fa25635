//! Ciphertext as the mode gives it. If its initialization vector was drawn, it goes before.

mod many;
mod positioned;
mod stream;

use super::{Crypted, Way};
use crate::output::Destination;
use crate::pipeline::{self, CHUNK, Fault};
use crate::{Error, Input, ordered, random, workers};
use icefish::modes::{DependsOn, Mode, Padding};
use icefish::suite::{AnyCrypter, AnyKey, AnyMode};
use positioned::{PIECE, Work};
use std::io::{Read, Seek, Write};
use std::num::NonZero;
use std::sync::Arc;
use stream::Message;
use zeroize::Zeroizing;

/// A key and how to use it.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'k> {
    /// The key. A worker that waits for input when writing has failed keeps it until that call ends.
    pub key: &'k Arc<AnyKey>,
    /// The mode.
    pub mode: AnyMode,
    /// The padding, where the mode needs one.
    pub padding: Padding,
    /// The initialization vector. Without one, encryption draws it from the operating system and
    /// writes it first, and decryption reads it from there.
    pub iv: Option<&'k [u8]>,
    /// How many threads work, in modes whose pieces can be taken by themselves; without it, as many as the machine runs at the
    /// same time.
    pub threads: Option<NonZero<usize>>,
}

impl Raw<'_> {
    /// Encrypts all of `input`; returns the length of the output. `progress` is told how much of it
    /// is written.
    ///
    /// # Errors
    /// [`Error::PartialPlaintext`], [`Error::Changed`], and whatever reading and writing give.
    pub fn encrypt(
        &self,
        input: Input,
        output: &mut dyn Destination,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let Some(iv) = self.iv else {
            let mut iv = Zeroizing::new(vec![0; self.iv_len()]);
            random::fill(&mut iv)?;
            output
                .write_all(&iv)
                .map_err(|source| Error::Write { name: "the output".to_owned(), source })?;
            let body = self.crypt(Way::Encrypt, &iv, input, output, progress)?;
            return Ok(body + iv.len() as u64);
        };
        self.crypt(Way::Encrypt, iv, input, output, progress)
    }

    /// Decrypts all of `input`; returns the length of the output. `progress` is told how much of it
    /// is written.
    ///
    /// Whether the padding is right shows at the end: until then everything but the last block has
    /// been written.
    ///
    /// # Errors
    /// [`Error::MissingIv`], [`Error::PartialCiphertext`], [`Error::Changed`], [`icefish::Error::Padding`], and whatever
    /// reading and writing give.
    pub fn decrypt(
        &self,
        mut input: Input,
        output: &mut dyn Destination,
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
        self.crypt(Way::Decrypt, iv, input, output, progress)
    }

    /// Length of the initialization vector.
    fn iv_len(&self) -> usize {
        self.mode.iv_len(self.key.cipher().block)
    }

    /// All that comes after the initialization vector, on all cores where that is possible.
    fn crypt(
        &self,
        way: Way,
        iv: &[u8],
        input: Input,
        output: &mut dyn Destination,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let crypter = self.crypter(way, iv)?;
        let len = input.len_hint();
        let Some(needs) = self.in_pieces(way, len) else {
            return run(input, Crypted::new(crypter, way), output, progress);
        };
        drop(crypter);
        let (Some(len), Some(file)) = (len, output.regular()) else {
            let (name, input) = input.into_parts();
            let done = self.in_order(way, iv, needs, Box::new(input), output, progress);
            return done.map_err(|fault| fault.named(&name));
        };
        let (name, mut input) = input.into_parts();
        let from = input.stream_position().map_err(|e| Fault::Read(e).named(&name))?;
        let to = file.stream_position().map_err(|e| Fault::Write(e).named(&name))?;
        let work = Work { raw: *self, iv, way, needs, input: &input, from, len, output: file, to };
        work.check()?;
        // Twice what the buffer of each has.
        let workers = workers::count(self.threads, 2 * PIECE);
        workers::run(work, workers, progress).map_err(|fault| fault.named(&name))
    }

    /// All that `input` gives, which is no file: decoded text, for example. `len` as in [`pipeline::run`].
    pub(super) fn stream(
        &self,
        way: Way,
        iv: &[u8],
        input: Box<dyn Read + Send>,
        len: Option<u64>,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Fault> {
        let crypter = self.crypter(way, iv).map_err(Fault::Between)?;
        let Some(needs) = self.in_pieces(way, len) else {
            return pipeline::run(input, len, Crypted::new(crypter, way), output, progress);
        };
        drop(crypter);
        self.in_order(way, iv, needs, input, output, progress)
    }

    /// Refuses a wrong vector.
    fn crypter(&self, way: Way, iv: &[u8]) -> Result<AnyCrypter<'_>, Error> {
        Ok(match way {
            Way::Encrypt => self.key.encryptor(self.mode, iv, self.padding)?,
            Way::Decrypt => self.key.decryptor(self.mode, iv, self.padding)?,
        })
    }

    /// What a piece needs of the others, if pieces can be taken by themselves, and a message of `len` bytes has more than one.
    fn in_pieces(&self, way: Way, len: Option<u64>) -> Option<DependsOn> {
        // A shorter one is done before a second thread runs.
        let long = len.is_none_or(|len| len >= CHUNK as u64);
        self.mode.depends_on(way).filter(|_| long)
    }

    /// All of `input`, in pieces of which each needs no more than `needs` of the others.
    fn in_order(
        &self,
        way: Way,
        iv: &[u8],
        needs: DependsOn,
        input: Box<dyn Read + Send>,
        output: &mut dyn Write,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Fault> {
        let Self { mode, padding, .. } = *self;
        let (key, iv) = (Arc::clone(self.key), Zeroizing::new(iv.to_vec()));
        let message = Message { key, mode, padding, iv, way, needs };
        let source = message.source(input);
        // Each has a buffer for what it reads and two for what it writes.
        let workers = workers::count(self.threads, 3 * stream::PIECE);
        ordered::run(message, source, workers, output, progress)
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
