//! Authenticated encryption by name.

use crate::backend;
use crate::border::{Input, Output, new_bytes};
use crate::error::{Failure, invalid_tag};
use crate::threads::release;
use icefish::suite::{AeadSuite, AnyAead};
use icefish_files::formats::Way;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A key of an authenticated mode: `Aead(name, key, tag_length=None, *, backend=None)`.
///
/// `icefish.algorithms()["aead"]` has the names, such as "aes-256-gcm-siv", "aegis-128x2" and "aes-256-gcm". Lengths are in
/// bytes. A key may be used by several threads at the same time. It is erased when it is freed, and cannot be pickled.
///
/// Raises ValueError for an unknown name, a key of the wrong length, a tag length that the mode does not have.
#[pyclass(frozen, module = "icefish")]
pub(crate) struct Aead(pub(crate) AnyAead);

#[pymethods]
impl Aead {
    #[new]
    #[pyo3(signature = (name, key, tag_length=None, *, backend=None))]
    fn new(
        name: &str,
        key: Input<'_>,
        tag_length: Option<usize>,
        backend: Option<&str>,
    ) -> PyResult<Self> {
        let make = || -> Result<AnyAead, icefish::Error> {
            let suite: AeadSuite = name.parse()?;
            let mut made = suite.key(self::backend(backend)?, key.bytes())?;
            if let Some(len) = tag_length {
                made.set_tag_len(len)?;
            }
            Ok(made)
        };
        Ok(Self(make().map_err(Failure::from)?))
    }

    /// Its name, such as "aes-256-gcm".
    #[getter]
    fn name(&self) -> &'static str {
        self.0.suite().name
    }

    /// Length of a key in bytes.
    #[getter]
    fn key_length(&self) -> usize {
        self.0.suite().key
    }

    /// Usual length of a nonce in bytes.
    #[getter]
    fn nonce_length(&self) -> usize {
        self.0.suite().nonce
    }

    /// Length of the tags of this key in bytes.
    #[getter]
    fn tag_length(&self) -> usize {
        self.0.tag_len()
    }

    /// Encrypts `data`; returns the ciphertext and the tag behind it, `len(data) + tag_length` bytes.
    ///
    /// A nonce must not be used twice under one key. Raises ValueError for a nonce of the wrong length.
    #[pyo3(signature = (nonce, data, associated_data=None))]
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'py>,
        data: Input<'py>,
        associated_data: Option<Input<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (nonce, data) = (nonce.bytes(), data.bytes());
        let associated = associated_data.as_ref().map_or(&[][..], Input::bytes);
        new_bytes(py, data.len() + self.0.tag_len(), |output| {
            let (output, tag) = output.split_at_mut(data.len());
            Ok(release(py, data.len() + associated.len(), || {
                self.0.seal_between(nonce, associated, data, output, tag)
            })?)
        })
    }

    /// Decrypts what `encrypt` returned; returns `len(data) - tag_length` bytes.
    ///
    /// Raises InvalidTag if anything was changed, or the key, the nonce or the associated data is another.
    #[pyo3(signature = (nonce, data, associated_data=None))]
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'py>,
        data: Input<'py>,
        associated_data: Option<Input<'py>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (nonce, data) = (nonce.bytes(), data.bytes());
        let associated = associated_data.as_ref().map_or(&[][..], Input::bytes);
        let (data, tag) = data.split_at(self.without_tag(data.len())?);
        new_bytes(py, data.len(), |output| {
            Ok(release(py, data.len() + associated.len(), || {
                self.0.open_between(nonce, associated, data, output, tag)
            })?)
        })
    }

    /// `encrypt` into `out`, a buffer of `len(data) + tag_length` bytes; returns that length. `data` may begin where `out` does:
    /// that is in place.
    fn encrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'py>,
        data: Input<'py>,
        associated_data: Option<Input<'py>>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let none: Input<'_> = PyBytes::new(py, b"").extract()?;
        let associated = associated_data.as_ref().unwrap_or(&none);
        let (mut output, in_place) = Output::in_place(out, &[&nonce, associated], &data)?;
        let (nonce, associated, len) = (nonce.bytes(), associated.bytes(), data.len());
        let need = len + self.0.tag_len();
        let output = exactly(output.bytes(), need)?;
        let input = (!in_place).then(|| data.bytes());
        release(py, len + associated.len(), || {
            let (output, tag) = output.split_at_mut(len);
            match input {
                Some(input) => self.0.seal_between(nonce, associated, input, output, tag),
                None => self.0.seal_in_place(nonce, associated, output, tag),
            }
            .map_err(Failure::from)
        })?;
        Ok(need)
    }

    /// `decrypt` into `out`, a buffer of `len(data) - tag_length` bytes; returns that length. If the tag is wrong, `out` is
    /// zeros. `data` may begin where `out` does: that is in place.
    fn decrypt_into<'py>(
        &self,
        py: Python<'py>,
        nonce: Input<'py>,
        data: Input<'py>,
        associated_data: Option<Input<'py>>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<usize> {
        let none: Input<'_> = PyBytes::new(py, b"").extract()?;
        let associated = associated_data.as_ref().unwrap_or(&none);
        let len = self.without_tag(data.len())?;
        let tag = data.bytes()[len..].to_vec();
        let (mut output, in_place) = Output::in_place(out, &[&nonce, associated], &data)?;
        let (nonce, associated) = (nonce.bytes(), associated.bytes());
        let output = exactly(output.bytes(), len)?;
        let input = (!in_place).then(|| &data.bytes()[..len]);
        release(py, len + associated.len(), || match input {
            Some(input) => self.0.open_between(nonce, associated, input, output, &tag),
            None => self.0.open_in_place(nonce, associated, output, &tag),
        })
        .map_err(Failure::from)?;
        Ok(len)
    }

    /// Encrypts many values in one call, on all cores.
    ///
    /// `data` is a list of buffers, and the result a list of `bytes`, each as `encrypt` returns it. Or `data` is one buffer and
    /// `offsets` an array of int32 or int64 with n + 1 items: value i is `data[offsets[i]:offsets[i + 1]]`. The result is then
    /// the values one behind the other, and a memoryview of their offsets in items of the same width. With `out`, a buffer of the
    /// right length, they are written there, and `out` is returned in their place.
    ///
    /// `nonces` is a buffer of n times `nonce_length` bytes, such as a numpy array of that many rows, or a list of buffers. No
    /// nonce may be used twice under one key. `associated_data` is the same for all.
    #[pyo3(signature = (nonces, data, associated_data=None, *, offsets=None, out=None))]
    fn encrypt_many<'py>(
        &self,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<Input<'py>>,
        offsets: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.many(Way::Encrypt, nonces, data, associated_data.as_ref(), offsets, out)
    }

    /// Decrypts many values in one call, on all cores; as `encrypt_many`.
    ///
    /// Raises InvalidTag with the index of the first value that was changed; then `out` is zeros.
    #[pyo3(signature = (nonces, data, associated_data=None, *, offsets=None, out=None))]
    fn decrypt_many<'py>(
        &self,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated_data: Option<Input<'py>>,
        offsets: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.many(Way::Decrypt, nonces, data, associated_data.as_ref(), offsets, out)
    }

    fn __repr__(&self) -> String {
        format!("<icefish.Aead {}>", self.name())
    }
}

impl Aead {
    /// The length of the plaintext of `len` bytes with a tag.
    pub(crate) fn without_tag(&self, len: usize) -> PyResult<usize> {
        let tag = self.0.tag_len();
        len.checked_sub(tag).ok_or_else(|| {
            invalid_tag(format!("the data has {len} bytes, fewer than its tag of {tag}"))
        })
    }
}

/// An output of the right length.
pub(crate) fn exactly(output: &mut [u8], need: usize) -> Result<&mut [u8], Failure> {
    match output.len() == need {
        true => Ok(output),
        false => Err(icefish::Error::BufferLength { got: output.len(), need }.into()),
    }
}
