//! Many values in one call: a list of buffers, or one buffer with offsets, as Arrow has strings.

mod offsets;
mod values;
mod work;

use self::values::{Nonces, Values};
use self::work::Work;
use crate::aead::{Aead, exactly};
use crate::border::{Input, Output, new_bytes};
use crate::error::Failure;
use crate::hash::Digests;
use crate::threads::{count, each};
use icefish_files::formats::Way;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use zeroize::Zeroize;

impl Aead {
    /// What `encrypt_many` and `decrypt_many` do.
    pub(crate) fn many<'py>(
        &self,
        way: Way,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated: Option<&Input<'py>>,
        offsets: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = data.py();
        let (values, nonces) = (Values::of(data, offsets)?, Nonces::of(nonces)?);
        let slices = values.slices();
        if way == Way::Decrypt {
            self.without_tag(slices.shortest())?;
        }
        let count = slices.count();
        let nonce_slices = nonces.slices(count, self.0.suite().nonce)?;
        let work =
            Work::new(&self.0, way, nonce_slices, slices, associated.map_or(&[][..], Input::bytes));
        let total = work.lens(0, count);
        let Values::Buffer(_, offsets) = &values else {
            if out.is_some() {
                return Err(PyTypeError::new_err("out=... goes with one buffer and offsets=..."));
            }
            let lens = (0..count).map(|i| work.lens(i, i + 1));
            let mut output = vec![0; total];
            let done = py.detach(|| work.run(&mut output)).map_err(PyErr::from);
            let made = done.and_then(|()| split(py, &output, lens));
            // Ciphertext is no secret, and erasing it would take as long as encrypting it.
            if way == Way::Decrypt {
                output.zeroize();
            }
            return Ok(made?.into_any());
        };
        let new_offsets = offsets.of_results(py, self.0.tag_len(), way == Way::Decrypt)?;
        let made = match out {
            None => new_bytes(py, total, |room| py.detach(|| work.run(room)))?.into_any(),
            Some(out) => {
                let mut inputs = nonces.inputs();
                inputs.extend(values.inputs().into_iter().chain(associated));
                let mut output = Output::beside(out, &inputs)?;
                let output = exactly(output.bytes(), total)?;
                let done = py.detach(|| work.run(output));
                if done.is_err() {
                    output.fill(0);
                }
                done?;
                out.clone()
            }
        };
        Ok(PyTuple::new(py, [made, new_offsets])?.into_any())
    }
}

/// Parts of a buffer, as `bytes`.
fn split<'py>(
    py: Python<'py>,
    all: &[u8],
    lens: impl ExactSizeIterator<Item = usize>,
) -> PyResult<Bound<'py, PyList>> {
    let mut rest = all;
    PyList::new(
        py,
        lens.map(|len| {
            let (value, after) = rest.split_at(len);
            rest = after;
            PyBytes::new(py, value)
        }),
    )
}

/// The digests of many messages in one call, side by side in the registers and on all cores.
///
/// `data` is a list of buffers, and the result a list of `bytes`. Or it is one buffer and `offsets` as in `Aead.encrypt_many`;
/// the result is then n times the length of a digest, in `out` if that is given. Names and other arguments are those of `new`.
#[pyfunction]
#[pyo3(signature = (name, data, *, offsets=None, key=None, digest_size=None, out=None, backend=None))]
#[allow(clippy::too_many_arguments, reason = "arguments with names")]
pub(crate) fn digest_many<'py>(
    py: Python<'py>,
    name: &str,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    key: Option<Input<'py>>,
    digest_size: Option<usize>,
    out: Option<&Bound<'py, PyAny>>,
    backend: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let digests = Digests::new(name, key.as_ref(), digest_size, backend)?;
    let values = Values::of(data, offsets)?;
    let slices = values.slices();
    let slices: Vec<&[u8]> = (0..slices.count()).map(|i| slices.at(i)).collect();
    let size = digests.len();
    let total = slices.len().checked_mul(size).ok_or_else(|| Failure::wrong("too many digests"))?;
    let run = |output: &mut [u8]| {
        let work = slices.iter().map(|slice| slice.len() + 64).sum();
        let threads = count(work);
        let share = slices.len().div_ceil(threads).max(1);
        let parts = slices.chunks(share).zip(output.chunks_mut((share * size).max(1)));
        py.detach(|| {
            each(threads, parts, || (), |(), (part, output)| Ok(digests.many(part, output)?))
        })
    };
    if let (Values::Buffer(..), Some(out)) = (&values, out) {
        let mut output = Output::beside(out, &values.inputs())?;
        run(exactly(output.bytes(), total)?)?;
        return Ok(out.clone());
    }
    if out.is_some() {
        return Err(PyTypeError::new_err("out=... goes with one buffer and offsets=..."));
    }
    let made = new_bytes(py, total, run)?;
    match values {
        Values::Buffer(..) => Ok(made.into_any()),
        Values::List(list) => Ok(split(py, made.as_bytes(), list.iter().map(|_| size))?.into_any()),
    }
}
