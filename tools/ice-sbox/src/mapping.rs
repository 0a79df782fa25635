//! From two-input gates to three-input operations.

use crate::network::{Gate, Network};

/// Merges each gate into its only user where the two together have at most three operands.
#[must_use]
pub fn merge(network: &Network) -> Network {
    let mut uses = vec![0; network.inputs + network.gates.len()];
    for gate in network.gates.iter().chain(&network.outputs) {
        gate.operands().iter().for_each(|&operand| uses[usize::from(operand)] += 1);
    }
    let mut gates = network.gates.clone();
    for index in 0..gates.len() {
        while let Some(merged) = merge_operand(&gates, index, network.inputs, &uses) {
            gates[index] = merged;
        }
    }
    without_dead(&Network { gates, ..network.clone() })
}

/// The gate with one operand replaced by that operand's operands.
fn merge_operand(gates: &[Gate], index: usize, inputs: usize, uses: &[u32]) -> Option<Gate> {
    let user = gates[index];
    user.operands().iter().find_map(|&operand| {
        let place = usize::from(operand).checked_sub(inputs)?;
        let inner = gates[place];
        let mut union: Vec<u16> =
            user.operands().iter().copied().filter(|&o| o != operand).collect();
        union.extend(inner.operands());
        union.sort_unstable();
        union.dedup();
        if uses[usize::from(operand)] != 1 || union.len() > 3 {
            return None;
        }
        let table = (0..1u8 << union.len()).fold(0, |table, value| {
            let digit = |signal: &u16| {
                let place = union.iter().position(|other| other == signal).expect("in the union");
                value >> (union.len() - 1 - place) & 1
            };
            let spell = |gate: &Gate, digit: &dyn Fn(&u16) -> u8| {
                let value = gate.operands().iter().fold(0, |value, o| value * 2 + digit(o));
                gate.table >> value & 1
            };
            let inner = spell(&inner, &digit);
            let outer = spell(&user, &|o| if *o == operand { inner } else { digit(o) });
            table | outer << value
        });
        Some(Gate::new(&union, table))
    })
}

/// Drops gates on which no output depends.
#[must_use]
pub fn without_dead(network: &Network) -> Network {
    let inputs = network.inputs;
    let mut used = vec![false; inputs + network.gates.len()];
    let users = network.gates.iter().enumerate().map(|(i, gate)| (Some(inputs + i), gate));
    let outputs = network.outputs.iter().map(|gate| (None, gate));
    for (signal, gate) in users.chain(outputs).rev() {
        if signal.is_none_or(|signal| used[signal]) {
            gate.operands().iter().for_each(|&o| used[usize::from(o)] = true);
        }
    }
    let mut names: Vec<u16> = (0..).take(inputs).collect();
    let mut next = names.len();
    for &used in &used[inputs..] {
        names.push(u16::try_from(next).expect("small"));
        next += usize::from(used);
    }
    let rename = |gate: &Gate| {
        let operands: Vec<u16> = gate.operands().iter().map(|&o| names[usize::from(o)]).collect();
        Gate::new(&operands, gate.table)
    };
    let live = network.gates.iter().zip(&used[inputs..]).filter(|(_, used)| **used);
    Network {
        inputs,
        gates: live.map(|(gate, _)| rename(gate)).collect(),
        outputs: network.outputs.iter().map(rename).collect(),
    }
}
