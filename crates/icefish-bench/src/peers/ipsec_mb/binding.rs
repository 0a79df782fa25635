//! What <intel-ipsec-mb.h> declares, as far as it is used: a manager is a structure with pointers to functions, and a message
//! is a job. Versions 1.3 to 2.0 agree on these parts, and differ in what follows.

use crate::limits::{Limit, Width};
use crate::peers::loaded::{function, library};
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::mem::offset_of;
use std::ptr;
use std::sync::OnceLock;

/// Its file, as loaders find it.
const NAMES: [&str; 2] = ["libIPSec_MB.so.2", "libIPSec_MB.so.1"];

// Numbers of <intel-ipsec-mb.h>.
pub(super) const IMB_CIPHER_CBC: c_uint = 1;
pub(super) const IMB_CIPHER_CNTR: c_uint = 2;
pub(super) const IMB_CIPHER_ECB: c_uint = 12;
/// Since 2.0.
pub(super) const IMB_CIPHER_CFB: c_uint = 26;
pub(super) const IMB_DIR_ENCRYPT: c_uint = 1;
pub(super) const IMB_DIR_DECRYPT: c_uint = 2;
pub(super) const IMB_AUTH_NULL: c_uint = 8;
pub(super) const IMB_ORDER_CIPHER_HASH: c_uint = 1;
pub(super) const IMB_STATUS_COMPLETED: c_uint = 3;

const IMB_FLAG_AESNI_OFF: u64 = 1 << 1;
const IMB_FLAG_GFNI_OFF: u64 = 1 << 2;

/// Whole blocks, and a number of 16 bits.
pub(super) const LONGEST_JOB: usize = 0xfff0;

type GcmKey = *mut c_void;
type ExpandKey = unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void);
type PrepareGcm = unsafe extern "C" fn(*const c_void, GcmKey);
type SealGcm = unsafe extern "C" fn(
    GcmKey,
    *mut c_void,
    *mut u8,
    *const u8,
    u64,
    *const u8,
    *const u8,
    u64,
    *mut u8,
    u64,
);
type NextJob = unsafe extern "C" fn(*mut Manager) -> *mut Job;
type Start = unsafe extern "C" fn(*mut Manager);
type Burst = unsafe extern "C" fn(*mut Manager, *mut Job, u32, c_uint, c_uint, c_uint) -> u32;

/// `IMB_MGR`, from its beginning. Arrays are for keys of 128, 192 and 256 bits.
#[repr(C)]
pub(super) struct Manager {
    head: [u64; 8],
    pub(super) get_next_job: NextJob,
    submit_job: NextJob,
    pub(super) submit_job_nocheck: NextJob,
    others: [usize; 3],
    pub(super) expand_key: [ExpandKey; 3],
    hashes: [usize; 15],
    pub(super) seal_gcm: [SealGcm; 3],
    /// It writes the tag that it computed, and compares nothing.
    pub(super) open_gcm: [SealGcm; 3],
    pieces: [usize; 18],
    pub(super) prepare_gcm: [PrepareGcm; 3],
    ciphers_and_sums: [usize; 65],
    pub(super) submit_cipher_burst_nocheck: Burst,
}

const _: () = assert!(offset_of!(Manager, expand_key) == 112);
const _: () = assert!(offset_of!(Manager, seal_gcm) == 256);
const _: () = assert!(offset_of!(Manager, open_gcm) == 280);
const _: () = assert!(offset_of!(Manager, prepare_gcm) == 448);
const _: () = assert!(offset_of!(Manager, submit_cipher_burst_nocheck) == 992);

/// `IMB_JOB`, from its beginning.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Job {
    pub(super) encryption_keys: *const c_void,
    pub(super) decryption_keys: *const c_void,
    pub(super) key_bytes: u64,
    pub(super) input: *const u8,
    pub(super) output: *mut u8,
    pub(super) start: u64,
    pub(super) bytes: u64,
    pub(super) hashed: [u64; 2],
    pub(super) iv: *const u8,
    pub(super) iv_bytes: u64,
    pub(super) of_the_hash: [usize; 5],
    pub(super) status: c_uint,
    pub(super) cipher: c_uint,
    pub(super) direction: c_uint,
    pub(super) hash: c_uint,
    pub(super) order: c_uint,
}

const _: () = assert!(offset_of!(Job, iv) == 72 && offset_of!(Job, status) == 128);

/// The functions of the library that are not in its manager, as <intel-ipsec-mb.h> declares them.
pub(super) struct Functions {
    pub(super) version: &'static str,
    /// Bytes of a whole job.
    pub(super) job: usize,
    /// Whether there is CFB.
    pub(super) cfb: bool,
    new: unsafe extern "C" fn(u64) -> *mut Manager,
    start: unsafe extern "C" fn(*mut Manager, *mut c_uint),
    /// For no more than SSE, AVX2 and AVX-512.
    start_as: [Start; 3],
    free: unsafe extern "C" fn(*mut Manager),
}

/// Those of this machine; `None` if it has no such library, or a version whose jobs nobody has looked at.
pub(super) fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    FUNCTIONS.get_or_init(Functions::load).as_ref()
}

impl Functions {
    fn load() -> Option<Self> {
        // On other CPUs it has other ciphers.
        let names: &[&str] = if cfg!(target_arch = "x86_64") { &NAMES } else { &[] };
        // SAFETY: the library checks itself when it is loaded, whoever loads it. The types are those of
        // <intel-ipsec-mb.h>, which its name promises; the version is a string that is never freed.
        unsafe {
            let library = library(names)?;
            let number: unsafe extern "C" fn() -> c_uint = function(library, b"imb_get_version\0")?;
            let text: unsafe extern "C" fn() -> *const c_char =
                function(library, b"imb_get_version_str\0")?;
            let job = match number() >> 8 {
                0x103 => 200,
                0x104 | 0x105 => 240,
                0x200 => 216,
                _ => return None,
            };
            Some(Self {
                version: CStr::from_ptr(text()).to_str().unwrap_or("unknown"),
                job,
                cfb: number() >= 0x2_0000,
                new: function(library, b"alloc_mb_mgr\0")?,
                start: function(library, b"init_mb_mgr_auto\0")?,
                start_as: [
                    function(library, b"init_mb_mgr_sse\0")?,
                    function(library, b"init_mb_mgr_avx2\0")?,
                    function(library, b"init_mb_mgr_avx512\0")?,
                ],
                free: function(library, b"free_mb_mgr\0")?,
            })
        }
    }
}

impl Functions {
    /// Flags and start of a manager that has no more instructions than this process is held to. It takes VAES where it
    /// finds GFNI too, and without AES-NI nothing but SSE.
    fn held(&self) -> (u64, Option<Start>) {
        let [sse, avx2, avx512] = self.start_as;
        match Limit::current() {
            None => (0, None),
            Some(limit) if !limit.aes => (IMB_FLAG_AESNI_OFF | IMB_FLAG_GFNI_OFF, Some(sse)),
            Some(limit) => {
                let flags = if limit.vaes { 0 } else { IMB_FLAG_GFNI_OFF };
                (flags, Some(if limit.width == Width::Avx512 { avx512 } else { avx2 }))
            }
        }
    }
}

/// A manager, until it is dropped.
pub(super) struct Owned {
    pub(super) functions: &'static Functions,
    pub(super) manager: *mut Manager,
}

impl Owned {
    pub(super) fn new() -> Option<Self> {
        let functions = functions()?;
        let (flags, start) = functions.held();
        // SAFETY: the flags are those of the header; null is checked.
        let manager = unsafe { (functions.new)(flags) };
        if manager.is_null() {
            return None;
        }
        // SAFETY: the manager was allocated; nobody wants to know which instructions were chosen.
        unsafe {
            match start {
                Some(start) => start(manager),
                None => (functions.start)(manager, ptr::null_mut()),
            }
        }
        Some(Self { functions, manager })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the manager is there, and freed once.
        unsafe { (self.functions.free)(self.manager) }
    }
}

/// Places for what the library writes and reads, in the alignment that it asks for.
#[repr(C, align(64))]
pub(super) struct Room<const N: usize>(pub(super) [u8; N]);
