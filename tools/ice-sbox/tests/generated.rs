//! The committed source files, compiled over a one-lane model of the library's vectors.

use ice_sbox::field::sbox;
use std::ops::{BitAnd, BitOr, BitXor, Not};

mod isa {
    use std::ops::{BitAnd, BitOr, BitXor, Not};

    pub trait Isa {}

    /// What the networks use of the library's trait.
    pub trait Lanes<S, W>:
        Copy
        + BitAnd<Output = Self>
        + BitOr<Output = Self>
        + BitXor<Output = Self>
        + Not<Output = Self>
    {
        fn ternary<const TABLE: u8>(a: Self, b: Self, c: Self) -> Self;
        fn andnot(self, other: Self) -> Self;
    }
}

mod terminals {
    /// Where the library's S-boxes take their inputs from, and leave their outputs.
    pub trait Terminals<V> {
        fn inputs<const BOX: usize, const I: usize>(&self) -> (V, V);
        fn output<const BOX: usize, const I: usize>(&mut self, bit: V);
    }
}

#[path = "../../../crates/icefish/src/ciphers/ice/network2.rs"]
mod network2;
#[path = "../../../crates/icefish/src/ciphers/ice/network3.rs"]
mod network3;

struct Model;
impl isa::Isa for Model {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word(u64);

impl BitAnd for Word {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Word {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Word {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Word {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl isa::Lanes<Model, u64> for Word {
    fn ternary<const TABLE: u8>(a: Self, b: Self, c: Self) -> Self {
        let digit = |word: Self, index: usize| if index & 1 == 1 { word.0 } else { !word.0 };
        let ones = (0..8).filter(|index| TABLE >> index & 1 == 1);
        Self(ones.fold(0, |sum, index| {
            sum | digit(a, index >> 2) & digit(b, index >> 1) & digit(c, index)
        }))
    }

    fn andnot(self, other: Self) -> Self {
        Self(!self.0 & other.0)
    }
}

/// The inputs of a pair of S-boxes, and the outputs of all.
struct Bench {
    inputs: [Word; 10],
    outputs: [[Word; 8]; 4],
}

impl terminals::Terminals<Word> for Bench {
    fn inputs<const BOX: usize, const I: usize>(&self) -> (Word, Word) {
        // The second S-box of a pair is given other inputs, the complements.
        (self.inputs[I], !self.inputs[I])
    }

    fn output<const BOX: usize, const I: usize>(&mut self, bit: Word) {
        self.outputs[BOX][I] = self.outputs[BOX][I] ^ bit;
    }
}

/// Runs the networks on all inputs, 64 at a time, over outputs that are not zero.
fn check(pairs: [fn(&mut Bench); 2]) {
    for base in (0..1024u16).step_by(64) {
        let spread = |bit: usize, value: &dyn Fn(u16) -> u16| {
            Word((0..64).fold(0, |word, i| word | u64::from(value(base + i) >> bit & 1) << i))
        };
        let inputs = std::array::from_fn(|i| spread(9 - i, &|x| x));
        let before: [Word; 8] = std::array::from_fn(|i| Word(0x0123_4567_89ab_cdef << i));
        let mut bench = Bench { inputs, outputs: [before; 4] };
        pairs.iter().for_each(|pair| pair(&mut bench));
        for number in 0..4 {
            let flip = if number < 2 { 0 } else { 1023 };
            for (bit, (output, before)) in
                (0..8).rev().zip(bench.outputs[number].iter().zip(before))
            {
                let expected = spread(bit, &|x| u16::from(sbox(number, x ^ flip)));
                assert_eq!(*output, before ^ expected, "S-box {number}, bit {bit}");
            }
        }
    }
}

#[test]
fn three_input_networks() {
    check([network3::sboxes02::<Model, Word>, network3::sboxes13::<Model, Word>]);
}

#[test]
fn two_input_networks() {
    check([network2::sboxes02::<Model, Word>, network2::sboxes13::<Model, Word>]);
}

/// The number of operators in a source text, outside comments and generics; an output is one more.
fn operations(source: &str) -> usize {
    let count = |line: &str| {
        let value = match line.trim().split_once(" = ") {
            Some((left, value)) if left.starts_with("let ") && !left.contains('(') => value,
            _ if line.contains("round.output") => line,
            _ => return 0,
        };
        let operators: usize = ["ternary", " & ", " | ", " ^ ", "andnot"]
            .iter()
            .map(|operator| value.matches(operator).count())
            .sum();
        operators + value.matches('!').count() + value.matches("output").count()
    };
    source.lines().map(count).sum()
}

#[test]
fn counts_are_true() {
    // A three-input operation takes the XOR of an output, and what it is XORed with, at once.
    let three = include_str!("../../../crates/icefish/src/ciphers/ice/network3.rs");
    let three = operations(&three.replace("!", "")) - three.matches(" ^ ").count();
    assert_eq!(three, network3::OPERATIONS.iter().sum::<usize>());
    let two = include_str!("../../../crates/icefish/src/ciphers/ice/network2.rs");
    assert_eq!(operations(two), network2::OPERATIONS.iter().sum::<usize>());
}
