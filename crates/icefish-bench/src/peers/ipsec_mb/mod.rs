//! intel-ipsec-mb, the machine's: AES for many messages at once. It is loaded when the benchmark runs, as libgcrypt is.
//!
//! Counters have 32 bits in this library and 128 in the others: no contest needs more than 32.

#![allow(unsafe_code, reason = "a binding to C")]

mod binding;

use super::{Direction, Library, Mode, Operation, Setup, Work, sealing, split};
use crate::limits::Width;
use binding::{
    IMB_AUTH_NULL, IMB_CIPHER_CBC, IMB_CIPHER_CFB, IMB_CIPHER_CNTR, IMB_CIPHER_ECB,
    IMB_DIR_DECRYPT, IMB_DIR_ENCRYPT, IMB_ORDER_CIPHER_HASH, IMB_STATUS_COMPLETED, Job,
    LONGEST_JOB, Owned, Room, functions,
};
use std::ffi::c_uint;
use std::ptr;

pub(super) const LIBRARY: Library = Library {
    name: "intel-ipsec-mb",
    version: |_| functions().map_or("not on this machine", |functions| functions.version),
    holds: |limit| limit.width > Width::Usual,
    make,
    make_many: Some(make_many),
    ..Library::OF_C
};

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    if let Operation::AesKeySetup { bits, direction } = operation {
        let mut aes = Aes::new(bits, IMB_CIPHER_CBC, direction, setup)?;
        let key = setup.key.to_vec();
        return Some(Box::new(move |buffer: &mut [u8]| {
            aes.expand(&key);
            aes.message(buffer);
        }));
    }
    let Operation::Aes { bits, mode, direction } = operation else { return None };
    match mode {
        Mode::Gcm => gcm(bits, direction, setup),
        Mode::Ecb => {
            let mut aes = Aes::new(bits, IMB_CIPHER_ECB, direction, setup)?;
            Some(Box::new(move |buffer: &mut [u8]| aes.job(buffer)))
        }
        _ => {
            let mut aes = Aes::new(bits, cipher(mode)?, direction, setup)?;
            Some(Box::new(move |buffer: &mut [u8]| aes.message(buffer)))
        }
    }
}

fn make_many(operation: Operation, setup: &Setup<'_>, lengths: &[usize]) -> Option<Box<dyn Work>> {
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

struct Aes {
    owned: Owned,
    /// What all jobs have in common.
    job: Job,
    /// Those of a burst, each in as many words as the library's have.
    jobs: Vec<u64>,
    /// Round keys of both directions.
    keys: Box<[Room<256>; 2]>,
    iv: [u8; 16],
}

impl Aes {
    fn new(bits: u16, cipher: c_uint, direction: Direction, setup: &Setup<'_>) -> Option<Self> {
        let owned = Owned::new()?;
        let keys = Box::new([Room([0; 256]), Room([0; 256])]);
        let job = Job {
            encryption_keys: ptr::null(),
            decryption_keys: ptr::null(),
            key_bytes: u64::from(bits / 8),
            input: ptr::null(),
            output: ptr::null_mut(),
            start: 0,
            bytes: 0,
            hashed: [0; 2],
            iv: ptr::null(),
            iv_bytes: setup.iv.len() as u64,
            of_the_hash: [0; 5],
            status: 0,
            cipher,
            direction: match direction {
                Direction::Encrypt => IMB_DIR_ENCRYPT,
                Direction::Decrypt => IMB_DIR_DECRYPT,
            },
            hash: IMB_AUTH_NULL,
            order: IMB_ORDER_CIPHER_HASH,
        };
        let mut aes = Self { owned, job, jobs: Vec::new(), keys, iv: [0; 16] };
        aes.iv[..setup.iv.len()].copy_from_slice(setup.iv);
        aes.expand(setup.key);
        Some(aes)
    }

    fn expand(&mut self, key: &[u8]) {
        let [encryption, decryption] = &mut *self.keys;
        // SAFETY: the manager was started; the function is the one for a key of so many bytes, and each direction's
        // round keys have 240 bytes at most.
        unsafe {
            (*self.owned.manager).expand_key[(key.len() - 16) / 8](
                key.as_ptr().cast(),
                encryption.0.as_mut_ptr().cast(),
                decryption.0.as_mut_ptr().cast(),
            );
        }
    }

    /// The job of a message.
    fn of(&self, message: &mut [u8]) -> Job {
        let output = message.as_mut_ptr();
        Job {
            encryption_keys: self.keys[0].0.as_ptr().cast(),
            decryption_keys: self.keys[1].0.as_ptr().cast(),
            input: output,
            output,
            bytes: message.len() as u64,
            iv: self.iv.as_ptr(),
            ..self.job
        }
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

    /// One message. Those that are encrypted in a chain have less than 64 KiB in a job.
    fn message(&mut self, buffer: &mut [u8]) {
        let first = self.iv;
        let chained = self.job.cipher != IMB_CIPHER_CNTR && self.job.direction == IMB_DIR_ENCRYPT;
        let longest = if chained { LONGEST_JOB } else { usize::MAX };
        for piece in buffer.chunks_mut(longest) {
            let lengths = [piece.len()];
            self.burst(piece, &lengths);
            if let Some(last) = piece.last_chunk() {
                self.iv = *last;
            }
        }
        self.iv = first;
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
fn gcm(bits: u16, direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let owned = Owned::new()?;
    let size = usize::from(bits - 128) / 64;
    // `gcm_key_data`: 1,264 bytes at most; and `gcm_context_data`: 88.
    let (mut key, mut context) = (Box::new(Room([0; 2048])), Box::new(Room([0; 128])));
    // SAFETY: the manager was started; the key has so many bits, and there is room for what is made of it.
    unsafe {
        (*owned.manager).prepare_gcm[size](setup.key.as_ptr().cast(), key.0.as_mut_ptr().cast());
    }
    let (nonce, associated) = (setup.iv.to_vec(), setup.tweak.to_vec());
    Some(sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        // All of it, not its pointer alone: it frees the manager when it is dropped.
        let owned = &owned;
        let mut computed = [0; 16];
        assert!(sealed.is_none_or(|sealed| sealed.len() == buffer.len()));
        // SAFETY: the manager was started; the lengths are those of both buffers, and the nonce has the 12 bytes that are
        // read.
        unsafe {
            let calls = match sealed {
                None => &(*owned.manager).seal_gcm,
                Some(_) => &(*owned.manager).open_gcm,
            };
            calls[size](
                key.0.as_mut_ptr().cast(),
                context.0.as_mut_ptr().cast(),
                buffer.as_mut_ptr(),
                sealed.map_or(buffer.as_ptr(), <[u8]>::as_ptr),
                buffer.len() as u64,
                nonce.as_ptr(),
                associated.as_ptr(),
                associated.len() as u64,
                computed.as_mut_ptr(),
                16,
            );
        }
        match sealed {
            None => *tag = computed,
            Some(_) => assert_eq!(computed, *tag, "sealed here"),
        }
    }))
}
