//! The Python package of icefish: what `icefish` imports as `icefish._icefish`. What users see is in `python/icefish`.
//!
//! Names choose at run time, as in the C interface. Lengths are in bytes. `border.rs` turns objects of Python into slices.

mod aead;
mod border;
mod cipher;
mod error;
mod files;
mod hash;
mod many;
mod opened;
mod places;
mod sealed;
mod sealing;
mod secret;
mod threads;

use icefish::Backend;
use icefish::suite::{AEADS, CHUNKED, HASHES, MACS, Named};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The backend of that name. Without one, that of `ICEFISH_BACKEND`, or the widest of this CPU.
fn backend(name: Option<&str>) -> Result<Backend, icefish::Error> {
    name.map_or_else(Backend::from_env, Backend::by_name)
}

/// The names of everything, by what makes it: "aead" (`Aead`), "cipher" (`Cipher`), "hash" and "mac" (`new`), "sealed" (`open`,
/// `seal`).
#[pyfunction]
fn algorithms(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    let raw = Named::all().filter(|named| matches!(named, Named::Raw(_)));
    all.set_item("aead", AEADS.iter().map(|suite| suite.name).collect::<Vec<_>>())?;
    all.set_item("cipher", raw.map(|named| named.to_string()).collect::<Vec<_>>())?;
    all.set_item("hash", HASHES.iter().map(|suite| suite.name).collect::<Vec<_>>())?;
    let keyed = HASHES.iter().filter(|suite| suite.keyed).map(|suite| suite.name);
    all.set_item("mac", MACS.iter().map(|suite| suite.name).chain(keyed).collect::<Vec<_>>())?;
    all.set_item("sealed", CHUNKED.iter().map(|suite| suite.name).collect::<Vec<_>>())?;
    Ok(all)
}

/// The names of the backends that this CPU can run, the narrowest first. The last one is chosen, unless `backend=` or the
/// environment variable ICEFISH_BACKEND names another.
#[pyfunction]
fn backends() -> Vec<&'static str> {
    Backend::available().map(|backend| backend.name()).collect()
}

/// Calls without the GIL use the memory of Python objects: builds without a GIL are not declared safe.
#[pymodule(gil_used = true)]
fn _icefish(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<aead::Aead>()?;
    module.add_class::<cipher::Cipher>()?;
    module.add_class::<cipher::CipherMessage>()?;
    module.add_class::<hash::Hash>()?;
    module.add_class::<sealed::Sealer>()?;
    module.add_class::<sealed::Opener>()?;
    module.add_class::<files::FileSealer>()?;
    module.add_class::<files::FileOpener>()?;
    module.add("HEAD", secret::HEAD)?;
    module.add("CHUNK", icefish::storage::cobblestone::CHUNK)?;
    module.add_function(wrap_pyfunction!(sealed::seal, module)?)?;
    module.add_function(wrap_pyfunction!(sealed::open_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(sealed::plain_length, module)?)?;
    module.add_function(wrap_pyfunction!(cipher::encrypt_script, module)?)?;
    module.add_function(wrap_pyfunction!(cipher::decrypt_script, module)?)?;
    module.add_function(wrap_pyfunction!(hash::new, module)?)?;
    module.add_function(wrap_pyfunction!(many::digest_many, module)?)?;
    module.add_function(wrap_pyfunction!(algorithms, module)?)?;
    module.add_function(wrap_pyfunction!(backends, module)?)?;
    Ok(())
}
