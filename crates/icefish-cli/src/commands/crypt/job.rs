//! One file or stream: its input, its output and its key.

use super::args::CryptArgs;
use crate::errors::{Failure, usage};
use crate::keys::{self, KeyOf};
use crate::progress::Progress;
use crate::stdio;
use icefish_files::formats::Way;
use icefish_files::{Error, Identity, Input, Output, SecretFile, Target, same_place};
use zeroize::Zeroizing;

/// All that is ready before the work: no argument of the call is wrong.
pub(super) struct Job {
    input: Input,
    output: Output,
    to_stdout: bool,
    /// Length of what will be read, if it is known.
    len: Option<u64>,
    /// The file of a new key, which is removed unless it is kept.
    new_key: Option<SecretFile>,
}

impl Job {
    /// Also the key, which should not live longer than it takes to make its schedule.
    pub(super) fn prepare(
        args: &mut CryptArgs,
        of: KeyOf,
        way: Way,
    ) -> Result<(Self, Zeroizing<Vec<u8>>), Failure> {
        if is_stdin(args) && args.key.key_file.as_deref().is_some_and(stdio::is_stdin) {
            return Err(usage("standard input is the data, and cannot be the key file too"));
        }
        let known = args.key.take(of)?;
        let mut job = Self::without_key(args, way)?;
        // Last of the preparations, so that a call that fails leaves no key.
        let (key, new_key) = or_new(known, args, of)?;
        job.new_key = new_key;
        Ok((job, key))
    }

    /// The same with a passphrase instead of a key. It is asked for when nothing else can be wrong.
    pub(super) fn with_passphrase(
        args: &CryptArgs,
        way: Way,
    ) -> Result<(Self, Zeroizing<Vec<u8>>), Failure> {
        if is_stdin(args) && args.passphrase.is_stdin() {
            return Err(usage(
                "standard input is the data; give the passphrase another descriptor or file",
            ));
        }
        let job = Self::without_key(args, way)?;
        let passphrase = args.passphrase.get(way == Way::Encrypt)?;
        Ok((job, passphrase))
    }

    /// All but the key.
    fn without_key(args: &CryptArgs, way: Way) -> Result<Self, Failure> {
        let input = input(args)?;
        let (target, to_stdout) = target(args, way)?;
        refuse_same(&target, &input, args)?;
        let output = target.create()?;
        let len = input.len_hint().filter(|_| args.range.is_none());
        Ok(Self { input, output, to_stdout, len, new_key: None })
    }

    /// Whether the output is a pipe or a device.
    pub(super) fn to_stream(&self) -> bool {
        self.output.is_stream()
    }

    /// Does the work, and gives the output its name; `explain` says what went wrong with the data.
    pub(super) fn run(
        self,
        work: impl FnOnce(Input, &mut Output, &mut dyn FnMut(u64)) -> Result<u64, Error>,
        explain: impl FnOnce(Error) -> Failure,
    ) -> Result<(), Failure> {
        let Self { input, mut output, to_stdout, len, new_key } = self;
        // What has gone to a stream may have arrived: its key must stay.
        let new_key = match new_key {
            Some(file) if output.is_stream() => {
                file.keep();
                None
            }
            other => other,
        };
        let mut progress = Progress::new(len, to_stdout);
        let done = work(input, &mut output, &mut |done| progress.at(done));
        drop(progress);
        done.map_err(|e| explain(output.explain(e)))?;
        // Before the output has its name: there must be no moment in which it exists without its key.
        if let Some(file) = new_key {
            file.keep();
        }
        Ok(output.commit()?)
    }
}

/// The key of the arguments, or a new one and its file, which is removed unless it is kept.
pub(super) fn key(
    args: &mut CryptArgs,
    of: KeyOf,
) -> Result<(Zeroizing<Vec<u8>>, Option<SecretFile>), Failure> {
    let known = args.key.take(of)?;
    or_new(known, args, of)
}

fn or_new(
    known: Option<Zeroizing<Vec<u8>>>,
    args: &CryptArgs,
    of: KeyOf,
) -> Result<(Zeroizing<Vec<u8>>, Option<SecretFile>), Failure> {
    match (known, args.generate_key.as_deref()) {
        (Some(key), _) => Ok((key, None)),
        (None, Some(path)) => {
            let (key, file) = keys::generate(path, of)?;
            Ok((key, Some(file)))
        }
        (None, None) => Err(usage("a key is needed: --key, --key-file or --generate-key")),
    }
}

/// Whether standard input is read.
fn is_stdin(args: &CryptArgs) -> bool {
    args.files.first().is_none_or(|file| file.as_os_str() == "-")
}

fn input(args: &CryptArgs) -> Result<Input, Failure> {
    match args.files.as_slice() {
        [] => Ok(Input::stdin()?),
        [file] if file.as_os_str() == "-" => Ok(Input::stdin()?),
        [file] => Ok(Input::open(file)?),
        files if args.output.is_some() => Err(usage(format!(
            "-o names one output, and {} files were given; --extension instead puts outputs beside inputs",
            files.len()
        ))),
        files => Err(usage(format!(
            "{} files were given; with --extension, such as --extension enc, outputs go beside them",
            files.len()
        ))),
    }
}

/// Where the output goes, and whether that is standard output.
fn target(args: &CryptArgs, way: Way) -> Result<(Target, bool), Failure> {
    match args.output.as_deref() {
        Some(path) if path.as_os_str() != "-" => Ok((Target::file(path, args.force)?, false)),
        None if way == Way::Encrypt && stdio::stdout_is_terminal() => Err(usage(
            "the ciphertext would go to the terminal; give -o FILE, or -o - if that is wanted",
        )),
        _ => Ok((Target::stdout()?, true)),
    }
}

/// Nothing that is read or kept may be overwritten.
fn refuse_same(target: &Target, input: &Input, args: &CryptArgs) -> Result<(), Failure> {
    target.refuse(input.identity(), "the input")?;
    let key = args.key.key_file.as_deref().and_then(Identity::of_path);
    target.refuse(key.as_ref(), "the key file")?;
    target.refuse(args.passphrase.identity().as_ref(), "the passphrase file")?;
    if let (Some(key), Some(output)) = (&args.generate_key, args.output.as_deref())
        && same_place(key, output)
    {
        let name = output.display();
        return Err(usage(format!("{name} is both the output and the new key; choose two names")));
    }
    Ok(())
}
