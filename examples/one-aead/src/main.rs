//! Seals a message and opens it: the least that a program with one authenticated cipher needs.

use icefish::{
    ciphers::Aes256,
    aead::{Aead, GcmSiv},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut key, mut nonce) = ([0; 32], [0; 12]);
    getrandom::fill(&mut key)?;
    getrandom::fill(&mut nonce)?;
    let (cipher, mut message) = (GcmSiv::<Aes256>::new(&key)?, *b"attack at dawn");
    let tag = cipher.seal_in_place(&nonce, b"", &mut message)?;
    cipher.open_in_place(&nonce, b"", &mut message, &tag)?;
    println!("{}", String::from_utf8_lossy(&message));
    Ok(())
}
