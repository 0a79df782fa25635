//! Hashes and message authentication codes by name, as `hashlib` has them.

use crate::backend;
use crate::border::{Borrowing, Input, new_bytes};
use crate::error::Failure;
use crate::threads::release;
use icefish::suite::{AnyHash, AnyHasher, AnyMac, AnyMacMessage, HashSuite, MACS};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// A hash or a code, ready for messages.
pub(crate) enum Digests {
    Hash(AnyHash),
    Mac(Arc<AnyMac>),
}

impl Digests {
    /// `size` is the length of a digest in bytes.
    pub(crate) fn new(
        name: &str,
        key: Option<&Input<'_>>,
        size: Option<usize>,
        backend: Option<&str>,
    ) -> Result<Self, Failure> {
        let backend = self::backend(backend)?;
        if let Some(suite) = MACS.iter().find(|suite| suite.name == name) {
            let key = key.ok_or_else(|| {
                Failure::wrong(format!("{name} needs a key, key=..., of {} bytes", suite.key))
            })?;
            let mut made = suite.key(backend, key.bytes())?;
            if let Some(size) = size {
                made.set_tag_len(size)?;
            }
            return Ok(Self::Mac(Arc::new(made)));
        }
        let suite: HashSuite = name.parse()?;
        let bits = match size {
            None => suite.bits,
            Some(size) => {
                (size as u64).checked_mul(8).filter(|&bits| bits > 0).ok_or_else(|| {
                    Failure::wrong(format!("the digest has {size} bytes, at least 1 is needed"))
                })?
            }
        };
        Ok(Self::Hash(match key {
            None => suite.hash(backend, bits)?,
            Some(key) => suite.mac(backend, key.bytes(), bits)?,
        }))
    }

    /// Length of a digest in bytes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Hash(hash) => hash.digest_len(),
            Self::Mac(mac) => mac.tag_len(),
        }
    }

    /// The digests of `messages`, one after the other.
    pub(crate) fn many(
        &self,
        messages: &[&[u8]],
        digests: &mut [u8],
    ) -> Result<(), icefish::Error> {
        match self {
            Self::Hash(hash) => hash.hash_many(messages, digests),
            Self::Mac(mac) => {
                let digests = digests.chunks_exact_mut(mac.tag_len());
                messages.iter().zip(digests).try_for_each(|(message, tag)| mac.tag(message, tag))
            }
        }
    }

    fn start(&self) -> Result<State, Failure> {
        Ok(match self {
            Self::Hash(hash) => State::Hash(hash.start()),
            Self::Mac(mac) => State::Mac(Borrowing::new(mac, |mac| Ok(mac.start()))?),
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Hash(hash) => hash.suite().name,
            Self::Mac(mac) => mac.suite().name,
        }
    }

    /// The bytes that are taken at a time.
    fn block(&self) -> usize {
        match self {
            // Of Skein, the state; of Xoodyak, the rate (its specification, section 2.3).
            Self::Hash(hash) if hash.suite().keyed => hash
                .suite()
                .name
                .rsplit('-')
                .find_map(|n| n.parse().ok())
                .map_or(0, |bits: usize| bits / 8),
            Self::Hash(_) => 16,
            Self::Mac(mac) => mac.suite().tag,
        }
    }
}

/// A message.
#[derive(Clone)]
enum State {
    Hash(AnyHasher),
    Mac(Borrowing<AnyMacMessage<'static>, AnyMac>),
}

impl State {
    fn update(&mut self, data: &[u8]) {
        match self {
            Self::Hash(hasher) => hasher.update(data),
            Self::Mac(mac) => mac.message.update(data),
        }
    }

    fn finish(self, digest: &mut [u8]) -> Result<(), icefish::Error> {
        match self {
            Self::Hash(hasher) => hasher.finish(digest),
            Self::Mac(mac) => mac.finish(|message| message.finish(digest)),
        }
    }

    fn verify(self, digest: &[u8]) -> Result<(), icefish::Error> {
        match self {
            Self::Hash(hasher) => hasher.verify(digest),
            Self::Mac(mac) => mac.finish(|message| message.verify(digest)),
        }
    }
}

/// A hash of a message, or its code with a key; `icefish.new` makes it. One thread at a time may use it.
#[pyclass(module = "icefish")]
pub(crate) struct Hash {
    digests: Arc<Digests>,
    state: State,
}

/// A hash as those of `hashlib`: `new("skein-512", b"message").hexdigest()`. With `key`, a message authentication code.
///
/// `icefish.algorithms()` has the names, in "hash" and "mac". `digest_size` is in bytes: any length for a hash, and for CMAC 8 to
/// one block. Raises ValueError for an unknown name and for a wrong length.
#[pyfunction]
#[pyo3(signature = (name, data=None, *, key=None, digest_size=None, backend=None))]
pub(crate) fn new(
    py: Python<'_>,
    name: &str,
    data: Option<Input<'_>>,
    key: Option<Input<'_>>,
    digest_size: Option<usize>,
    backend: Option<&str>,
) -> PyResult<Hash> {
    let digests = Digests::new(name, key.as_ref(), digest_size, backend)?;
    let mut made = Hash { state: digests.start()?, digests: Arc::new(digests) };
    if let Some(data) = data {
        made.update(py, data);
    }
    Ok(made)
}

#[pymethods]
impl Hash {
    /// Takes the next bytes of the message.
    fn update(&mut self, py: Python<'_>, data: Input<'_>) {
        let data = data.bytes();
        release(py, data.len(), || self.state.update(data));
    }

    /// The digest of what was taken so far, `digest_size` bytes.
    fn digest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        new_bytes(py, self.digests.len(), |digest| {
            let state = self.state.clone();
            Ok(release(py, digest.len(), || state.finish(digest))?)
        })
    }

    /// The same in hexadecimal digits.
    fn hexdigest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.digest(py)?.call_method0("hex")
    }

    /// Compares the digest with `digest` in constant time. Raises InvalidTag if they differ, ValueError for a wrong length.
    fn verify(&self, digest: Input<'_>) -> PyResult<()> {
        Ok(self.state.clone().verify(digest.bytes()).map_err(Failure::from)?)
    }

    /// A second message that begins with what was taken so far.
    fn copy(&self) -> Self {
        Self { digests: Arc::clone(&self.digests), state: self.state.clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    /// Its name, such as "skein-512".
    #[getter]
    fn name(&self) -> &'static str {
        self.digests.name()
    }

    /// Length of the digest in bytes.
    #[getter]
    fn digest_size(&self) -> usize {
        self.digests.len()
    }

    /// Bytes that are taken at a time.
    #[getter]
    fn block_size(&self) -> usize {
        self.digests.block()
    }

    fn __repr__(&self) -> String {
        format!("<icefish.Hash {}>", self.name())
    }
}
