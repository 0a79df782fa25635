//! Crypto++, the machine's, behind a few functions of C. Whether it has the library is found out when the benchmark is
//! built: without it there is nothing here.

#![allow(unsafe_code, reason = "a binding to C")]

use super::Library;

#[cfg(cryptopp)]
pub(super) const LIBRARY: Library = Library {
    name: "crypto++",
    version: |_| bound::version(),
    holds: |limit| limit.aes,
    make: bound::make,
    ..Library::OF_C
};

#[cfg(not(cryptopp))]
pub(super) const LIBRARY: Library = Library {
    name: "crypto++",
    version: |_| "not on this machine",
    holds: |limit| limit.aes,
    make: |_, _| None,
    ..Library::OF_C
};

#[cfg(cryptopp)]
mod bound {
    use std::ffi::c_int;
    use std::sync::OnceLock;

    use super::super::{Direction, Mode, Operation, Setup, Work};

    #[repr(C)]
    struct Cipher {
        opaque: [u8; 0],
    }

    // cryptopp.cpp
    unsafe extern "C" {
        fn icefish_cryptopp_version() -> c_int;
        fn icefish_cryptopp_new(
            mode: c_int,
            encrypt: c_int,
            key: *const u8,
            key_length: usize,
            iv: *const u8,
            iv_length: usize,
        ) -> *mut Cipher;
        fn icefish_cryptopp_free(cipher: *mut Cipher);
        fn icefish_cryptopp_rekey(
            cipher: *mut Cipher,
            key: *const u8,
            key_length: usize,
            iv: *const u8,
            iv_length: usize,
        ) -> c_int;
        fn icefish_cryptopp_run(
            cipher: *mut Cipher,
            iv: *const u8,
            iv_length: usize,
            data: *mut u8,
            length: usize,
        ) -> c_int;
        fn icefish_cryptopp_seal(
            cipher: *mut Cipher,
            iv: *const u8,
            iv_length: usize,
            associated: *const u8,
            associated_length: usize,
            data: *mut u8,
            length: usize,
            tag: *mut u8,
        ) -> c_int;
    }

    /// Of the headers: 870 is 8.7.0.
    pub(super) fn version() -> &'static str {
        static VERSION: OnceLock<String> = OnceLock::new();
        VERSION.get_or_init(|| {
            // SAFETY: the function has no conditions.
            let number = unsafe { icefish_cryptopp_version() };
            format!("{}.{}.{}", number / 100, number / 10 % 10, number % 10)
        })
    }

    pub(super) fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
        let (mode, direction, rekey) = match operation {
            Operation::Aes { mode, direction, .. } => (mode, direction, false),
            Operation::AesKeySetup { direction, .. } => (Mode::Cbc, direction, true),
            _ => return None,
        };
        let number = match mode {
            Mode::Ecb => 0,
            Mode::Cbc => 1,
            Mode::Ctr => 2,
            Mode::Cfb128 => 3,
            Mode::Ofb => 4,
            Mode::Xts => 5,
            Mode::Gcm => 6,
        };
        let encrypt = c_int::from(direction == Direction::Encrypt);
        let (key, iv) = (setup.key.to_vec(), setup.iv.to_vec());
        // SAFETY: the lengths are those of the vectors.
        let cipher = unsafe {
            icefish_cryptopp_new(number, encrypt, key.as_ptr(), key.len(), iv.as_ptr(), iv.len())
        };
        if cipher.is_null() {
            return None;
        }
        let tag = if mode == Mode::Gcm { vec![0; 16] } else { Vec::new() };
        Some(Box::new(Aes { cipher, rekey, key, iv, associated: setup.tweak.to_vec(), tag }))
    }

    struct Aes {
        /// Made by `make`, and there until the value is dropped.
        cipher: *mut Cipher,
        rekey: bool,
        key: Vec<u8>,
        iv: Vec<u8>,
        associated: Vec<u8>,
        /// Of GCM, 16 bytes; otherwise none.
        tag: Vec<u8>,
    }

    impl Work for Aes {
        fn run(&mut self, buffer: &mut [u8]) {
            let (iv, iv_length) = (self.iv.as_ptr(), self.iv.len());
            let (data, length) = (buffer.as_mut_ptr(), buffer.len());
            let mut done = 1;
            if self.rekey {
                let (key, key_length) = (self.key.as_ptr(), self.key.len());
                // SAFETY: the cipher is there; the lengths are those of the vectors.
                done &=
                    unsafe { icefish_cryptopp_rekey(self.cipher, key, key_length, iv, iv_length) };
            }
            if self.tag.is_empty() {
                // A new key has its IV already.
                let iv_length = if self.rekey { 0 } else { iv_length };
                // SAFETY: the cipher is there; the lengths are those of the vector and of the buffer.
                done &= unsafe { icefish_cryptopp_run(self.cipher, iv, iv_length, data, length) };
            } else {
                let (associated, tag) = (self.associated.as_ptr(), self.tag.as_mut_ptr());
                let associated_length = self.associated.len();
                // SAFETY: the same; the tag has the 16 bytes that are written.
                done &= unsafe {
                    icefish_cryptopp_seal(
                        self.cipher,
                        iv,
                        iv_length,
                        associated,
                        associated_length,
                        data,
                        length,
                        tag,
                    )
                };
            }
            assert_eq!(done, 1, "Crypto++ refused");
        }

        fn tag(&self) -> &[u8] {
            &self.tag
        }
    }

    impl Drop for Aes {
        fn drop(&mut self) {
            // SAFETY: the cipher is there, and freed once.
            unsafe { icefish_cryptopp_free(self.cipher) }
        }
    }
}
