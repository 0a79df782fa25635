//! Keys and passphrases of sealed files.

use crate::backend;
use crate::border::Input;
use crate::error::Failure;
use crate::opened::Opened;
use icefish::storage::cobblestone::{HEADER, SALT, plain_len};
use icefish::suite::{AnyChunkSealer, AnyChunked, ChunkedSuite};
use icefish_files::formats::passphrase::{self, Cost, Header, Limit};
use icefish_files::random;
use pyo3::prelude::*;
use std::borrow::Cow;

/// The most bytes that a sealed file needs to be opened: both headers.
pub(crate) const HEAD: usize = passphrase::HEADER + HEADER;

/// A key or a passphrase, as the caller gave it.
#[derive(FromPyObject)]
pub(crate) struct Secret<'py> {
    key: Option<Input<'py>>,
    passphrase: Option<Input<'py>>,
    context: Input<'py>,
    /// Memory in KiB, passes and lanes of Argon2id for a new header.
    cost: Option<(u32, u32, u32)>,
    /// The most memory in KiB that a header may ask for.
    max_memory: Option<u64>,
}

/// What a message is sealed with, and what is written before it.
struct Lock<'a> {
    key: AnyChunked,
    context: Cow<'a, [u8]>,
    prefix: Vec<u8>,
}

impl Secret<'_> {
    /// For a key of 16 or 32 bytes.
    fn key(key: &Input<'_>) -> Result<AnyChunked, Failure> {
        let suite = match key.len() {
            16 => "cobblestone-128",
            32 => passphrase::SUITE,
            got => {
                return Err(Failure::wrong(format!(
                    "the key has {got} bytes, a sealed file takes 32, or 16 for Cobblestone-128"
                )));
            }
        };
        let suite: ChunkedSuite = suite.parse()?;
        Ok(suite.key(backend(None)?, key.bytes())?)
    }

    fn of_header(header: &Header, passphrase: &[u8]) -> Result<AnyChunked, Failure> {
        let suite: ChunkedSuite = passphrase::SUITE.parse()?;
        Ok(suite.key(backend(None)?, &*header.key(passphrase)?)?)
    }

    /// A passphrase or a key, and not both.
    fn one(&self) -> Result<(), Failure> {
        match (&self.key, &self.passphrase) {
            (Some(_), Some(_)) | (None, None) => {
                Err(Failure::wrong("a sealed file takes key=... or passphrase=..., one of them"))
            }
            (None, Some(_)) if self.context.len() != 0 => Err(Failure::wrong(
                "a file that is sealed with a passphrase has no other context; leave it out",
            )),
            _ => Ok(()),
        }
    }

    fn lock(&self, py: Python<'_>) -> Result<Lock<'_>, Failure> {
        self.one()?;
        let Some(passphrase) = &self.passphrase else {
            let key = self.key.as_ref().map_or(Err(Failure::Finished), Self::key)?;
            return Ok(Lock { key, context: self.context.bytes().into(), prefix: Vec::new() });
        };
        let cost = self.cost.map_or(Cost::DEFAULT, |(memory, passes, lanes)| Cost {
            memory,
            passes,
            lanes,
        });
        let header = Header::draw(cost)?;
        let prefix = header.bytes().to_vec();
        let passphrase = passphrase.bytes();
        let key = py.detach(|| Self::of_header(&header, passphrase))?;
        Ok(Lock { key, context: prefix.clone().into(), prefix })
    }

    /// A new message, and its head.
    pub(crate) fn sealer(&self, py: Python<'_>) -> Result<(AnyChunkSealer, Vec<u8>), Failure> {
        let lock = self.lock(py)?;
        let mut salt = [0; SALT];
        random::fill(&mut salt)?;
        let sealer = lock.key.sealer(&salt, &lock.context);
        let mut head = lock.prefix;
        head.extend_from_slice(&sealer.header());
        Ok((sealer, head))
    }

    /// The message of `len` bytes that begins with `head`, of a file of that name.
    pub(crate) fn opener(
        &self,
        py: Python<'_>,
        head: &[u8],
        len: u64,
        name: &str,
    ) -> Result<Opened, Failure> {
        self.one()?;
        let (key, context, prefix) = match (&self.passphrase, &self.key) {
            (Some(passphrase), _) => {
                let header = Header::parse(&head[..head.len().min(passphrase::HEADER)], name)?;
                let limit = self.max_memory.map_or(Limit::DEFAULT, |memory| Limit { memory });
                limit.check(header.cost(), name)?;
                let passphrase = passphrase.bytes();
                let key = py.detach(|| Self::of_header(&header, passphrase))?;
                (key, Cow::from(header.bytes().to_vec()), passphrase::HEADER)
            }
            (None, Some(key)) => (Self::key(key)?, Cow::from(self.context.bytes()), 0),
            (None, None) => return Err(Failure::Finished),
        };
        let message = head.get(prefix..).unwrap_or_default();
        match key.opener(&message[..message.len().min(HEADER)], &context) {
            Ok(opener) => {
                let sealed = len.saturating_sub(prefix as u64);
                Ok(Opened { opener, prefix: prefix as u64, sealed, size: plain_len(sealed)? })
            }
            Err(_) if prefix == 0 && Header::begins(head) => {
                Err(icefish_files::Error::NeedsPassphrase { name: name.to_owned() }.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}
