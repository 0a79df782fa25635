//! Refusals as exceptions, with the library's sentences.

use pyo3::exceptions::{
    PyFileExistsError, PyIsADirectoryError, PyMemoryError, PyOSError, PyRuntimeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::io;

/// Why a call failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A refusal of the library.
    Crypt(icefish::Error),
    /// The same for one of many values.
    Value(usize, icefish::Error),
    /// A refusal of the files.
    File(icefish_files::Error),
    /// What the operating system says of a file.
    System(io::Error),
    /// A value that is wrong for reasons of this package.
    Wrong(String),
    /// An output that overlaps with an input.
    Overlap,
    /// A message that has ended.
    Finished,
}

impl From<icefish::Error> for Failure {
    fn from(error: icefish::Error) -> Self {
        Self::Crypt(error)
    }
}

impl From<icefish_files::Error> for Failure {
    fn from(error: icefish_files::Error) -> Self {
        Self::File(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl Failure {
    /// A value that is wrong, and the sentence that says so.
    pub(crate) fn wrong(sentence: impl Into<String>) -> Self {
        Self::Wrong(sentence.into())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Crypt(error) => crypt(error, error.to_string()),
            Failure::Value(index, error) => crypt(error, format!("value {index}: {error}")),
            Failure::File(error) => file(error),
            Failure::System(error) => error.into(),
            Failure::Wrong(sentence) => PyValueError::new_err(sentence),
            Failure::Overlap => PyValueError::new_err(
                "the output overlaps with an input; both are the same buffer from its start, or apart",
            ),
            Failure::Finished => PyRuntimeError::new_err(
                "the message has ended, or is in use by another thread; begin a new one",
            ),
        }
    }
}

fn crypt(error: icefish::Error, sentence: String) -> PyErr {
    use icefish::Error as E;
    match error {
        E::Forged | E::Commitment | E::ForgedChunk { .. } | E::Truncated => invalid_tag(sentence),
        _ => PyValueError::new_err(sentence),
    }
}

/// `icefish.InvalidTag`.
pub(crate) fn invalid_tag(sentence: String) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Python::attach(|py| match CLASS.import(py, "icefish._errors", "InvalidTag") {
        Ok(class) => PyErr::from_type(class.clone(), sentence),
        Err(error) => error,
    })
}

fn file(error: icefish_files::Error) -> PyErr {
    use icefish_files::Error as E;
    let sentence = error.to_string();
    match error {
        E::Crypt(error) => crypt(error, sentence),
        E::Open { name, source }
        | E::Read { name, source }
        | E::Write { name, source }
        | E::Create { name, source } => match source.raw_os_error() {
            // With a number, Python chooses the class: FileNotFoundError, PermissionError, ...
            Some(number) => PyOSError::new_err((number, icefish_files::reason(&source), name)),
            None => io::Error::new(source.kind(), sentence).into(),
        },
        E::Exists { .. } => PyFileExistsError::new_err(sentence),
        E::Directory { .. } => PyIsADirectoryError::new_err(sentence),
        E::Memory { .. } => PyMemoryError::new_err(sentence),
        E::Random(_) | E::Thread(_) | E::Changed { .. } => PyOSError::new_err(sentence),
        _ => PyValueError::new_err(sentence),
    }
}
