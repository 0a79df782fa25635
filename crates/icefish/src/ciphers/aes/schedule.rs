//! Key expansion (FIPS 197, section 5.2), in constant time, by the AES rounds of the backend.

use crate::isa::{AesRounds, Isa};

/// Rcon of the next step: this one, doubled in the field of AES.
#[inline(always)]
fn double(rcon: u8) -> u8 {
    (rcon << 1) ^ ((rcon >> 7) * 0x1b)
}

/// The round keys of the cipher.
#[inline(always)]
pub(super) fn expand<S: Isa, const NK: usize>(isa: S, key: &[u8], keys: &mut [[u8; 16]]) {
    keys.as_flattened_mut()[..4 * NK].copy_from_slice(key);
    let mut rcon = 1;
    if NK == 6 {
        return words::<S, NK>(isa, keys.as_flattened_mut());
    }
    // A step is four or eight words, so it begins with a round key.
    let step = NK / 4;
    for i in step..NK + 7 {
        let first = i % step == 0;
        keys[i] = S::AesOne::expand(
            isa,
            &keys[i - step],
            &keys[i - 1],
            first,
            if first { rcon } else { 0 },
        );
        if first {
            rcon = double(rcon);
        }
    }
}

/// The same, word by word, for steps of six words.
#[inline(always)]
fn words<S: Isa, const NK: usize>(isa: S, keys: &mut [u8]) {
    let word = |keys: &[u8], i: usize| {
        let w = &keys[4 * i..4 * i + 4];
        u32::from_le_bytes([w[0], w[1], w[2], w[3]])
    };
    let mut rcon = 1;
    for i in NK..keys.len() / 4 {
        let mut t = word(keys, i - 1);
        if i % NK == 0 {
            // RotWord moves the first byte to the end: a right rotation of a little-endian word.
            t = S::AesOne::sub_word(isa, t.rotate_right(8)) ^ u32::from(rcon);
            rcon = double(rcon);
        }
        let next = word(keys, i - NK) ^ t;
        keys[4 * i..4 * i + 4].copy_from_slice(&next.to_le_bytes());
    }
}

/// The round keys of the equivalent inverse cipher: in reverse order, with InvMixColumns applied to the inner ones.
#[inline(always)]
pub(super) fn invert<S: Isa>(isa: S, encrypt: &[[u8; 16]], keys: &mut [[u8; 16]]) {
    let last = keys.len() - 1;
    keys[0] = encrypt[last];
    keys[last] = encrypt[0];
    for i in 1..last {
        keys[i] = S::AesOne::inv_mix_columns(isa, &encrypt[last - i]);
    }
}
