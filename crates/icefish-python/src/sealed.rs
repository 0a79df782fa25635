//! Sealed messages in memory: in one call, in pieces, and parts of them.

use crate::border::{Input, Output, new_bytes};
use crate::error::Failure;
use crate::opened::{Opened, Source};
use crate::sealing::{Sealing, Sink, seal_chunks};
use crate::secret::{HEAD, Secret};
use crate::threads::release;
use icefish::storage::cobblestone::{HEADER, plain_len, sealed_len};
use icefish_files::formats::passphrase;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A message that is being sealed in memory. The sealed message is `head`, then what `update` and `finish` return.
#[pyclass(module = "icefish._icefish")]
pub(crate) struct Sealer {
    #[pyo3(get)]
    head: Vec<u8>,
    sealing: Option<Sealing>,
}

#[pymethods]
impl Sealer {
    #[new]
    fn new(py: Python<'_>, secret: Secret<'_>) -> PyResult<Self> {
        let (sealer, head) = secret.sealer(py)?;
        Ok(Self { head, sealing: Some(Sealing::new(sealer)) })
    }

    fn update<'py>(&mut self, py: Python<'py>, data: Input<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (data, sealing) = (data.bytes(), self.sealing.as_mut().ok_or(Failure::Finished)?);
        new_bytes(py, sealing.output_len(data.len()), |output| {
            release(py, data.len(), || sealing.update(data, Sink::Memory(output)))
        })
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let sealing = self.sealing.take().ok_or(Failure::Finished)?;
        let len = sealing.rest_len();
        new_bytes(py, len, |output| release(py, len, || sealing.finish(Sink::Memory(output))))
    }
}

/// A sealed message that is opened by parts, of which the caller reads the chunks.
#[pyclass(frozen, module = "icefish._icefish")]
pub(crate) struct Opener(Opened);

#[pymethods]
impl Opener {
    /// Of a file of `length` bytes that begins with `head`; `HEAD` bytes of it are enough.
    #[new]
    fn new(
        py: Python<'_>,
        secret: Secret<'_>,
        head: Input<'_>,
        length: u64,
        name: &str,
    ) -> PyResult<Self> {
        Ok(Self(secret.opener(py, head.bytes(), length, name)?))
    }

    /// Length of the plaintext.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size
    }

    /// Where the chunks begin and end that have the bytes of the plaintext from `start` to `end`.
    fn span(&self, start: u64, end: u64) -> (u64, u64) {
        self.0.span(start, end)
    }

    /// Verifies the last chunk, which proves the length. `sealed` is the file from `span(size, size)[0]` on.
    fn verify_end(&self, sealed: Input<'_>) -> PyResult<()> {
        let from = self.0.span(self.0.size, self.0.size).0;
        Ok(self.0.verify_end(Source::Bytes(sealed.bytes(), from))?)
    }

    /// The plaintext from `start` on, all of `out`. `sealed` is what `span` says.
    fn open_into<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        sealed: Input<'py>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let mut output = Output::beside(out, &[&sealed])?;
        let (output, sealed) = (output.bytes(), sealed.bytes());
        let source = Source::Bytes(sealed, self.0.span(start, start).0);
        Ok(release(py, output.len(), || self.0.range_into(source, start, output))?)
    }

    /// `length` bytes of the plaintext from `start` on. `sealed` is what `span` says.
    fn open<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        length: usize,
        sealed: Input<'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let source = Source::Bytes(sealed.bytes(), self.0.span(start, start).0);
        new_bytes(py, length, |output| release(py, length, || self.0.range(source, start, output)))
    }
}

/// `icefish.seal`.
#[pyfunction]
pub(crate) fn seal<'py>(
    py: Python<'py>,
    data: Input<'py>,
    secret: Secret<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (sealer, head) = secret.sealer(py)?;
    let data = data.bytes();
    let len = sealed_len(data.len() as u64).map_err(Failure::from)? as usize;
    new_bytes(py, len + head.len() - HEADER, |output| {
        let (start, chunks) = output.split_at_mut(head.len());
        start.copy_from_slice(&head);
        let seal = || seal_chunks(&sealer, 0, true, data, Sink::Memory(chunks));
        release(py, data.len(), seal)
    })
}

/// `icefish.open_bytes`.
#[pyfunction]
pub(crate) fn open_bytes<'py>(
    py: Python<'py>,
    data: Input<'py>,
    secret: Secret<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let data = data.bytes();
    let opened = secret.opener(py, &data[..data.len().min(HEAD)], data.len() as u64, "the data")?;
    let len = usize::try_from(opened.size).unwrap_or(usize::MAX);
    new_bytes(py, len, |output| {
        release(py, data.len(), || {
            opened.verify_end(Source::Bytes(data, 0))?;
            opened.range(Source::Bytes(data, 0), 0, output)
        })
    })
}

/// Length of the plaintext of a sealed file of `sealed` bytes. Nothing is verified by that.
#[pyfunction]
pub(crate) fn plain_length(sealed: u64, passphrase: bool) -> PyResult<u64> {
    let prefix = if passphrase { passphrase::HEADER as u64 } else { 0 };
    Ok(plain_len(sealed.saturating_sub(prefix)).map_err(Failure::from)?)
}
