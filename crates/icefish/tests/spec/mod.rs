//! The executable specification: every primitive and mode as its standard defines it, in plain loops over bytes, words and lists.
//! It uses nothing of the library, and is not constant-time.
//!
//! `specification.rs` tests these pages with published vectors. All other tests hold the library against them.
//!
//! | page | defines |
//! |---|---|
//! | `aes`, `ice`, `threefish` | block ciphers |
//! | `modes`, `padding`, `stealing`, `ige`, `xts` | modes of any block cipher |
//! | `cmac`, `gcm`, `gcm_siv`, `eax`, `aegis` (AEGIS and AEGISMAC) | authentication |
//! | `skein` | hashes built on Threefish |
//! | `xoodoo`, `xoodyak`, `xoofff` | the permutations, and what is built on them |
#![allow(
    dead_code,
    unreachable_pub,
    reason = "every test file takes what it needs, and the fuzzer all of it, as a crate"
)]

pub mod aegis;
pub mod aes;
pub mod cmac;
pub mod eax;
pub mod gcm;
pub mod gcm_siv;
pub mod ice;
pub mod ige;
pub mod modes;
pub mod padding;
pub mod skein;
pub mod stealing;
pub mod threefish;
pub mod xoodoo;
pub mod xoodyak;
pub mod xoofff;
pub mod xts;

/// A permutation of blocks, chosen by a key.
pub trait BlockCipher {
    /// Length of a block in bytes.
    fn size(&self) -> usize;
    /// The ciphertext of one block.
    fn encrypt(&self, block: &[u8]) -> Vec<u8>;
    /// The plaintext of one block.
    fn decrypt(&self, block: &[u8]) -> Vec<u8>;
}

/// The block cipher that the library calls `name`.
pub fn cipher(name: &str, key: &[u8], tweak: &[u8]) -> Box<dyn BlockCipher> {
    match name.rsplit_once('-').expect("a name of two parts") {
        ("aes", _) => Box::new(aes::Aes::new(key)),
        ("thin", _) => Box::new(ice::Ice::new(0, key)),
        ("ice", level) => Box::new(ice::Ice::new(level.parse().expect("a level"), key)),
        ("threefish", _) => Box::new(threefish::Threefish::new(key, tweak)),
        _ => panic!("{name} has no page"),
    }
}

/// The sum of two strings, bit by bit, as long as the shorter one.
pub fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}
