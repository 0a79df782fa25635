//! Whether the ratios to the peers are the same in two runs on one machine.
//!
//! Clock, load and temperature change all figures of a run. Ours and the peers are measured in turns, so that the *ratio* between
//! them should stay the same. This counts the contests (see [`duel`](crate::duel)) whose ratio did. It is a ratio of core cycles,
//! because a change of the clock does not affect both sides alike.

use std::fmt;

use crate::duel::{Duel, duels};
use crate::row::Row;

/// How many ratios of ours to the best peer agree between two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Contests with both sides in both runs.
    pub contests: usize,
    /// Those whose ratios differ by no more than [`within`](Self::within).
    pub agreeing: usize,
    /// Relative difference that counts as agreement: 0.05 is 5 %.
    pub within: f64,
    /// The contest that differs most, and by how much: 0.1 is 10 %.
    pub worst: Option<(String, f64)>,
}

/// Compares the ratios of two runs.
#[must_use]
pub fn agreement(old: &[Row], new: &[Row], within: f64) -> Agreement {
    let (old, new) = (duels(old), duels(new));
    let mut result = Agreement { contests: 0, agreeing: 0, within, worst: None };
    for duel in &new {
        let partner = old.iter().find(|other| other.is_same_contest(duel));
        let before = partner.and_then(Duel::ratio_in_cycles);
        let (Some(before), Some(after)) = (before, duel.ratio_in_cycles()) else {
            continue;
        };
        let difference = before.max(after) / before.min(after) - 1.0;
        result.contests += 1;
        result.agreeing += usize::from(difference <= within);
        if result.worst.as_ref().is_none_or(|(_, worst)| difference > *worst) {
            result.worst = Some((duel.to_string(), difference));
        }
    }
    result
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = 100.0 * self.within;
        write!(
            f,
            "ratios to the best peer, in core cycles: {} of {} agree within {within} %",
            self.agreeing, self.contests
        )?;
        match &self.worst {
            Some((name, difference)) => {
                write!(f, "; the worst is {name}, {:.1} % apart", 100.0 * difference)
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::row;

    fn run(ours: f64, peer: f64) -> Vec<Row> {
        vec![row("a", "icefish", 16, 10.0, ours), row("a", "peer", 16, 30.0, peer)]
    }

    #[test]
    fn a_common_factor_does_not_matter() {
        let result = agreement(&run(1.0, 3.0), &run(1.2, 3.6), 0.05);
        assert_eq!((result.contests, result.agreeing), (2, 2));
    }

    #[test]
    fn the_worst_contest_is_named() {
        let result = agreement(&run(1.0, 3.0), &run(1.0, 3.3), 0.05);
        assert_eq!((result.contests, result.agreeing), (2, 1));
        let expected = "ratios to the best peer, in core cycles: 1 of 2 agree within 5 %; \
             the worst is prim (throughput, 16 B), 10.0 % apart";
        assert_eq!(result.to_string(), expected);
    }

    #[test]
    fn contests_without_a_peer_do_not_count() {
        let result = agreement(&run(1.0, 3.0)[..1], &run(1.0, 3.0), 0.05);
        assert_eq!(
            result.to_string(),
            "ratios to the best peer, in core cycles: 0 of 0 agree within 5 %"
        );
    }
}
