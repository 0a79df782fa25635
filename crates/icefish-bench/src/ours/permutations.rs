//! Xoodoo and Xoodoo64.

use std::hint::black_box;

use icefish::Backend;
use icefish::permutations::{Permutation, Word};

use super::{Case, Choice, Part, identity};

const STATE: usize = 48;

pub(super) fn cases(choice: &Choice) -> Vec<Case> {
    let mut cases = Vec::new();
    for backend in choice.backends() {
        if super::only_aes_gains(backend) && choice.backend.is_none() {
            continue;
        }
        for (name, case) in [
            ("xoodoo", case::<u32> as fn(&str, &Choice, Backend) -> Case),
            ("xoodoo64", case::<u64>),
        ] {
            if choice.wants(&[name]) {
                cases.push(case(name, choice, backend));
            }
        }
        for (name, sliced) in [
            ("xoodoo", sliced::<u32> as fn(&str, &Choice, Backend) -> Option<Case>),
            ("xoodoo64", sliced::<u64>),
        ] {
            if choice.wants(&[name]) {
                cases.extend(sliced(name, choice, backend));
            }
        }
    }
    cases
}

fn case<W: Word>(name: &str, choice: &Choice, backend: Backend) -> Case {
    let batch = Permutation::<W>::batch(backend);
    let wide = if batch > 1 { format!("_x{batch}") } else { String::new() };
    let id = identity(format!("{name}_{backend}{wide}"), name, backend, None, STATE, batch);
    let rounds = Permutation::<W>::ROUNDS;
    let mut state = [0; STATE];
    let latency = Part::new(1, move |n| {
        for _ in 0..n {
            let _ = Permutation::<W>::permute(backend, rounds, &mut state);
        }
        black_box(&state);
    });
    let count = (choice.message / STATE / 16).max(1) * 16;
    let mut states = vec![[0; STATE]; count];
    let throughput = Part::new(count, move |n| {
        for _ in 0..n {
            let _ = Permutation::<W>::permute_many(backend, rounds, &mut states);
        }
        black_box(&states);
    });
    Case { id, latency: Some(latency), throughput: Some(throughput) }
}

/// States in sliced order, no transposition: on backends that have lanes.
fn sliced<W: Word>(name: &str, choice: &Choice, backend: Backend) -> Option<Case> {
    let batch = Permutation::<W>::batch(backend);
    let name_of_order = format!("{name}_{backend}_x{batch}_sliced");
    let id = identity(name_of_order, name, backend, None, STATE, batch);
    let rounds = Permutation::<W>::ROUNDS;
    let count = (choice.message / STATE / 16).max(1) * 16;
    let mut states = vec![0; STATE * count];
    let throughput = Part::new(count, move |n| {
        for _ in 0..n {
            let _ = Permutation::<W>::permute_sliced(backend, rounds, &mut states);
        }
        black_box(&states);
    });
    (batch > 1).then_some(Case { id, latency: None, throughput: Some(throughput) })
}
