//! What `openssl enc` reads and writes with a passphrase.
//!
//! `Salted__` and a salt of 8 bytes, unless there is none, and then the ciphertext of a raw mode. Key and
//! initialization vector are derived from passphrase and salt. Nothing in such a file tells how: cipher, [`Kdf`]
//! and [`Digest`] must be known. Nothing is authenticated: changes go unnoticed, and a wrong passphrase shows
//! in the padding at most.

mod base64;
mod derive;

pub use derive::{Digest, Kdf};

use super::{Raw, Way};
use crate::output::Destination;
use crate::{Error, Input, pipeline, random};
use base64::{Decoded, Lines};
use icefish::Backend;
use icefish::modes::{Ctr, Mode, Padding};
use icefish::suite::{AnyKey, AnyMode, CipherInfo, Suite};
use std::fs::File;
use std::num::NonZero;
use std::sync::Arc;
use zeroize::Zeroizing;

/// The bytes before a salt.
pub const MAGIC: &[u8; 8] = b"Salted__";

/// What [`MAGIC`] is in base64, as far as the salt does not matter.
const MAGIC_IN_BASE64: &[u8; 10] = b"U2FsdGVkX1";

/// Length of a salt (`PKCS5_SALT_LEN`).
pub const SALT: usize = 8;

/// How such a file is made.
#[derive(Clone, Copy, Debug)]
pub struct OpenSsl {
    cipher: &'static CipherInfo,
    mode: AnyMode,
    backend: Backend,
    /// The padding. openssl has PKCS#7 and none.
    pub padding: Padding,
    /// The derivation of key and initialization vector.
    pub kdf: Kdf,
    /// The hash function of the derivation.
    pub digest: Digest,
    /// Whether there is a salt.
    pub salted: bool,
    /// Whether all of it is base64.
    pub base64: bool,
    /// How many threads work; as in [`Raw::threads`].
    pub threads: Option<NonZero<usize>>,
}

impl OpenSsl {
    /// Whether `openssl enc` has a cipher and mode: AES in ECB, CBC, CFB, CFB8, OFB and CTR. (Its CFB1 is not in
    /// this library.)
    pub fn has(suite: &Suite) -> bool {
        use AnyMode::{Cbc, Cfb, Cfb8, Ecb, Ofb};
        let mode = matches!(suite.mode, Ecb | Cbc | Cfb | Cfb8 | Ofb)
            || suite.mode == AnyMode::Ctr(Ctr::BE);
        mode && suite.cipher.name.starts_with("aes-")
    }

    /// `suite` with what `openssl enc -pbkdf2` takes by default.
    ///
    /// # Errors
    /// [`Error::NotOfOpenSsl`].
    pub fn new(suite: &Suite, backend: Backend) -> Result<Self, Error> {
        if !Self::has(suite) {
            return Err(Error::NotOfOpenSsl { suite: suite.to_string() });
        }
        Ok(Self {
            cipher: suite.cipher,
            mode: suite.mode,
            backend,
            padding: Padding::Pkcs7,
            kdf: Kdf::default(),
            digest: Digest::default(),
            salted: true,
            base64: false,
            threads: None,
        })
    }

    /// Encrypts all of `input`; returns the length of the output. `progress` is told how much is encrypted.
    ///
    /// # Errors
    /// [`Error::PartialPlaintext`], and whatever reading and writing give.
    pub fn encrypt(
        &self,
        passphrase: Zeroizing<Vec<u8>>,
        input: Input,
        output: &mut dyn Destination,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut salt = [0; SALT];
        random::fill(&mut salt)?;
        let (key, iv) = self.derive(passphrase, &salt)?;
        let raw = self.raw(&key, &iv);
        if !self.base64 {
            return self.encrypt_to(&raw, &salt, input, output, progress);
        }
        let mut lines = Lines::new(output);
        self.encrypt_to(&raw, &salt, input, &mut lines, progress)?;
        lines.finish().map_err(unwritten)
    }

    fn encrypt_to(
        &self,
        raw: &Raw<'_>,
        salt: &[u8; SALT],
        input: Input,
        output: &mut dyn Destination,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let header = if self.salted { [*MAGIC, *salt].concat() } else { Vec::new() };
        output.write_all(&header).map_err(unwritten)?;
        Ok(raw.encrypt(input, output, progress)? + header.len() as u64)
    }

    /// Decrypts all of `input`; returns the length of the output. `progress` is told how much of it is written.
    ///
    /// A wrong passphrase shows at the end, in the padding, if it shows at all: until then everything but the
    /// last block has been written.
    ///
    /// # Errors
    /// [`Error::NotSalted`], [`Error::PartialCiphertext`], [`icefish::Error::Padding`], and whatever reading and
    /// writing give.
    pub fn decrypt(
        &self,
        passphrase: Zeroizing<Vec<u8>>,
        mut input: Input,
        output: &mut dyn Destination,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut header = [0; MAGIC.len() + SALT];
        let header = if self.salted { &mut header[..] } else { &mut [] };
        if !self.base64 {
            let got = input.read_up_to(header)?;
            let salt = self.salt(&header[..got], input.name())?;
            let (key, iv) = self.derive(passphrase, &salt)?;
            return self.raw(&key, &iv).decrypt(input, output, progress);
        }
        let len = input.len_hint().map(|len| len / 4 * 3);
        let (name, file) = input.into_parts();
        let mut bytes = Box::new(Decoded::<File>::new(file));
        let got = pipeline::fill(&mut bytes, header)
            .map_err(|source| Error::Read { name: name.clone(), source })?;
        let salt = self.salt(&header[..got], &name)?;
        let (key, iv) = self.derive(passphrase, &salt)?;
        let raw = self.raw(&key, &iv);
        let body = raw.stream(Way::Decrypt, &iv, bytes, len, output, progress);
        body.map_err(|fault| fault.named(&name))
    }

    /// The salt of a header, as much of it as there is.
    fn salt(&self, header: &[u8], name: &str) -> Result<[u8; SALT], Error> {
        if !self.salted {
            return Ok([0; SALT]);
        }
        let salt = header.strip_prefix(MAGIC).and_then(|salt| salt.try_into().ok());
        salt.ok_or_else(|| {
            let base64 = !self.base64 && header.starts_with(MAGIC_IN_BASE64);
            Error::NotSalted { name: name.to_owned(), base64 }
        })
    }

    /// The format of the bytes after the header.
    fn raw<'k>(&self, key: &'k Arc<AnyKey>, iv: &'k [u8]) -> Raw<'k> {
        Raw { key, mode: self.mode, padding: self.padding, iv: Some(iv), threads: self.threads }
    }

    /// The key, and the initialization vector, which is secret as long as the passphrase is.
    fn derive(
        &self,
        passphrase: Zeroizing<Vec<u8>>,
        salt: &[u8; SALT],
    ) -> Result<(Arc<AnyKey>, Zeroizing<Vec<u8>>), Error> {
        let salt: &[u8] = if self.salted { salt } else { &[] };
        let key_len = self.cipher.key;
        let mut bytes = Zeroizing::new(vec![0; key_len + self.mode.iv_len(self.cipher.block)]);
        self.kdf.derive(self.digest, &passphrase, salt, &mut bytes);
        let iv = Zeroizing::new(bytes[key_len..].to_vec());
        Ok((Arc::new(self.cipher.key(self.backend, &bytes[..key_len], &[])?), iv))
    }
}

fn unwritten(source: std::io::Error) -> Error {
    Error::Write { name: "the output".to_owned(), source }
}
