//! EAX: Bellare, Rogaway and Wagner, "The EAX Mode of Operation", FSE 2004.

use super::{BlockCipher, cmac, modes, xor};

/// OMAC of a string whose first block is the number of the part.
fn omac(cipher: &dyn BlockCipher, part: u8, string: &[u8]) -> Vec<u8> {
    let mut first = vec![0; cipher.size()];
    first[cipher.size() - 1] = part;
    cmac::tag(cipher, &[&first, string].concat())
}

/// Ciphertext and whole tag.
pub fn seal(
    cipher: &dyn BlockCipher,
    nonce: &[u8],
    associated: &[u8],
    message: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    let n = omac(cipher, 0, nonce);
    let sealed = modes::encrypt(cipher, "ctr", &n, message);
    let tag = xor(&xor(&n, &omac(cipher, 1, associated)), &omac(cipher, 2, &sealed));
    (sealed, tag)
}

/// The message, unless it was forged. The length of `tag` is the key's.
pub fn open(
    cipher: &dyn BlockCipher,
    nonce: &[u8],
    associated: &[u8],
    sealed: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    let message = modes::encrypt(cipher, "ctr", &omac(cipher, 0, nonce), sealed);
    (seal(cipher, nonce, associated, &message).1.starts_with(tag)).then_some(message)
}
