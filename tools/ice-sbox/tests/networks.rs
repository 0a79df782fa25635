//! The committed networks against the S-boxes, and the committed files against the generator.

use ice_sbox::anneal::{Annealing, depth};
use ice_sbox::assemble::assemble;
use ice_sbox::emit::{file_name, source};
use ice_sbox::field::sbox;
use ice_sbox::mapping::merge;
use ice_sbox::network::{Network, Truth, truth_of};
use ice_sbox::plan::{committed, parse, print};
use ice_sbox::polarity::without_complements;
use ice_sbox::power::power_network;
use ice_sbox::rewrite::Rewriter;
use ice_sbox::search::{Kind, operations};
use std::path::Path;

const KINDS: [Kind; 2] = [Kind::Three, Kind::Two];

/// The planes of an S-box, most significant first, by exponentiation.
fn expected(number: usize) -> Vec<Truth> {
    let table: Vec<u8> = (0..1024).map(|x| sbox(number, x)).collect();
    let plane = |bit: usize| truth_of(|x| table[usize::from(x)] >> bit & 1 == 1);
    (0..8).rev().map(plane).collect()
}

#[test]
fn committed_networks_compute_the_sboxes() {
    for kind in KINDS {
        let found = committed(kind);
        assert_eq!(found.len(), 4);
        for (number, found) in found.iter().enumerate() {
            assert_eq!(found.network.output_truth(), expected(number), "{kind:?} {number}");
        }
    }
}

#[test]
fn committed_networks_have_the_right_shape() {
    for kind in KINDS {
        for found in committed(kind) {
            let network = found.network;
            for (index, gate) in network.gates.iter().enumerate() {
                assert!(usize::from(gate.arity) <= kind.arity());
                assert!(gate.operands().iter().all(|&o| usize::from(o) < network.inputs + index));
            }
            assert!(network.outputs.iter().all(|o| usize::from(o.arity) < kind.arity()));
        }
    }
}

#[test]
fn committed_networks_are_small_and_shallow() {
    for (kind, most, deepest) in [(Kind::Three, 167, 35), (Kind::Two, 256, 51)] {
        for found in committed(kind) {
            assert!(operations(&found.network) <= most, "{kind:?}");
            assert!(depth(&found.network) <= deepest, "{kind:?}");
        }
    }
}

#[test]
fn annealing_keeps_the_outputs_and_finds_something_better() {
    let network = &committed(Kind::Two)[0].network;
    let mut deep = Rewriter::<5>::new(network, 2, 1, 1);
    (0..2000).for_each(|_| {
        deep.step();
    });
    let deep = deep.network();
    let annealed = Annealing { level: 2.0, heat: 0.5, steps: 500 }.run::<5>(&deep, 2, 1);
    assert_eq!(annealed.output_truth(), network.output_truth());
    assert!(depth(&annealed) < depth(&deep), "{} {}", depth(&annealed), depth(&deep));
}

#[test]
fn committed_embeddings_give_the_sboxes() {
    for kind in KINDS {
        let [inward, outward] = kind.choosers();
        for (number, found) in committed(kind).iter().enumerate() {
            let power = power_network(found.choice.tower);
            let network = assemble(number, &found.choice, &power, &inward, &outward);
            assert_eq!(network.output_truth(), expected(number));
            assert_eq!(merge(&network).output_truth(), expected(number));
            assert_eq!(without_complements(&network).output_truth(), expected(number));
        }
    }
}

#[test]
fn rewriting_keeps_the_function() {
    let start: Network = committed(Kind::Three)[0].network.clone();
    let mut rewriter = Rewriter::<4>::new(&start, 3, 2, 1);
    for step in 0..30 {
        if step % 10 == 0 {
            rewriter.split();
        }
        rewriter.step();
    }
    assert_eq!(rewriter.network().output_truth(), expected(0));
}

#[test]
fn plans_survive_printing() {
    for kind in KINDS {
        let found = committed(kind);
        let again = parse(&print(&found));
        assert_eq!(again.len(), found.len());
        for (a, b) in found.iter().zip(&again) {
            assert_eq!(a.network, b.network);
            assert_eq!(a.choice.tower, b.choice.tower);
            assert_eq!(a.choice.embeddings, b.choice.embeddings);
        }
    }
}

#[test]
fn committed_sources_are_up_to_date() {
    let directory =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/icefish/src/ciphers/ice");
    for kind in KINDS {
        let path = directory.join(file_name(kind));
        let text = std::fs::read_to_string(&path).expect("the generated file is committed");
        assert!(text == source(kind, &committed(kind)), "run --write; {} is stale", path.display());
    }
}
