//! `xoodoo` (the crate; SSSE3 on x86): the permutation with any number of rounds, the hash, the AEAD.
//!
//! The AEAD is put together from the crate's Cyclist calls, as its users must; for an empty message it is wrong in the
//! same way as that of `xoodyak`.

use super::{Direction, Library, Operation, Setup, Work, tagged};
use xoodoo::{Xoodoo, Xoodyak};

pub(super) const LIBRARY: Library =
    Library { name: "xoodoo", version: |_| "0.1.0", make, ..Library::CRATE };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Xoodoo { rounds: 6 } => Some(Box::new(Permutation::<6>)),
        Operation::Xoodoo { rounds: 12 } => Some(Box::new(Permutation::<12>)),
        Operation::XoodyakHash => Some(tagged(|buffer| {
            let mut hash = Xoodyak::hash();
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
        let mut keyed = Xoodyak::keyed(&key, None, Some(&nonce), None);
        keyed.absorb(&associated);
        match direction {
            Direction::Encrypt => keyed.encrypt_in_place(buffer),
            Direction::Decrypt => keyed.decrypt_in_place(buffer),
        }
        let mut tag = [0; 16];
        keyed.squeeze(&mut tag);
        tag
    })
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
