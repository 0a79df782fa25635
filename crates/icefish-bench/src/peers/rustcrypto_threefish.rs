//! RustCrypto's `threefish`.

use super::{Direction, Dispatch, Library, Operation, Setup, Work};
use aes::cipher::array::{Array, ArraySize};
use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser};
use threefish::{Threefish256, Threefish512, Threefish1024};

pub(super) const LIBRARY: Library = Library {
    name: "rustcrypto",
    version: |_| "threefish 0.6.0",
    dispatch: Dispatch::CompileTime,
    threads: false,
    make,
};

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let Operation::Threefish { bits, direction } = operation else {
        return None;
    };
    let tweak = setup.tweak.try_into().ok()?;
    match bits {
        256 => ecb(Threefish256::new_with_tweak(setup.key.try_into().ok()?, tweak), direction),
        512 => ecb(Threefish512::new_with_tweak(setup.key.try_into().ok()?, tweak), direction),
        1024 => ecb(Threefish1024::new_with_tweak(setup.key.try_into().ok()?, tweak), direction),
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
