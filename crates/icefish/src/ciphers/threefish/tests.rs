//! A block in two vectors, compared with a block in words, on every backend whose vectors are half a block.

use super::halves::{self, Halves};
use super::rounds::{self, SameTweak};
use super::schedule::Subkeys;
use crate::isa::{Backend, Extension, Isa, Lanes, Task};
use core::num::Wrapping;
use std::vec::Vec;

/// Pseudo-random words (SplitMix64).
fn random<const N: usize>(seed: u64) -> [u64; N] {
    let mut words = [0; N];
    for (i, w) in words.iter_mut().enumerate() {
        let z = (seed << 32 | i as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        *w = z ^ (z >> 27);
    }
    words
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Compares both forms of a block if the vectors are half a block, and then returns `true`.
#[derive(Clone, Copy)]
struct Both<const W: usize>(u64);

impl<const W: usize> Both<W> {
    fn compare<S: Isa>(isa: S, subkeys: &Subkeys<W>, x: [u64; W]) {
        let expected = rounds::encrypt(isa, subkeys, SameTweak, [x.map(Wrapping)])[0].map(|w| w.0);
        let half = |words: &[u64], i: usize| S::U64::load(isa, &bytes(words)[4 * W * i..]);
        let halves = |words: &[u64]| Halves::<S::U64, W>::new(isa, half(words, 0), half(words, 1));
        let words = |x: Halves<S::U64, W>| {
            let ((low, high), mut out) = (x.words(isa), std::vec![0; 8 * W]);
            low.store(&mut out[..4 * W]);
            high.store(&mut out[4 * W..]);
            out
        };
        assert_eq!(words(halves(&x)), bytes(&x), "the layout and back, {W} words");
        let got = words(halves::encrypt(isa, subkeys, halves(&x)));
        assert_eq!(got, bytes(&expected), "encryption of {W} words");
        let back = words(halves::decrypt(isa, subkeys, halves(&expected)));
        assert_eq!(back, bytes(&x), "decryption of {W} words");
    }
}

impl<const W: usize> Task for Both<W> {
    type Out = bool;
    const EXTENSION: Extension = Extension::None;
    fn call<S: Isa>(self, isa: S) -> bool {
        if 2 * S::U64::N != W {
            return false;
        }
        let mut subkeys = Subkeys::blank();
        subkeys.make(&bytes(&random::<W>(self.0)));
        subkeys.add_tweak(random(self.0 + 1000));
        Self::compare(isa, &subkeys, random(self.0 + 2000));
        Self::compare(isa, &subkeys, [0; W]);
        Self::compare(isa, &subkeys, [u64::MAX; W]);
        true
    }
}

#[test]
fn both_forms_of_one_block_agree() {
    for backend in Backend::available() {
        let mut sizes = 0;
        for seed in 0..50 {
            sizes += usize::from(backend.run(Both::<4>(seed)));
            sizes += usize::from(backend.run(Both::<8>(seed)));
            sizes += usize::from(backend.run(Both::<16>(seed)));
        }
        // Every vector is half a block of some variant.
        assert_eq!(sizes, if backend.name() == "scalar" { 0 } else { 50 }, "{backend}");
    }
}

/// In Threefish-1024 each of the four permutations has another shift.
#[test]
fn relative_permutations_are_shifts() {
    for (words, shifts) in [(4, [1; 4]), (8, [1, 2, 1, 2]), (16, [1, 4, 7, 2])] {
        assert_eq!(halves::layout(words).shift, shifts, "{words} words");
    }
}
