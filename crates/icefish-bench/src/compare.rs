//! Two runs: what became slower or faster, beyond noise.
//!
//! # The rule
//!
//! Rows of both runs are matched by whose code it is, name, kind, direction, bytes, parallelism and backend
//! ([`Key`]); versions may differ. If a file has a key twice, its last row counts. Each figure of a pair,
//! latency and throughput, is a range of *core cycles* from its lower quartile to its median, so that the clock
//! does not matter. A figure became
//!
//! - **slower** if the new lower quartile lies above the old median by more than the margin (5 % unless said
//!   otherwise): the whole new range is above the whole old one;
//! - **faster** if the old lower quartile lies above the new median by more than the margin.
//!
//! A noisy run has wide ranges, and shows few differences. Peers are listed too, but only a
//! slower figure of our own is a regression.

use std::collections::BTreeMap;
use std::fmt;

use crate::format::{change, number};
use crate::identity::{Direction, Kind, OURS};
use crate::row::Row;
use crate::stats::Spread;

/// The margin of the rule unless another is given.
pub const MARGIN: f64 = 0.05;

/// What makes rows of two runs the same measurement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// Whose code.
    pub peer: String,
    /// The row's name.
    pub name: String,
    /// The kind of measurement.
    pub kind: Kind,
    /// Encryption or decryption.
    pub direction: Option<Direction>,
    /// Bytes of one operation.
    pub bytes: u64,
    /// Operations side by side.
    pub parallelism: u32,
    /// The instruction set.
    pub backend: String,
}

impl From<&Row> for Key {
    fn from(row: &Row) -> Self {
        let id = row.id.clone();
        Self {
            peer: id.peer,
            name: id.name,
            kind: id.kind,
            direction: id.direction,
            bytes: id.bytes,
            parallelism: id.parallelism,
            backend: id.backend,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if self.peer != OURS {
            let gap = if self.backend.is_empty() { "" } else { ", " };
            write!(f, " [{}{gap}{}]", self.peer, self.backend)?;
        }
        let direction = self.direction.map_or("", Direction::word);
        let separator = if direction.is_empty() { "" } else { ", " };
        write!(f, " ({}{separator}{direction}, {})", self.kind, crate::format::size(self.bytes))
    }
}

/// A figure that changed beyond noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Which row.
    pub key: Key,
    /// `latency` or `throughput`.
    pub view: &'static str,
    /// Core cycles of one operation in the old run.
    pub old: Spread,
    /// Core cycles of one operation in the new run.
    pub new: Spread,
}

impl Change {
    /// New lower quartile / old one: 1.1 is 10 % slower.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.new.low / self.old.low
    }
}

/// The verdict on two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Figures that became slower, the worst first.
    pub slower: Vec<Change>,
    /// Figures that became faster, the best first.
    pub faster: Vec<Change>,
    /// Number of figures whose ranges overlap, or nearly so.
    pub unchanged: usize,
    /// Rows that only the old run has.
    pub only_old: Vec<Key>,
    /// Rows that only the new run has.
    pub only_new: Vec<Key>,
    /// The CPUs or compilers of the runs, where they differ.
    pub warnings: Vec<String>,
    /// The margin used: 0.05 is 5 %.
    pub margin: f64,
}

impl Comparison {
    /// Whether some figure of our own became slower.
    #[must_use]
    pub fn has_regression(&self) -> bool {
        self.slower.iter().any(|change| change.key.peer == OURS)
    }
}

enum Verdict {
    Slower,
    Faster,
    Same,
}

fn verdict(old: Spread, new: Spread, margin: f64) -> Verdict {
    if new.low > old.median * (1.0 + margin) {
        Verdict::Slower
    } else if old.low > new.median * (1.0 + margin) {
        Verdict::Faster
    } else {
        Verdict::Same
    }
}

/// Compares two runs by the rule of this module.
#[must_use]
pub fn compare(old: &[Row], new: &[Row], margin: f64) -> Comparison {
    let warnings = warnings(old, new);
    let index = |rows: &[Row]| {
        let contests = rows.iter().filter(|row| row.id.kind.is_contest());
        contests.map(|row| (Key::from(row), row.clone())).collect::<BTreeMap<_, _>>()
    };
    let (mut old, new) = (index(old), index(new));
    let (mut slower, mut faster, mut unchanged, mut only_new) =
        (Vec::new(), Vec::new(), 0, Vec::new());
    for (key, row) in new {
        let Some(before) = old.remove(&key) else {
            only_new.push(key);
            continue;
        };
        let views = [
            ("latency", &before.latency, &row.latency),
            ("throughput", &before.throughput, &row.throughput),
        ];
        for (view, before, after) in views {
            let (Some(before), Some(after)) = (before, after) else { continue };
            let change = Change { key: key.clone(), view, old: before.cycles, new: after.cycles };
            match verdict(change.old, change.new, margin) {
                Verdict::Slower => slower.push(change),
                Verdict::Faster => faster.push(change),
                Verdict::Same => unchanged += 1,
            }
        }
    }
    slower.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    faster.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    let only_old = old.into_keys().collect();
    Comparison { slower, faster, unchanged, only_old, only_new, warnings, margin }
}

fn warnings(old: &[Row], new: &[Row]) -> Vec<String> {
    let (Some(old), Some(new)) = (old.first(), new.first()) else { return Vec::new() };
    let facts = [
        ("CPUs", &old.machine.cpu, &new.machine.cpu),
        ("compilers", &old.machine.compiler, &new.machine.compiler),
    ];
    let differing = facts.into_iter().filter(|(_, old, new)| old != new);
    differing.map(|(what, old, new)| format!("different {what}: {old}; {new}")).collect()
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        list(f, "slower", &self.slower)?;
        list(f, "faster", &self.faster)?;
        for (keys, run) in [(&self.only_old, "old"), (&self.only_new, "new")] {
            if !keys.is_empty() {
                writeln!(f, "only in the {run} run:")?;
            }
            for key in keys {
                writeln!(f, "  {key}")?;
            }
        }
        let (slower, faster) = (self.slower.len(), self.faster.len());
        let margin = self.margin * 100.0;
        writeln!(
            f,
            "{slower} slower, {faster} faster, {} unchanged (margin {margin} %)",
            self.unchanged
        )
    }
}

fn list(f: &mut fmt::Formatter<'_>, word: &str, changes: &[Change]) -> fmt::Result {
    if !changes.is_empty() {
        writeln!(f, "{word}, in core cycles of one operation:")?;
    }
    for c in changes {
        let (old, new) = (number(c.old.low), number(c.new.low));
        writeln!(f, "  {:>9}  {} {}: {old} -> {new}", change(c.ratio()), c.key, c.view)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{metric, row};

    fn one(name: &str, ns: f64) -> Row {
        row(name, OURS, 16, 10.0, ns)
    }

    #[test]
    fn equal_runs_are_unchanged() {
        let rows = [one("a", 1.0), one("b", 2.0)];
        let result = compare(&rows, &rows, MARGIN);
        assert_eq!(result.unchanged, 4);
        assert!(result.slower.is_empty() && result.faster.is_empty() && !result.has_regression());
        assert_eq!(result.to_string(), "0 slower, 0 faster, 4 unchanged (margin 5 %)\n");
    }

    #[test]
    fn only_what_leaves_the_old_range_by_the_margin_counts() {
        // The samples' medians are 2 % above their lower quartiles: the border is at 1.02 * 1.05 = 1.071.
        let old = [one("a", 100.0), one("b", 100.0), one("c", 100.0), one("d", 100.0)];
        let new = [one("a", 107.0), one("b", 107.2), one("c", 93.5), one("d", 93.3)];
        let result = compare(&old, &new, MARGIN);
        let names =
            |changes: &[Change]| changes.iter().map(|c| c.key.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&result.slower), ["b"]);
        assert_eq!(names(&result.faster), ["d"]);
        assert_eq!(result.unchanged, 6);
        assert!(result.has_regression());
        assert!(compare(&old, &new, 0.1).slower.is_empty());
    }

    #[test]
    fn a_noisy_run_proves_nothing() {
        let (old, mut new) = (one("a", 100.0), one("a", 130.0));
        let mut noisy = old.clone();
        noisy.throughput.as_mut().unwrap().cycles.median *= 1.3;
        assert!(!compare(&[noisy], std::slice::from_ref(&new), MARGIN).has_regression());
        assert!(
            compare(std::slice::from_ref(&old), std::slice::from_ref(&new), MARGIN)
                .has_regression()
        );
        new.throughput = None;
        assert_eq!(compare(&[old], &[new], MARGIN).unchanged, 1);
    }

    #[test]
    fn the_clock_of_the_day_does_not_count() {
        let old = one("a", 100.0);
        let mut new = one("a", 200.0);
        new.throughput.as_mut().unwrap().cycles = old.throughput.as_ref().unwrap().cycles;
        assert!(!compare(&[old], &[new], MARGIN).has_regression());
    }

    #[test]
    fn a_slower_peer_is_told_but_is_no_regression() {
        let result =
            compare(&[row("a", "p", 16, 1.0, 1.0)], &[row("a", "p", 16, 1.0, 2.0)], MARGIN);
        assert_eq!(result.slower.len(), 1);
        assert!(!result.has_regression());
    }

    #[test]
    fn the_worst_comes_first_and_the_text_names_it() {
        let old = [one("a", 100.0), one("b", 100.0)];
        let new = [one("a", 150.0), one("b", 200.0).with_latency(Some(metric(5.0)))];
        let text = compare(&old, &new, MARGIN).to_string();
        let expected = "\
slower, in core cycles of one operation:
   +100.0 %  b (core, 16 B) throughput: 300 -> 600
    +50.0 %  a (core, 16 B) throughput: 300 -> 450
faster, in core cycles of one operation:
    -50.0 %  b (core, 16 B) latency: 30.0 -> 15.0
2 slower, 1 faster, 1 unchanged (margin 5 %)
";
        assert_eq!(text, expected);
    }

    #[test]
    fn rows_without_a_partner_and_other_machines_are_told() {
        let (old, mut new) = (one("a", 1.0), one("b", 1.0));
        new.machine.cpu = "other".into();
        let result = compare(&[old], &[new], MARGIN);
        assert_eq!((result.only_old.len(), result.only_new.len()), (1, 1));
        assert!(
            result.to_string().starts_with("warning: different CPUs: Test <CPU> & more; other\n")
        );
        assert!(result.to_string().contains("only in the old run:\n  a (core, 16 B)\n"));
    }

    #[test]
    fn of_a_repeated_row_the_last_counts() {
        let result = compare(&[one("a", 9.0), one("a", 1.0)], &[one("a", 1.0)], MARGIN);
        assert_eq!((result.unchanged, result.faster.len()), (2, 0));
    }
}
