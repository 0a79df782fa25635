//! The arguments of `encrypt` and `decrypt` that only `--format openssl` has.

use crate::errors::{Failure, usage};
use icefish_files::formats::openssl::{Digest, Kdf};
use std::num::NonZeroU32;

/// Where the help shows what only this format has.
const OPENSSL: &str = "Options of --format openssl, which detects no change";

/// The arguments that only this format has.
#[derive(clap::Args)]
pub(crate) struct OpenSslArgs {
    /// pbkdf2 (the default) or bytes-to-key
    ///
    /// How passphrase and salt become a key and IV: openssl takes bytes-to-key without -pbkdf2.
    #[arg(long, value_name = "NAME", help_heading = OPENSSL)]
    kdf: Option<String>,

    /// Iterations of pbkdf2: 10000 if not given
    #[arg(long, value_name = "N", help_heading = OPENSSL)]
    iter: Option<NonZeroU32>,

    /// sha256 (the default), sha512, sha1, md5
    ///
    /// The hash function. The default of openssl before 1.1.0 was md5.
    #[arg(long, value_name = "NAME", help_heading = OPENSSL)]
    md: Option<String>,

    /// Base64, in lines
    ///
    /// Lines of 64 characters are written, lines of any length read.
    #[arg(long, help_heading = OPENSSL)]
    pub(super) base64: bool,

    /// No salt
    ///
    /// Equal passphrases give equal keys and IVs.
    #[arg(long, help_heading = OPENSSL)]
    pub(super) no_salt: bool,
}

impl OpenSslArgs {
    /// Each option, and whether it is given.
    pub(super) fn given(&self) -> [(&'static str, bool); 5] {
        [
            ("--kdf", self.kdf.is_some()),
            ("--iter", self.iter.is_some()),
            ("--md", self.md.is_some()),
            ("--base64", self.base64),
            ("--no-salt", self.no_salt),
        ]
    }

    pub(super) fn kdf(&self) -> Result<Kdf, Failure> {
        match self.kdf.as_deref().unwrap_or("pbkdf2") {
            "pbkdf2" => Ok(Kdf::Pbkdf2(self.iter.unwrap_or(Kdf::ITERATIONS))),
            "bytes-to-key" if self.iter.is_some() => Err(usage(
                "--iter has no meaning with bytes-to-key, which iterates once; leave it out",
            )),
            "bytes-to-key" => Ok(Kdf::BytesToKey),
            other => Err(usage(format!("--kdf {other} is neither pbkdf2 nor bytes-to-key"))),
        }
    }

    pub(super) fn digest(&self) -> Result<Digest, Failure> {
        let Some(name) = &self.md else { return Ok(Digest::default()) };
        Digest::ALL.into_iter().find(|d| d.name() == name.to_lowercase()).ok_or_else(|| {
            let all = Digest::ALL.map(Digest::name).join(", ");
            usage(format!("no hash function of --md is called {name}; they are {all}"))
        })
    }
}
