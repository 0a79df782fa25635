//! Raw modes by name, and scripts of games.

use crate::backend;
use crate::border::{Borrowing, Input, new_bytes};
use crate::error::Failure;
use crate::threads::release;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::{AnyCrypter, AnyKey, Suite};
use icefish_files::formats::{Way, valve};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

/// A key of a cipher with a raw mode: `Cipher(name, key, *, tweak=b"", padding="pkcs7", backend=None)`.
///
/// **Raw modes detect no change of a message**: they are for formats that exist. Prefer `Aead` and `open`.
///
/// `icefish.algorithms()["cipher"]` has the names, such as "aes-256-ctr", "threefish-512-cbc" or "ice-2-ecb". `tweak` is for
/// Threefish, 16 bytes or none. `padding` is "pkcs7", "x923", "iso7816", "zero" or "none"; modes that take any length ignore it.
///
/// Raises ValueError for an unknown name and for a wrong length.
#[pyclass(frozen, module = "icefish")]
pub(crate) struct Cipher {
    key: Arc<AnyKey>,
    suite: Suite,
    padding: Padding,
}

#[pymethods]
impl Cipher {
    #[new]
    #[pyo3(signature = (name, key, *, tweak=None, padding="pkcs7", backend=None))]
    fn new(
        name: &str,
        key: Input<'_>,
        tweak: Option<Input<'_>>,
        padding: &str,
        backend: Option<&str>,
    ) -> PyResult<Self> {
        let make = || -> Result<Self, icefish::Error> {
            let suite: Suite = name.parse()?;
            let tweak = tweak.as_ref().map_or(&[][..], Input::bytes);
            let key = suite.cipher.key(self::backend(backend)?, key.bytes(), tweak)?;
            Ok(Self { key: Arc::new(key), suite, padding: padding.parse()? })
        };
        Ok(make().map_err(Failure::from)?)
    }

    /// Its name, such as "aes-256-ctr".
    #[getter]
    fn name(&self) -> String {
        self.suite.to_string()
    }

    /// Length of a key in bytes.
    #[getter]
    fn key_length(&self) -> usize {
        self.suite.cipher.key
    }

    /// Length of an IV in bytes; 0 for ECB.
    #[getter]
    fn iv_length(&self) -> usize {
        self.suite.mode.iv_len(self.block_size())
    }

    /// Length of a block in bytes.
    #[getter]
    fn block_size(&self) -> usize {
        self.suite.cipher.block
    }

    /// Encrypts a message; returns the ciphertext, as long as `data`, or with its padding.
    ///
    /// Raises ValueError for an IV of the wrong length, and for a part of a block without padding.
    fn encrypt<'py>(
        &self,
        py: Python<'py>,
        iv: Input<'py>,
        data: Input<'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (iv, data) = (iv.bytes(), data.bytes());
        let len = match self.suite.mode.granularity() {
            Granularity::Block => {
                self.padding.padded_len(data.len(), self.block_size()).map_err(Failure::from)?
            }
            _ => data.len(),
        };
        new_bytes(py, len, |output| {
            release(py, data.len(), || {
                self.key.encrypt_between(self.suite.mode, iv, self.padding, data, output)
            })?;
            Ok(())
        })
    }

    /// Decrypts a message; returns the plaintext without its padding.
    ///
    /// Raises ValueError as `encrypt`, and for a padding that is not valid.
    fn decrypt<'py>(
        &self,
        py: Python<'py>,
        iv: Input<'py>,
        data: Input<'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (iv, data) = (iv.bytes(), data.bytes());
        let decrypt = |output: &mut [u8]| {
            release(py, data.len(), || {
                self.key.decrypt_between(self.suite.mode, iv, self.padding, data, output)
            })
            .map_err(Failure::from)
        };
        if self.suite.mode.granularity() == Granularity::Block && self.padding != Padding::None {
            let mut plain = Zeroizing::new(vec![0; data.len()]);
            let len = decrypt(&mut plain)?;
            return Ok(PyBytes::new(py, &plain[..len]));
        }
        new_bytes(py, data.len(), |output| decrypt(output).map(|_| ()))
    }

    /// A message to encrypt in pieces.
    fn encryptor(&self, iv: Input<'_>) -> PyResult<CipherMessage> {
        let begin = |key: &'static AnyKey| key.encryptor(self.suite.mode, iv.bytes(), self.padding);
        CipherMessage::new(Borrowing::new(&self.key, begin))
    }

    /// A message to decrypt in pieces.
    fn decryptor(&self, iv: Input<'_>) -> PyResult<CipherMessage> {
        let begin = |key: &'static AnyKey| key.decryptor(self.suite.mode, iv.bytes(), self.padding);
        CipherMessage::new(Borrowing::new(&self.key, begin))
    }

    fn __repr__(&self) -> String {
        format!("<icefish.Cipher {}>", self.suite)
    }
}

/// What a message in pieces is made of.
type Pieces = Borrowing<AnyCrypter<'static>, AnyKey>;

/// A message of a raw mode in pieces: `Cipher.encryptor` and `Cipher.decryptor` make it. One thread at a time may use it.
// The mutex is for the compiler, and never waited for: all calls have the message for themselves.
#[pyclass(module = "icefish")]
pub(crate) struct CipherMessage(Mutex<Option<Pieces>>);

impl CipherMessage {
    fn new(made: Result<Pieces, icefish::Error>) -> PyResult<Self> {
        Ok(Self(Mutex::new(Some(made.map_err(Failure::from)?))))
    }

    fn pieces(&mut self) -> &mut Option<Pieces> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl CipherMessage {
    /// Encrypts or decrypts the next bytes; returns what is ready of the result. Raises RuntimeError after `finalize`.
    fn update<'py>(&mut self, py: Python<'py>, data: Input<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let data = data.bytes();
        let pieces = self.pieces().as_mut().ok_or(Failure::Finished)?;
        let mut output = Zeroizing::new(vec![0; pieces.message.output_len(data.len())]);
        let len = release(py, data.len(), || pieces.message.update(data, &mut output));
        Ok(PyBytes::new(py, &output[..len.map_err(Failure::from)?]))
    }

    /// Ends the message; returns the rest of the result, at most one block. Raises ValueError for a padding that is not valid,
    /// and for a part of a block.
    fn finalize<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let pieces = self.pieces().take().ok_or(Failure::Finished)?;
        let mut output = Zeroizing::new(vec![0; pieces.message.output_len(0)]);
        let len = pieces.finish(|message| message.finish(&mut output)).map_err(Failure::from)?;
        Ok(PyBytes::new(py, &output[..len]))
    }

    /// Moves to a byte of the message. Raises ValueError for all modes but counter modes.
    fn seek(&mut self, position: u128) -> PyResult<()> {
        let pieces = self.pieces().as_mut().ok_or(Failure::Finished)?;
        Ok(pieces.message.seek(position).map_err(Failure::from)?)
    }
}

/// Decrypts a script of a Source-engine game (`.ctx`, `.nuc`, `.ekv`): ICE in ECB mode; the last bytes, less than 8, are not
/// encrypted.
///
/// `level` is 0 (Thin-ICE) in every game known, with a key of 8 bytes. Nothing is verified: a wrong key gives wrong bytes.
#[pyfunction]
#[pyo3(signature = (key, data, *, level=0))]
pub(crate) fn decrypt_script<'py>(
    py: Python<'py>,
    key: Input<'py>,
    data: Input<'py>,
    level: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    script(py, &key, &data, level, Way::Decrypt)
}

/// Encrypts a script of a Source-engine game; see `decrypt_script`.
#[pyfunction]
#[pyo3(signature = (key, data, *, level=0))]
pub(crate) fn encrypt_script<'py>(
    py: Python<'py>,
    key: Input<'py>,
    data: Input<'py>,
    level: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    script(py, &key, &data, level, Way::Encrypt)
}

fn script<'py>(
    py: Python<'py>,
    key: &Input<'py>,
    data: &Input<'py>,
    level: usize,
    way: Way,
) -> PyResult<Bound<'py, PyBytes>> {
    let backend = backend(None).map_err(Failure::from)?;
    let key = valve::key(level, key.bytes(), backend).map_err(Failure::from)?;
    let data = data.bytes();
    new_bytes(py, data.len(), |output| {
        output.copy_from_slice(data);
        release(py, data.len(), || valve::crypt_in_place(&key, way, output))?;
        Ok(())
    })
}
