//! Modes as NIST SP 800-38A writes them, a block at a time: what the library must agree with.

use icefish::suite::AnyMode;

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// Adds one to the bytes that count.
fn increment(counter: &mut [u8], name: &str) {
    let width = if name.contains("32") {
        4.min(counter.len())
    } else if name.contains("64") {
        8.min(counter.len())
    } else {
        counter.len()
    };
    let from = counter.len() - width;
    let mut field: Vec<&mut u8> = if name.ends_with("le") {
        counter[..width].iter_mut().collect()
    } else {
        counter[from..].iter_mut().rev().collect()
    };
    for byte in &mut field {
        **byte = byte.wrapping_add(1);
        if **byte != 0 {
            break;
        }
    }
}

/// A message in a mode, where `encrypt` takes a block of `size` bytes through the cipher.
pub(crate) fn encrypted(
    encrypt: impl Fn(&[u8]) -> Vec<u8>,
    size: usize,
    mode: AnyMode,
    iv: &[u8],
    message: &[u8],
) -> Vec<u8> {
    let (mut chain, mut out) = (iv.to_vec(), Vec::new());
    let size = if mode == AnyMode::Cfb8 { 1 } else { size };
    for part in message.chunks(size) {
        match mode {
            AnyMode::Ecb => out.extend(encrypt(part)),
            AnyMode::Cbc => {
                chain = encrypt(&xor(&chain, part));
                out.extend(&chain);
            }
            AnyMode::Cfb | AnyMode::Cfb8 => {
                let cipher = xor(&encrypt(&chain), part);
                chain.extend(&cipher);
                chain.drain(..cipher.len());
                out.extend(cipher);
            }
            AnyMode::Ofb => {
                chain = encrypt(&chain);
                out.extend(xor(&chain, part));
            }
            AnyMode::Pcbc => {
                let cipher = encrypt(&xor(&chain, part));
                chain = xor(&cipher, part);
                out.extend(cipher);
            }
            _ => {
                out.extend(xor(&encrypt(&chain), part));
                increment(&mut chain, mode.name());
            }
        }
    }
    out
}
