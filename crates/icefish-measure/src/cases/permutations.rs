//! Xoodoo and Xoodoo64.

use std::hint::black_box;

use icefish::Backend;
use icefish::isa::Extension;
use icefish::permutations::{Permutation, Word};

use super::{Case, Choice, Part, identity};

const STATE: usize = 48;

pub(super) fn cases(choice: &Choice) -> Vec<Case> {
    let mut cases = Vec::new();
    for backend in choice.backends() {
        if !super::gains(backend, Extension::None) && choice.backend.is_none() {
            continue;
        }
        if choice.wants("xoodoo") {
            of_word::<u32>("xoodoo", choice, backend, &mut cases);
        }
        if choice.wants("xoodoo64") {
            of_word::<u64>("xoodoo64", choice, backend, &mut cases);
        }
    }
    cases
}

fn of_word<W: Word>(name: &str, choice: &Choice, backend: Backend, cases: &mut Vec<Case>) {
    let batch = Permutation::<W>::batch(backend);
    cases.extend(widths(batch).map(|width| case::<W>(name, choice, backend, width)));
    cases.extend(many::<W>(name, choice, backend));
    cases.extend(sliced::<W>(name, choice, backend));
}

/// How many states a call takes, as far as the registers have room for more than one.
fn widths(batch: usize) -> impl Iterator<Item = usize> {
    [1, 2, 4, 8, 16].into_iter().filter(move |&width| width == 1 || batch > 1)
}

/// Calls with so many states each, one after the other in memory. Latency is a call that waits for the one before;
/// throughput is calls that do not, a state.
fn case<W: Word>(name: &str, choice: &Choice, backend: Backend, width: usize) -> Case {
    let wide = if width > 1 { format!("_x{width}") } else { String::new() };
    let id = identity(format!("{name}_{backend}{wide}"), name, backend, None, STATE, width);
    let rounds = Permutation::<W>::ROUNDS;
    let mut state = [[0; STATE]; 16];
    let latency = Part::new(1, move |n| {
        for _ in 0..n {
            permute::<W>(backend, rounds, &mut state[..width]);
        }
        black_box(&state);
    });
    let count = (choice.message / STATE / 16).max(1) * 16;
    let mut states = vec![[0; STATE]; count];
    let throughput = Part::new(count, move |n| {
        for _ in 0..n {
            states.chunks_mut(width).for_each(|states| permute::<W>(backend, rounds, states));
        }
        black_box(&states);
    });
    Case { id, latency: Some(latency), throughput: Some(throughput) }
}

fn permute<W: Word>(backend: Backend, rounds: usize, states: &mut [[u8; STATE]]) {
    let _ = match states {
        [state] => Permutation::<W>::permute(backend, rounds, state),
        states => Permutation::<W>::permute_many(backend, rounds, states),
    };
}

/// All states of a message in one call.
fn many<W: Word>(name: &str, choice: &Choice, backend: Backend) -> Option<Case> {
    let batch = Permutation::<W>::batch(backend);
    let id = identity(format!("{name}_{backend}_many"), name, backend, None, STATE, batch);
    let count = (choice.message / STATE / 16).max(1) * 16;
    let mut states = vec![[0; STATE]; count];
    let throughput = Part::new(count, move |n| {
        for _ in 0..n {
            permute::<W>(backend, Permutation::<W>::ROUNDS, &mut states);
        }
        black_box(&states);
    });
    (batch > 1).then_some(Case { id, latency: None, throughput: Some(throughput) })
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
