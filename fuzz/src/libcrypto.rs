//! What OpenSSL makes of the same message, where it has the same cipher and mode: AES.
//!
//! Ciphers are taken by name from the system's libcrypto, which shares no code with the library or its specification.

use icefish::modes::Padding;
use openssl::cipher::Cipher;
use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use openssl::pkey::PKey;
use openssl::sign::Signer;
use std::collections::HashMap;
use std::sync::Mutex;

/// The cipher that OpenSSL calls `name`, in upper or lower case, if it has it. It is looked up once.
fn fetched(name: &str) -> Option<&'static Cipher> {
    static KNOWN: Mutex<Option<HashMap<String, Option<&'static Cipher>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().expect("no thread panics meanwhile");
    *known.get_or_insert_default().entry(name.to_owned()).or_insert_with(|| {
        let found = Cipher::fetch(None, name, None).ok()?;
        Some(Box::leak(Box::new(found)))
    })
}

/// The ciphertext of a message whose arguments are those that the mode takes, with PKCS#7 padding or none.
fn encrypted(
    cipher: &Cipher,
    key: &[u8],
    iv: &[u8],
    padding: bool,
    message: &[u8],
) -> Result<Vec<u8>, ErrorStack> {
    let mut context = CipherCtx::new()?;
    context.encrypt_init(Some(cipher), Some(key), Some(iv).filter(|iv| !iv.is_empty()))?;
    context.set_padding(padding);
    let mut out = Vec::new();
    context.cipher_update_vec(message, &mut out)?;
    context.cipher_final_vec(&mut out)?;
    Ok(out)
}

/// A message of a raw mode encrypts to `sealed`, if OpenSSL has the cipher in the mode, with that padding.
pub(crate) fn agrees_on_mode(
    name: &str,
    (key, iv): (&[u8], &[u8]),
    padding: Padding,
    message: &[u8],
    sealed: &[u8],
) {
    let padded = match padding {
        Padding::None => false,
        Padding::Pkcs7 => true,
        _ => return,
    };
    let Some(cipher) = fetched(name) else { return };
    let theirs = encrypted(cipher, key, iv, padded, message).expect("OpenSSL takes what we take");
    assert!(theirs == sealed, "{name}, {} bytes: OpenSSL has another ciphertext", message.len());
}

/// CBC with ciphertext stealing, of which OpenSSL has CS1 unless it is told otherwise.
pub(crate) fn agrees_on_stealing(
    cipher: &str,
    variant: u8,
    (key, iv): (&[u8], &[u8]),
    message: &[u8],
    sealed: &[u8],
) {
    if variant == 1 {
        agrees_on_mode(&format!("{cipher}-cbc-cts"), (key, iv), Padding::None, message, sealed);
    }
}

/// A data unit of XTS.
pub(crate) fn agrees_on_unit(name: &str, key: &[u8], number: u128, unit: &[u8], sealed: &[u8]) {
    let tweak = number.to_le_bytes();
    agrees_on_mode(name, (key, &tweak), Padding::None, unit, sealed);
}

/// An authenticated mode: ciphertext and the whole tag, or its beginning.
pub(crate) fn agrees_on_sealing(
    name: &str,
    (key, nonce, associated): (&[u8], &[u8], &[u8]),
    message: &[u8],
    (sealed, tag): (&[u8], &[u8]),
) {
    // GCM-SIV is in OpenSSL since version 3.2, and takes its arguments in another order.
    if !name.ends_with("-gcm") {
        return;
    }
    let Some(cipher) = fetched(name) else { return };
    let theirs = || -> Result<_, ErrorStack> {
        let mut context = CipherCtx::new()?;
        context.encrypt_init(Some(cipher), None, None)?;
        context.set_iv_length(nonce.len())?;
        context.encrypt_init(None, Some(key), Some(nonce))?;
        context.cipher_update(associated, None)?;
        let (mut out, mut whole) = (Vec::new(), [0; 16]);
        context.cipher_update_vec(message, &mut out)?;
        context.cipher_final_vec(&mut out)?;
        context.tag(&mut whole)?;
        Ok((out, whole))
    };
    let (out, whole) = theirs().expect("OpenSSL takes what we take");
    assert!(
        out == sealed && whole.starts_with(tag),
        "{name}: OpenSSL has another ciphertext or tag"
    );
}

/// CMAC, with the whole tag.
pub(crate) fn agrees_on_code(cipher: &str, key: &[u8], message: &[u8], tag: &[u8]) {
    use openssl::symm::Cipher;
    let known = match cipher {
        "aes-128" => Cipher::aes_128_cbc(),
        "aes-192" => Cipher::aes_192_cbc(),
        "aes-256" => Cipher::aes_256_cbc(),
        _ => return,
    };
    let theirs = || -> Result<_, ErrorStack> {
        let key = PKey::cmac(&known, key)?;
        Signer::new_without_digest(&key)?.sign_oneshot_to_vec(message)
    };
    let theirs = theirs().expect("OpenSSL takes what we take");
    assert!(theirs.starts_with(tag), "{cipher}-cmac: OpenSSL has another code");
}
