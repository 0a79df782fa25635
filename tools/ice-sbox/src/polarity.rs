//! Complements in two-input networks.
//!
//! The operators at hand (`&`, `|`, `^`, `andnot`) send zeros to zero; the other six functions of two operands are
//! their complements. Storing a signal or its complement is a matter of choice, and the choice is forced by the
//! inputs: a network of those operators is 0 everywhere where its inputs are. So complements (`!`) are needed
//! only at the outputs that are 1 there, or at a few signals which turn several outputs at once.

use crate::network::{Gate, Network};

/// The same network of the operators at hand, with few `!` (gates of one operand, and complemented outputs).
#[must_use]
pub fn without_complements(network: &Network) -> Network {
    let signals = network.inputs + network.gates.len();
    let singles = (0..signals).map(|s| vec![s]);
    let pairs = (0..signals).flat_map(|s| (0..s).map(move |t| vec![t, s]));
    let inverted = std::iter::once(Vec::new())
        .chain(singles)
        .chain(pairs)
        .min_by_key(|inverted| inverted.len() + wrong_outputs(network, inverted).count())
        .expect("the empty choice");
    build(network, &inverted)
}

/// For each signal, whether its complement is stored, when the stored values of some are turned by a `!`.
fn stored(network: &Network, inverted: &[usize]) -> Vec<bool> {
    let mut stored: Vec<bool> = (0..network.inputs).map(|s| inverted.contains(&s)).collect();
    for gate in &network.gates {
        let value = at(gate, &stored);
        stored.push(value ^ inverted.contains(&stored.len()));
    }
    stored
}

/// The value of a gate where the stored values of its operands are zero.
fn at(gate: &Gate, stored: &[bool]) -> bool {
    let spelled = gate.operands().iter().fold(0, |n, &o| n * 2 + u32::from(stored[usize::from(o)]));
    gate.table >> spelled & 1 == 1
}

fn wrong_outputs(network: &Network, inverted: &[usize]) -> impl Iterator<Item = usize> {
    let stored = stored(network, inverted);
    let outputs = network.outputs.iter().enumerate();
    outputs.filter(move |(_, output)| at(output, &stored)).map(|(index, _)| index)
}

fn build(network: &Network, inverted: &[usize]) -> Network {
    let stored = stored(network, inverted);
    let mut gates = Vec::new();
    let mut names: Vec<u16> = Vec::new();
    for signal in 0..stored.len() {
        let mut name = u16::try_from(signal).expect("small");
        if let Some(gate) = signal.checked_sub(network.inputs).map(|index| &network.gates[index]) {
            let mut positive = *gate;
            for (k, &operand) in gate.operands().iter().enumerate() {
                positive.inputs[k] = names[usize::from(operand)];
                if stored[usize::from(operand)] {
                    positive.complement_operand(k);
                }
            }
            if positive.table & 1 == 1 {
                positive.table ^= 0b1111;
            }
            name = place(network, &gates);
            gates.push(positive);
        }
        if inverted.contains(&signal) {
            gates.push(Gate::new(&[name], 0b01));
            name = place(network, &gates) - 1;
        }
        names.push(name);
    }
    let outputs = network.outputs.iter().map(|output| {
        let table = if at(output, &stored) { 0b01 } else { 0b10 };
        Gate::new(&[names[usize::from(output.inputs[0])]], table)
    });
    Network { inputs: network.inputs, outputs: outputs.collect(), gates }
}

fn place(network: &Network, gates: &[Gate]) -> u16 {
    u16::try_from(network.inputs + gates.len()).expect("small")
}
