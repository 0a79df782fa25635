//! Raw modes: NIST SP 800-38A, and PCBC of Kerberos 4. Each mode takes a block at a time, or a byte for CFB with segments of a
//! byte.

use super::{BlockCipher, xor};

/// Adds one to a counter block. `mode` is `ctr`, with the width of the counter in bits if it is not the block's, and `-le` if it
/// is little-endian: then it is the first bytes of the block, otherwise the last.
pub fn increment(counter: &mut [u8], mode: &str) {
    let bits = mode.trim_start_matches("ctr").trim_end_matches("-le");
    let width = bits.parse().map_or(counter.len(), |bits: usize| counter.len().min(bits / 8));
    if mode.ends_with("-le") {
        increment_bytes(counter[..width].iter_mut());
    } else {
        let from = counter.len() - width;
        increment_bytes(counter[from..].iter_mut().rev());
    }
}

/// Adds one to bytes from the least significant one on.
fn increment_bytes<'a>(bytes: impl Iterator<Item = &'a mut u8>) {
    for byte in bytes {
        *byte = byte.wrapping_add(1);
        if *byte != 0 {
            return;
        }
    }
}

/// The length of what a mode takes at a time.
fn unit(cipher: &dyn BlockCipher, mode: &str) -> usize {
    if mode == "cfb8" { 1 } else { cipher.size() }
}

/// The message in the mode that the library calls `mode`.
pub fn encrypt(cipher: &dyn BlockCipher, mode: &str, iv: &[u8], message: &[u8]) -> Vec<u8> {
    let (mut chain, mut out) = (iv.to_vec(), Vec::new());
    for plain in message.chunks(unit(cipher, mode)) {
        match mode {
            "ecb" => out.extend(cipher.encrypt(plain)),
            "cbc" => {
                chain = cipher.encrypt(&xor(&chain, plain));
                out.extend(&chain);
            }
            "cfb" | "cfb8" => {
                let sealed = xor(&cipher.encrypt(&chain), plain);
                // The register shifts by the length of a segment.
                chain.extend(&sealed);
                chain.drain(..sealed.len());
                out.extend(sealed);
            }
            "ofb" => {
                chain = cipher.encrypt(&chain);
                out.extend(xor(&chain, plain));
            }
            "pcbc" => {
                let sealed = cipher.encrypt(&xor(&chain, plain));
                chain = xor(&sealed, plain);
                out.extend(sealed);
            }
            _ => {
                out.extend(xor(&cipher.encrypt(&chain), plain));
                increment(&mut chain, mode);
            }
        }
    }
    out
}

/// The inverse of [`encrypt`].
pub fn decrypt(cipher: &dyn BlockCipher, mode: &str, iv: &[u8], sealed: &[u8]) -> Vec<u8> {
    let (mut chain, mut out) = (iv.to_vec(), Vec::new());
    for part in sealed.chunks(unit(cipher, mode)) {
        match mode {
            "ecb" => out.extend(cipher.decrypt(part)),
            "cbc" => {
                out.extend(xor(&cipher.decrypt(part), &chain));
                chain = part.to_vec();
            }
            "cfb" | "cfb8" => {
                out.extend(xor(&cipher.encrypt(&chain), part));
                chain.extend(part);
                chain.drain(..part.len());
            }
            "pcbc" => {
                let plain = xor(&cipher.decrypt(part), &chain);
                chain = xor(part, &plain);
                out.extend(plain);
            }
            // Keystreams.
            _ => return encrypt(cipher, mode, iv, sealed),
        }
    }
    out
}
