//! Hashes.

use std::ffi::{CString, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr;

#[repr(C)]
struct EvpMd {
    opaque: [u8; 0],
}

#[repr(C)]
struct EvpMdCtx {
    opaque: [u8; 0],
}

unsafe extern "C" {
    fn EVP_MD_fetch(
        library: *mut c_void,
        name: *const c_char,
        properties: *const c_char,
    ) -> *mut EvpMd;
    fn EVP_MD_free(hash: *mut EvpMd);
    fn EVP_MD_get_size(hash: *const EvpMd) -> c_int;
    fn EVP_MD_CTX_new() -> *mut EvpMdCtx;
    fn EVP_MD_CTX_free(context: *mut EvpMdCtx);
    fn EVP_DigestInit_ex2(
        context: *mut EvpMdCtx,
        hash: *const EvpMd,
        parameters: *const c_void,
    ) -> c_int;
    fn EVP_DigestUpdate(context: *mut EvpMdCtx, data: *const c_void, length: usize) -> c_int;
    fn EVP_DigestFinal_ex(
        context: *mut EvpMdCtx,
        digest: *mut c_uchar,
        written: *mut c_uint,
    ) -> c_int;
}

/// A hash, and a context that is used for one message after the other.
pub struct Digest {
    hash: *mut EvpMd,
    context: *mut EvpMdCtx,
    length: usize,
}

impl Digest {
    /// `None` if the library has no hash of this name.
    pub fn new(name: &str) -> Option<Digest> {
        let name = CString::new(name).ok()?;
        // SAFETY: `name` ends in NUL and lives across the call; null asks for the default library and properties.
        let hash = unsafe { EVP_MD_fetch(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        if hash.is_null() {
            return None;
        }
        // From here on, dropping the value frees what was made.
        let new = Digest {
            hash,
            // SAFETY: no argument; the result is checked below.
            context: unsafe { EVP_MD_CTX_new() },
            // SAFETY: `hash` is not null.
            length: usize::try_from(unsafe { EVP_MD_get_size(hash) }).ok()?,
        };
        (!new.context.is_null()).then_some(new)
    }

    /// Bytes of a digest.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The digest of a message.
    pub fn hash(&mut self, message: &[u8], digest: &mut [u8]) {
        assert_eq!(digest.len(), self.length);
        let mut written = 0;
        // SAFETY: hash and context are not null; the message has the length that is given; a digest has `length` bytes, and so
        // many has the buffer.
        let done = unsafe {
            EVP_DigestInit_ex2(self.context, self.hash, ptr::null()) == 1
                && EVP_DigestUpdate(self.context, message.as_ptr().cast(), message.len()) == 1
                && EVP_DigestFinal_ex(self.context, digest.as_mut_ptr(), &mut written) == 1
        };
        assert!(done && written as usize == self.length);
    }
}

impl Drop for Digest {
    fn drop(&mut self) {
        // SAFETY: both were made by `new`, are freed once, and null is allowed.
        unsafe {
            EVP_MD_CTX_free(self.context);
            EVP_MD_free(self.hash);
        }
    }
}
