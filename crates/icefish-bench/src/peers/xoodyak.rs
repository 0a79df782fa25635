//! `xoodyak` (SSSE3 on x86): the permutation, the hash, the AEAD.
//!
//! Its AEAD is wrong for an empty message (it forgets that one block of nothing is encrypted), so a comparison must not
//! use that length.

use super::{Direction, Dispatch, Library, Operation, Setup, Work};
use xoodyak::{Xoodoo, XoodyakCommon, XoodyakHash, XoodyakKeyed};

pub(super) const LIBRARY: Library = Library {
    name: "xoodyak",
    version: |_| "0.8.5",
    dispatch: Dispatch::CompileTime,
    threads: false,
    make,
};

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Xoodoo { rounds: 12 } => Some(Box::new(Permutation)),
        Operation::XoodyakHash => Some(Box::new(Hash([0; 32]))),
        Operation::Xoodyak { direction } => Some(Box::new(Aead {
            direction,
            key: setup.key.to_vec(),
            nonce: setup.iv.to_vec(),
            associated: setup.tweak.to_vec(),
            tag: [0; 16],
        })),
        _ => None,
    }
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

struct Hash([u8; 32]);

impl Work for Hash {
    fn run(&mut self, buffer: &mut [u8]) {
        let mut hash = XoodyakHash::new();
        hash.absorb(buffer);
        hash.squeeze(&mut self.0);
    }

    fn tag(&self) -> &[u8] {
        &self.0
    }
}

struct Aead {
    direction: Direction,
    key: Vec<u8>,
    nonce: Vec<u8>,
    associated: Vec<u8>,
    tag: [u8; 16],
}

impl Work for Aead {
    fn run(&mut self, buffer: &mut [u8]) {
        // Key and nonce share one block, so there is no keyed state to keep.
        let keyed = XoodyakKeyed::new(&self.key, Some(&self.nonce), None, None);
        let mut keyed = keyed.expect("key and nonce fit in one block");
        keyed.absorb(&self.associated);
        match self.direction {
            Direction::Encrypt => self.tag = keyed.aead_encrypt_in_place_detached(buffer).into(),
            Direction::Decrypt => {
                keyed.decrypt_in_place(buffer);
                keyed.squeeze(&mut self.tag);
            }
        }
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}
