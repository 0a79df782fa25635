//! Xoodoo and Xoodoo64 against their definitions, on every backend.

#![cfg(feature = "xoodoo")]

use crate::common::{Random, backends, hex, rows, text};
use crate::spec;
use icefish::permutations::{Permutation, Word, Xoodoo, Xoodoo64};
use icefish::{Backend, Error};

/// States with equal words one after the other.
fn slice<W: Word>(states: &[[u8; 48]]) -> Vec<u8> {
    let size = size_of::<W>();
    let word = |i| states.iter().flat_map(move |s| &s[size * i..size * (i + 1)]);
    (0..48 / size).flat_map(word).copied().collect()
}

fn vectors<W: Word>(file: &str) {
    let rows = rows(file);
    assert!(rows.len() > 100);
    for backend in backends() {
        for rounds in [6, 12] {
            let of_rounds: Vec<_> = rows.iter().filter(|r| r[0].parse() == Ok(rounds)).collect();
            let state = |i: usize| -> Vec<[u8; 48]> {
                of_rounds.iter().map(|r| hex(&r[i]).try_into().unwrap()).collect()
            };
            let (input, output) = (state(1), state(2));
            // All states at once, and every number of them up to three batches.
            for count in (0..70).chain([input.len()]) {
                let count = count.min(input.len());
                let mut states = input[..count].to_vec();
                Permutation::<W>::permute_many(backend, rounds, &mut states).unwrap();
                assert!(states == output[..count], "{file} x{count} on {backend}");
                Permutation::<W>::invert_many(backend, rounds, &mut states).unwrap();
                assert!(states == input[..count], "{file} x{count} on {backend}, back");
                let mut sliced = slice::<W>(&input[..count]);
                Permutation::<W>::permute_sliced(backend, rounds, &mut sliced).unwrap();
                let expected = slice::<W>(&output[..count]);
                assert!(sliced == expected, "{file} x{count} sliced on {backend}");
                Permutation::<W>::invert_sliced(backend, rounds, &mut sliced).unwrap();
                let expected = slice::<W>(&input[..count]);
                assert!(sliced == expected, "{file} x{count} sliced on {backend}, back");
            }
        }
    }
}

fn iterates<W: Word>(file: &str, backend: Backend) {
    let (mut state, mut done, mut checked) = ([0; 48], 0, 0);
    for line in text(file).lines().filter(|l| !l.starts_with('#')) {
        let (n, expected) = line.split_once(',').unwrap();
        let n: usize = n.parse().unwrap();
        while done < n {
            Permutation::<W>::permute(backend, 12, &mut state).unwrap();
            done += 1;
        }
        assert_eq!(state.as_slice(), hex(expected), "{file}: {n} on {backend}");
        checked += 1;
    }
    assert!(checked > 3);
}

#[test]
fn xoodoo_vectors() {
    vectors::<u32>("xoodoo/xoodoo_perm.csv");
}

#[test]
fn xoodoo64_vectors() {
    vectors::<u64>("xoodoo/xoodoo64_perm.csv");
}

#[test]
fn iterated_permutations() {
    for backend in backends() {
        iterates::<u32>("xoodoo/xoodoo_iter384.txt", backend);
        iterates::<u64>("xoodoo/xoodoo64_iter384.txt", backend);
    }
}

#[test]
fn rounds_out_of_range() {
    let mut state = [7; 48];
    let error = Err(Error::Rounds { got: 13, most: 12 });
    assert_eq!(Xoodoo::permute(Backend::best(), 13, &mut state), error);
    assert_eq!(Xoodoo64::permute(Backend::best(), 13, &mut state), error);
    assert_eq!(state, [7; 48]);
    Xoodoo::permute(Backend::best(), 0, &mut state).unwrap();
    assert_eq!(state, [7; 48]);
}

#[test]
fn every_number_of_rounds_agrees_and_has_its_inverse() {
    for backend in backends() {
        for rounds in 0..=12 {
            let mut random = Random(rounds as u64);
            let states: Vec<[u8; 48]> =
                (0..37).map(|_| random.bytes(48).try_into().unwrap()).collect();
            let mut permuted = states.clone();
            Xoodoo::permute_many(backend, rounds, &mut permuted).unwrap();
            let mut one = states[5];
            Xoodoo::permute(backend, rounds, &mut one).unwrap();
            assert_eq!(one, permuted[5]);
            assert_eq!(one, spec::xoodoo::XOODOO.permute(rounds, &states[5]));
            Xoodoo::invert(backend, rounds, &mut one).unwrap();
            assert_eq!(one, states[5]);
            Xoodoo::invert_many(backend, rounds, &mut permuted).unwrap();
            assert!(permuted == states, "{rounds} rounds on {backend}");
            Xoodoo64::permute_many(backend, rounds, &mut permuted).unwrap();
            Xoodoo64::permute(backend, rounds, &mut one).unwrap();
            assert_eq!(one, permuted[5]);
            assert_eq!(one, spec::xoodoo::XOODOO64.permute(rounds, &states[5]));
            Xoodoo64::invert(backend, rounds, &mut one).unwrap();
            assert_eq!(one, states[5]);
            Xoodoo64::invert_many(backend, rounds, &mut permuted).unwrap();
            assert!(permuted == states, "{rounds} rounds of Xoodoo64 on {backend}");
        }
    }
}

#[test]
fn sliced_states_are_whole() {
    let error = Err(Error::PartialBlock { got: 47, block: 48 });
    assert_eq!(Xoodoo::permute_sliced(Backend::best(), 12, &mut [0; 47]), error);
    assert_eq!(Xoodoo64::invert_sliced(Backend::best(), 12, &mut [0; 47]), error);
}

/// As many states as fill the registers, by the width of the backend.
#[test]
fn batches_fill_the_registers() {
    for backend in backends() {
        let bits = icefish::isa::Instructions::of(backend.name()).unwrap().bits;
        for (batch, word) in [(Xoodoo::batch(backend), 32), (Xoodoo64::batch(backend), 64)] {
            assert!(batch == 1 || batch == bits / word, "{backend}: {batch} states of {word} bits");
            assert!(batch > 1 || bits == 64, "{backend}");
        }
    }
}
