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
use icefish_files::formats::openssl::OpenSsl;
use icefish_files::formats::{KeyStream, Way};

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

/// The error, with a hint that names options: `icefish-files` does not know them.
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
