//! Files and streams that are sealed in chunks: what is done where no cipher is named.

use super::args::CryptArgs;
use super::job::Job;
use crate::errors::{Failure, usage};
use crate::keys::KeyOf;
use icefish::Backend;
use icefish::suite::{CHUNKED, ChunkedSuite};
use icefish_files::Error;
use icefish_files::formats::{Chunked, Way};
use zeroize::Zeroizing;

/// Encrypts or decrypts one file or stream. Without a `suite`, the length of the key decides which it is.
pub(super) fn run(
    args: &mut CryptArgs,
    suite: Option<ChunkedSuite>,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    let allowed = ["--cipher", "--generate-key", "--context", "--range", "--threads"];
    args.allow(&allowed, |option| match suite {
        _ if option.starts_with("--argon2") => "a key".to_owned(),
        Some(suite) => suite.to_string(),
        None => "Cobblestone, which is meant without --cipher".to_owned(),
    })?;
    let context = match &args.context {
        Some(context) => context.decode("--context")?,
        None => Zeroizing::new(Vec::new()),
    };
    let of = suite.map_or(KeyOf::cobblestone(), KeyOf::from);
    let (job, secret) = Job::prepare(args, of, way)?;
    let fits = |suite: &&ChunkedSuite| suite.key == secret.len();
    let by_length = || CHUNKED.iter().find(fits).copied();
    // The key has one of the lengths of `of`.
    let suite =
        suite.or_else(by_length).ok_or_else(|| usage("no cipher has keys of that length"))?;
    let key = suite.key(backend, &secret)?;
    drop(secret);
    let chunked = Chunked { key, context: &context, threads: args.threads };
    let (part, to_stream, named) = (args.range, job.to_stream(), args.cipher.is_some());
    job.run(
        |input, output, at| match (way, part) {
            (Way::Encrypt, _) => chunked.encrypt(input, output, at),
            (Way::Decrypt, None) => chunked.decrypt(input, output, at),
            (Way::Decrypt, Some(part)) => chunked.decrypt_part(input, part, output, at),
        },
        |e| explain(e, to_stream, named),
    )
}

/// What only the caller's words can say.
pub(super) fn explain(e: Error, to_stream: bool, named: bool) -> Failure {
    use icefish::Error as E;
    match e {
        Error::Crypt(E::Commitment) if !named => {
            Failure::Data(format!("{e}; or it is of another format, whose --cipher must be named"))
        }
        Error::Crypt(E::ForgedChunk { .. } | E::Truncated) if to_stream => {
            Failure::Data(format!("{e}; what was written is verified and is not all of it"))
        }
        Error::NeedsPassphrase { .. } => {
            Failure::Data(format!("{e}; --passphrase asks for the passphrase"))
        }
        e => e.into(),
    }
}
