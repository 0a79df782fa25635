//! Infinite garble extension: Campbell, "Design and Specification of Cryptographic Capabilities", 1978, as OpenSSL has it.

use super::{BlockCipher, xor};

/// Whole blocks. The IV is the ciphertext block before the first, then the plaintext block before it.
pub fn encrypt(cipher: &dyn BlockCipher, iv: &[u8], message: &[u8]) -> Vec<u8> {
    let (mut sealed, mut plain) = (iv[..cipher.size()].to_vec(), iv[cipher.size()..].to_vec());
    let mut out = Vec::new();
    for block in message.chunks(cipher.size()) {
        sealed = xor(&cipher.encrypt(&xor(block, &sealed)), &plain);
        plain = block.to_vec();
        out.extend(&sealed);
    }
    out
}
