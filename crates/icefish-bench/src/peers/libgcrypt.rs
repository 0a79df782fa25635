//! libgcrypt, the machine's, by its own C interface.

#![allow(unsafe_code, reason = "a binding to C")]

use super::loaded::{function, library};
use super::{Direction, Library, Mode, Operation, Setup, Work, sealing};
use crate::limits::Limit;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

pub(super) const LIBRARY: Library = Library {
    name: "libgcrypt",
    version: |_| functions().map_or("not on this machine", |functions| functions.version),
    make,
    ..Library::OF_C
};

/// Its file, as loaders find it.
const NAMES: [&str; 2] = ["libgcrypt.so.20", "libgcrypt.20.dylib"];

// Numbers of <gcrypt.h>.
const GCRYCTL_DISABLE_SECMEM: c_int = 37;
const GCRYCTL_DISABLE_HWF: c_int = 63;
const GCRYCTL_INITIALIZATION_FINISHED: c_int = 38;
const GCRY_CIPHER_AES128: c_int = 7;
const GCRY_CIPHER_MODE_CTR: c_int = 6;

#[repr(C)]
struct Handle {
    opaque: [u8; 0],
}

/// The start of `gcry_cipher_setkey`, `_setiv`, `_setctr` and `_authenticate`: bytes to read.
type Take = unsafe extern "C" fn(*mut Handle, *const c_void, usize) -> c_uint;
/// Of `gcry_cipher_encrypt` and `_decrypt`: bytes to write, and bytes to read.
type Crypt = unsafe extern "C" fn(*mut Handle, *mut c_void, usize, *const c_void, usize) -> c_uint;

/// The functions of the library, as <gcrypt.h> declares them.
struct Functions {
    version: &'static str,
    open: unsafe extern "C" fn(*mut *mut Handle, c_int, c_int, c_uint) -> c_uint,
    close: unsafe extern "C" fn(*mut Handle),
    set_key: Take,
    set_iv: Take,
    set_counter: Take,
    authenticate: Take,
    get_tag: unsafe extern "C" fn(*mut Handle, *mut c_void, usize) -> c_uint,
    check_tag: unsafe extern "C" fn(*mut Handle, *const c_void, usize) -> c_uint,
    encrypt: Crypt,
    decrypt: Crypt,
}

/// Those of this machine; `None` if it has no such library.
fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    FUNCTIONS.get_or_init(Functions::load).as_ref()
}

impl Functions {
    fn load() -> Option<Self> {
        // SAFETY: the library does nothing when it is loaded. The types are those of <gcrypt.h>, which this version of
        // its name promises.
        unsafe {
            let library = library(&NAMES)?;
            let check_version: unsafe extern "C" fn(*const c_char) -> *const c_char =
                function(library, b"gcry_check_version\0")?;
            let control: unsafe extern "C" fn(c_int, ...) -> c_uint =
                function(library, b"gcry_control\0")?;
            // The order that the manual asks for. A name that this version does not know is refused, and not missed.
            for feature in Limit::current().iter().flat_map(Limit::gcrypt) {
                if let Ok(name) = CString::new(feature) {
                    control(GCRYCTL_DISABLE_HWF, name.as_ptr(), ptr::null::<c_char>());
                }
            }
            // The version is a string that is never freed, and not null where no
            // version is asked for.
            let version = CStr::from_ptr(check_version(ptr::null()));
            control(GCRYCTL_DISABLE_SECMEM, 0 as c_int);
            control(GCRYCTL_INITIALIZATION_FINISHED, 0 as c_int);
            Some(Self {
                version: version.to_str().unwrap_or("unknown"),
                open: function(library, b"gcry_cipher_open\0")?,
                close: function(library, b"gcry_cipher_close\0")?,
                set_key: function(library, b"gcry_cipher_setkey\0")?,
                set_iv: function(library, b"gcry_cipher_setiv\0")?,
                set_counter: function(library, b"gcry_cipher_setctr\0")?,
                authenticate: function(library, b"gcry_cipher_authenticate\0")?,
                get_tag: function(library, b"gcry_cipher_gettag\0")?,
                check_tag: function(library, b"gcry_cipher_checktag\0")?,
                encrypt: function(library, b"gcry_cipher_encrypt\0")?,
                decrypt: function(library, b"gcry_cipher_decrypt\0")?,
            })
        }
    }
}

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let functions = functions()?;
    let (bits, mode, direction, rekey) = match operation {
        Operation::Aes { bits, mode, direction } => (bits, mode, direction, false),
        Operation::AesKeySetup { bits, direction } => (bits, Mode::Cbc, direction, true),
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
        functions,
        handle: ptr::null_mut(),
        mode,
        direction,
        rekey,
        key: setup.key.to_vec(),
        iv: setup.iv.to_vec(),
    };
    // SAFETY: the library was started; a failure leaves the handle null, which closing allows.
    let opened = unsafe { (functions.open)(&mut work.handle, algorithm, number, 0) };
    if opened != 0 || work.set_key() != 0 {
        return None;
    }
    if mode != Mode::Gcm {
        return Some(Box::new(work));
    }
    let associated = setup.tweak.to_vec();
    Some(sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        work.gcm(&associated, sealed, buffer, tag);
    }))
}

struct Aes {
    functions: &'static Functions,
    /// Open from `make` until the value is dropped.
    handle: *mut Handle,
    mode: Mode,
    direction: Direction,
    rekey: bool,
    key: Vec<u8>,
    iv: Vec<u8>,
}

impl Aes {
    fn set_key(&mut self) -> c_uint {
        // SAFETY: the handle is open; the length is the vector's.
        unsafe { (self.functions.set_key)(self.handle, self.key.as_ptr().cast(), self.key.len()) }
    }

    fn start(&mut self) -> c_uint {
        let (iv, length) = (self.iv.as_ptr().cast(), self.iv.len());
        match self.mode {
            Mode::Ecb => 0,
            // SAFETY: the handle is open; the length is the vector's.
            Mode::Ctr => unsafe { (self.functions.set_counter)(self.handle, iv, length) },
            // SAFETY: the same.
            _ => unsafe { (self.functions.set_iv)(self.handle, iv, length) },
        }
    }
}

impl Aes {
    fn crypt(&mut self, way: Direction, buffer: &mut [u8]) -> c_uint {
        let crypt = match way {
            Direction::Encrypt => self.functions.encrypt,
            Direction::Decrypt => self.functions.decrypt,
        };
        // SAFETY: the handle is open; without an input the buffer is read and written in place, in its length.
        unsafe { crypt(self.handle, buffer.as_mut_ptr().cast(), buffer.len(), ptr::null(), 0) }
    }

    /// Seals in place, or opens what was sealed.
    fn gcm(
        &mut self,
        associated: &[u8],
        sealed: Option<&[u8]>,
        buffer: &mut [u8],
        tag: &mut [u8; 16],
    ) {
        let mut failed = self.start();
        if !associated.is_empty() {
            let (data, length) = (associated.as_ptr().cast(), associated.len());
            // SAFETY: the handle is open; the length is the slice's.
            failed |= unsafe { (self.functions.authenticate)(self.handle, data, length) };
        }
        failed |= match sealed {
            None => self.crypt(Direction::Encrypt, buffer),
            Some(sealed) => {
                assert_eq!(sealed.len(), buffer.len());
                let (from, to) = (sealed.as_ptr().cast(), buffer.as_mut_ptr().cast());
                // SAFETY: the handle is open; both buffers have the length.
                unsafe {
                    (self.functions.decrypt)(self.handle, to, buffer.len(), from, sealed.len())
                }
            }
        };
        // SAFETY: the handle is open; the length is the array's.
        failed |= unsafe {
            match sealed {
                None => (self.functions.get_tag)(self.handle, tag.as_mut_ptr().cast(), tag.len()),
                Some(_) => (self.functions.check_tag)(self.handle, tag.as_ptr().cast(), tag.len()),
            }
        };
        assert_eq!(failed, 0, "libgcrypt refused");
    }
}

impl Work for Aes {
    fn run(&mut self, buffer: &mut [u8]) {
        let mut failed = if self.rekey { self.set_key() } else { 0 };
        failed |= self.start();
        failed |= self.crypt(self.direction, buffer);
        assert_eq!(failed, 0, "libgcrypt refused");
    }
}

impl Drop for Aes {
    fn drop(&mut self) {
        // SAFETY: the handle is open or null, and is closed once.
        unsafe { (self.functions.close)(self.handle) }
    }
}
