//! Cryptocorrosion's `threefish-cipher`: the same cipher, its rounds unrolled by macros.

use super::{Direction, Library, Operation, Setup, Work};
use threefish_cipher::{BlockCipher, Threefish256, Threefish512, Threefish1024};

pub(super) const LIBRARY: Library =
    Library { name: "threefish-cipher", version: |_| "0.4.0", make, ..Library::CRATE };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    let key = setup.key;
    let tweak = u128::from_le_bytes(setup.tweak.try_into().ok()?);
    let (low, high) = (tweak as u64, (tweak >> 64) as u64);
    let (bits, direction) = match operation {
        Operation::Threefish { bits, direction } => (bits, direction),
        Operation::ThreefishKeySetup { bits } => {
            let key = key.to_vec();
            return Some(match bits {
                256 => each::<_, 32>(move || Threefish256::with_tweak(key[..].into(), low, high)),
                512 => each::<_, 64>(move || Threefish512::with_tweak(key[..].into(), low, high)),
                _ => each::<_, 128>(move || Threefish1024::with_tweak(key[..].into(), low, high)),
            });
        }
        _ => return None,
    };
    match bits {
        256 => ecb::<_, 32>(Threefish256::with_tweak(key.into(), low, high), direction),
        512 => ecb::<_, 64>(Threefish512::with_tweak(key.into(), low, high), direction),
        1024 => ecb::<_, 128>(Threefish1024::with_tweak(key.into(), low, high), direction),
        _ => None,
    }
}

/// A new key for each message.
fn each<C: BlockCipher, const N: usize>(new: impl Fn() -> C + 'static) -> Box<dyn Work> {
    Box::new(move |buffer: &mut [u8]| {
        let cipher = new();
        buffer.chunks_exact_mut(N).for_each(|block| cipher.encrypt_block(block.into()));
    })
}

/// `N` is the cipher's block length; its traits know no slice of blocks.
fn ecb<C: BlockCipher + 'static, const N: usize>(
    cipher: C,
    direction: Direction,
) -> Option<Box<dyn Work>> {
    Some(match direction {
        Direction::Encrypt => Box::new(move |buffer: &mut [u8]| {
            buffer.chunks_exact_mut(N).for_each(|block| cipher.encrypt_block(block.into()));
        }),
        Direction::Decrypt => Box::new(move |buffer: &mut [u8]| {
            buffer.chunks_exact_mut(N).for_each(|block| cipher.decrypt_block(block.into()));
        }),
    })
}
