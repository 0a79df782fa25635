//! Xoofff as a stream cipher.

use super::args::CryptArgs;
use super::job::{self, Job};
use super::jobs::Jobs;
use super::many::{self, Common, Task};
use crate::errors::Failure;
use crate::hex::check_len;
use crate::keys::KeyOf;
use icefish::Backend;
use icefish::constructions::xoofff::Xoofff;
use icefish_files::formats::{KeyStream, Way};
use icefish_files::{Error, Format, Input, Output};
use std::num::NonZero;

/// Encrypts or decrypts a file, a stream, or many files.
pub(super) fn run(args: &mut CryptArgs, way: Way, backend: Backend) -> Result<(), Failure> {
    let many = many::is_asked(args);
    let mut allowed = vec!["--cipher", "--generate-key", "--threads"];
    allowed.extend((!many).then_some("--iv"));
    allowed.extend(many::options(args));
    args.allow(&allowed, |option| match option {
        "--associated" => format!("{}, which authenticates nothing", KeyStream::NAME),
        _ => many::wrong(option, many).unwrap_or_else(|| KeyStream::NAME.to_owned()),
    })?;
    let nonce = args.iv.as_ref().map(|iv| iv.decode("--iv")).transpose()?;
    if let Some(nonce) = &nonce {
        check_len(nonce.len(), KeyStream::NONCE, "--iv", KeyStream::NAME)?;
    }
    let (of, threads) = (KeyOf::xoofff(), args.threads);
    if many {
        let jobs = Jobs::new(args, Format::Raw, way)?;
        let (secret, new_key) = job::key(args, of)?;
        let key = Xoofff::on(backend, &secret)?;
        drop(secret);
        let stream = KeyStream { key: &key, nonce: None, threads };
        return many::run(&Files { stream, way }, jobs, Common::new(args, new_key));
    }
    let (job, secret) = Job::prepare(args, of, way)?;
    let key = Xoofff::on(backend, &secret)?;
    drop(secret);
    let nonce = nonce.as_ref().map(|nonce| nonce.as_slice());
    let stream = KeyStream { key: &key, nonce, threads };
    job.run(|input, output, at| stream.crypt(way, input, output, at), explain)
}

/// Many files, each with a nonce of its own.
struct Files<'k> {
    stream: KeyStream<'k>,
    way: Way,
}

impl Task for Files<'_> {
    fn one(
        &self,
        input: Input,
        output: &mut Output,
        threads: Option<NonZero<usize>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        KeyStream { threads, ..self.stream }.crypt(self.way, input, output, progress)
    }

    fn alone(&self) -> bool {
        true
    }

    fn explain(&self, e: Error) -> Failure {
        explain(e)
    }
}

/// The error, with a hint that names options: `icefish-files` does not know them.
fn explain(e: Error) -> Failure {
    match e {
        Error::MissingIv { .. } => Failure::Data(format!("{e} with --iv")),
        e => e.into(),
    }
}
