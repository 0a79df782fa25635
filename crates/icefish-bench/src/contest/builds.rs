//! Peers that choose their instructions when they are compiled: each at its best of several builds.

use crate::compare::Key;
use crate::row::Row;

/// Puts the peers of `others`, rows of a run by another build on the same machine, in the place of their
/// slower rows in `rows`. Their versions say with which flags they were compiled. Our own rows stay: we choose
/// at run time.
pub fn take_faster_peers(rows: &mut Vec<Row>, others: Vec<Row>) {
    for mut other in others {
        if other.id.is_ours() {
            continue;
        }
        if let Some(flags) = flags(&other.machine.compiler) {
            other.id.version = format!("{} ({flags})", other.id.version);
        }
        let key = Key::from(&other);
        match rows.iter_mut().find(|row| Key::from(&**row) == key) {
            Some(row) if cost(&other) < cost(row) => *row = other,
            Some(_) => {}
            None => rows.push(other),
        }
    }
}

/// The target flags, as [`Machine`](crate::machine::Machine) writes them behind the optimisation level.
fn flags(compiler: &str) -> Option<&str> {
    let (_, rest) = compiler.split_once("opt-level ")?;
    rest.split_once(", ").map(|(_, flags)| flags.trim())
}

fn cost(row: &Row) -> f64 {
    row.throughput_ns().or(row.latency_ns()).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn built(peer: &str, ns: f64, flags: &str) -> Row {
        let mut row = samples::row("a", peer, 16, 90.0, ns);
        row.machine.compiler = format!("rustc 1.95.0, x86_64, opt-level 3{flags}");
        row
    }

    #[test]
    fn the_faster_build_of_a_peer_counts() {
        let mut rows =
            vec![built("icefish", 5.0, ""), built("fast", 2.0, ""), built("slow", 9.0, "")];
        let native = ", target-cpu=native";
        let others = ["icefish", "fast", "slow", "new"].map(|peer| built(peer, 4.0, native));
        take_faster_peers(&mut rows, others.to_vec());
        let figures: Vec<_> =
            rows.iter().map(|r| (r.id.peer.as_str(), r.throughput_ns().unwrap())).collect();
        assert_eq!(figures, [("icefish", 5.0), ("fast", 2.0), ("slow", 4.0), ("new", 4.0)]);
        assert_eq!(rows[1].id.version, "0.1.0");
        assert_eq!(rows[2].id.version, "0.1.0 (target-cpu=native)");
    }
}
