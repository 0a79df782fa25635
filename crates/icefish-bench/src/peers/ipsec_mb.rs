//! intel-ipsec-mb, the machine's: AES for many messages at once. It is loaded when the benchmark runs, as libgcrypt is.
//!
//! Its manager is a structure with pointers to functions, and a message is a job. Both are declared here as far as they are
//! used; versions 1.3 to 2.0 agree on these parts, and differ in what follows.
//!
//! Counters have 32 bits in this library and 128 in the others: no contest counts so far.

#![allow(unsafe_code, reason = "a binding to C")]

use super::loaded::{function, library};
use super::{Direction, Dispatch, Library, Mode, Operation, Setup, Work, split};
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::mem::offset_of;
use std::ptr;
use std::sync::OnceLock;

pub(super) const LIBRARY: Library = Library {
    name: "intel-ipsec-mb",
    version: |_| functions().map_or("not on this machine", |functions| functions.version),
    dispatch: Dispatch::RunTime,
    threads: false,
    make,
    make_many: Some(make_many),
};

/// Its file, as loaders find it.
const NAMES: [&str; 2] = ["libIPSec_MB.so.2", "libIPSec_MB.so.1"];

// Numbers of <intel-ipsec-mb.h>.
const IMB_CIPHER_CBC: c_uint = 1;
const IMB_CIPHER_CNTR: c_uint = 2;
const IMB_CIPHER_ECB: c_uint = 12;
/// Since 2.0.
const IMB_CIPHER_CFB: c_uint = 26;
const IMB_DIR_ENCRYPT: c_uint = 1;
const IMB_DIR_DECRYPT: c_uint = 2;
const IMB_AUTH_NULL: c_uint = 8;
const IMB_ORDER_CIPHER_HASH: c_uint = 1;
const IMB_STATUS_COMPLETED: c_uint = 3;

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
type Burst =
    unsafe extern "C" fn(*mut Manager, *mut Job, u32, c_uint, c_uint, c_uint) -> u32;

/// `IMB_MGR`, from its beginning. Arrays are for keys of 128, 192 and 256 bits.
#[repr(C)]
struct Manager {
    head: [u64; 8],
    get_next_job: NextJob,
    submit_job: NextJob,
    submit_job_nocheck: NextJob,
    others: [usize; 3],
    expand_key: [ExpandKey; 3],
    hashes: [usize; 15],
    seal_gcm: [SealGcm; 3],
    pieces: [usize; 21],
    prepare_gcm: [PrepareGcm; 3],
    ciphers_and_sums: [usize; 65],
    submit_cipher_burst_nocheck: Burst,
}

const _: () = assert!(offset_of!(Manager, expand_key) == 112);
const _: () = assert!(offset_of!(Manager, seal_gcm) == 256);
const _: () = assert!(offset_of!(Manager, prepare_gcm) == 448);
const _: () = assert!(offset_of!(Manager, submit_cipher_burst_nocheck) == 992);

/// `IMB_JOB`, from its beginning.
#[repr(C)]
#[derive(Clone, Copy)]
struct Job {
    encryption_keys: *const c_void,
    decryption_keys: *const c_void,
    key_bytes: u64,
    input: *const u8,
    output: *mut u8,
    start: u64,
    bytes: u64,
    hash_start: u64,
    hash_bytes: u64,
    iv: *const u8,
    iv_bytes: u64,
    tag: *mut u8,
    tag_bytes: u64,
    of_the_hash: [usize; 3],
    status: c_uint,
    cipher: c_uint,
    direction: c_uint,
    hash: c_uint,
    order: c_uint,
}

const _: () = assert!(offset_of!(Job, iv) == 72 && offset_of!(Job, status) == 128);

/// The functions of the library that are not in its manager, as <intel-ipsec-mb.h> declares them.
struct Functions {
    version: &'static str,
    /// Bytes of a whole job.
    job: usize,
    /// Whether there is CFB.
    cfb: bool,
    new: unsafe extern "C" fn(u64) -> *mut Manager,
    start: unsafe extern "C" fn(*mut Manager, *mut c_uint),
    free: unsafe extern "C" fn(*mut Manager),
}

/// Those of this machine; `None` if it has no such library, or a version whose jobs nobody has looked at.
fn functions() -> Option<&'static Functions> {
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
            let number: unsafe extern "C" fn() -> c_uint =
                function(library, b"imb_get_version\0")?;
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
                free: function(library, b"free_mb_mgr\0")?,
            })
        }
    }
}

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let Operation::Aes { bits, mode, direction } = operation else { return None };
    match mode {
        Mode::Gcm => Some(Box::new(Gcm::new(bits, setup)?)),
        Mode::Ecb => {
            let mut aes = Aes::new(bits, IMB_CIPHER_ECB, direction, setup)?;
            Some(Box::new(move |buffer: &mut [u8]| aes.job(buffer)))
        }
        _ => {
            let mut aes = Aes::new(bits, cipher(mode)?, direction, setup)?;
            Some(Box::new(move |buffer: &mut [u8]| {
                let lengths = [buffer.len()];
                aes.burst(buffer, &lengths);
            }))
        }
    }
}

fn make_many(
    operation: Operation,
    setup: &Setup<'_>,
    lengths: &[usize],
) -> Option<Box<dyn Work>> {
    let Operation::Aes { bits, mode, direction } = operation else { return None };
    let mut aes = Aes::new(bits, cipher(mode)?, direction, setup)?;
    let lengths = lengths.to_vec();
    Some(Box::new(move |buffer: &mut [u8]| aes.burst(buffer, &lengths)))
}

/// Of the modes that can be submitted many at a time.
fn cipher(mode: Mode) -> Option<c_uint> {
    match mode {
        Mode::Cbc => Some(IMB_CIPHER_CBC),
        Mode::Ctr => Some(IMB_CIPHER_CNTR),
        Mode::Cfb128 if functions()?.cfb => Some(IMB_CIPHER_CFB),
        _ => None,
    }
}

/// A manager, until it is dropped.
struct Owned {
    functions: &'static Functions,
    manager: *mut Manager,
}

impl Owned {
    fn new() -> Option<Self> {
        let functions = functions()?;
        // SAFETY: no flags; null is checked.
        let manager = unsafe { (functions.new)(0) };
        if manager.is_null() {
            return None;
        }
        // SAFETY: the manager was allocated; nobody wants to know which instructions were chosen.
        unsafe { (functions.start)(manager, ptr::null_mut()) };
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
struct Room<const N: usize>([u8; N]);

struct Aes {
    owned: Owned,
    job: Job,
    /// Those of a burst, each in as many words as the library's have.
    jobs: Vec<u64>,
    // What the jobs point to.
    _keys: Box<[Room<256>; 2]>,
    _iv: Box<[u8]>,
}

impl Aes {
    fn new(bits: u16, cipher: c_uint, direction: Direction, setup: &Setup<'_>) -> Option<Self> {
        let owned = Owned::new()?;
        let mut keys = Box::new([Room([0; 256]), Room([0; 256])]);
        let [encryption, decryption] = &mut *keys;
        // SAFETY: the manager was started; a key has so many bits, and each direction's round keys 240 bytes at most.
        unsafe {
            (*owned.manager).expand_key[usize::from(bits - 128) / 64](
                setup.key.as_ptr().cast(),
                encryption.0.as_mut_ptr().cast(),
                decryption.0.as_mut_ptr().cast(),
            );
        }
        let iv: Box<[u8]> = setup.iv.into();
        let job = Job {
            encryption_keys: keys[0].0.as_ptr().cast(),
            decryption_keys: keys[1].0.as_ptr().cast(),
            key_bytes: u64::from(bits / 8),
            input: ptr::null(),
            output: ptr::null_mut(),
            start: 0,
            bytes: 0,
            hash_start: 0,
            hash_bytes: 0,
            iv: iv.as_ptr(),
            iv_bytes: iv.len() as u64,
            tag: ptr::null_mut(),
            tag_bytes: 0,
            of_the_hash: [0; 3],
            status: 0,
            cipher,
            direction: if direction == Direction::Encrypt {
                IMB_DIR_ENCRYPT
            } else {
                IMB_DIR_DECRYPT
            },
            hash: IMB_AUTH_NULL,
            order: IMB_ORDER_CIPHER_HASH,
        };
        Some(Self { owned, job, jobs: Vec::new(), _keys: keys, _iv: iv })
    }

    /// The job of a message.
    fn of(&self, message: &mut [u8]) -> Job {
        let output = message.as_mut_ptr();
        Job { input: output, output, bytes: message.len() as u64, ..self.job }
    }

    /// One message, for modes that end at once.
    fn job(&mut self, message: &mut [u8]) {
        let job = self.of(message);
        let manager = self.owned.manager;
        // SAFETY: the manager was started, and gives a job that it has room for; what the job points to is there.
        let done = unsafe {
            let place = ((*manager).get_next_job)(manager);
            place.write(job);
            ((*manager).submit_job_nocheck)(manager)
        };
        // SAFETY: what is not null is a job of the manager.
        let done = !done.is_null() && unsafe { (*done).status } == IMB_STATUS_COMPLETED;
        assert!(done, "intel-ipsec-mb refused");
    }

    /// Messages of these lengths, in one call.
    fn burst(&mut self, buffer: &mut [u8], lengths: &[usize]) {
        let words = self.owned.functions.job / 8;
        self.jobs.resize(words * lengths.len(), 0);
        for (i, message) in split(buffer, lengths).enumerate() {
            let job = self.of(message);
            let place = &mut self.jobs[words * i..words * (i + 1)];
            // SAFETY: a job of the library has room for what is declared of it.
            unsafe { place.as_mut_ptr().cast::<Job>().write(job) };
        }
        let (manager, count) = (self.owned.manager, lengths.len() as u32);
        let (cipher, direction, key) =
            (self.job.cipher, self.job.direction, self.job.key_bytes as c_uint);
        // SAFETY: the manager was started; there are so many jobs, and what they point to is there.
        let done = unsafe {
            ((*manager).submit_cipher_burst_nocheck)(
                manager,
                self.jobs.as_mut_ptr().cast(),
                count,
                cipher,
                direction,
                key,
            )
        };
        assert_eq!(done, count, "intel-ipsec-mb refused");
    }
}

/// GCM has functions of its own, without jobs.
struct Gcm {
    owned: Owned,
    size: usize,
    /// `gcm_key_data`: 1,264 bytes at most; and `gcm_context_data`: 88.
    key: Box<Room<2048>>,
    context: Box<Room<128>>,
    nonce: Vec<u8>,
    associated: Vec<u8>,
    tag: [u8; 16],
}

impl Gcm {
    fn new(bits: u16, setup: &Setup<'_>) -> Option<Self> {
        let owned = Owned::new()?;
        let size = usize::from(bits - 128) / 64;
        let mut key = Box::new(Room([0; 2048]));
        // SAFETY: the manager was started; the key has so many bits, and there is room for what is made of it.
        unsafe {
            (*owned.manager).prepare_gcm[size](
                setup.key.as_ptr().cast(),
                key.0.as_mut_ptr().cast(),
            );
        }
        let (nonce, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
        let context = Box::new(Room([0; 128]));
        Some(Self { owned, size, key, context, nonce, associated, tag: [0; 16] })
    }
}

impl Work for Gcm {
    fn run(&mut self, buffer: &mut [u8]) {
        // SAFETY: the manager was started; the lengths are those of the buffers, and the nonce has the 12 bytes that are
        // read.
        unsafe {
            (*self.owned.manager).seal_gcm[self.size](
                self.key.0.as_mut_ptr().cast(),
                self.context.0.as_mut_ptr().cast(),
                buffer.as_mut_ptr(),
                buffer.as_ptr(),
                buffer.len() as u64,
                self.nonce.as_ptr(),
                self.associated.as_ptr(),
                self.associated.len() as u64,
                self.tag.as_mut_ptr(),
                16,
            );
        }
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}
