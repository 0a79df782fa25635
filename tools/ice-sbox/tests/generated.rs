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

type Network = fn([Word; 10], &mut [Word; 8]);

/// Runs a network on all inputs, 64 at a time, over accumulators that are not zero.
fn check(number: usize, network: Network) {
    for base in (0..1024u16).step_by(64) {
        let spread = |bit: usize, value: &dyn Fn(u16) -> u16| {
            Word((0..64).fold(0, |word, i| word | u64::from(value(base + i) >> bit & 1) << i))
        };
        let x = std::array::from_fn(|i| spread(9 - i, &|x| x));
        let before: [Word; 8] = std::array::from_fn(|i| Word(0x0123_4567_89ab_cdef << i));
        let mut left = before;
        network(x, &mut left);
        for i in 0..8 {
            let output = spread(7 - i, &|x| u16::from(sbox(number, x)));
            assert_eq!(left[i], before[i] ^ output, "S-box {number}, bit {}", 7 - i);
        }
    }
}

#[test]
fn three_input_networks() {
    let networks: [Network; 4] = [
        network3::sbox0::<Model, Word>,
        network3::sbox1::<Model, Word>,
        network3::sbox2::<Model, Word>,
        network3::sbox3::<Model, Word>,
    ];
    (0..).zip(networks).for_each(|(number, network)| check(number, network));
}

#[test]
fn two_input_networks() {
    let networks: [Network; 4] = [
        network2::sbox0::<Model, Word>,
        network2::sbox1::<Model, Word>,
        network2::sbox2::<Model, Word>,
        network2::sbox3::<Model, Word>,
    ];
    (0..).zip(networks).for_each(|(number, network)| check(number, network));
}

/// The number of operators in a source text, outside comments and generics.
fn operations(source: &str) -> usize {
    let body = source
        .lines()
        .filter(|line| line.contains(" = ") && line.ends_with(';') && !line.contains("const "));
    let count = |line: &str| {
        let right = line.split_once(" = ").expect("filtered").1;
        ["ternary", " & ", " | ", " ^ ", "!", "andnot"]
            .iter()
            .map(|op| right.matches(op).count())
            .sum::<usize>()
    };
    body.map(count).sum()
}

#[test]
fn counts_are_true() {
    let three = include_str!("../../../crates/icefish/src/ciphers/ice/network3.rs");
    let two = include_str!("../../../crates/icefish/src/ciphers/ice/network2.rs");
    assert_eq!(operations(three), network3::OPERATIONS.iter().sum::<usize>());
    assert_eq!(operations(two), network2::OPERATIONS.iter().sum::<usize>());
}
