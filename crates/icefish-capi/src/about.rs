//! What this library is, and why a call failed.

use crate::border::Out;
use crate::{call, error};
use core::ffi::{CStr, c_char};
use core::ptr;
use icefish::Backend;
use std::ffi::CString;
use std::sync::OnceLock;

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// The version of the library, such as "0.1.0". It is static.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The name of a backend of this CPU, such as "avx2": 0 is portable code, and the last is the widest. Null behind the last. It is static.
///
/// Where a call takes the name of a backend, null means that of the environment variable ICEFISH_BACKEND, or the widest.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_backend_name(index: usize) -> *const c_char {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        Backend::available().filter_map(|backend| CString::new(backend.name()).ok()).collect()
    });
    names.get(index).map_or(ptr::null(), |name| name.as_ptr())
}

/// Writes the sentence for the last call that failed in this thread, with lengths and names, and returns its length without the zero at
/// its end. If `size` is too small, the sentence is cut. Before the first failure it is empty.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_last_message(buffer: Out, size: usize) -> usize {
    let mut len = 0;
    call(|c| {
        let buffer = c.output(buffer, size)?;
        let text = error::last_message();
        len = text.len();
        if let Some(room) = size.checked_sub(1) {
            let mut end = room.min(len);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            buffer[..end].copy_from_slice(&text.as_bytes()[..end]);
            buffer[end] = 0;
        }
        Ok(())
    });
    len
}
