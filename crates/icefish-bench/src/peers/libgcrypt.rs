//! libgcrypt, the distribution's, linked with its own C interface.

#![allow(unsafe_code, reason = "a binding to C")]

use super::{Direction, Dispatch, Library, Mode, Operation, Setup, Work};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

pub(super) const LIBRARY: Library = Library {
    name: "libgcrypt",
    version: |_| version(),
    dispatch: Dispatch::RunTime,
    threads: false,
    make,
};

// Numbers of <gcrypt.h>.
const GCRYCTL_DISABLE_SECMEM: c_int = 37;
const GCRYCTL_INITIALIZATION_FINISHED: c_int = 38;
const GCRY_CIPHER_AES128: c_int = 7;
const GCRY_CIPHER_MODE_CTR: c_int = 6;

#[repr(C)]
struct Handle {
    opaque: [u8; 0],
}

unsafe extern "C" {
    fn gcry_check_version(wanted: *const c_char) -> *const c_char;
    fn gcry_control(command: c_int, ...) -> c_uint;
    fn gcry_cipher_open(
        handle: *mut *mut Handle,
        algorithm: c_int,
        mode: c_int,
        flags: c_uint,
    ) -> c_uint;
    fn gcry_cipher_close(handle: *mut Handle);
    fn gcry_cipher_setkey(handle: *mut Handle, key: *const c_void, length: usize) -> c_uint;
    fn gcry_cipher_setiv(handle: *mut Handle, iv: *const c_void, length: usize) -> c_uint;
    fn gcry_cipher_setctr(handle: *mut Handle, counter: *const c_void, length: usize) -> c_uint;
    fn gcry_cipher_authenticate(handle: *mut Handle, data: *const c_void, length: usize) -> c_uint;
    fn gcry_cipher_gettag(handle: *mut Handle, tag: *mut c_void, length: usize) -> c_uint;
    fn gcry_cipher_encrypt(
        handle: *mut Handle,
        output: *mut c_void,
        size: usize,
        input: *const c_void,
        length: usize,
    ) -> c_uint;
    fn gcry_cipher_decrypt(
        handle: *mut Handle,
        output: *mut c_void,
        size: usize,
        input: *const c_void,
        length: usize,
    ) -> c_uint;
}

/// The version of the library that is linked; starts it when called first.
fn version() -> &'static str {
    static VERSION: OnceLock<&str> = OnceLock::new();
    VERSION.get_or_init(|| {
        // SAFETY: the order that the manual asks for; the version is a string that is never freed, and not null where
        // no version is asked for.
        unsafe {
            let text = CStr::from_ptr(gcry_check_version(ptr::null()));
            gcry_control(GCRYCTL_DISABLE_SECMEM, 0 as c_int);
            gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0 as c_int);
            text.to_str().unwrap_or("unknown")
        }
    })
}

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    version();
    let (bits, mode, direction, rekey) = match operation {
        Operation::Aes { bits, mode, direction } => (bits, mode, direction, false),
        Operation::AesKeySetup { bits } => (bits, Mode::Cbc, Direction::Encrypt, true),
        _ => return None,
    };
    let algorithm = GCRY_CIPHER_AES128 + c_int::from((bits - 128) / 64);
    let number = match mode {
        Mode::Ecb => 1,
        Mode::Cfb128 => 2,
        Mode::Cbc => 3,
        Mode::Ofb => 5,
        Mode::Ctr => GCRY_CIPHER_MODE_CTR,
        Mode::Gcm => 9,
        Mode::Xts => 13,
    };
    let mut work = Aes {
        handle: ptr::null_mut(),
        mode,
        direction,
        rekey,
        key: setup.key.to_vec(),
        iv: setup.iv.to_vec(),
        associated: setup.tweak.to_vec(),
        tag: if mode == Mode::Gcm { vec![0; 16] } else { Vec::new() },
    };
    // SAFETY: the library was started; a failure leaves the handle null, which closing allows.
    let opened = unsafe { gcry_cipher_open(&mut work.handle, algorithm, number, 0) };
    (opened == 0 && work.set_key() == 0).then(|| Box::new(work) as Box<dyn Work>)
}

struct Aes {
    /// Open from `make` until the value is dropped.
    handle: *mut Handle,
    mode: Mode,
    direction: Direction,
    rekey: bool,
    key: Vec<u8>,
    iv: Vec<u8>,
    associated: Vec<u8>,
    tag: Vec<u8>,
}

impl Aes {
    fn set_key(&mut self) -> c_uint {
        // SAFETY: the handle is open; the length is the vector's.
        unsafe { gcry_cipher_setkey(self.handle, self.key.as_ptr().cast(), self.key.len()) }
    }

    fn start(&mut self) -> c_uint {
        let (iv, length) = (self.iv.as_ptr().cast(), self.iv.len());
        match self.mode {
            Mode::Ecb => 0,
            // SAFETY: the handle is open; the length is the vector's.
            Mode::Ctr => unsafe { gcry_cipher_setctr(self.handle, iv, length) },
            // SAFETY: the same.
            _ => unsafe { gcry_cipher_setiv(self.handle, iv, length) },
        }
    }
}

impl Work for Aes {
    fn run(&mut self, buffer: &mut [u8]) {
        let mut failed = if self.rekey { self.set_key() } else { 0 };
        failed |= self.start();
        if !self.associated.is_empty() {
            let (data, length) = (self.associated.as_ptr().cast(), self.associated.len());
            // SAFETY: the handle is open; the length is the vector's.
            failed |= unsafe { gcry_cipher_authenticate(self.handle, data, length) };
        }
        let crypt = match self.direction {
            Direction::Encrypt => gcry_cipher_encrypt,
            Direction::Decrypt => gcry_cipher_decrypt,
        };
        // SAFETY: the handle is open; without an input the buffer is read and written in place, in its length.
        failed |=
            unsafe { crypt(self.handle, buffer.as_mut_ptr().cast(), buffer.len(), ptr::null(), 0) };
        if !self.tag.is_empty() {
            // SAFETY: the handle is open; the length is the vector's.
            failed |= unsafe {
                gcry_cipher_gettag(self.handle, self.tag.as_mut_ptr().cast(), self.tag.len())
            };
        }
        assert_eq!(failed, 0, "libgcrypt refused");
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}

impl Drop for Aes {
    fn drop(&mut self) {
        // SAFETY: the handle is open or null, and is closed once.
        unsafe { gcry_cipher_close(self.handle) }
    }
}
