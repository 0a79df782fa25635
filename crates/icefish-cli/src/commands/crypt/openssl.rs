//! What `openssl enc` writes with a passphrase.

use super::args::CryptArgs;
use super::job::Job;
use crate::errors::{Failure, usage};
use crate::names::{self, Encrypts};
use crate::passphrases::PASSPHRASES;
use icefish::Backend;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::Suite;
use icefish_files::Error;
use icefish_files::formats::openssl::{Digest, Kdf, OpenSsl};
use icefish_files::formats::{KeyStream, Way};
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
    /// The hash function. openssl before 1.1.0 took md5 if nothing was said.
    #[arg(long, value_name = "NAME", help_heading = OPENSSL)]
    md: Option<String>,

    /// Base64, in lines
    ///
    /// Lines of 64 characters are written, lines of any length read.
    #[arg(long, help_heading = OPENSSL)]
    base64: bool,

    /// No salt
    ///
    /// Equal passphrases give equal keys and IVs.
    #[arg(long, help_heading = OPENSSL)]
    no_salt: bool,
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

    fn kdf(&self) -> Result<Kdf, Failure> {
        match self.kdf.as_deref().unwrap_or("pbkdf2") {
            "pbkdf2" => Ok(Kdf::Pbkdf2(self.iter.unwrap_or(Kdf::ITERATIONS))),
            "bytes-to-key" if self.iter.is_some() => Err(usage(
                "--iter has no meaning with bytes-to-key, which iterates once; leave it out",
            )),
            "bytes-to-key" => Ok(Kdf::BytesToKey),
            other => Err(usage(format!("--kdf {other} is neither pbkdf2 nor bytes-to-key"))),
        }
    }

    fn digest(&self) -> Result<Digest, Failure> {
        let Some(name) = &self.md else { return Ok(Digest::default()) };
        Digest::ALL.into_iter().find(|d| d.name() == name.to_lowercase()).ok_or_else(|| {
            let all = Digest::ALL.map(Digest::name).join(", ");
            usage(format!("no hash function of --md is called {name}; they are {all}"))
        })
    }
}

/// Encrypts or decrypts one file or stream.
pub(super) fn run(args: &mut CryptArgs, way: Way, backend: Backend) -> Result<(), Failure> {
    let format = made_by(args, backend)?;
    let (job, passphrase) = Job::with_passphrase(args, way)?;
    job.run(
        |input, output, at| match way {
            Way::Encrypt => format.encrypt(passphrase, input, output, at),
            Way::Decrypt => format.decrypt(passphrase, input, output, at),
        },
        explain,
    )
}

/// What the arguments say, and that they say nothing else.
fn made_by(args: &CryptArgs, backend: Backend) -> Result<OpenSsl, Failure> {
    let suite = suite(args)?;
    let mut format = OpenSsl::new(&suite, backend)?;
    let mut allowed =
        vec!["--cipher", "--kdf", "--iter", "--md", "--base64", "--no-salt", "--threads"];
    allowed.extend(PASSPHRASES);
    allowed.extend((suite.mode.granularity() == Granularity::Block).then_some("--padding"));
    args.allow(&allowed, |option| match option {
        "--padding" => format!("{suite}, which takes data of any length"),
        "--iv" => "--format openssl, which derives it from the passphrase".to_owned(),
        _ => "--format openssl".to_owned(),
    })?;
    if args.key.is_given() {
        return Err(usage(
            "--format openssl takes a passphrase; what `openssl enc -K -iv` writes is --format raw with --iv",
        ));
    }
    format.kdf = args.openssl.kdf()?;
    format.digest = args.openssl.digest()?;
    format.base64 = args.openssl.base64;
    format.salted = !args.openssl.no_salt;
    format.threads = args.threads;
    if let Some(name) = &args.padding {
        format.padding = match names::padding(name)? {
            padding @ (Padding::Pkcs7 | Padding::None) => padding,
            other => {
                let other = other.name();
                return Err(usage(format!(
                    "openssl enc has no padding {other}; it has pkcs7 and none"
                )));
            }
        };
    }
    Ok(format)
}

fn suite(args: &CryptArgs) -> Result<Suite, Failure> {
    let name = args.cipher.as_deref().ok_or_else(|| {
        usage("--format openssl needs a cipher and mode, as in --cipher aes-256-cbc: the file does not tell it")
    })?;
    if name.to_lowercase().ends_with("-cfb1") {
        return Err(usage(format!("{name}: CFB with segments of a bit is not in this program")));
    }
    match names::encrypts(name)? {
        Encrypts::Plain(suite) => Ok(suite),
        Encrypts::Chunked(suite) => Err(Error::NotOfOpenSsl { suite: suite.to_string() }.into()),
        Encrypts::KeyStream => {
            Err(Error::NotOfOpenSsl { suite: KeyStream::NAME.to_owned() }.into())
        }
        Encrypts::Sealed(suite) => Err(Error::NotOfOpenSsl { suite: suite.to_string() }.into()),
    }
}

/// A hint that only the caller's words can give.
fn explain(e: Error) -> Failure {
    match e {
        Error::Crypt(icefish::Error::Padding) => Failure::Data(
            "the padding is wrong: a wrong passphrase, another --cipher, --kdf, --iter or --md, or damaged data"
                .to_owned(),
        ),
        Error::NotSalted { base64: true, .. } => Failure::Data(format!("{e}; give --base64")),
        Error::NotSalted { .. } => Failure::Data(format!("{e}; for one without, give --no-salt")),
        e => e.into(),
    }
}
