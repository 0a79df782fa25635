//! `xoofff`: the deck function one state at a time, and its permutation (portable code; the crate's `dev` feature shows it).

use super::{Library, Operation, Setup, Work};
use xoofff::{Xoofff, xoodoo};

pub(super) const LIBRARY: Library =
    Library { name: "xoofff", version: |_| "0.1.3", make, ..Library::CRATE };

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    match operation {
        Operation::Xoodoo { rounds: 6 } => Some(Box::new(Permutation::<6>)),
        Operation::Xoodoo { rounds: 12 } => Some(Box::new(Permutation::<12>)),
        Operation::XoofffCompress => {
            let key = Xoofff::new(setup.key);
            Some(Box::new(Compression { key, tag: [0; 32] }))
        }
        Operation::XoofffExpand => {
            let (key, iv) = (Xoofff::new(setup.key), setup.iv.to_vec());
            Some(Box::new(move |buffer: &mut [u8]| deck(&key, &iv, buffer)))
        }
        _ => None,
    }
}

/// A message under a kept key, no domain separation: a copy of the keyed state, since the crate cannot go back to it.
fn deck(key: &Xoofff, input: &[u8], output: &mut [u8]) {
    let mut deck = *key;
    deck.absorb(input);
    deck.finalize(0, 0, 0);
    deck.squeeze(output);
}

struct Compression {
    key: Xoofff,
    tag: [u8; 32],
}

impl Work for Compression {
    fn run(&mut self, buffer: &mut [u8]) {
        deck(&self.key, buffer, &mut self.tag);
    }

    fn tag(&self) -> &[u8] {
        &self.tag
    }
}

struct Permutation<const ROUNDS: usize>;

impl<const ROUNDS: usize> Work for Permutation<ROUNDS> {
    fn run(&mut self, buffer: &mut [u8]) {
        self.chain(buffer, 1);
    }

    fn chain(&mut self, buffer: &mut [u8], times: usize) {
        for bytes in buffer.as_chunks_mut::<48>().0 {
            let mut state = [0u32; 12];
            for (word, bytes) in state.iter_mut().zip(bytes.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            for _ in 0..times {
                xoodoo::permute::<ROUNDS>(&mut state);
            }
            for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
                *bytes = word.to_le_bytes();
            }
        }
    }
}
