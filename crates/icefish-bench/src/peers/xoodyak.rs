//! `xoodyak` (SSSE3 on x86): the permutation, the hash, the AEAD.
//!
//! Its AEAD is wrong for an empty message (it forgets that one block of nothing is encrypted), so a comparison must not
//! use that length.

use super::{Direction, Library, Operation, Setup, Work, tagged};
use xoodyak::{Xoodoo, XoodyakCommon, XoodyakHash, XoodyakKeyed};

pub(super) const LIBRARY: Library =
    Library { name: "xoodyak", version: |_| "0.8.5", make, ..Library::CRATE };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Xoodoo { rounds: 12 } => Some(Box::new(Permutation)),
        Operation::XoodyakHash => Some(tagged(|buffer| {
            let mut hash = XoodyakHash::new();
            let mut digest = [0; 32];
            hash.absorb(buffer);
            hash.squeeze(&mut digest);
            digest
        })),
        Operation::Xoodyak { direction } => Some(aead(direction, setup)),
        _ => None,
    }
}

fn aead(direction: Direction, setup: &Setup<'_>) -> Box<dyn Work> {
    let (key, nonce) = (setup.key.to_vec(), setup.iv.to_vec());
    let associated = setup.tweak.to_vec();
    tagged(move |buffer| {
        // Key and nonce share one block, so there is no keyed state to keep.
        let keyed = XoodyakKeyed::new(&key, Some(&nonce), None, None);
        let mut keyed = keyed.expect("key and nonce fit in one block");
        keyed.absorb(&associated);
        match direction {
            Direction::Encrypt => keyed.aead_encrypt_in_place_detached(buffer).into(),
            Direction::Decrypt => {
                let mut tag = [0; 16];
                keyed.decrypt_in_place(buffer);
                keyed.squeeze(&mut tag);
                tag
            }
        }
    })
}

struct Permutation;

impl Work for Permutation {
    fn run(&mut self, buffer: &mut [u8]) {
        self.chain(buffer, 1);
    }

    fn chain(&mut self, buffer: &mut [u8], times: usize) {
        for bytes in buffer.as_chunks_mut::<48>().0 {
            let mut state = Xoodoo::from_bytes(*bytes);
            for _ in 0..times {
                state.permute();
            }
            state.bytes(bytes);
        }
    }
}
