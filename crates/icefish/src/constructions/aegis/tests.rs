//! The states after a step and after the beginning, which the RFC's vectors have, too.

use super::job::{self, Job};
use super::steps::{Begin, Saved};
use super::variant::{KeyNonce, Variant};
use crate::Backend;
use crate::isa::InOut;
use serde_json::Value;
use std::format;
use std::string::String;
use std::vec::Vec;

fn vectors(name: &str) -> Vec<Value> {
    let path =
        format!("{}/tests/vectors/aegis/{name}-test-vectors.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

fn hex(value: &Value) -> Vec<u8> {
    let digits = value.as_str().expect("a field");
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hex");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// Fields of a vector, one after the other.
fn fields(test: &Value, names: impl Iterator<Item = String>) -> Vec<u8> {
    names.flat_map(|name| hex(&test[&name])).collect()
}

fn step<const BITS: usize>(name: &str, blocks: usize, data: &[&str]) {
    let test = &vectors(name)[0];
    for backend in Backend::available() {
        let before = fields(test, (0..blocks).map(|i| format!("S{i}")));
        let after = fields(test, (0..blocks).map(|i| format!("S{i}_2")));
        let absorb: Vec<u8> = data.iter().flat_map(|name| hex(&test[*name])).collect();
        let mut state = <Saved>::NEW;
        state.bytes_mut()[..before.len()].copy_from_slice(&before);
        let (saved, io) = (Some(state.bytes_mut()), InOut::in_place(&mut []));
        let job = Job { begin: Begin::Saved, saved, absorb: &absorb, io, seal: true, end: None };
        job::run::<BITS, 1>(backend, job);
        assert_eq!(state.bytes()[..after.len()], after, "{name} on {backend}");
    }
}

#[test]
fn a_step() {
    step::<128>("aegis-128l", 8, &["M0", "M1"]);
    step::<256>("aegis-256", 6, &["M"]);
}

fn beginning<const BITS: usize, const DEGREE: usize>(name: &str, blocks: usize) {
    let tests = vectors(name);
    let places = (0..blocks).flat_map(|j| (0..DEGREE).map(move |i| format!("V[{j},{i}]")));
    let after = fields(&tests[1], places);
    let [key, nonce] = ["key", "nonce"].map(|field| hex(&tests[0][field]));
    for backend in Backend::available() {
        let mut state = <Saved>::NEW;
        let new = KeyNonce::of(Variant::of::<BITS, DEGREE>(), &key, &nonce).unwrap();
        let (begin, saved) = (Begin::New(new), Some(state.bytes_mut()));
        let io = InOut::in_place(&mut []);
        let job = Job { begin, saved, absorb: &[], io, seal: true, end: None };
        job::run::<BITS, DEGREE>(backend, job);
        assert_eq!(state.bytes()[..after.len()], after, "{name} on {backend}");
    }
}

#[test]
fn the_beginning_of_several_states() {
    beginning::<128, 2>("aegis-128x2", 8);
    beginning::<128, 4>("aegis-128x4", 8);
    beginning::<256, 2>("aegis-256x2", 6);
    beginning::<256, 4>("aegis-256x4", 6);
}
