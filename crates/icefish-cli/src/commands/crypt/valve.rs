//! Files of Source-engine games, many at once.

mod jobs;

use super::args::CryptArgs;
use crate::errors::{Failure, usage};
use crate::keys;
use crate::progress::Progress;
use icefish::Backend;
use icefish::suite::AnyKey;
use icefish_files::formats::{Way, valve, valve_net};
use icefish_files::{Format, Identity, Input, Target};
use jobs::{Job, Jobs, Place};
use std::path::Path;

/// Encrypts or decrypts files and folders. One that fails does not keep the others from being done.
pub(super) fn run(
    args: &mut CryptArgs,
    format: Format,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    let level = args.level.unwrap_or(match format {
        Format::ValveNet => valve_net::LEVEL,
        _ => valve::LEVEL,
    });
    let cipher = valve::cipher(level)?;
    let secret = match args.key_text.take() {
        Some(text) => Some(keys::from_text(&text, cipher.into())?),
        None => args.key.take(cipher.into())?,
    };
    let secret = secret.ok_or_else(|| usage("a key is needed: --key-text or --key"))?;
    let key = cipher.key(backend, &secret, &[])?;
    drop(secret);
    let protected = args.key.key_file.as_deref().and_then(Identity::of_path);
    let task = Task { format, way, key, force: args.force, protected };
    let mut code = None;
    for job in Jobs::new(args, format, way)? {
        if let Err(failure) = job.and_then(|job| task.run(&job)) {
            if let Failure::BrokenPipe = failure {
                return Err(failure);
            }
            let said = failure.say();
            code.get_or_insert(said);
        }
    }
    code.map_or(Ok(()), |code| Err(Failure::Said(code)))
}

/// What is done to each file.
struct Task {
    format: Format,
    way: Way,
    key: AnyKey,
    force: bool,
    /// The key file.
    protected: Option<Identity>,
}

impl Task {
    fn run(&self, job: &Job) -> Result<(), Failure> {
        let input = match &job.input {
            Some(path) => Input::open(path)?,
            None => Input::stdin()?,
        };
        let target = self.target(&job.output, &input)?;
        let mut output = target.create()?;
        let mut progress = Progress::new(input.len_hint(), matches!(job.output, Place::Stdout));
        let name = input.name().to_owned();
        let done = match (self.format, self.way) {
            (Format::ValveNet, Way::Encrypt) => valve_net::encrypt(&self.key, input, &mut output),
            (Format::ValveNet, Way::Decrypt) => valve_net::decrypt(&self.key, input, &mut output),
            _ => valve::crypt(&self.key, self.way, input, &mut output, &mut |at| progress.at(at)),
        };
        drop(progress);
        done.map_err(|e| named(&name, output.explain(e)))?;
        Ok(output.commit()?)
    }

    fn target(&self, place: &Place, input: &Input) -> Result<Target, Failure> {
        // The input may be named as its own output: that is worth more than "exists".
        let replace = |path: &Path| {
            let same = |input: &Identity| Some(input) == Identity::of_path(path).as_ref();
            self.force || input.identity().is_some_and(same)
        };
        let target = match place {
            Place::Stdout => Target::stdout()?,
            Place::Named(path) => Target::file(path, replace(path))?,
            Place::Beside(path) => Target::beside(path, replace(path))?,
        };
        target.refuse(input.identity(), "the input")?;
        target.refuse(self.protected.as_ref(), "the key file")?;
        Ok(target)
    }
}

/// Errors about contents say nothing of the file; among many, it must be named.
fn named(input: &str, e: icefish_files::Error) -> Failure {
    use icefish_files::Error as E;
    match e {
        E::PartialCiphertext { .. } | E::NotAMessage | E::MessageLength { .. } => {
            Failure::Data(format!("{input}: {e}"))
        }
        e => e.into(),
    }
}
