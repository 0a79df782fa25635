//! Threefish-1024 as the program avxfish has it: one block in two vectors of AVX-512, the even words and the odd words,
//! both permuted after each round; subkeys split the same way beforehand. Encryption only. Written for the comparison.

#![allow(unsafe_code, reason = "vector instructions")]

use super::{Direction, Library, Operation, Setup, Work};
use crate::limits::Width;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_loadu_si512, _mm512_permutex2var_epi64,
    _mm512_permutexvar_epi64, _mm512_rolv_epi64, _mm512_storeu_si512, _mm512_xor_si512,
};

/// The name in tables.
pub(crate) const NAME: &str = "avxfish form";

pub(super) const LIBRARY: Library = Library {
    name: NAME,
    version: |_| "two vectors",
    holds: |limit| limit.width == Width::Avx512,
    make,
    ..Library::OF_C
};

/// Rounds (The Skein Hash Function Family, version 1.3, section 3.3, table 2).
const ROUNDS: usize = 80;

/// Rotation constants (table 4).
const ROTATIONS: [[u64; 8]; 8] = [
    [24, 13, 8, 47, 8, 17, 22, 37],
    [38, 19, 10, 55, 49, 18, 23, 52],
    [33, 4, 51, 13, 34, 41, 59, 17],
    [5, 20, 48, 41, 47, 28, 16, 25],
    [41, 9, 37, 31, 12, 47, 44, 30],
    [16, 34, 56, 51, 4, 53, 42, 41],
    [31, 44, 47, 46, 19, 42, 44, 25],
    [9, 48, 35, 52, 23, 31, 37, 20],
];

/// The permutation of the words (table 3) keeps even words even: half of each, as places within a vector.
const EVEN: [u64; 8] = [0, 1, 3, 2, 5, 6, 7, 4];
const ODD: [u64; 8] = [4, 6, 5, 7, 3, 1, 2, 0];

/// From two halves of a block to its even and odd words, and back. 8 and more are places in the second vector.
const EVENS: [u64; 8] = [0, 2, 4, 6, 8, 10, 12, 14];
const ODDS: [u64; 8] = [1, 3, 5, 7, 9, 11, 13, 15];
const LOW: [u64; 8] = [0, 8, 1, 9, 2, 10, 3, 11];
const HIGH: [u64; 8] = [4, 12, 5, 13, 6, 14, 7, 15];

/// The even and the odd words of the subkeys.
struct Schedule([[[u64; 8]; 2]; ROUNDS / 4 + 1]);

fn words<const N: usize>(bytes: &[u8]) -> Option<[u64; N]> {
    let mut words = [0; N];
    let (chunks, rest) = bytes.as_chunks();
    if chunks.len() != N || !rest.is_empty() {
        return None;
    }
    for (word, chunk) in words.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*chunk);
    }
    Some(words)
}

impl Schedule {
    /// Section 3.3.2.
    fn new(key: [u64; 16], tweak: [u64; 2]) -> Self {
        let parity = key.iter().fold(0x1bd1_1bda_a9fc_1a22, |sum, word| sum ^ word);
        let tweak = [tweak[0], tweak[1], tweak[0] ^ tweak[1]];
        let mut halves = [[[0; 8]; 2]; ROUNDS / 4 + 1];
        for (s, halves) in halves.iter_mut().enumerate() {
            for i in 0..16 {
                let k = *key.get((s + i) % 17).unwrap_or(&parity);
                let with = match i {
                    13 => tweak[s % 3],
                    14 => tweak[(s + 1) % 3],
                    15 => s as u64,
                    _ => 0,
                };
                halves[i % 2][i / 2] = k.wrapping_add(with);
            }
        }
        Self(halves)
    }
}

#[target_feature(enable = "avx512f")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: 64 bytes, in any alignment.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// `times` encryptions, each of the output of the one before, without a way through memory between them.
#[target_feature(enable = "avx512f")]
fn encrypt(schedule: &Schedule, block: &mut [u8; 128], times: usize) {
    let (evens, odds) = (load(&EVENS), load(&ODDS));
    let (even_places, odd_places) = (load(&EVEN), load(&ODD));
    // SAFETY: the block has 128 bytes; any alignment will do.
    let (first, second) = unsafe {
        (_mm512_loadu_si512(block.as_ptr().cast()), _mm512_loadu_si512(block[64..].as_ptr().cast()))
    };
    let mut even = _mm512_permutex2var_epi64(first, evens, second);
    let mut odd = _mm512_permutex2var_epi64(first, odds, second);
    for _ in 0..times {
        for s in 0..ROUNDS / 8 {
            for half in 0..2 {
                let [k_even, k_odd] = &schedule.0[2 * s + half];
                even = _mm512_add_epi64(even, load(k_even));
                odd = _mm512_add_epi64(odd, load(k_odd));
                for d in 0..4 {
                    even = _mm512_add_epi64(even, odd);
                    let turned = _mm512_rolv_epi64(odd, load(&ROTATIONS[4 * half + d]));
                    odd = _mm512_permutexvar_epi64(odd_places, _mm512_xor_si512(turned, even));
                    even = _mm512_permutexvar_epi64(even_places, even);
                }
            }
        }
        let [k_even, k_odd] = &schedule.0[ROUNDS / 4];
        even = _mm512_add_epi64(even, load(k_even));
        odd = _mm512_add_epi64(odd, load(k_odd));
    }
    let first = _mm512_permutex2var_epi64(even, load(&LOW), odd);
    let second = _mm512_permutex2var_epi64(even, load(&HIGH), odd);
    // SAFETY: as above.
    unsafe {
        _mm512_storeu_si512(block.as_mut_ptr().cast(), first);
        _mm512_storeu_si512(block[64..].as_mut_ptr().cast(), second);
    }
}

#[target_feature(enable = "avx512f")]
fn encrypt_all(schedule: &Schedule, buffer: &mut [u8], times: usize) {
    for block in buffer.as_chunks_mut().0 {
        encrypt(schedule, block, times);
    }
}

struct TwoVectors(Box<Schedule>);

fn make(operation: Operation, setup: &Setup<'_>) -> Option<Box<dyn Work>> {
    if !is_x86_feature_detected!("avx512f") {
        return None;
    }
    match operation {
        Operation::Threefish { bits: 1024, direction: Direction::Encrypt } => {
            let schedule = Schedule::new(words(setup.key)?, words(setup.tweak)?);
            Some(Box::new(TwoVectors(Box::new(schedule))))
        }
        _ => None,
    }
}

impl Work for TwoVectors {
    fn run(&mut self, buffer: &mut [u8]) {
        self.chain(buffer, 1);
    }

    fn chain(&mut self, buffer: &mut [u8], times: usize) {
        // SAFETY: `make` found AVX-512 F.
        unsafe { encrypt_all(&self.0, buffer, times) }
    }
}
