//! The header of a file that is sealed with a passphrase.
//!
//! It goes before a message of Cobblestone-256, whose key is what Argon2id (RFC 9106, version 0x13) makes of the passphrase, and
//! whose context is the header. Numbers are big-endian.
//!
//! | bytes | |
//! |---|---|
//! | 7 | `icefish` |
//! | 1 | version: 1 |
//! | 4 | memory in KiB |
//! | 4 | passes |
//! | 4 | lanes |
//! | 16 | salt |

pub(super) mod header;

use super::chunked::{Chunked, Part};
use crate::{Error, Input, Output};
pub use header::{Cost, HEADER, Header, KEY, Limit, MAGIC, SALT, VERSION};
use icefish::Backend;
use icefish::suite::{AnyChunked, ChunkedSuite};
use std::io::Write;
use std::num::NonZero;
use zeroize::Zeroizing;

/// The name of the format of the message.
pub const SUITE: &str = "cobblestone-256";

/// How such a file is sealed or opened. The passphrase is dropped as soon as the key is derived.
#[derive(Clone, Copy, Debug)]
pub struct WithPassphrase {
    /// The backend of the message.
    pub backend: Backend,
    /// How many threads work; without it, as many as the machine runs at the same time.
    pub threads: Option<NonZero<usize>>,
}

impl WithPassphrase {
    /// Seals all of `input`; returns the length of the output. `progress` is told how much of it is written.
    ///
    /// # Errors
    /// As [`Header::draw`], [`Header::key`] and [`Chunked::encrypt`].
    pub fn encrypt(
        self,
        passphrase: Zeroizing<Vec<u8>>,
        cost: Cost,
        input: Input,
        output: &mut Output,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let header = Header::draw(cost)?;
        let key = self.key(&header, passphrase)?;
        let context = header.bytes();
        let unwritten = |source| Error::Write { name: "the output".to_owned(), source };
        output.write_all(&context).map_err(unwritten)?;
        let chunked = Chunked { key, context: &context, threads: self.threads };
        Ok(chunked.encrypt(input, output, progress)? + HEADER as u64)
    }

    /// Opens all of `input`, or the `part` of it; returns the length of the output. `progress` is told how much of it is
    /// written.
    ///
    /// # Errors
    /// As [`Header::parse`], [`Limit::check`], [`Header::key`], and [`Chunked::decrypt`] or [`Chunked::decrypt_part`].
    pub fn decrypt(
        self,
        passphrase: Zeroizing<Vec<u8>>,
        limit: Limit,
        part: Option<Part>,
        mut input: Input,
        output: &mut Output,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut context = [0; HEADER];
        let got = input.read_up_to(&mut context)?;
        let header = Header::parse(&context[..got], input.name())?;
        limit.check(header.cost(), input.name())?;
        let key = self.key(&header, passphrase)?;
        let chunked = Chunked { key, context: &context, threads: self.threads };
        match part {
            Some(part) => chunked.decrypt_part(input, part, output, progress),
            None => chunked.decrypt(input, output, progress),
        }
    }

    fn key(&self, header: &Header, passphrase: Zeroizing<Vec<u8>>) -> Result<AnyChunked, Error> {
        let suite: ChunkedSuite = SUITE.parse()?;
        let key = header.key(&passphrase)?;
        Ok(suite.key(self.backend, &*key)?)
    }
}
