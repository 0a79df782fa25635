//! GCM: NIST SP 800-38D.

use super::{BlockCipher, modes, xor};

/// Section 6.3: the product of two blocks. The highest bit is the coefficient of x^0.
fn times(x: u128, h: u128) -> u128 {
    let (mut z, mut v) = (0, h);
    for i in (0..128).rev() {
        z ^= if x >> i & 1 == 1 { v } else { 0 };
        v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    z
}

/// Section 6.4, over parts that are each filled up with zeros.
fn ghash(h: u128, parts: &[&[u8]]) -> u128 {
    let mut y = 0;
    for block in parts.iter().flat_map(|part| part.chunks(16)) {
        let mut padded = [0; 16];
        padded[..block.len()].copy_from_slice(block);
        y = times(y ^ u128::from_be_bytes(padded), h);
    }
    y
}

/// The lengths in bits of two strings, as a block.
fn lengths(a: &[u8], b: &[u8]) -> Vec<u8> {
    [a, b].map(|string| (8 * string.len() as u64).to_be_bytes()).concat()
}

/// Section 7.1: the counter block before that of the data, and the hash key.
fn start(cipher: &dyn BlockCipher, nonce: &[u8]) -> (Vec<u8>, u128) {
    let h = u128::from_be_bytes(cipher.encrypt(&[0; 16]).try_into().unwrap());
    let first = if nonce.len() == 12 {
        [nonce, &[0, 0, 0, 1]].concat()
    } else {
        ghash(h, &[nonce, &lengths(&[], nonce)]).to_be_bytes().to_vec()
    };
    (first, h)
}

/// The ciphertext of some data, or the other way round.
fn crypt(cipher: &dyn BlockCipher, nonce: &[u8], data: &[u8]) -> Vec<u8> {
    let (mut counter, _) = start(cipher, nonce);
    modes::increment(&mut counter, "ctr32");
    modes::encrypt(cipher, "ctr32", &counter, data)
}

/// Ciphertext and tag (section 7.1).
pub fn seal(
    cipher: &dyn BlockCipher,
    nonce: &[u8],
    associated: &[u8],
    message: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    let (first, h) = start(cipher, nonce);
    let sealed = crypt(cipher, nonce, message);
    let sum = ghash(h, &[associated, &sealed, &lengths(associated, &sealed)]);
    let tag = xor(&sum.to_be_bytes(), &cipher.encrypt(&first));
    (sealed, tag)
}

/// The message, unless it was forged (section 7.2). The length of `tag` is the key's.
pub fn open(
    cipher: &dyn BlockCipher,
    nonce: &[u8],
    associated: &[u8],
    sealed: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    let message = crypt(cipher, nonce, sealed);
    (seal(cipher, nonce, associated, &message).1.starts_with(tag)).then_some(message)
}
