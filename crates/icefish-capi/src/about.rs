//! What this library is.

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
