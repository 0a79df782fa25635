//! Orders the operations so that few values are live at a time.
//!
//! Inputs are live from the start to their last use, results from their operation to their last use; an output is
//! XORed into its accumulator, which is not counted, as soon as its operands are there.

use crate::network::Network;
use crate::signals::Random;

/// Trial moves.
const MOVES: usize = 400_000;

/// How a given order fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pressure {
    /// The most values that are live after any operation.
    pub live: usize,
    /// The values over the number of registers, summed over the operations: an estimate of spilling.
    pub excess: usize,
}

/// The pressure of a network in its present order.
#[must_use]
pub fn pressure(network: &Network, registers: usize) -> Pressure {
    let mut last = vec![0; network.inputs + network.gates.len()];
    let mut ready = vec![0; network.outputs.len()];
    for (step, gate) in network.gates.iter().enumerate() {
        gate.operands().iter().for_each(|&o| last[usize::from(o)] = step);
    }
    for (output, ready) in network.outputs.iter().zip(&mut ready) {
        let made = |&o: &u16| usize::from(o).saturating_sub(network.inputs);
        *ready = output.operands().iter().map(made).max().unwrap_or(0);
        for &operand in output.operands() {
            let last = &mut last[usize::from(operand)];
            *last = (*last).max(*ready);
        }
    }
    let mut dying = vec![0; network.gates.len()];
    last.iter().for_each(|&step| dying[step] += 1);
    let (mut now, mut worst) = (network.inputs, Pressure { live: 0, excess: 0 });
    for dying in dying {
        // The result may take the place of an operand that dies here.
        now = now + 1 - dying;
        worst.live = worst.live.max(now);
        worst.excess += now.saturating_sub(registers);
    }
    worst
}

/// Reorders the gates by random moves, accepting equals.
#[must_use]
pub fn schedule(network: &Network, registers: usize, seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut order: Vec<usize> = (0..network.gates.len()).collect();
    // Two registers are needed besides the live values: one for a result, one for an accumulator.
    let goal = |network: &Network| {
        let pressure = pressure(network, registers - 2);
        (pressure.excess, pressure.live)
    };
    let mut best = network.clone();
    let mut best_goal = goal(&best);
    for _ in 0..MOVES {
        let from = random.below(order.len());
        let to = random.below(order.len());
        let Some(trial) = moved(&best, from, to) else {
            continue;
        };
        let trial_goal = goal(&trial);
        if trial_goal <= best_goal {
            best_goal = trial_goal;
            best = trial;
            let gate = order.remove(from);
            order.insert(to, gate);
        }
    }
    best
}

/// The network with one gate moved, unless an operand would come too late.
fn moved(network: &Network, from: usize, to: usize) -> Option<Network> {
    let inputs = network.inputs;
    let gate = &network.gates[from];
    let uses = |user: &crate::network::Gate, place: usize| {
        user.operands().iter().any(|&o| usize::from(o) == inputs + place)
    };
    let blocked = if to < from {
        (to..from).any(|place| uses(gate, place))
    } else {
        network.gates[from..=to].iter().any(|user| uses(user, from))
    };
    if blocked || from == to {
        return None;
    }
    let rename = |operand: u16| {
        let Some(place) = usize::from(operand).checked_sub(inputs) else {
            return operand;
        };
        if place == from {
            u16::try_from(inputs + to).expect("small")
        } else if from < place && place <= to {
            operand - 1
        } else if to <= place && place < from {
            operand + 1
        } else {
            operand
        }
    };
    let mut result = network.clone();
    let gate = result.gates.remove(from);
    result.gates.insert(to, gate);
    for gate in result.gates.iter_mut().chain(&mut result.outputs) {
        for k in 0..usize::from(gate.arity) {
            gate.inputs[k] = rename(gate.inputs[k]);
        }
    }
    Some(result)
}
