//! Xoodoo and Xoodoo64 against their definitions, on every backend.

mod common;

use common::{backends, hex, rows, text};
use icefish::permutations::{Permutation, Word, Xoodoo, Xoodoo64};
use icefish::{Backend, Error};

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
            for count in (0..50).chain([input.len()]) {
                let count = count.min(input.len());
                let mut states = input[..count].to_vec();
                Permutation::<W>::permute_many(backend, rounds, &mut states).unwrap();
                assert!(states == output[..count], "{file} x{count} on {backend}");
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
