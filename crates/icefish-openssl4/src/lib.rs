//! The calls of OpenSSL's `EVP_CIPHER` and `EVP_MD` that a benchmark needs, behind two safe types.
//!
//! The published bindings build OpenSSL 3; this crate builds OpenSSL 4. It is a crate of its own so that the library is
//! compiled once, not again whenever the benchmark's features change.

#![allow(unsafe_code, reason = "a binding to C")]

mod digest;

pub use digest::Digest;

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::ptr;

const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;
const OPENSSL_VERSION_STRING: c_int = 6;
/// `EVP_CipherUpdate` counts in `int`; a multiple of every block size.
const LONGEST_UPDATE: usize = 1 << 30;

#[repr(C)]
struct EvpCipher {
    opaque: [u8; 0],
}

#[repr(C)]
struct EvpCipherCtx {
    opaque: [u8; 0],
}

unsafe extern "C" {
    fn EVP_CIPHER_fetch(
        library: *mut c_void,
        name: *const c_char,
        properties: *const c_char,
    ) -> *mut EvpCipher;
    fn EVP_CIPHER_free(cipher: *mut EvpCipher);
    fn EVP_CIPHER_get_key_length(cipher: *const EvpCipher) -> c_int;
    fn EVP_CIPHER_get_iv_length(cipher: *const EvpCipher) -> c_int;
    fn EVP_CIPHER_get_block_size(cipher: *const EvpCipher) -> c_int;
    fn EVP_CIPHER_CTX_new() -> *mut EvpCipherCtx;
    fn EVP_CIPHER_CTX_free(context: *mut EvpCipherCtx);
    fn EVP_CIPHER_CTX_set_padding(context: *mut EvpCipherCtx, padding: c_int) -> c_int;
    fn EVP_CIPHER_CTX_ctrl(
        context: *mut EvpCipherCtx,
        what: c_int,
        length: c_int,
        data: *mut c_void,
    ) -> c_int;
    fn EVP_CipherInit_ex2(
        context: *mut EvpCipherCtx,
        cipher: *const EvpCipher,
        key: *const c_uchar,
        iv: *const c_uchar,
        encrypt: c_int,
        parameters: *const c_void,
    ) -> c_int;
    fn EVP_CipherUpdate(
        context: *mut EvpCipherCtx,
        output: *mut c_uchar,
        written: *mut c_int,
        input: *const c_uchar,
        length: c_int,
    ) -> c_int;
    fn EVP_CipherFinal_ex(
        context: *mut EvpCipherCtx,
        output: *mut c_uchar,
        written: *mut c_int,
    ) -> c_int;
    fn OpenSSL_version(which: c_int) -> *const c_char;
}

/// The version of the library that is linked, such as `4.0.3`.
pub fn version() -> &'static str {
    // SAFETY: for every argument, OpenSSL returns a string that is never freed.
    let text = unsafe { CStr::from_ptr(OpenSSL_version(OPENSSL_VERSION_STRING)) };
    text.to_str().unwrap_or("unknown")
}

/// A cipher with a key, never padding.
pub struct Context {
    cipher: *mut EvpCipher,
    context: *mut EvpCipherCtx,
    key_length: usize,
    iv_length: usize,
    /// 1 for the modes that take any number of bytes.
    block: usize,
}

impl Context {
    /// `None` if the library has no cipher of this name or refuses the key.
    pub fn new(name: &str, key: &[u8], encrypt: bool) -> Option<Context> {
        let name = CString::new(name).ok()?;
        // SAFETY: `name` ends in NUL and lives across the call; null asks for the default library and properties.
        let cipher = unsafe { EVP_CIPHER_fetch(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        if cipher.is_null() {
            return None;
        }
        // From here on, dropping the value frees what was made.
        let new = Context {
            cipher,
            // SAFETY: no argument; the result is checked below.
            context: unsafe { EVP_CIPHER_CTX_new() },
            // SAFETY: `cipher` is not null.
            key_length: usize::try_from(unsafe { EVP_CIPHER_get_key_length(cipher) }).ok()?,
            // SAFETY: the same.
            iv_length: usize::try_from(unsafe { EVP_CIPHER_get_iv_length(cipher) }).ok()?,
            // SAFETY: the same.
            block: usize::try_from(unsafe { EVP_CIPHER_get_block_size(cipher) }).ok()?,
        };
        if new.context.is_null() || key.len() != new.key_length {
            return None;
        }
        let direction = c_int::from(encrypt);
        // SAFETY: the context and the cipher are not null; the key has the length that the cipher reads; no IV is read.
        let ready = unsafe {
            EVP_CipherInit_ex2(
                new.context,
                new.cipher,
                key.as_ptr(),
                ptr::null(),
                direction,
                ptr::null(),
            )
        };
        // SAFETY: the context is not null.
        (ready == 1 && unsafe { EVP_CIPHER_CTX_set_padding(new.context, 0) } == 1).then_some(())?;
        Some(new)
    }

    /// A new message under the kept key.
    pub fn start(&mut self, iv: &[u8]) {
        assert_eq!(iv.len(), self.iv_length);
        // SAFETY: the context is not null and has its cipher; the IV has the length that the cipher reads.
        let done = unsafe {
            EVP_CipherInit_ex2(self.context, ptr::null(), ptr::null(), iv.as_ptr(), -1, ptr::null())
        };
        assert_eq!(done, 1);
    }

    /// A new key and a new message, in the direction of before.
    pub fn rekey(&mut self, key: &[u8], iv: &[u8]) {
        assert_eq!((key.len(), iv.len()), (self.key_length, self.iv_length));
        // SAFETY: the context is not null and has its cipher; key and IV have the lengths that the cipher reads.
        let done = unsafe {
            EVP_CipherInit_ex2(
                self.context,
                ptr::null(),
                key.as_ptr(),
                iv.as_ptr(),
                -1,
                ptr::null(),
            )
        };
        assert_eq!(done, 1);
    }

    /// Whole blocks, in place.
    pub fn update(&mut self, buffer: &mut [u8]) {
        assert!(buffer.len().is_multiple_of(self.block), "whole blocks");
        for part in buffer.chunks_mut(LONGEST_UPDATE) {
            let data = part.as_mut_ptr();
            // SAFETY: the part is read and written exactly in place.
            unsafe { self.update_part(data, data, part.len()) };
        }
    }

    /// Whole blocks, from one buffer to another of the same length.
    pub fn update_between(&mut self, input: &[u8], output: &mut [u8]) {
        assert_eq!(input.len(), output.len());
        assert!(input.len().is_multiple_of(self.block), "whole blocks");
        let parts = input.chunks(LONGEST_UPDATE).zip(output.chunks_mut(LONGEST_UPDATE));
        for (from, to) in parts {
            // SAFETY: both parts have that length, and do not overlap.
            unsafe { self.update_part(from.as_ptr(), to.as_mut_ptr(), from.len()) };
        }
    }

    /// # Safety
    /// `from` can be read and `to` written for `length` bytes: whole blocks, at most [`LONGEST_UPDATE`], which are the same or do not
    /// overlap.
    unsafe fn update_part(&mut self, from: *const u8, to: *mut u8, length: usize) {
        // Fits: 2^30 at most.
        let (length, mut written) = (length as c_int, 0);
        // SAFETY: the context is not null; the buffers are the caller's promise. Every call is whole blocks, so OpenSSL keeps nothing
        // back that a later call would write beyond the length.
        let done = unsafe { EVP_CipherUpdate(self.context, to, &mut written, from, length) };
        assert_eq!((done, written), (1, length));
    }

    /// The end of an authenticated message.
    pub fn finish(&mut self, tag: &mut [u8; 16]) {
        let (mut none, mut written) = ([0u8; 32], 0);
        // SAFETY: the context is not null; the end of a message writes at most one block of 16 bytes.
        let done = unsafe { EVP_CipherFinal_ex(self.context, none.as_mut_ptr(), &mut written) };
        assert_eq!((done, written), (1, 0));
        // SAFETY: the context is not null; the call writes the 16 bytes that it is told.
        let done = unsafe {
            EVP_CIPHER_CTX_ctrl(self.context, EVP_CTRL_AEAD_GET_TAG, 16, tag.as_mut_ptr().cast())
        };
        assert_eq!(done, 1);
    }

    /// The end of an authenticated message that was opened: whether this is its tag.
    pub fn verify(&mut self, tag: &mut [u8; 16]) -> bool {
        let (mut none, mut written) = ([0u8; 32], 0);
        // SAFETY: the context is not null; the call reads the 16 bytes that it is told.
        let done = unsafe {
            EVP_CIPHER_CTX_ctrl(self.context, EVP_CTRL_AEAD_SET_TAG, 16, tag.as_mut_ptr().cast())
        };
        assert_eq!(done, 1);
        // SAFETY: the context is not null; the end of a message writes at most one block of 16 bytes.
        unsafe { EVP_CipherFinal_ex(self.context, none.as_mut_ptr(), &mut written) == 1 }
    }

    /// Associated data of an authenticated message, before its first byte.
    pub fn associate(&mut self, data: &[u8]) {
        let length = c_int::try_from(data.len()).expect("associated data is short");
        let mut written = 0;
        // SAFETY: the context is not null; `data` is `length` bytes; null says that they are associated data.
        let done = unsafe {
            EVP_CipherUpdate(self.context, ptr::null_mut(), &mut written, data.as_ptr(), length)
        };
        assert_eq!(done, 1);
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: both were made by `new`, are freed once, and null is allowed.
        unsafe {
            EVP_CIPHER_CTX_free(self.context);
            EVP_CIPHER_free(self.cipher);
        }
    }
}
