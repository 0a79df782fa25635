//! Ciphertext as the mode gives it.

use super::args::CryptArgs;
use super::job::{self, Job};
use super::jobs::Jobs;
use super::many::{self, Common, Task};
use crate::commands::block::tweak;
use crate::errors::Failure;
use crate::hex::check_len;
use crate::names;
use icefish::Backend;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::Suite;
use icefish_files::formats::{Contents, Raw, Way};
use icefish_files::{Error, Format, Input, Output};
use std::num::NonZero;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Encrypts or decrypts a file, a stream, or many files.
pub(super) fn run(
    args: &mut CryptArgs,
    suite: &Suite,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    refuse_meaningless(args, suite)?;
    let padding = names::padding(args.padding.as_deref().unwrap_or("pkcs7"))?;
    let iv = iv(args, suite)?;
    let tweak = tweak(args.tweak.as_ref(), suite.cipher)?;
    let (mode, of) = (suite.mode, suite.cipher.into());
    let threads = args.threads;
    if many::is_asked(args) {
        let jobs = Jobs::new(args, Format::Raw, way)?;
        let (secret, new_key) = job::key(args, of)?;
        let key = Arc::new(suite.cipher.key(backend, &secret, &tweak)?);
        drop(secret);
        let raw = Raw { key: &key, mode, padding, iv: None, threads };
        return many::run(&Files { raw, way }, jobs, Common::new(args, new_key));
    }
    let (job, secret) = Job::prepare(args, of, way)?;
    let key = Arc::new(suite.cipher.key(backend, &secret, &tweak)?);
    drop(secret);
    let iv = iv.as_ref().map(|iv| iv.as_slice());
    let raw = Raw { key: &key, mode, padding, iv, threads };
    job.run(
        |input, output, at| match way {
            Way::Encrypt => raw.encrypt(input, output, at),
            Way::Decrypt => raw.decrypt(input, output, at),
        },
        |e| explain(e, padding),
    )
}

struct Files<'k> {
    raw: Raw<'k>,
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
        let raw = Raw { threads, ..self.raw };
        match self.way {
            Way::Encrypt => raw.encrypt(input, output, progress),
            Way::Decrypt => raw.decrypt(input, output, progress),
        }
    }

    fn shares(&self) -> bool {
        true
    }

    fn together(&self, files: Vec<Contents>) -> Vec<Result<Contents, Error>> {
        match self.way {
            Way::Encrypt => self.raw.encrypt_many(&files),
            Way::Decrypt => self.raw.decrypt_many(&files),
        }
    }

    fn alone(&self) -> bool {
        self.raw.mode.depends_on(self.way).is_some()
    }

    fn explain(&self, e: Error) -> Failure {
        explain(e, self.raw.padding)
    }
}

/// Refuses options that have no meaning with a mode that only encrypts.
fn refuse_meaningless(args: &CryptArgs, suite: &Suite) -> Result<(), Failure> {
    let many = many::is_asked(args);
    let mut allowed = vec!["--cipher", "--generate-key", "--threads"];
    allowed.extend((!many && suite.mode.iv_len(suite.cipher.block) > 0).then_some("--iv"));
    allowed.extend((suite.cipher.tweak > 0).then_some("--tweak"));
    allowed.extend((suite.mode.granularity() == Granularity::Block).then_some("--padding"));
    allowed.extend(many::options(args));
    args.allow(&allowed, |option| match option {
        "--padding" => format!("{suite}, which takes data of any length"),
        "--associated" => format!("{suite}, which authenticates nothing"),
        _ => many::wrong(option, many).unwrap_or_else(|| format!("{suite}, which takes none")),
    })
}

/// The error, with a hint that names options: `icefish-files` does not know them.
fn explain(e: Error, padding: Padding) -> Failure {
    match e {
        Error::Crypt(icefish::Error::Padding) => Failure::Data(format!(
            "the padding is not {}: a wrong key, another padding, or damaged data",
            padding.name()
        )),
        Error::MissingIv { .. } => Failure::Data(format!("{e} with --iv")),
        e => e.into(),
    }
}

fn iv(args: &CryptArgs, suite: &Suite) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    let Some(iv) = &args.iv else { return Ok(None) };
    let iv = iv.decode("--iv")?;
    check_len(iv.len(), suite.mode.iv_len(suite.cipher.block), "--iv", &suite.to_string())?;
    Ok(Some(iv))
}
