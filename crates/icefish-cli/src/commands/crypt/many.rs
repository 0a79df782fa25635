//! Many files in one call, whose outputs go beside them. One that fails does not keep the others from being done.
//!
//! Workers take small files some at a time, and hold them in memory: they share registers where a mode gains from that. Large files
//! come last.

use super::args::CryptArgs;
use super::jobs::{Job, Jobs, Place};
use crate::errors::Failure;
use crate::progress::Progress;
use icefish_files::formats::Contents;
use icefish_files::{Error, Identity, Input, Output, SecretFile, Target};
use std::io::Write;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Most bytes of files that are in memory, before they are encrypted or decrypted. There are as many after that.
const MEMORY: u64 = 24 << 20;

/// A worker with less memory than this is of little use.
const LEAST: u64 = 2 << 20;

/// Most files that a worker takes at a time: as many as share registers.
const FILES: usize = 64;

/// What is done to each file.
pub(super) trait Task: Sync {
    /// Does one; `threads` say how many may work on it.
    fn one(
        &self,
        input: Input,
        output: &mut Output,
        threads: Option<NonZero<usize>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error>;

    /// Whether files that are in memory at the same time gain from that.
    fn shares(&self) -> bool {
        false
    }

    /// Does such files: a result for each.
    fn together(&self, files: Vec<Contents>) -> Vec<Result<Contents, Error>> {
        drop(files);
        Vec::new()
    }

    /// Whether a large file takes all cores, or much memory: then there is one at a time.
    fn alone(&self) -> bool;

    /// The error, with a hint that names options: `icefish-files` does not know them.
    fn explain(&self, e: Error) -> Failure {
        e.into()
    }
}

/// What all files have in common.
pub(super) struct Common {
    force: bool,
    /// How many threads were asked for.
    threads: Option<NonZero<usize>>,
    /// What must not be overwritten.
    key: Option<Identity>,
    /// The file of a new key, which is kept before an output gets its name.
    new_key: Mutex<Option<SecretFile>>,
}

impl Common {
    /// What the arguments say.
    pub(super) fn new(args: &CryptArgs, new_key: Option<SecretFile>) -> Self {
        let file = args.key.key_file.as_deref().or(args.generate_key.as_deref());
        Self {
            force: args.force,
            threads: args.threads,
            key: file.and_then(Identity::of_path),
            new_key: Mutex::new(new_key),
        }
    }
}

/// Whether the arguments ask for outputs beside inputs.
pub(super) fn is_asked(args: &CryptArgs) -> bool {
    let is_dash = |path: &std::path::PathBuf| path.as_os_str() == "-";
    let files = &args.files;
    args.extension.is_some()
        && args.output.is_none()
        && !files.is_empty()
        && !files.iter().any(is_dash)
}

/// The options that have a meaning with many files only.
pub(super) fn options(args: &CryptArgs) -> &'static [&'static str] {
    if is_asked(args) { &["--extension", "--match"] } else { &[] }
}

/// What `option` has no meaning with, if that is how many files there are.
pub(super) fn wrong(option: &str, many: bool) -> Option<String> {
    match option {
        "--extension" => {
            Some("-o or standard input: the output is not beside its input".to_owned())
        }
        "--match" => {
            Some("outputs that are not beside their inputs, where --extension puts them".to_owned())
        }
        "--iv" if many => Some("--extension: each file has an IV of its own".to_owned()),
        _ => None,
    }
}

/// Does all files; says what is wrong with each.
pub(super) fn run(task: &dyn Task, jobs: Jobs, common: Common) -> Result<(), Failure> {
    let wanted = common.threads.or_else(|| thread::available_parallelism().ok());
    let workers = wanted.map_or(1, NonZero::get).min((MEMORY / LEAST) as usize).min(jobs.most());
    let run = Run {
        task,
        common,
        workers,
        jobs: Mutex::new(jobs),
        large: Mutex::new(Vec::new()),
        code: Mutex::new(None),
        broken: AtomicBool::new(false),
        done: AtomicU64::new(0),
    };
    run.on_all_cores(Run::small);
    lock(&run.large).reverse();
    match task.alone() || lock(&run.large).is_empty() {
        true => run.large(run.common.threads, &mut Progress::new(None, false)),
        false => run.on_all_cores(|run, progress| run.large(NonZero::new(1), progress)),
    }
    if run.broken.load(Relaxed) {
        return Err(Failure::BrokenPipe);
    }
    let code = *lock(&run.code);
    code.map_or(Ok(()), |code| Err(Failure::Said(code)))
}

/// What the workers share.
struct Run<'a> {
    task: &'a dyn Task,
    common: Common,
    workers: usize,
    jobs: Mutex<Jobs>,
    /// What is left for later.
    large: Mutex<Vec<Job>>,
    /// The exit code, if something failed: 1 if any of the data or the machine did.
    code: Mutex<Option<u8>>,
    broken: AtomicBool,
    /// Bytes written.
    done: AtomicU64,
}

/// A file in memory, and where it goes.
struct Held {
    name: String,
    contents: Contents,
    target: Target,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run<'_> {
    /// The caller's thread is one of the workers, and shows the progress.
    fn on_all_cores(&self, work: impl Fn(&Self, &mut Progress) + Sync) {
        thread::scope(|scope| {
            for _ in 1..self.workers {
                let worker = thread::Builder::new().name("worker".into());
                // Fewer threads take longer and do the same.
                let _ = worker.spawn_scoped(scope, || work(self, &mut Progress::none()));
            }
            work(self, &mut Progress::new(None, false));
        });
    }

    /// Does small files, and leaves the large ones.
    fn small(&self, progress: &mut Progress) {
        let room = MEMORY / self.workers as u64;
        loop {
            let jobs = lock(&self.jobs).some(FILES, self.workers);
            if jobs.is_empty() {
                return;
            }
            let (mut held, mut bytes) = (Vec::new(), 0);
            for job in jobs {
                let done = job.and_then(|job| self.begin(job, room / 8, progress));
                let Some(file) = self.said(done).flatten() else { continue };
                bytes += file.contents.len() as u64;
                held.push(file);
                if bytes > room * 7 / 8 {
                    self.end(std::mem::take(&mut held), progress);
                    bytes = 0;
                }
            }
            self.end(held, progress);
            progress.at(self.done.load(Relaxed));
        }
    }

    /// Reads a small file, or does it if it shares nothing with others.
    fn begin(
        &self,
        job: Job,
        large: u64,
        progress: &mut Progress,
    ) -> Result<Option<Held>, Failure> {
        let input = job.open()?;
        let len = input.len_hint();
        if len.is_some_and(|len| len >= large) {
            lock(&self.large).push(job);
            return Ok(None);
        }
        let beside = matches!(job.output, Place::Beside(_));
        if !self.task.shares() || !beside || len.is_none_or(|len| len == 0) {
            let threads = if beside { NonZero::new(1) } else { self.common.threads };
            let before = self.done.load(Relaxed);
            self.one(&job, input, threads, &mut |at| progress.at(before + at))?;
            return Ok(None);
        }
        let target = self.target(&job.output, &input)?;
        let name = input.name().to_owned();
        Ok(Some(Held { name, contents: input.contents()?, target }))
    }

    /// Does what was read.
    fn end(&self, held: Vec<Held>, progress: &mut Progress) {
        let (mut files, mut places) = (Vec::new(), Vec::new());
        for Held { name, contents, target } in held {
            files.push(contents);
            places.push((name, target));
        }
        let done = self.task.together(files);
        for (contents, (name, target)) in done.into_iter().zip(places) {
            let written = contents.map_err(|e| self.named(&name, e));
            self.said(written.and_then(|contents| self.write(&contents, target)));
        }
        progress.at(self.done.load(Relaxed));
    }

    fn write(&self, contents: &Contents, target: Target) -> Result<(), Failure> {
        let mut output = target.create()?;
        let written = output.write_all(contents);
        let write = |source| Error::Write { name: output.name().to_owned(), source };
        written.map_err(write)?;
        self.commit(output)?;
        self.done.fetch_add(contents.len() as u64, Relaxed);
        Ok(())
    }

    /// Does what was left.
    fn large(&self, threads: Option<NonZero<usize>>, progress: &mut Progress) {
        loop {
            let Some(job) = lock(&self.large).pop() else { return };
            let before = self.done.load(Relaxed);
            let done = job.open().and_then(|input| {
                self.one(&job, input, threads, &mut |at| progress.at(before + at))
            });
            self.said(done);
        }
    }

    fn one(
        &self,
        job: &Job,
        input: Input,
        threads: Option<NonZero<usize>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Failure> {
        let mut output = self.target(&job.output, &input)?.create()?;
        let name = input.name().to_owned();
        let done = self.task.one(input, &mut output, threads, progress);
        let written = done.map_err(|e| self.named(&name, output.explain(e)))?;
        self.commit(output)?;
        self.done.fetch_add(written, Relaxed);
        Ok(())
    }

    fn commit(&self, output: Output) -> Result<(), Failure> {
        // There must be no moment in which an output exists without its key.
        if let Some(file) = lock(&self.common.new_key).take() {
            file.keep();
        }
        Ok(output.commit()?)
    }

    fn target(&self, place: &Place, input: &Input) -> Result<Target, Failure> {
        // The input may be named as its own output: that is worth more than "exists".
        let replace = |path: &Path| {
            let same = |input: &Identity| Some(input) == Identity::of_path(path).as_ref();
            self.common.force || input.identity().is_some_and(same)
        };
        let target = match place {
            Place::Stdout => Target::stdout()?,
            Place::Named(path) => Target::file(path, replace(path))?,
            Place::Beside(path) => Target::beside(path, replace(path))?,
        };
        target.refuse(input.identity(), "the input")?;
        target.refuse(self.common.key.as_ref(), "the key file")?;
        Ok(target)
    }

    /// Among many files, each must be named.
    fn named(&self, input: &str, e: Error) -> Failure {
        let named = e.names_a_file();
        match self.task.explain(e) {
            Failure::Data(said) if !named => Failure::Data(format!("{input}: {said}")),
            Failure::Usage(said) if !named => Failure::Usage(format!("{input}: {said}")),
            other => other,
        }
    }

    /// Says what is wrong, and goes on.
    fn said<T>(&self, done: Result<T, Failure>) -> Option<T> {
        match done {
            Ok(done) => return Some(done),
            Err(Failure::BrokenPipe) => self.broken.store(true, Relaxed),
            Err(failure) => {
                let mut code = lock(&self.code);
                let said = failure.say();
                *code = Some(code.map_or(said, |code| code.min(said)));
            }
        }
        None
    }
}
