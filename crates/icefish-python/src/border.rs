//! Memory of Python objects as slices, and messages that keep their key: the only unsafe code of this package.
//!
//! `bytes` are read where they are. Of any other object with a buffer, a `memoryview` is made and kept: as long as there is one,
//! the object neither moves nor frees nor shrinks its memory, whatever other threads do. The limited API of Python 3.9 has no
//! `Py_buffer`, but it has `memoryview`, and two functions that give its address.
//!
//! What remains is that another thread of Python can *write* to a mutable buffer while a call without the GIL uses it. No lock of
//! Python prevents that, for no library: whoever lends a buffer must not write it before the call returns. The package says so to
//! its users. The kernels read and write such memory as plain bytes, choose no branch and no address by them, and verify what
//! they have decrypted before it is returned; so a breach of that rule gives wrong bytes or `InvalidTag`.
#![allow(
    unsafe_code,
    reason = "the memory of Python objects has no safe access in the limited API"
)]

use crate::error::Failure;
use core::ffi::{c_int, c_void};
use core::{ptr, slice};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{Py_ssize_t, PyBytes_AsString, PyBytes_FromStringAndSize, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};
use std::sync::Arc;

// Part of the stable ABI of every Python 3, and in no header since 3.13.
unsafe extern "C" {
    fn PyObject_AsReadBuffer(
        object: *mut PyObject,
        at: *mut *const c_void,
        len: *mut Py_ssize_t,
    ) -> c_int;
    fn PyObject_AsWriteBuffer(
        object: *mut PyObject,
        at: *mut *mut c_void,
        len: *mut Py_ssize_t,
    ) -> c_int;
}

/// Bytes to read, of any object with a contiguous buffer.
pub(crate) struct Input<'py> {
    at: *const u8,
    len: usize,
    /// What owns them: `bytes`, or a `memoryview` that nobody else has.
    _owner: Bound<'py, PyAny>,
}

impl Input<'_> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes. They must not be asked for again once [`Output::in_place`] has said that the output is the same memory.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: `at` is not null and has `len` bytes, at most `isize::MAX`, that stay where they are as long as their owner,
        // which this holds. No output of this call overlaps with them: `Output::beside` refuses that, and for an output in place
        // this is not called. Nobody else writes them, by the rule at the head of this file.
        unsafe { slice::from_raw_parts(self.at, self.len) }
    }
}

impl<'py> FromPyObject<'_, 'py> for Input<'py> {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            let bytes = bytes.to_owned();
            let (at, len) = (bytes.as_bytes().as_ptr(), bytes.as_bytes().len());
            return Ok(Self { at, len, _owner: bytes.into_any() });
        }
        let view = PyMemoryView::from(&object)?.into_any();
        let (mut at, mut len) = (ptr::null(), 0);
        // SAFETY: the object is alive, and both places are to write to.
        let failed = unsafe { PyObject_AsReadBuffer(view.as_ptr(), &mut at, &mut len) } != 0;
        if failed {
            return Err(PyErr::fetch(object.py()));
        }
        // An empty buffer may have no address.
        let at = if at.is_null() { ptr::dangling() } else { at.cast() };
        Ok(Self { at, len: usize::try_from(len).unwrap_or(0), _owner: view })
    }
}

/// Bytes to write, of any object with a contiguous buffer that is not read-only.
pub(crate) struct Output<'py> {
    at: *mut u8,
    len: usize,
    _owner: Bound<'py, PyAny>,
}

impl<'py> Output<'py> {
    /// The memory of `object`, which must be apart from that of `inputs`, all that the call reads. A call has one output.
    pub(crate) fn beside(object: &Bound<'py, PyAny>, inputs: &[&Input<'_>]) -> PyResult<Self> {
        let made = Self::new(object)?;
        match inputs.iter().any(|input| made.overlaps(input)) {
            true => Err(Failure::Overlap.into()),
            false => Ok(made),
        }
    }

    /// The same, but `data` may also be at the same address: then the second result is true, and [`Input::bytes`] of it must not
    /// be called.
    pub(crate) fn in_place(
        object: &Bound<'py, PyAny>,
        inputs: &[&Input<'_>],
        data: &Input<'_>,
    ) -> PyResult<(Self, bool)> {
        let made = Self::beside(object, inputs)?;
        let same = made.overlaps(data);
        match same && !ptr::eq(made.at, data.at) {
            true => Err(Failure::Overlap.into()),
            false => Ok((made, same)),
        }
    }

    fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let view = PyMemoryView::from(object)?.into_any();
        let (mut at, mut len) = (ptr::null_mut(), 0);
        // SAFETY: the object is alive, and both places are to write to.
        let failed = unsafe { PyObject_AsWriteBuffer(view.as_ptr(), &mut at, &mut len) } != 0;
        if failed {
            PyErr::take(object.py());
            return Err(PyBufferError::new_err(
                "the output is read-only or not contiguous; give a contiguous buffer that can be written",
            ));
        }
        let at = if at.is_null() { ptr::dangling_mut() } else { at.cast() };
        Ok(Self { at, len: usize::try_from(len).unwrap_or(0), _owner: view })
    }

    fn overlaps(&self, input: &Input<'_>) -> bool {
        let (a, b) = (self.at.addr(), input.at.addr());
        self.len != 0 && input.len != 0 && a < b + input.len && b < a + self.len
    }

    /// The bytes.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: as in `Input::bytes`; they can be written, and nothing that the call reads overlaps with them.
        unsafe { slice::from_raw_parts_mut(self.at, self.len) }
    }
}

/// New `bytes` that `make` writes, all of them.
///
/// They are not zeroed first: each thread is the first to touch the parts that it writes, because the kernel gives memory page by page
/// when it is touched, and one thread alone takes as long for that as for encrypting.
pub(crate) fn new_bytes(
    py: Python<'_>,
    len: usize,
    make: impl FnOnce(&mut [u8]) -> Result<(), Failure>,
) -> PyResult<Bound<'_, PyBytes>> {
    let signed = Py_ssize_t::try_from(len).map_err(|_| icefish_files::Error::Memory { need: len });
    let signed = signed.map_err(Failure::from)?;
    // SAFETY: without an address, it makes an object of that length, or none and sets an exception.
    let made = unsafe {
        Bound::from_owned_ptr_or_err(py, PyBytes_FromStringAndSize(ptr::null(), signed))?
    };
    // SAFETY: it is `bytes` with `len` bytes of memory, and nobody else has it yet.
    let memory = unsafe {
        let at: *mut u8 = PyBytes_AsString(made.as_ptr()).cast();
        initialized(at, len);
        slice::from_raw_parts_mut(at, len)
    };
    make(memory)?;
    Ok(made.cast_into()?)
}

/// Makes the `len` bytes at `at` initialised, with values that nobody knows. No instruction: the compiler must assume that this code
/// has written all of them.
///
/// # Safety
/// They can be written, and nobody else has them.
unsafe fn initialized(at: *mut u8, len: usize) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    // SAFETY: no instruction, and code that wrote these bytes would be allowed here.
    unsafe {
        core::arch::asm!("/* {0} {1} */", in(reg) at, in(reg) len, options(nostack, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    // SAFETY: the caller's promise.
    unsafe {
        at.write_bytes(0, len);
    }
}

/// What borrows a key, with the key.
pub(crate) struct Borrowing<M, K: 'static> {
    /// Dropped before the key.
    pub(crate) message: M,
    key: Arc<K>,
}

impl<M, K: 'static> Borrowing<M, K> {
    /// What `make` makes with the key.
    pub(crate) fn new(
        key: &Arc<K>,
        make: impl FnOnce(&'static K) -> Result<M, icefish::Error>,
    ) -> Result<Self, icefish::Error> {
        let key = Arc::clone(key);
        // SAFETY: what is in an `Arc` does not move, and nobody gets it to change it. It lives as long as the `Arc`, which is
        // dropped after the message, because its field comes after it. Callers keep the reference in the message and nowhere
        // else.
        let borrowed = unsafe { &*Arc::as_ptr(&key) };
        Ok(Self { message: make(borrowed)?, key })
    }

    /// What `end` makes of the message, before the key goes.
    pub(crate) fn finish<T>(self, end: impl FnOnce(M) -> T) -> T {
        let Self { message, key } = self;
        let made = end(message);
        drop(key);
        made
    }
}

impl<M: Clone, K: 'static> Clone for Borrowing<M, K> {
    fn clone(&self) -> Self {
        Self { message: self.message.clone(), key: Arc::clone(&self.key) }
    }
}
