//! RustCrypto's `aes` with its mode crates; the key schedule is kept and borrowed by the mode for each message.

use super::{Direction, Library, Mode, Operation, Setup, Work, sealing};
use crate::limits::Limit;
use aes::cipher::array::Array;
use aes::cipher::consts::{U12, U16};
use aes::cipher::inout::InOutBuf;
use aes::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
    InnerIvInit, KeyInit, StreamCipher,
};
use aes::{
    Aes128, Aes128Dec, Aes128Enc, Aes192, Aes192Dec, Aes192Enc, Aes256, Aes256Dec, Aes256Enc,
};
use aes_gcm::aead::AeadInOut;
use aes_gcm::{AesGcm, Nonce};
use xts_mode::Xts128;

/// It asks the processor too; but whether its functions are inlined depends on the build, and at 16 bytes that is a factor of
/// two.
pub(super) const LIBRARY: Library =
    Library { name: "rustcrypto", version, make, holds: Limit::fits_build, ..Library::CRATE };

fn version(operation: Operation) -> &'static str {
    match operation {
        Operation::Aes { mode: Mode::Ecb, .. } => "aes 0.9.4",
        Operation::Aes { mode: Mode::Ctr, .. } => "aes 0.9.4, ctr 0.10.1",
        Operation::Aes { mode: Mode::Cfb128, .. } => "aes 0.9.4, cfb-mode 0.9.1",
        Operation::Aes { mode: Mode::Ofb, .. } => "aes 0.9.4, ofb 0.7.1",
        Operation::Aes { mode: Mode::Gcm, .. } => "aes 0.9.4, aes-gcm 0.11.1",
        Operation::Aes { mode: Mode::Xts, .. } => "aes 0.9.4, xts-mode 0.6.0",
        _ => "aes 0.9.4, cbc 0.2.1",
    }
}

type Block = Array<u8, U16>;

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Aes { bits: 128, mode, direction } => aes::<Aes128>(mode, direction, setup),
        Operation::Aes { bits: 192, mode, direction } => aes::<Aes192>(mode, direction, setup),
        Operation::Aes { bits: 256, mode, direction } => aes::<Aes256>(mode, direction, setup),
        Operation::AesKeySetup { bits: 128, direction } => {
            key_setup::<Aes128Enc, Aes128Dec>(direction, setup)
        }
        Operation::AesKeySetup { bits: 192, direction } => {
            key_setup::<Aes192Enc, Aes192Dec>(direction, setup)
        }
        Operation::AesKeySetup { bits: 256, direction } => {
            key_setup::<Aes256Enc, Aes256Dec>(direction, setup)
        }
        _ => None,
    }
}

fn aes<C>(mode: Mode, direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>>
where
    C: KeyInit + BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + BlockCipherDecrypt + 'static,
{
    match mode {
        Mode::Gcm => gcm::<C>(direction, setup),
        Mode::Xts => xts::<C>(direction, setup),
        _ => unauthenticated::<C>(mode, direction, setup),
    }
}

fn unauthenticated<C>(mode: Mode, direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>>
where
    C: KeyInit + BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + BlockCipherDecrypt + 'static,
{
    use Direction::{Decrypt, Encrypt};
    let cipher = C::new_from_slice(setup.key).ok()?;
    let iv = Block::try_from(setup.iv).unwrap_or_default();
    Some(match (mode, direction) {
        // A single block has calls of its own, a tenth to a sixth cheaper than those of many.
        (Mode::Ecb, Encrypt) => Box::new(move |buffer: &mut [u8]| match blocks(buffer) {
            [block] => cipher.encrypt_block(block),
            many => cipher.encrypt_blocks(many),
        }),
        (Mode::Ecb, Decrypt) => Box::new(move |buffer: &mut [u8]| match blocks(buffer) {
            [block] => cipher.decrypt_block(block),
            many => cipher.decrypt_blocks(many),
        }),
        (Mode::Cbc, Encrypt) => Box::new(move |buffer: &mut [u8]| {
            cbc::Encryptor::inner_iv_init(&cipher, &iv).encrypt_blocks(blocks(buffer));
        }),
        (Mode::Cbc, Decrypt) => Box::new(move |buffer: &mut [u8]| {
            let mut mode = cbc::Decryptor::inner_iv_init(&cipher, &iv);
            match blocks(buffer) {
                [block] => mode.decrypt_block(block),
                many => mode.decrypt_blocks(many),
            }
        }),
        (Mode::Ctr, _) => Box::new(move |buffer: &mut [u8]| {
            let core = ctr::CtrCore::<_, ctr::flavors::Ctr128BE>::inner_iv_init(&cipher, &iv);
            ctr::Ctr128BE::from_core(core).apply_keystream(buffer);
        }),
        (Mode::Cfb128, Encrypt) => Box::new(move |buffer: &mut [u8]| {
            cfb_mode::Encryptor::inner_iv_init(&cipher, &iv).encrypt(buffer);
        }),
        (Mode::Cfb128, Decrypt) => Box::new(move |buffer: &mut [u8]| {
            cfb_mode::Decryptor::inner_iv_init(&cipher, &iv).decrypt(buffer);
        }),
        (Mode::Ofb, _) => Box::new(move |buffer: &mut [u8]| {
            ofb::Ofb::from_core(ofb::OfbCore::inner_iv_init(&cipher, &iv)).apply_keystream(buffer);
        }),
        (Mode::Gcm | Mode::Xts, _) => return None,
    })
}

/// The mode is from outside RustCrypto (crate `xts-mode`, over its traits); RustCrypto itself has none.
fn xts<C>(direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>>
where
    C: KeyInit + BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + BlockCipherDecrypt + 'static,
{
    let (data, tweak) = setup.key.split_at(setup.key.len() / 2);
    let xts = Xts128::new(C::new_from_slice(data).ok()?, C::new_from_slice(tweak).ok()?);
    let iv = Block::try_from(setup.iv).ok()?;
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| xts.encrypt_sector(buffer, iv)),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| xts.decrypt_sector(buffer, iv)),
    })
}

/// `E` and `D` are the types for one direction, whose keys cost less.
fn key_setup<E, D>(direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>>
where
    E: KeyInit + BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + 'static,
    D: KeyInit + BlockSizeUser<BlockSize = U16> + BlockCipherDecrypt + 'static,
{
    let (key, iv) = (setup.key.to_vec(), Block::try_from(setup.iv).ok()?);
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| {
            let cipher = E::new_from_slice(&key).expect("the length is an AES key's");
            cbc::Encryptor::inner_iv_init(&cipher, &iv).encrypt_blocks(blocks(buffer));
        }),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| {
            let cipher = D::new_from_slice(&key).expect("the length is an AES key's");
            let mut mode = cbc::Decryptor::inner_iv_init(&cipher, &iv);
            match blocks(buffer) {
                [block] => mode.decrypt_block(block),
                many => mode.decrypt_blocks(many),
            }
        }),
    })
}

fn blocks(buffer: &mut [u8]) -> &mut [Block] {
    let (blocks, rest) = Block::slice_as_chunks_mut(buffer);
    assert!(rest.is_empty(), "whole blocks");
    blocks
}

fn gcm<C>(direction: Direction, setup: &Setup<'_>) -> Option<Box<dyn Work>>
where
    C: KeyInit + BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + 'static,
{
    let key: AesGcm<C, U12> = C::new_from_slice(setup.key).ok()?.into();
    let nonce = Nonce::<U12>::try_from(setup.iv).ok()?;
    let associated = setup.tweak.to_vec();
    Some(sealing(direction, move |sealed: Option<&[u8]>, buffer: &mut [u8], tag: &mut [u8; 16]| {
        match sealed {
            None => {
                let made = key.encrypt_inout_detached(&nonce, &associated, buffer.into());
                *tag = made.expect("the message is short enough").into();
            }
            Some(sealed) => {
                let data = InOutBuf::new(sealed, buffer).expect("the same length");
                let opened =
                    key.decrypt_inout_detached(&nonce, &associated, data, &Block::from(*tag));
                opened.expect("sealed here");
            }
        }
    }))
}
