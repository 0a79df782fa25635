//! Bytes of rows that change places, and shifts of their words.

use super::{on_every_backend, random};
use crate::isa::{Extension, Isa, Rows, Sink, Task};
use std::vec::Vec;

#[derive(Clone, Copy)]
struct Moves;

fn stored<S: Isa, W, R: Rows<S, W>>(row: R) -> Vec<u8> {
    let mut bytes = std::vec![0; 16 * R::N];
    R::scatter([row], Sink::new(&mut bytes));
    bytes
}

fn moves<S: Isa, W, R: Rows<S, W>>(isa: S) {
    let (data, width) = (random(11, 16 * R::N), size_of::<W>());
    let from = [7, 7, 0, 15, 0x80, 3, 2, 0x8f, 1, 9, 8, 14, 4, 0x88, 11, 5];
    let [row] = R::gather(isa, &data);
    let of = |row: &[u8]| from.map(|from| if from < 16 { row[usize::from(from)] } else { 0 });
    let expected: Vec<u8> = data.chunks_exact(16).flat_map(of).collect();
    assert_eq!(stored::<S, W, R>(row.pick(isa, &from)), expected);
    for bits in [0, 1, 2, 6, 8, 31] {
        let mut expected: Vec<u8> = Vec::new();
        for word in data.chunks_exact(width) {
            let word = word.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
            expected.extend(&(word << bits).to_le_bytes()[..width]);
        }
        assert_eq!(stored::<S, W, R>(row.shl(bits)), expected, "{bits} bits");
    }
}

impl Task for Moves {
    type Out = ();
    const EXTENSION: Extension = Extension::None;
    fn call<S: Isa>(self, isa: S) {
        moves::<S, u32, S::Row32>(isa);
        moves::<S, u32, S::Rows32>(isa);
        moves::<S, u64, S::Rows64>(isa);
    }
}

#[test]
fn bytes_and_bits_of_rows_move() {
    on_every_backend(Moves);
}
