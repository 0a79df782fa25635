//! Key expansion (FIPS 197, section 5.2), in constant time, with the rounds that the backend has.

use crate::isa::{AesRounds, Isa, Sink};

/// The bytes of one state.
#[inline(always)]
fn bytes<S: Isa>(state: S::AesOne) -> [u8; 16] {
    let mut out = [0; 16];
    state.store_one(&mut Sink::new(&mut out), 0);
    out
}

/// SubWord. With the same word in all four columns ShiftRows changes nothing, so the last round of a
/// zero key is the S-box alone.
#[inline(always)]
fn sub_word<S: Isa>(isa: S, word: u32) -> u32 {
    let zero = S::AesOne::splat_column(isa, 0);
    S::AesOne::splat_column(isa, word).enc_last(zero).column()
}

/// The round keys of the cipher; words are columns, their first byte least significant.
#[inline(always)]
pub(super) fn expand<S: Isa, const NK: usize, const KEYS: usize>(
    isa: S,
    key: &[u8],
) -> [[u8; 16]; KEYS] {
    let mut w = [[0u32; 4]; KEYS];
    for (i, word) in key.chunks_exact(4).enumerate() {
        w[i / 4][i % 4] = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
    }
    let mut rcon = 1u32;
    for i in NK..4 * KEYS {
        let mut t = w[(i - 1) / 4][(i - 1) % 4];
        if i % NK == 0 {
            // RotWord moves the first byte to the end: a right rotation of a little-endian word.
            t = sub_word(isa, t.rotate_right(8)) ^ rcon;
            rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
        } else if NK > 6 && i % NK == 4 {
            t = sub_word(isa, t);
        }
        w[i / 4][i % 4] = w[(i - NK) / 4][(i - NK) % 4] ^ t;
    }
    let mut keys = [[0; 16]; KEYS];
    for (key, columns) in keys.iter_mut().zip(&w) {
        for (bytes, column) in key.chunks_exact_mut(4).zip(columns) {
            bytes.copy_from_slice(&column.to_le_bytes());
        }
    }
    keys
}

/// The round keys of the equivalent inverse cipher: reversed, InvMixColumns applied to the inner ones.
/// A last round of encryption undone by a full round of decryption, both with a zero key, is
/// InvMixColumns alone.
#[inline(always)]
pub(super) fn invert<S: Isa, const KEYS: usize>(
    isa: S,
    encrypt: &[[u8; 16]; KEYS],
) -> [[u8; 16]; KEYS] {
    let zero = S::AesOne::splat(isa, &[0; 16]);
    let mut keys = *encrypt;
    keys.reverse();
    for key in &mut keys[1..KEYS - 1] {
        *key = bytes::<S>(S::AesOne::splat(isa, key).enc_last(zero).dec(zero));
    }
    keys
}
