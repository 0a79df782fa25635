//! Made-up results for tests, also those of the benchmark.

use crate::identity::{Identity, Kind};
use crate::machine::Machine;
use crate::measure::Metric;
use crate::row::Row;
use crate::stats::Spread;

/// Our own entry of this name.
#[must_use]
pub fn identity(name: &str) -> Identity {
    Identity {
        name: name.into(),
        primitive: "prim".into(),
        backend: "avx512".into(),
        direction: None,
        bytes: 16,
        parallelism: 8,
        peer: "icefish".into(),
        version: "0.1.0".into(),
        kind: Kind::Core,
    }
}

/// A machine of 3 GHz.
#[must_use]
pub fn machine() -> Machine {
    Machine {
        name: "test-machine".into(),
        cpu: "Test <CPU> & more".into(),
        cores: 2,
        clock_ghz: 3.0,
        os: "Test OS".into(),
        compiler: "rustc 1.95.0".into(),
        date: "2026-11-21".into(),
        command: "icefish-bench run".into(),
    }
}

/// `ns` at 3 GHz, with a median 2 % above the lower quartile.
#[must_use]
pub fn metric(ns: f64) -> Metric {
    let spread = |low: f64| Spread { low, median: crate::format::rounded(low * 1.02) };
    Metric { ns: spread(ns), cycles: spread(3.0 * ns), clock_ghz: 3.0, kept: 40, dropped: 2 }
}

/// A row with both views, in ns.
#[must_use]
pub fn row(name: &str, peer: &str, bytes: u64, latency: f64, throughput: f64) -> Row {
    let mut id = Identity { peer: peer.into(), bytes, ..identity(name) };
    if !id.is_ours() {
        id.backend = String::new();
    }
    Row::new(id, machine())
        .with_latency(Some(metric(latency)))
        .with_throughput(Some(metric(throughput)))
}
