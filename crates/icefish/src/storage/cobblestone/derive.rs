//! What a message has of its own: key, base nonce and commitment.

use super::{COMMITMENT, Instance, SALT};
use crate::Error;
use crate::isa::erase;
#[cfg(feature = "alloc")]
use crate::isa::erase_stack;
use crate::verdict::disclose;
use hkdf::Hkdf;
use sha2::Sha512;
use subtle::ConstantTimeEq;

/// Length of a pseudorandom key of HKDF with SHA-512. Keys of Cobblestone are shorter and there is no Extract step. Zeros after
/// them change nothing: HMAC fills its keys with zeros to the block of 128 bytes.
pub(super) const PRK: usize = 64;
/// Length of a nonce of GCM.
pub(super) const NONCE: usize = 12;
/// The longest key of a cipher.
const KEY: usize = 32;

/// Key, base nonce and commitment, one after the other, as they are derived.
pub(super) struct Derived([u8; KEY + NONCE + COMMITMENT]);

impl Derived {
    /// HKDF-Expand with SHA-512 (section "Key derivation").
    pub(super) fn new<C: Instance>(prk: &[u8; PRK], salt: &[u8; SALT], context: &[u8]) -> Self {
        let mut derived = Self([0; KEY + NONCE + COMMITMENT]);
        let info = [b"c2sp.org/chunked-encryption@v1+", C::AEAD.as_bytes(), &[0], salt, context];
        expand(prk, &info, &mut derived.0[..C::KEY + NONCE + COMMITMENT]);
        // Without an allocator the stack may be small.
        #[cfg(feature = "alloc")]
        erase_stack();
        derived
    }

    /// The three parts.
    pub(super) fn parts<C: Instance>(&self) -> (&[u8], [u8; NONCE], [u8; COMMITMENT]) {
        let (mut nonce, mut commitment) = ([0; NONCE], [0; COMMITMENT]);
        nonce.copy_from_slice(&self.0[C::KEY..C::KEY + NONCE]);
        commitment.copy_from_slice(&self.0[C::KEY + NONCE..C::KEY + NONCE + COMMITMENT]);
        (&self.0[..C::KEY], nonce, commitment)
    }
}

impl Drop for Derived {
    fn drop(&mut self) {
        erase(&mut self.0);
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
    if disclose(expected[..].ct_eq(given)) { Ok(()) } else { Err(Error::Commitment) }
}
