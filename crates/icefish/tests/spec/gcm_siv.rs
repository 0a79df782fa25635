//! AES-GCM-SIV: RFC 8452.

use super::aes::Aes;
use super::{BlockCipher, modes, xor};

/// Section 3: a * b * x^-128. The lowest bit is the coefficient of x^0.
fn dot(a: u128, b: u128) -> u128 {
    let mut product = 0;
    for i in 0..128 {
        // For each bit of a from the lowest: add b, then divide by x.
        product ^= if a >> i & 1 == 1 { b } else { 0 };
        // x^128 + x^127 + x^126 + x^121 + 1 = 0, so 1/x = x^127 + x^126 + x^125 + x^120.
        product = product >> 1 ^ if product & 1 == 1 { 0xe1 << 120 } else { 0 };
    }
    product
}

fn polyval(h: u128, parts: &[&[u8]]) -> [u8; 16] {
    let mut s = 0;
    for block in parts.iter().flat_map(|part| part.chunks(16)) {
        let mut padded = [0; 16];
        padded[..block.len()].copy_from_slice(block);
        s = dot(s ^ u128::from_le_bytes(padded), h);
    }
    s.to_le_bytes()
}

/// Section 4: the authentication key, and the cipher with the encryption key, for a nonce of 12 bytes.
fn derive(key: &[u8], nonce: &[u8]) -> (u128, Aes) {
    let generator = Aes::new(key);
    let half = |i: u32| {
        let block = [&i.to_le_bytes()[..], nonce].concat();
        generator.encrypt(&block)[..8].to_vec()
    };
    let halves = |range: std::ops::Range<u32>| range.flat_map(half).collect::<Vec<u8>>();
    let authentication = halves(0..2).try_into().unwrap();
    let encryption = halves(2..2 + key.len() as u32 / 8);
    (u128::from_le_bytes(authentication), Aes::new(&encryption))
}

/// The keystream begins with the tag, whose highest bit is set.
fn crypt(cipher: &Aes, tag: &[u8], data: &[u8]) -> Vec<u8> {
    let mut counter = tag.to_vec();
    counter[15] |= 0x80;
    modes::encrypt(cipher, "ctr32-le", &counter, data)
}

/// Ciphertext and tag, for a key of 16 or 32 bytes.
pub fn seal(key: &[u8], nonce: &[u8], associated: &[u8], message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (authentication, cipher) = derive(key, nonce);
    let lengths = [associated, message].map(|s| (8 * s.len() as u64).to_le_bytes()).concat();
    let sum = polyval(authentication, &[associated, message, &lengths]);
    let mut block = xor(&sum, &[nonce, &[0; 4]].concat());
    block[15] &= 0x7f;
    let tag = cipher.encrypt(&block);
    (crypt(&cipher, &tag, message), tag)
}

/// The message, unless it was forged.
pub fn open(
    key: &[u8],
    nonce: &[u8],
    associated: &[u8],
    sealed: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    let message = decrypted(key, nonce, tag, sealed);
    (seal(key, nonce, associated, &message).1 == tag).then_some(message)
}

/// What a ciphertext is decrypted to before its tag is verified.
pub fn decrypted(key: &[u8], nonce: &[u8], tag: &[u8], ciphertext: &[u8]) -> Vec<u8> {
    crypt(&derive(key, nonce).1, tag, ciphertext)
}
