//! Key and initialization vector from a passphrase, as `openssl enc` derives them: one sequence of bytes, of which
//! the key is the beginning and the vector the rest.

use hmac::EagerHash;
use hmac::digest::{Digest as Hash, Output};
use md5::Md5;
use pbkdf2::pbkdf2_hmac;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use std::num::NonZeroU32;
use zeroize::Zeroize;

/// A hash function of a derivation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digest {
    /// MD5: the default of openssl before 1.1.0.
    Md5,
    /// SHA-1.
    Sha1,
    /// SHA-256: the default since 1.1.0.
    #[default]
    Sha256,
    /// SHA-512.
    Sha512,
}

impl Digest {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Md5, Self::Sha1, Self::Sha256, Self::Sha512];

    /// Its name, as `openssl enc -md` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "md5",
            Self::Sha1 => "sha1",
            Self::Sha256 => "sha256",
            Self::Sha512 => "sha512",
        }
    }
}

/// A derivation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kdf {
    /// PBKDF2 with HMAC (RFC 8018, section 5.2), `openssl enc -pbkdf2`: so many iterations.
    Pbkdf2(NonZeroU32),
    /// `EVP_BytesToKey` with one iteration, which openssl takes without `-pbkdf2`: hardly harder to guess
    /// than the hash of a passphrase.
    BytesToKey,
}

impl Kdf {
    /// The iterations of `openssl enc -pbkdf2` without `-iter`.
    pub const ITERATIONS: NonZeroU32 = NonZeroU32::new(10_000).unwrap();

    /// Fills `bytes`. `salt` is empty if there is none.
    pub(super) fn derive(self, digest: Digest, passphrase: &[u8], salt: &[u8], bytes: &mut [u8]) {
        match digest {
            Digest::Md5 => self.with::<Md5>(passphrase, salt, bytes),
            Digest::Sha1 => self.with::<Sha1>(passphrase, salt, bytes),
            Digest::Sha256 => self.with::<Sha256>(passphrase, salt, bytes),
            Digest::Sha512 => self.with::<Sha512>(passphrase, salt, bytes),
        }
    }

    fn with<H: EagerHash + Hash>(self, passphrase: &[u8], salt: &[u8], bytes: &mut [u8]) {
        match self {
            Self::Pbkdf2(n) => pbkdf2_hmac::<H>(passphrase, salt, n.get(), bytes),
            Self::BytesToKey => bytes_to_key::<H>(passphrase, salt, bytes),
        }
    }
}

impl Default for Kdf {
    fn default() -> Self {
        Self::Pbkdf2(Self::ITERATIONS)
    }
}

/// `EVP_BytesToKey`, as its manual page says: D_i = H(D_(i-1) || passphrase || salt), and the result is D_1 || D_2 || ...
fn bytes_to_key<H: Hash>(passphrase: &[u8], salt: &[u8], bytes: &mut [u8]) {
    let mut block: Option<Output<H>> = None;
    for part in bytes.chunks_mut(<H as Hash>::output_size()) {
        let mut hash = H::new();
        if let Some(before) = &mut block {
            hash.update(&*before);
            before.as_mut_slice().zeroize();
        }
        hash.update(passphrase);
        hash.update(salt);
        let next = block.insert(hash.finalize());
        part.copy_from_slice(&next[..part.len()]);
    }
    if let Some(mut last) = block {
        last.as_mut_slice().zeroize();
    }
}
