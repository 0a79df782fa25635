//! Code that chooses its instructions when it is compiled: rows of several builds.

use crate::compare::Key;
use crate::machine::Machine;
use crate::measure::Metric;
use crate::row::{Row, keep_faster};

/// Adds `others`, rows of a run by another build on the same machine. The flags of that build become the
/// [`backend`](crate::identity::Identity::backend) of peers; their rows that are there already are left out. Of our own figures the
/// faster counts, because our backends are the same in each build.
pub fn add_build(rows: &mut Vec<Row>, others: Vec<Row>) {
    for mut other in others {
        if other.id.is_ours() {
            if let Some(row) = rows.iter().find(|row| row.id == other.id) {
                take_clock(&mut other.latency, &row.latency);
                take_clock(&mut other.throughput, &row.throughput);
            }
            keep_faster(rows, vec![other]);
            continue;
        }
        if let (Some(flags), "") = (flags(&other.machine.compiler), other.id.backend.as_str()) {
            other.id.backend = flags.to_owned();
        }
        // The same day and machine: what differs is the compiler's flags.
        if let Some(first) = rows.first() {
            let compiler = other.machine.compiler;
            other.machine = Machine { compiler, ..first.machine.clone() };
        }
        let key = Key::from(&other);
        if rows.iter().all(|row| Key::from(row) != key) {
            rows.push(other);
        }
    }
}

/// Processes differ in their clock: a side has that of the processes in which all peers are.
fn take_clock(metric: &mut Option<Metric>, from: &Option<Metric>) {
    if let (Some(metric), Some(from)) = (metric, from) {
        metric.clock_ghz = from.clock_ghz;
    }
}

/// The target flags, as [`Machine`] writes them behind the optimisation level.
fn flags(compiler: &str) -> Option<&str> {
    let (_, rest) = compiler.split_once("opt-level ")?;
    let (_, flags) = rest.split_once(", ")?;
    // The CPU comes first, and tells enough.
    let flags = flags.split_whitespace().next()?;
    Some(flags.strip_prefix("target-cpu=").unwrap_or(flags))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn built(peer: &str, ns: f64, flags: &str) -> Row {
        let mut row = samples::row("a", peer, 16, 90.0, ns);
        row.machine.compiler = format!("rustc 1.95.0, x86_64, opt-level 3{flags}");
        row.id.backend = String::new();
        row
    }

    #[test]
    fn each_build_of_a_peer_has_its_rows() {
        let mut rows = vec![built("icefish", 5.0, ""), built("fast", 2.0, "")];
        let native = ", target-cpu=native";
        let others = ["icefish", "fast", "new"].map(|peer| built(peer, 4.0, native));
        add_build(&mut rows, others.to_vec());
        add_build(&mut rows, vec![built("fast", 9.0, "")]);
        add_build(&mut rows, vec![built("fast", 9.0, native)]);
        let figures: Vec<_> = rows
            .iter()
            .map(|r| (r.id.peer.as_str(), r.id.backend.as_str(), r.throughput_ns().unwrap()))
            .collect();
        let expected = [
            ("icefish", "", 4.0),
            ("fast", "", 2.0),
            ("fast", "native", 4.0),
            ("new", "native", 4.0),
        ];
        assert_eq!(figures, expected);
    }
}
