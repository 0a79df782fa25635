//! CMAC: NIST SP 800-38B, and for blocks of other lengths the same construction, OMAC1.

use super::{BlockCipher, xor};

/// The exponents below the degree of the polynomial that blocks of `size` bytes are reduced by: the first in lexicographic order
/// among the irreducible ones with the fewest terms.
fn exponents(size: usize) -> &'static [usize] {
    match size {
        8 => &[4, 3, 1, 0],
        16 => &[7, 2, 1, 0],
        32 => &[10, 5, 2, 0],
        64 => &[8, 5, 2, 0],
        128 => &[19, 6, 1, 0],
        _ => panic!("no polynomial for blocks of {size} bytes"),
    }
}

/// The product with x of a polynomial whose highest coefficient is the highest bit of the first byte.
fn double(block: &[u8]) -> Vec<u8> {
    let (size, n) = (block.len(), 8 * block.len());
    // Bit i of the lists is the coefficient of x^i.
    let bits: Vec<bool> = (0..n).map(|i| block[size - 1 - i / 8] >> (i % 8) & 1 == 1).collect();
    let mut twice: Vec<bool> = std::iter::once(false).chain(bits[..n - 1].to_vec()).collect();
    for &e in exponents(size).iter().filter(|_| bits[n - 1]) {
        twice[e] = !twice[e];
    }
    let byte = |i: usize| (0..8).map(|b| u8::from(twice[8 * (size - 1 - i) + b]) << b).sum();
    (0..size).map(byte).collect()
}

/// The whole tag, a block.
pub fn tag(cipher: &dyn BlockCipher, message: &[u8]) -> Vec<u8> {
    let size = cipher.size();
    let k1 = double(&cipher.encrypt(&vec![0; size]));
    let k2 = double(&k1);
    let mut padded = message.to_vec();
    let whole = !message.is_empty() && message.len().is_multiple_of(size);
    if !whole {
        padded.push(0x80);
        padded.resize(padded.len().next_multiple_of(size), 0);
    }
    let last = padded.len() - size;
    for (byte, key) in padded[last..].iter_mut().zip(if whole { k1 } else { k2 }) {
        *byte ^= key;
    }
    padded.chunks(size).fold(vec![0; size], |chain, block| cipher.encrypt(&xor(&chain, block)))
}
