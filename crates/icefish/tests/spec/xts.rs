//! XTS: IEEE Std 1619-2007, section 5.3.

use super::{BlockCipher, xor};

/// A data unit of at least one block, with its number.
pub fn encrypt(
    data: &dyn BlockCipher,
    tweak: &dyn BlockCipher,
    unit: u128,
    message: &[u8],
) -> Vec<u8> {
    let t = tweak.encrypt(&unit.to_le_bytes());
    let mut t = u128::from_le_bytes(t.try_into().unwrap());
    let mut block = |plain: &[u8]| {
        let out = xor(&data.encrypt(&xor(plain, &t.to_le_bytes())), &t.to_le_bytes());
        // Multiplication by x modulo x^128 + x^7 + x^2 + x + 1.
        t = if t >> 127 == 1 { t << 1 ^ 0x87 } else { t << 1 };
        out
    };
    let (whole, part) = message.split_at(message.len() / 16 * 16);
    let mut out: Vec<u8> = whole.chunks(16).flat_map(&mut block).collect();
    if !part.is_empty() {
        let before = out.split_off(out.len() - 16);
        out.extend(block(&[part, &before[part.len()..]].concat()));
        out.extend(&before[..part.len()]);
    }
    out
}
