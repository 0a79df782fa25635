//! Key expansion (FIPS 197, section 5.2), in constant time, by the AES rounds of the backend (`isa/aes`, `isa/x86/aes.rs`,
//! `isa/arm/aes.rs`).

use crate::isa::{AesRounds, Isa, Left, whole_row};

/// Rcon of the next step: this one, doubled in the field of AES.
#[inline(always)]
fn double(rcon: u8) -> u8 {
    (rcon << 1) ^ ((rcon >> 7) * 0x1b)
}

/// The round keys of the cipher.
#[inline(always)]
pub(super) fn expand<S: Isa, const NK: usize>(isa: S, key: &[u8], keys: &mut [[u8; 16]]) {
    if NK == 6 {
        return six_words(isa, key, keys);
    }
    keys.as_flattened_mut()[..4 * NK].copy_from_slice(key);
    let mut rcon = 1;
    // A step is four or eight words, so it begins with a round key.
    let step = NK / 4;
    let mut i = step;
    while i < NK + 7 {
        keys[i] = S::AesOne::expand(isa, &keys[i - step], &keys[i - 1], 3, Left::Rotated(rcon));
        if step == 2 && i + 1 < NK + 7 {
            keys[i + 1] = S::AesOne::expand(isa, &keys[i - 1], &keys[i], 3, Left::Substituted);
        }
        rcon = double(rcon);
        i += step;
    }
}

/// The same for steps of six words: four in one row, and two at the beginning of another. Two steps are three round keys, which are
/// joined in registers: a load of words that were stored by two stores would stall.
#[inline(always)]
fn six_words<S: Isa>(isa: S, key: &[u8], keys: &mut [[u8; 16]]) {
    let (mut four, mut two, mut rcon) = ([0; 16], [0; 16], 1);
    four.copy_from_slice(&key[..16]);
    two[..8].copy_from_slice(&key[16..24]);
    for keys in keys.chunks_mut(3) {
        keys[0] = four;
        let [_, second, third] = keys else { return };
        let before = two;
        four = S::AesOne::expand(isa, &four, &two, 1, Left::Rotated(rcon));
        two = S::AesOne::expand(isa, &two, &four, 3, Left::Itself);
        rcon = double(rcon);
        *second = join([before, four], [0, 0]);
        *third = join([four, two], [1, 0]);
        four = S::AesOne::expand(isa, &four, &two, 1, Left::Rotated(rcon));
        two = S::AesOne::expand(isa, &two, &four, 3, Left::Itself);
        rcon = double(rcon);
    }
}

/// One half of each of two rows.
#[inline(always)]
fn join(rows: [[u8; 16]; 2], halves: [usize; 2]) -> [u8; 16] {
    let mut row = [0; 16];
    row[..8].copy_from_slice(&rows[0][8 * halves[0]..][..8]);
    row[8..].copy_from_slice(&rows[1][8 * halves[1]..][..8]);
    whole_row(row)
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
