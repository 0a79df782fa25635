//! Which files are to be done, and where each goes.

use crate::commands::crypt::args::CryptArgs;
use crate::errors::{Failure, usage};
use icefish_files::formats::Way;
use icefish_files::{Format, Input, reason};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// A file to be done.
pub(super) struct Job {
    /// The file, or standard input.
    pub(super) input: Option<PathBuf>,
    /// Where it goes.
    pub(super) output: Place,
}

impl Job {
    /// Opens its input.
    pub(super) fn open(&self) -> Result<Input, Failure> {
        Ok(match &self.input {
            Some(path) => Input::open(path)?,
            None => Input::stdin()?,
        })
    }
}

/// Where an output goes.
pub(super) enum Place {
    /// To standard output.
    Stdout,
    /// To what the user named.
    Named(PathBuf),
    /// Beside its input, under a name that is derived from that.
    Beside(PathBuf),
}

/// The files to be done, in the order given, folders in the order of their names.
pub(super) struct Jobs {
    queue: VecDeque<Entry>,
    extension: String,
    matching: Vec<String>,
    /// The outputs so far and what they came from, by their places.
    outputs: HashMap<PathBuf, PathBuf>,
    /// The places of files that were named, none of which may be an output.
    inputs: HashSet<PathBuf>,
    /// Folders by the names that they were given.
    folders: HashMap<PathBuf, PathBuf>,
}

enum Entry {
    Job(Job),
    /// A file or folder.
    Path(PathBuf),
}

impl Jobs {
    /// The files that the arguments name.
    pub(super) fn new(args: &CryptArgs, format: Format, way: Way) -> Result<Self, Failure> {
        let (extension, matching) = defaults(format, way);
        let extension = args.extension.as_deref().unwrap_or(extension);
        let extension = extension.strip_prefix('.').unwrap_or(extension).to_owned();
        if extension.is_empty() || extension.contains(std::path::is_separator) {
            return Err(usage("--extension takes the letters after the dot, such as txt"));
        }
        let matching: Vec<String> = match args.matching.as_slice() {
            [] => matching.iter().map(|&m| m.to_owned()).collect(),
            given => given.iter().map(|m| m.trim_start_matches('.').to_lowercase()).collect(),
        };
        let queue = queue(args, format)?;
        let mut jobs = Self {
            queue,
            extension,
            matching,
            outputs: HashMap::new(),
            inputs: HashSet::new(),
            folders: HashMap::new(),
        };
        for file in &args.files {
            let place = jobs.place(file);
            jobs.inputs.insert(place);
        }
        Ok(jobs)
    }

    /// No more than so many workers have something to do.
    pub(super) fn most(&self) -> usize {
        let folder = |entry: &Entry| matches!(entry, Entry::Path(path) if path.is_dir());
        match self.queue.iter().any(folder) {
            true => usize::MAX,
            false => self.queue.len().max(1),
        }
    }

    /// The next jobs: no more than `most`, and so few that there is something for each of `workers`.
    pub(super) fn some(&mut self, most: usize, workers: usize) -> Vec<Result<Job, Failure>> {
        let share = self.queue.len().div_ceil(workers).clamp(1, most);
        self.take(share).collect()
    }

    /// The one name of an entry of a folder that all its names have.
    fn place(&mut self, path: &Path) -> PathBuf {
        let Some(name) = path.file_name() else { return path.to_owned() };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !self.folders.contains_key(folder) {
            let place = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            self.folders.insert(folder.to_owned(), place);
        }
        self.folders[folder].join(name)
    }

    /// A job with its output beside the input.
    fn beside(&mut self, input: PathBuf) -> Result<Job, Failure> {
        let output = input.with_extension(&self.extension);
        let (from, to) = (self.place(&input), self.place(&output));
        if from != to && self.inputs.contains(&to) {
            return Err(usage(format!(
                "{} would become {}, which is an input; give it another --extension",
                input.display(),
                output.display()
            )));
        }
        let other = self.outputs.insert(to, input.clone());
        if let Some(other) = other.filter(|other| *other != input) {
            return Err(usage(format!(
                "{} and {} would both become {}; give them another --extension, one at a time",
                other.display(),
                input.display(),
                output.display()
            )));
        }
        Ok(Job { input: Some(input), output: Place::Beside(output) })
    }

    /// Puts what is in a folder at the front of the queue.
    fn open(&mut self, folder: &Path) -> Result<(), Failure> {
        if self.matching.is_empty() {
            return Err(usage(format!(
                "{} is a directory; --match says which of its files are meant",
                folder.display()
            )));
        }
        let unreadable = |e: std::io::Error| {
            Failure::Data(format!("cannot read the folder {}: {}", folder.display(), reason(&e)))
        };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let kind = entry.file_type().map_err(unreadable)?;
            // Links to folders are not followed: they may lead in circles.
            let wanted = kind.is_dir() || (self.matches(&entry.path()) && entry.path().is_file());
            if wanted {
                found.push(entry.path());
            }
        }
        found.sort();
        for path in found.into_iter().rev() {
            self.queue.push_front(Entry::Path(path));
        }
        Ok(())
    }

    fn matches(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
        extension.is_some_and(|e| self.matching.contains(&e))
    }
}

impl Iterator for Jobs {
    type Item = Result<Job, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let path = match self.queue.pop_front()? {
                Entry::Job(job) => return Some(Ok(job)),
                Entry::Path(path) => path,
            };
            if !path.is_dir() {
                return Some(self.beside(path));
            }
            if let Err(failure) = self.open(&path) {
                return Some(Err(failure));
            }
        }
    }
}

/// The extension of outputs, and of what is taken from folders.
fn defaults(format: Format, way: Way) -> (&'static str, &'static [&'static str]) {
    match (format, way) {
        (Format::ValveNet, Way::Encrypt) => ("enc", &["dec"]),
        (Format::ValveNet, Way::Decrypt) => ("dec", &["enc"]),
        (Format::Raw, _) => ("", &[]),
        (_, Way::Encrypt) => ("ctx", &["txt"]),
        (_, Way::Decrypt) => ("txt", &["ctx", "nuc", "ekv"]),
    }
}

/// What is to be done: one thing, of which nothing is derived, or files and folders.
fn queue(args: &CryptArgs, format: Format) -> Result<VecDeque<Entry>, Failure> {
    if format == Format::Raw {
        return Ok(args.files.iter().cloned().map(Entry::Path).collect());
    }
    let is_dash = |path: &Path| path.as_os_str() == "-";
    let output = args.output.as_deref();
    let to = match output {
        Some(output) if !is_dash(output) => Place::Named(output.to_owned()),
        _ => Place::Stdout,
    };
    let one = |input, output| {
        args.allow(&["--key-text", "--level", "--threads"], |_| {
            "-o or standard input: the output is not beside its input".to_owned()
        })?;
        Ok(VecDeque::from([Entry::Job(Job { input, output })]))
    };
    match args.files.as_slice() {
        [] => one(None, to),
        [file] if is_dash(file) => one(None, to),
        [file] if output.is_some() && !file.is_dir() => one(Some(file.clone()), to),
        files if files.iter().any(|f| is_dash(f)) => {
            Err(usage("- is standard input, and can only be done alone"))
        }
        _ if output.is_some() => Err(usage(
            "-o names one output; those of several files or a folder go beside their inputs",
        )),
        files => Ok(files.iter().cloned().map(Entry::Path).collect()),
    }
}
