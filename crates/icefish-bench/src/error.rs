use std::io;
use std::path::{Path, PathBuf};

use crate::measure::Mismatch;

/// What can go wrong with files and filters; measuring itself cannot fail.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file is not the CSV that this crate writes.
    #[error("{}: {source}", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: csv::Error,
    },
    /// A folder for runs without any.
    #[error("{}: no folder of a machine there has a run <date>.csv", folder.display())]
    NoRuns {
        /// The folder.
        folder: PathBuf,
    },
    /// A run with filters that fit nothing.
    #[error("nothing to measure has {filters} in its name; --list without filters names all")]
    Nothing {
        /// The filters.
        filters: String,
    },
    /// One call of what there is not.
    #[error(
        "{operation} cannot be called on {backend} with this length; its lengths are multiples of {granule}"
    )]
    NotOnce {
        /// What was asked for.
        operation: String,
        /// On which backend.
        backend: String,
        /// What lengths are multiples of.
        granule: usize,
    },
    /// A build for another CPU computes something else.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// Two sides of one hash function have different digests.
    #[error("{what} by {by} computes another digest than the first {function}")]
    Disagree {
        /// The side.
        what: &'static str,
        /// Whose code.
        by: &'static str,
        /// The function.
        function: &'static str,
    },
    /// The program that is to be measured is not there.
    #[error(
        "{} is no program: build it with `cargo build --release`, or name it with --program",
        path.display()
    )]
    NoProgram {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// This build is without a peer.
    #[error("this build has no {what}: it needs the feature {feature}")]
    NoFeature {
        /// The peer.
        what: &'static str,
        /// The feature that has it.
        feature: &'static str,
    },
    /// Something is to be built, but not by cargo.
    #[error("builds need cargo: start the benchmark with `cargo run`")]
    NoCargo,
    /// A pass in a process of its own failed.
    #[error("a pass of the benchmark failed; its messages are above")]
    Pass,
    /// A file is not a program whose machine code can be added up.
    #[error("{}: {problem}", path.display())]
    Program {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// The program could not be built.
    #[error("cannot build the program icefish; what was said above tells why")]
    Build,
    /// A build for another CPU did not work.
    #[error("cannot {what} the peers in the build {name}; what was said above tells why")]
    OtherBuild {
        /// Build or run.
        what: String,
        /// The CPU, as the compiler calls it, or what the build is held to.
        name: String,
    },
    /// Rows could not be written as JSON.
    #[error("rows cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// A `<!-- bench:NAME -->` without its `<!-- /bench -->`, or the reverse.
    #[error("line {line}: {problem}")]
    Marker {
        /// Line number, from 1.
        line: usize,
        /// What is wrong with the marker there.
        problem: String,
    },
    /// The same in a file.
    #[error("{}: line {line}: {problem}", path.display())]
    MarkerIn {
        /// The file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
        /// What is wrong with the marker there.
        problem: String,
    },
}

impl Error {
    /// Turns an I/O error into one that names its file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    /// Names the file in which a marker is wrong; other errors name theirs already.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        match self {
            Self::Marker { line, problem } => {
                Self::MarkerIn { path: path.to_owned(), line, problem }
            }
            other => other,
        }
    }

    /// Turns a CSV error into one that names its file.
    pub fn csv(path: &Path) -> impl FnOnce(csv::Error) -> Self + '_ {
        move |source| Self::Csv { path: path.to_owned(), source }
    }
}
