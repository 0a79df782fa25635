//! RustCrypto's `threefish`.

use super::{Direction, Library, Operation, Setup, Work};
use aes::cipher::array::{Array, ArraySize};
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser};
use threefish::{Threefish256, Threefish512, Threefish1024};

pub(super) const LIBRARY: Library =
    Library { name: "rustcrypto", version: |_| "threefish 0.6.0", make, ..Library::CRATE };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let tweak: &[u8; 16] = setup.tweak.try_into().ok()?;
    let (bits, direction) = match operation {
        Operation::Threefish { bits, direction } => (bits, direction),
        Operation::ThreefishKeySetup { bits } => return with_key_setup(bits, setup.key, *tweak),
        _ => return None,
    };
    match bits {
        256 => ecb(Threefish256::new_with_tweak(setup.key.try_into().ok()?, tweak), direction),
        512 => ecb(Threefish512::new_with_tweak(setup.key.try_into().ok()?, tweak), direction),
        1024 => ecb(Threefish1024::new_with_tweak(setup.key.try_into().ok()?, tweak), direction),
        _ => None,
    }
}

fn with_key_setup(bits: u16, key: &[u8], tweak: [u8; 16]) -> Option<Box<dyn Work>> {
    fn work<C>(new: impl Fn() -> C + 'static) -> Option<Box<dyn Work>>
    where
        C: BlockCipherEncrypt + BlockSizeUser + 'static,
    {
        Some(Box::new(move |buffer: &mut [u8]| new().encrypt_blocks(blocks(buffer))))
    }
    match bits {
        256 => {
            let key: [u8; 32] = key.try_into().ok()?;
            work(move || Threefish256::new_with_tweak(&key, &tweak))
        }
        512 => {
            let key: [u8; 64] = key.try_into().ok()?;
            work(move || Threefish512::new_with_tweak(&key, &tweak))
        }
        1024 => {
            let key: [u8; 128] = key.try_into().ok()?;
            work(move || Threefish1024::new_with_tweak(&key, &tweak))
        }
        _ => None,
    }
}

fn ecb<C>(cipher: C, direction: Direction) -> Option<Box<dyn Work>>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser + 'static,
{
    Some(match direction {
        Direction::Encrypt => {
            Box::new(move |buffer: &mut [u8]| cipher.encrypt_blocks(blocks(buffer)))
        }
        Direction::Decrypt => {
            Box::new(move |buffer: &mut [u8]| cipher.decrypt_blocks(blocks(buffer)))
        }
    })
}

fn blocks<N: ArraySize>(buffer: &mut [u8]) -> &mut [Array<u8, N>] {
    let (blocks, rest) = Array::slice_as_chunks_mut(buffer);
    assert!(rest.is_empty(), "whole blocks");
    blocks
}
