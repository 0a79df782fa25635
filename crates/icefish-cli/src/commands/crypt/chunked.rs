//! Files and streams that are sealed in chunks: what is done where no cipher is named.

use super::args::CryptArgs;
use super::job::{self, Job};
use super::jobs::Jobs;
use super::many::{self, Common, Task};
use crate::errors::{Failure, usage};
use crate::keys::KeyOf;
use icefish::Backend;
use icefish::suite::{CHUNKED, ChunkedSuite};
use icefish_files::formats::{Chunked, Way};
use icefish_files::{Error, Format, Input, Output};
use std::num::NonZero;
use zeroize::Zeroizing;

/// Encrypts or decrypts a file, a stream, or many files. Without a `suite`, the length of the key decides which it is.
pub(super) fn run(
    args: &mut CryptArgs,
    suite: Option<ChunkedSuite>,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    let many = many::is_asked(args);
    let mut allowed = vec!["--cipher", "--generate-key", "--context", "--threads"];
    allowed.extend((!many).then_some("--range"));
    allowed.extend(many::options(args));
    args.allow(&allowed, |option| match (many::wrong(option, many), suite) {
        _ if option.starts_with("--argon2") => "a key".to_owned(),
        (Some(wrong), _) => wrong,
        _ if option == "--range" => "--extension: a range is of one file".to_owned(),
        (_, Some(suite)) => suite.to_string(),
        (_, None) => "Cobblestone, which is meant without --cipher".to_owned(),
    })?;
    let context = match &args.context {
        Some(context) => context.decode("--context")?,
        None => Zeroizing::new(Vec::new()),
    };
    let of = suite.map_or(KeyOf::cobblestone(), KeyOf::from);
    if many {
        let jobs = Jobs::new(args, Format::Raw, way)?;
        let (secret, new_key) = job::key(args, of)?;
        let (suite, named) = (by_length(suite, &secret)?, args.cipher.is_some());
        let files = Files { suite, secret, context, way, backend, named };
        return many::run(&files, jobs, Common::new(args, new_key));
    }
    let (job, secret) = Job::prepare(args, of, way)?;
    let key = by_length(suite, &secret)?.key(backend, &secret)?;
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

/// `suite`, or the one with such keys: a key has one of their lengths.
fn by_length(suite: Option<ChunkedSuite>, secret: &[u8]) -> Result<ChunkedSuite, Failure> {
    let fits = |suite: &&ChunkedSuite| suite.key == secret.len();
    let found = suite.or_else(|| CHUNKED.iter().find(fits).copied());
    found.ok_or_else(|| usage("no cipher has keys of that length"))
}

/// Many files, each with a salt of its own.
struct Files {
    suite: ChunkedSuite,
    /// The keys of all files are derived from it.
    secret: Zeroizing<Vec<u8>>,
    context: Zeroizing<Vec<u8>>,
    way: Way,
    backend: Backend,
    named: bool,
}

impl Task for Files {
    fn one(
        &self,
        input: Input,
        output: &mut Output,
        threads: Option<NonZero<usize>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let key = self.suite.key(self.backend, &self.secret)?;
        let chunked = Chunked { key, context: &self.context, threads };
        match self.way {
            Way::Encrypt => chunked.encrypt(input, output, progress),
            Way::Decrypt => chunked.decrypt(input, output, progress),
        }
    }

    fn alone(&self) -> bool {
        true
    }

    fn explain(&self, e: Error) -> Failure {
        explain(e, false, self.named)
    }
}

/// The error, with a hint that names options: `icefish-files` does not know them.
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
