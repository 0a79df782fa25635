//! The search for good networks: embeddings first, then rewriting.
//!
//! 1. The power alone is rewritten from several seeds; the smallest network is kept.
//! 2. From random embeddings, one row after the other moves to its best one of 2,040 by the estimate of
//!    `linear`, until none improves. This is repeated, and the best few of these local minima go on.
//! 3. Each is assembled and rewritten for a while; the smallest goes through rounds of disturbance (copies of
//!    gates) and rewriting, in which a round that ends larger than it began is undone.

use crate::assemble::{Choice, assemble};
use crate::linear::{Chooser, Prices};
use crate::mapping::merge;
use crate::muxed::{Embedding, embeddings, into_tower, out_of_tower, set_row};
use crate::network::Network;
use crate::polarity::without_complements;
use crate::power::power_network;
use crate::rewrite::Rewriter;
use crate::schedule::schedule;
use crate::signals::Random;
use crate::tower::Tower;

/// The two forms of the networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any function of three operands.
    Three,
    /// `&`, `|`, `^`, `!` and `andnot`.
    Two,
}

impl Kind {
    /// Operands of a gate.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self {
            Self::Three => 3,
            Self::Two => 2,
        }
    }

    /// Registers for which the operations are ordered.
    #[must_use]
    pub const fn registers(self) -> usize {
        match self {
            Self::Three => 32,
            Self::Two => 16,
        }
    }

    /// The estimators for the maps in and out.
    #[must_use]
    pub fn choosers(self) -> [Chooser; 2] {
        let (term, free_pair) = match self {
            Self::Three => (1, true),
            Self::Two => (2, false),
        };
        [false, free_pair]
            .map(|free_pair| Chooser::new(Prices { term, repeated_term: 1, free_pair }))
    }
}

/// The tower in which the power is cheapest. Of the sixteen, four that differ in the names of the bases only
/// share this place.
pub const TOWER: Tower = Tower { mu: 2, nu: 8 };

/// How much to do.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seeds for the power alone.
    pub powers: u64,
    /// Local minima of the embeddings.
    pub minima: usize,
    /// Minima that are assembled and rewritten.
    pub assembled: usize,
    /// Rewriting steps for each before the first disturbance.
    pub steps: usize,
    /// Rounds of disturbance for the power alone; a quarter of it for each S-box, twice of it for the best.
    pub rounds: usize,
}

/// Rewriting steps after a disturbance.
const ROUND: usize = 500;

/// What a search returns.
#[derive(Clone, Debug)]
pub struct Found {
    pub choice: Choice,
    pub network: Network,
}

/// Rewriting alone, then rounds of disturbance (copies of gates) and rewriting; a round that ends larger than it
/// began is undone.
fn improve<const W: usize>(
    network: &Network,
    [arity, output_arity]: [usize; 2],
    seed: u64,
    [steps, rounds]: [usize; 2],
) -> Network {
    let mut best = Rewriter::<W>::new(network, arity, output_arity, seed);
    (0..steps).for_each(|_| {
        best.step();
    });
    for round in 0..rounds {
        let mut trial = best.clone();
        (0..=round % 10).for_each(|_| trial.split());
        (0..ROUND).for_each(|_| {
            trial.step();
        });
        if trial.size() <= best.size() {
            best = trial;
        } else {
            best.random = trial.random;
        }
    }
    best.network()
}

/// The power alone, rewritten.
#[must_use]
pub fn small_power(kind: Kind, seed: u64, effort: &Effort) -> Network {
    let start = power_network(TOWER);
    let arities = [kind.arity(), 1];
    (0..effort.powers)
        .map(|n| improve::<4>(&start, arities, seed * 1000 + n, [effort.steps, effort.rounds]))
        .min_by_key(|network| network.gates.len())
        .expect("at least one")
}

/// A row's images of the column bits, of zero, and of the bits of the power.
type Maps = ([u8; 8], u8, [u8; 8]);

/// Descends from random embeddings to local minima of the estimate.
pub struct Descent {
    all: [Vec<Embedding>; 4],
    maps: [Vec<Maps>; 4],
    choosers: [Chooser; 2],
}

impl Descent {
    #[must_use]
    pub fn new(kind: Kind, sbox: usize) -> Self {
        let all = [0, 1, 2, 3].map(|row| embeddings(TOWER, sbox, row));
        let maps = std::array::from_fn(|row| {
            let maps = |&embedding: &Embedding| {
                let (images, zero) = into_tower(TOWER, sbox, row, embedding);
                (images, zero, out_of_tower(TOWER, embedding))
            };
            all[row].iter().map(maps).collect()
        });
        let choosers = kind.choosers();
        Self { all, maps, choosers }
    }

    fn price(&self, chosen: &[usize; 4]) -> u32 {
        let (mut inward, mut outward) = ([[0; 4]; 8], [[0; 4]; 8]);
        for (row, &index) in chosen.iter().enumerate() {
            let (images, zero, out) = &self.maps[row][index];
            set_row(&mut inward, row, images, *zero);
            set_row(&mut outward, row, out, 0);
        }
        self.choosers[0].price(&inward) + self.choosers[1].price(&outward)
    }

    /// One local minimum.
    pub fn run(&self, random: &mut Random) -> (u32, [Embedding; 4]) {
        let mut chosen: [usize; 4] = std::array::from_fn(|row| random.below(self.all[row].len()));
        let mut best = self.price(&chosen);
        let mut unchanged = 0;
        for row in (0..4).cycle() {
            let before = best;
            let mut trial = chosen;
            for index in 0..self.all[row].len() {
                trial[row] = index;
                let price = self.price(&trial);
                if price < best {
                    best = price;
                    chosen = trial;
                }
            }
            unchanged = if best < before { 0 } else { unchanged + 1 };
            if unchanged == 4 {
                break;
            }
        }
        (best, std::array::from_fn(|row| self.all[row][chosen[row]]))
    }
}

/// Searches for one S-box.
#[must_use]
pub fn search(
    (kind, sbox): (Kind, usize),
    power: &Network,
    seed: u64,
    effort: &Effort,
    report: &dyn Fn(&str),
) -> Found {
    let descent = Descent::new(kind, sbox);
    let mut random = Random::new(seed * 4 + sbox as u64);
    let mut minima: Vec<_> = (0..effort.minima).map(|_| descent.run(&mut random)).collect();
    minima.sort_by_key(|(price, _)| *price);
    minima.dedup_by_key(|(_, chosen)| *chosen);
    let [inward, outward] = kind.choosers();
    let mut best: Option<Found> = None;
    for (price, embeddings) in minima.into_iter().take(effort.assembled) {
        let choice = Choice { tower: TOWER, embeddings };
        let start = assemble(sbox, &choice, power, &inward, &outward);
        let network = rewrite(kind, &start, seed, [effort.steps, effort.rounds / 4]);
        report(&format!("estimate {price}: {} operations", operations(&network)));
        if best.as_ref().is_none_or(|b| operations(&network) < operations(&b.network)) {
            best = Some(Found { choice, network });
        }
    }
    let mut found = best.expect("at least one minimum");
    found.network =
        finish(kind, &rewrite(kind, &found.network, seed, [0, effort.rounds * 2]), seed);
    report(&format!("polished: {} operations", operations(&found.network)));
    found
}

/// Rewrites a whole S-box.
#[must_use]
pub fn rewrite(kind: Kind, network: &Network, seed: u64, work: [usize; 2]) -> Network {
    let network = if kind == Kind::Three { merge(network) } else { network.clone() };
    let arities = [kind.arity(), kind.arity() - 1];
    if network.gates.len() < 178 {
        improve::<3>(&network, arities, seed, work)
    } else {
        improve::<5>(&network, arities, seed, work)
    }
}

/// Complements removed (two-input form) and operations ordered.
#[must_use]
pub fn finish(kind: Kind, network: &Network, seed: u64) -> Network {
    let network = match kind {
        Kind::Three => network.clone(),
        Kind::Two => without_complements(network),
    };
    schedule(&network, kind.registers(), seed)
}

/// Operations, the XORs into the accumulators included; a complemented output takes one more.
#[must_use]
pub fn operations(network: &Network) -> usize {
    let complemented =
        network.outputs.iter().filter(|output| output.arity == 1 && output.table == 0b01);
    network.gates.len() + network.outputs.len() + complemented.count()
}
