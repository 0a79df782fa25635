//! Simulated annealing of a network: fewer operations, and fewer that wait for each other.
//!
//! Rewriting alone makes networks deep: a gate moves wherever it costs nothing, and most places are far down. A CPU
//! with few registers then waits, because it cannot hold enough other work meanwhile.

use crate::network::Network;
use crate::rewrite::Rewriter;

/// A step in so many is uphill: a copy of a gate.
const SPLIT: usize = 12;

/// What annealing is to look for, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Annealing {
    /// What a level costs, in gates: one more on the longest way to the deepest output counts 0.6, on the ways to all
    /// others 0.4.
    pub level: f64,
    /// At the start, a step that makes the network worse by so many gates is taken once in e times.
    pub heat: f64,
    pub steps: usize,
}

impl Annealing {
    /// What a network costs, in gates.
    fn price<const W: usize>(&self, network: &Rewriter<W>) -> f64 {
        let levels = network.levels();
        let deepest = levels.iter().copied().max().unwrap_or(0);
        let mean = levels.iter().sum::<usize>() as f64 / levels.len() as f64;
        network.size() as f64 + self.level * (0.6 * deepest as f64 + 0.4 * mean)
    }

    /// The best network that was met, of gates of at most `arity` operands.
    #[must_use]
    pub fn run<const W: usize>(&self, network: &Network, arity: usize, seed: u64) -> Network {
        let mut now = Rewriter::<W>::new(network, arity, arity - 1, seed);
        let mut price = self.price(&now);
        let (mut best, mut best_price) = (now.clone(), price);
        for step in 0..self.steps {
            let heat = self.heat * (1.0 - step as f64 / self.steps as f64);
            let mut trial = now.clone();
            if trial.random.below(SPLIT) == 0 {
                trial.split();
            }
            trial.step();
            let trial_price = self.price(&trial);
            let chance = trial.random.below(1 << 20) as f64 / (1u32 << 20) as f64;
            if trial_price <= price || chance < ((price - trial_price) / heat).exp() {
                (now, price) = (trial, trial_price);
                if price < best_price {
                    (best, best_price) = (now.clone(), price);
                }
            } else {
                now.random = trial.random;
            }
        }
        best.network()
    }
}

/// The most operations that wait for each other, the XOR into an accumulator included.
#[must_use]
pub fn depth(network: &Network) -> usize {
    let mut levels = vec![0; network.inputs];
    for gate in &network.gates {
        levels.push(1 + gate.operands().iter().map(|&o| levels[usize::from(o)]).max().unwrap_or(0));
    }
    let outputs = network.outputs.iter().flat_map(|output| output.operands());
    1 + outputs.map(|&operand| levels[usize::from(operand)]).max().unwrap_or(0)
}
