//! Authenticated modes: a message and its tag.

use super::args::CryptArgs;
use super::job::{self, Job};
use super::jobs::Jobs;
use super::many::{self, Common, Task};
use crate::errors::{Failure, usage};
use crate::hex::check_len;
use icefish::Backend;
use icefish::suite::AeadSuite;
use icefish_files::formats::{Sealed, Way};
use icefish_files::{Error, Format, Input, Output};
use std::num::NonZero;
use zeroize::Zeroizing;

/// Encrypts or decrypts a file, a stream, or many files.
pub(super) fn run(
    args: &mut CryptArgs,
    suite: AeadSuite,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    let many = many::is_asked(args);
    let mut allowed = vec!["--cipher", "--generate-key", "--associated", "--tag-length"];
    allowed.push(if many { "--threads" } else { "--iv" });
    allowed.extend(many::options(args));
    args.allow(&allowed, |option| match option {
        "--threads" => format!(
            "{suite}, whose tag takes one piece after the other; many files share the cores"
        ),
        _ => many::wrong(option, many).unwrap_or(suite.to_string()),
    })?;
    let nonce = args.iv.as_ref().map(|iv| iv.decode("--iv")).transpose()?;
    if let Some(nonce) = &nonce {
        check_len(nonce.len(), suite.nonce, "--iv", suite.name)?;
    }
    let associated = match &args.associated {
        Some(associated) => associated.decode("--associated")?,
        None => Zeroizing::new(Vec::new()),
    };
    let tag_len = args.tag_length.unwrap_or(suite.tag);
    // Before a key file is made: a key of zeros knows as well which lengths there are.
    suite
        .key(backend, &vec![0; suite.key])?
        .set_tag_len(tag_len)
        .map_err(|e| usage(format!("--tag-length {tag_len}: {e}")))?;
    if many {
        let jobs = Jobs::new(args, Format::Raw, way)?;
        let (secret, new_key) = job::key(args, (&suite).into())?;
        let mut key = suite.key(backend, &secret)?;
        drop(secret);
        key.set_tag_len(tag_len)?;
        let sealed = Sealed { key: &key, nonce: None, associated: &associated };
        return many::run(&Files { sealed, way }, jobs, Common::new(args, new_key));
    }
    let (job, secret) = Job::prepare(args, (&suite).into(), way)?;
    let mut key = suite.key(backend, &secret)?;
    drop(secret);
    key.set_tag_len(tag_len)?;
    let nonce = nonce.as_ref().map(|nonce| nonce.as_slice());
    let sealed = Sealed { key: &key, nonce, associated: &associated };
    job.run(|input, output, at| crypt(&sealed, way, input, output, at), |e: Error| e.into())
}

fn crypt(
    sealed: &Sealed<'_>,
    way: Way,
    input: Input,
    output: &mut Output,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Error> {
    // A file has no name yet.
    let revocable = !output.is_stream();
    match way {
        Way::Encrypt => sealed.encrypt(input, output, revocable, progress),
        Way::Decrypt => sealed.decrypt(input, output, revocable, progress),
    }
}

/// Many files, each with a nonce of its own.
struct Files<'k> {
    sealed: Sealed<'k>,
    way: Way,
}

impl Task for Files<'_> {
    fn one(
        &self,
        input: Input,
        output: &mut Output,
        _: Option<NonZero<usize>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        crypt(&self.sealed, self.way, input, output, progress)
    }

    /// A message from a stream may be in memory as a whole.
    fn alone(&self) -> bool {
        true
    }
}
