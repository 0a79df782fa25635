//! aws-lc-rs: its unpadded ciphers and its AEAD. It has no XTS.

use super::{Direction, Library, Mode, Operation, Setup, Work, sealing};
use aws_lc_rs::aead::{
    AES_128_GCM, AES_192_GCM, AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey,
};
use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext,
    UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;

pub(super) const LIBRARY: Library =
    Library { name: "aws-lc-rs", version: |_| "1.19.0", make, ..Library::OF_C };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Aes { mode: Mode::Gcm, direction, .. } => gcm(direction, setup),
        Operation::Aes { mode, direction: Direction::Encrypt, .. } => encryption(mode, setup),
        Operation::Aes { mode, direction: Direction::Decrypt, .. } => decryption(mode, setup),
        Operation::AesKeySetup { direction, .. } => key_setup(direction, setup),
        _ => None,
    }
}

fn key_setup(direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let (key, iv) = (setup.key.to_vec(), <[u8; 16]>::try_from(setup.iv).ok()?);
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| {
            let key = unbound(&key).and_then(|key| EncryptingKey::cbc(key).ok());
            let key = key.expect("the length is an AES key's");
            let context = EncryptionContext::Iv128(FixedLength::from(iv));
            key.less_safe_encrypt(buffer, context).expect("whole blocks");
        }),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| {
            let key = unbound(&key).and_then(|key| DecryptingKey::cbc(key).ok());
            let key = key.expect("the length is an AES key's");
            let context = DecryptionContext::Iv128(FixedLength::from(iv));
            key.decrypt(buffer, context).expect("whole blocks");
        }),
    })
}

fn unbound(key: &[u8]) -> Option<UnboundCipherKey> {
    let algorithm = match key.len() {
        16 => &AES_128,
        24 => &AES_192,
        32 => &AES_256,
        _ => return None,
    };
    UnboundCipherKey::new(algorithm, key).ok()
}

fn encryption(mode: Mode, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let key = unbound(setup.key)?;
    let key = match mode {
        Mode::Ecb => EncryptingKey::ecb(key),
        Mode::Cbc => EncryptingKey::cbc(key),
        Mode::Ctr => EncryptingKey::ctr(key),
        Mode::Cfb128 => EncryptingKey::cfb128(key),
        Mode::Ofb => EncryptingKey::ofb(key),
        Mode::Gcm | Mode::Xts => return None,
    };
    let (key, iv) = (key.ok()?, <[u8; 16]>::try_from(setup.iv).ok());
    Some(Box::new(move |buffer: &mut [u8]| {
        let context = iv
            .map_or(EncryptionContext::None, |iv| EncryptionContext::Iv128(FixedLength::from(iv)));
        key.less_safe_encrypt(buffer, context).expect("whole blocks");
    }))
}

fn decryption(mode: Mode, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let key = unbound(setup.key)?;
    let key = match mode {
        Mode::Ecb => DecryptingKey::ecb(key),
        Mode::Cbc => DecryptingKey::cbc(key),
        Mode::Ctr => DecryptingKey::ctr(key),
        Mode::Cfb128 => DecryptingKey::cfb128(key),
        Mode::Ofb => DecryptingKey::ofb(key),
        Mode::Gcm | Mode::Xts => return None,
    };
    let (key, iv) = (key.ok()?, <[u8; 16]>::try_from(setup.iv).ok());
    Some(Box::new(move |buffer: &mut [u8]| {
        let context = iv
            .map_or(DecryptionContext::None, |iv| DecryptionContext::Iv128(FixedLength::from(iv)));
        key.decrypt(buffer, context).expect("whole blocks");
    }))
}

fn gcm(direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let algorithm = match setup.key.len() {
        16 => &AES_128_GCM,
        24 => &AES_192_GCM,
        32 => &AES_256_GCM,
        _ => return None,
    };
    let key = LessSafeKey::new(UnboundKey::new(algorithm, setup.key).ok()?);
    let nonce: [u8; NONCE_LEN] = setup.iv.try_into().ok()?;
    let associated = setup.tweak.to_vec();
    Some(sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        let (nonce, associated) = (Nonce::assume_unique_for_key(nonce), Aad::from(&associated));
        match sealed {
            None => {
                let made = key.seal_in_place_separate_tag(nonce, associated, buffer);
                tag.copy_from_slice(made.expect("the message is short enough").as_ref());
            }
            Some(sealed) => {
                let opened = key.open_separate_gather(nonce, associated, sealed, tag, buffer);
                opened.expect("sealed here");
            }
        }
    }))
}
