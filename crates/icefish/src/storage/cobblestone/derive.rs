//! The values that are derived for each message: key, base nonce and commitment.

use super::{COMMITMENT, Instance, SALT};
use crate::Error;
use crate::isa::erase;
#[cfg(feature = "alloc")]
use crate::isa::erase_stack;
use crate::verdict::verify;
use hkdf::Hkdf;
use sha2::Sha512;

/// Length of a pseudorandom key of HKDF with SHA-512. Keys of Cobblestone are shorter and there is no Extract step. Zeros after
/// them change nothing: HMAC fills its keys with zeros to the block of 128 bytes.
const PRK: usize = 64;
/// Length of a nonce of GCM.
pub(super) const NONCE: usize = 12;
/// The longest key of a cipher.
const KEY: usize = 32;

/// The key that those of messages are derived from.
#[derive(Clone)]
pub(super) struct Prk {
    /// Followed by zeros.
    key: [u8; PRK],
    len: usize,
}

impl Prk {
    pub(super) const BLANK: Self = Self { key: [0; PRK], len: 0 };

    pub(super) fn set(&mut self, key: &[u8]) {
        erase(&mut self.key);
        self.key[..key.len()].copy_from_slice(key);
        self.len = key.len();
    }
}

impl Drop for Prk {
    fn drop(&mut self) {
        erase(&mut self.key);
    }
}

/// Key, base nonce and commitment, one after the other, as they are derived.
pub(super) struct Derived {
    bytes: [u8; KEY + NONCE + COMMITMENT],
    key_len: usize,
}

impl Derived {
    /// HKDF-Expand with SHA-512 (section "Key derivation").
    pub(super) fn new<C: Instance>(prk: &Prk, salt: &[u8; SALT], context: &[u8]) -> Self {
        let mut derived = Self { bytes: [0; KEY + NONCE + COMMITMENT], key_len: prk.len };
        let name = C::aead(prk.len).as_bytes();
        let info = [b"c2sp.org/chunked-encryption@v1+", name, &[0], salt, context];
        expand(&prk.key, &info, &mut derived.bytes[..prk.len + NONCE + COMMITMENT]);
        // Without an allocator the stack may be small.
        #[cfg(feature = "alloc")]
        erase_stack();
        derived
    }

    /// The three parts.
    pub(super) fn parts(&self) -> (&[u8], [u8; NONCE], [u8; COMMITMENT]) {
        let (mut nonce, mut commitment) = ([0; NONCE], [0; COMMITMENT]);
        let (key, rest) = self.bytes.split_at(self.key_len);
        nonce.copy_from_slice(&rest[..NONCE]);
        commitment.copy_from_slice(&rest[NONCE..NONCE + COMMITMENT]);
        (key, nonce, commitment)
    }
}

impl Drop for Derived {
    fn drop(&mut self) {
        erase(&mut self.bytes);
    }
}

/// Not inlined, so that what it leaves on the stack is below the caller.
#[inline(never)]
fn expand(prk: &[u8; PRK], info: &[&[u8]], output: &mut [u8]) {
    let hkdf = Hkdf::<Sha512>::from_prk(prk).expect("a key as long as the hash");
    hkdf.expand_multi_info(info, output).expect("less than 255 hashes");
}

/// Compares the commitment of a message with that of key and context, in constant time.
pub(super) fn committed(expected: &[u8; COMMITMENT], given: &[u8]) -> Result<(), Error> {
    verify(expected, given).map_err(|_| Error::Commitment)
}
