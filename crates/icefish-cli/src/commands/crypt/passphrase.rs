//! Files sealed with a passphrase.

use super::args::CryptArgs;
use super::chunked;
use super::job::Job;
use crate::errors::Failure;
use crate::passphrases::PASSPHRASES;
use icefish::Backend;
use icefish::suite::ChunkedSuite;
use icefish_files::Error;
use icefish_files::formats::Way;
use icefish_files::formats::passphrase::{Cost, Limit, SUITE, WithPassphrase};
use icefish_measure::format::parse_size;

/// Seals or opens one file or stream.
pub(super) fn run(
    args: &mut CryptArgs,
    suite: Option<ChunkedSuite>,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    let allowed = ["--cipher", "--range", "--threads", "--argon2", "--argon2-most"];
    args.allow(&[&allowed[..], &PASSPHRASES].concat(), |option| match option {
        "--extension" | "--match" => "a passphrase, which is for one file at a time".to_owned(),
        "--context" => "a passphrase: the header is the context".to_owned(),
        _ => "a passphrase, which is meant without --cipher".to_owned(),
    })?;
    if let Some(suite) = suite.filter(|suite| suite.name != SUITE) {
        args.allow(&allowed, |_| format!("{suite}; a passphrase goes with {SUITE}"))?;
    }
    let (job, passphrase) = Job::with_passphrase(args, way)?;
    let with = WithPassphrase { backend, threads: args.threads };
    let cost = args.cost.unwrap_or(Cost::DEFAULT);
    let (limit, part) = (args.limit.unwrap_or(Limit::DEFAULT), args.range);
    let to_stream = job.to_stream();
    job.run(
        |input, output, at| match way {
            Way::Encrypt => with.encrypt(passphrase, cost, input, output, at),
            Way::Decrypt => with.decrypt(passphrase, limit, part, input, output, at),
        },
        |e| explain(e, to_stream),
    )
}

/// The error, with a hint that names options: `icefish-files` does not know them.
fn explain(e: Error, to_stream: bool) -> Failure {
    match e {
        Error::NoPassphrase { openssl: true, .. } => Failure::Data(format!(
            "{e}; `openssl enc` made it: give --format openssl and its --cipher"
        )),
        Error::NoPassphrase { .. } => {
            Failure::Data(format!("{e}; for one that is sealed with a key, give --key-file"))
        }
        Error::Crypt(icefish::Error::Commitment) => {
            Failure::Data("the passphrase is wrong, or the header is damaged".to_owned())
        }
        Error::TooCostly { need, .. } => {
            Failure::Data(format!("{e}; --argon2-most {need}M allows it"))
        }
        e => chunked::explain(e, to_stream, true),
    }
}

/// What `--argon2` says: memory, passes and lanes.
pub(crate) fn cost(text: &str) -> Result<Cost, String> {
    let wrong = || "memory, passes and lanes are needed, such as 64M,3,4".to_owned();
    let parts: Vec<&str> = text.split(',').collect();
    let [size, passes, lanes] = *parts.as_slice() else { return Err(wrong()) };
    let memory = u32::try_from(kibibytes(size)?)
        .map_err(|_| "the memory must be less than 4096G".to_owned())?;
    let number = |text: &str| text.parse().map_err(|_| wrong());
    let cost = Cost { memory, passes: number(passes)?, lanes: number(lanes)? };
    cost.check().map_err(|e| e.to_string())?;
    Ok(cost)
}

/// What `--argon2-most` says: a size.
pub(crate) fn limit(text: &str) -> Result<Limit, String> {
    Ok(Limit { memory: kibibytes(text)? })
}

/// A size in KiB.
fn kibibytes(text: &str) -> Result<u64, String> {
    let bytes = parse_size(text).filter(|bytes| *bytes > 0 && bytes.is_multiple_of(1024));
    bytes.map(|bytes| bytes / 1024).ok_or_else(|| "a size is needed, such as 64M or 2G".to_owned())
}
