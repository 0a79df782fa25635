//! `xoodoo` (the crate; SSSE3 on x86): the permutation with any number of rounds, the hash, the AEAD.
//!
//! The AEAD is put together from the crate's Cyclist calls, as its users must; for an empty message it is wrong in the
//! same way as that of `xoodyak`.

use super::{Direction, Dispatch, Library, Operation, Setup, Work};
use xoodoo::{Xoodoo, Xoodyak};

pub(super) const LIBRARY: Library = Library {
    name: "xoodoo",
    version: |_| "0.1.0",
    dispatch: Dispatch::CompileTime,
    threads: false,
    make,
};

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Xoodoo { rounds: 6 } => Some(Box::new(Permutation::<6>)),
        Operation::Xoodoo { rounds: 12 } => Some(Box::new(Permutation::<12>)),
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

struct Permutation<const ROUNDS: usize>;

impl<const ROUNDS: usize> Work for Permutation<ROUNDS> {
    fn run(&mut self, buffer: &mut [u8]) {
        self.chain(buffer, 1);
    }

    fn chain(&mut self, buffer: &mut [u8], times: usize) {
        for bytes in buffer.as_chunks_mut::<48>().0 {
            let mut state = Xoodoo::<1, ROUNDS>::default();
            state.add_bytes(0, bytes, 0);
            for _ in 0..times {
                state.permute();
            }
            state.extract_bytes(0, bytes);
        }
    }
}

struct Hash([u8; 32]);

impl Work for Hash {
    fn run(&mut self, buffer: &mut [u8]) {
        let mut hash = Xoodyak::hash();
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
        let mut keyed = Xoodyak::keyed(&self.key, None, Some(&self.nonce), None);
        keyed.absorb(&self.associated);
        match self.direction {
            Direction::Encrypt => keyed.encrypt_in_place(buffer),
            Direction::Decrypt => keyed.decrypt_in_place(buffer),
        }
        keyed.squeeze(&mut self.tag);
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}
