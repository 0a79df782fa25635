//! Sealed files of the operating system: read at any place, and written beside their name until they are complete.

use crate::border::{Input, Output, new_bytes};
use crate::error::Failure;
use crate::opened::{Opened, Source};
use crate::places;
use crate::sealing::{Sealing, Sink};
use crate::secret::{HEAD, Secret};
use crate::threads::release;
use icefish_files::output::Destination;
use icefish_files::{Error, Target};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A sealed file that is read.
#[pyclass(frozen, module = "icefish._icefish")]
pub(crate) struct FileOpener {
    opened: Opened,
    file: Mutex<Option<Arc<File>>>,
}

#[pymethods]
impl FileOpener {
    /// Opens a file, and verifies its last chunk.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, secret: Secret<'_>) -> PyResult<Self> {
        let name = path.display().to_string();
        let unread = |source| Failure::File(Error::Read { name: name.clone(), source });
        let (file, len) = open(&path)?;
        let mut head = [0; HEAD];
        let head = &mut head[..len.min(HEAD as u64) as usize];
        places::read(&file, head, 0).map_err(unread)?;
        let opened = secret.opener(py, head, len, &name)?;
        opened.verify_end(Source::File(&file))?;
        Ok(Self { opened, file: Mutex::new(Some(Arc::new(file))) })
    }

    /// Length of the plaintext.
    #[getter]
    fn size(&self) -> u64 {
        self.opened.size
    }

    /// The plaintext from `start` on, all of `out`.
    fn open_into<'py>(&self, py: Python<'py>, start: u64, out: &Bound<'py, PyAny>) -> PyResult<()> {
        let file = self.file()?;
        let mut output = Output::beside(out, &[])?;
        let output = output.bytes();
        Ok(py.detach(|| self.opened.range_into(Source::File(&file), start, output))?)
    }

    /// `length` bytes of the plaintext from `start` on.
    fn open<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        length: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let file = self.file()?;
        new_bytes(py, length, |output| {
            py.detach(|| self.opened.range(Source::File(&file), start, output))
        })
    }

    fn close(&self) {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

impl FileOpener {
    fn file(&self) -> Result<Arc<File>, Failure> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner).clone();
        file.ok_or(Failure::Finished)
    }
}

/// A file and its length.
fn open(path: &Path) -> Result<(File, u64), Failure> {
    let name = || path.display().to_string();
    let unopened = |source| Error::Open { name: name(), source };
    let file = File::open(path).map_err(unopened)?;
    let about = file.metadata().map_err(unopened)?;
    match about.is_file() {
        true => Ok((file, about.len())),
        false if about.is_dir() => Err(Error::Directory { name: name() }.into()),
        false => Err(Error::NotAPlace { name: name() }.into()),
    }
}

/// A sealed file that is written. It has no name, or another, until `finish`; without that, nothing is left.
#[pyclass(module = "icefish._icefish")]
pub(crate) struct FileSealer(Option<Writing>);

struct Writing {
    sealing: Sealing,
    output: icefish_files::Output,
    /// Where the next chunk goes.
    at: u64,
}

impl Writing {
    /// `seal` to the file, or to a pipe or device, of which there is no place.
    fn put(
        output: &mut icefish_files::Output,
        at: &mut u64,
        len: usize,
        seal: impl FnOnce(Sink<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let place = *at;
        *at += len as u64;
        if let Some(file) = output.regular() {
            return seal(Sink::File(file, place)).map_err(|failure| unwritten(output, failure));
        }
        let mut sealed = vec![0; len];
        seal(Sink::Memory(&mut sealed))?;
        output.write_all(&sealed).map_err(|error| unwritten(output, error.into()))
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
        let len = self.sealing.output_len(data.len());
        Self::put(&mut self.output, &mut self.at, len, |sink| self.sealing.update(data, sink))
    }

    fn finish(mut self) -> Result<(), Failure> {
        let len = self.sealing.rest_len();
        Self::put(&mut self.output, &mut self.at, len, |sink| self.sealing.finish(sink))?;
        Ok(self.output.commit()?)
    }
}

/// What failed, with the name of the file.
fn unwritten(output: &icefish_files::Output, failure: Failure) -> Failure {
    match failure {
        Failure::System(source) => Error::Write { name: output.name().to_owned(), source }.into(),
        other => other,
    }
}

#[pymethods]
impl FileSealer {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, replace: bool, secret: Secret<'_>) -> PyResult<Self> {
        let target = Target::file(&path, replace).map_err(Failure::from)?;
        let (sealer, head) = secret.sealer(py)?;
        let mut output = target.create().map_err(Failure::from)?;
        output.write_all(&head).map_err(|error| unwritten(&output, error.into()))?;
        let at = head.len() as u64;
        Ok(Self(Some(Writing { sealing: Sealing::new(sealer), output, at })))
    }

    /// Takes the next bytes. After an error the file cannot be completed.
    fn update(&mut self, py: Python<'_>, data: Input<'_>) -> PyResult<()> {
        let data = data.bytes();
        let mut writing = self.0.take().ok_or(Failure::Finished)?;
        release(py, data.len(), || writing.update(data))?;
        self.0 = Some(writing);
        Ok(())
    }

    /// Completes the file, and gives it its name when it is on the disk.
    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let writing = self.0.take().ok_or(Failure::Finished)?;
        Ok(py.detach(|| writing.finish())?)
    }

    /// Leaves nothing of it.
    fn discard(&mut self) {
        self.0 = None;
    }
}
