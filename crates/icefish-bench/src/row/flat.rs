//! The CSV form: flat, because a column is a name.

use serde::{Deserialize, Serialize};

use super::Row;
use crate::format::rounded;
use crate::identity::{Direction, Identity, Kind};
use crate::machine::Machine;
use crate::measure::Metric;
use crate::stats::Spread;

#[derive(Serialize, Deserialize)]
pub(super) struct CsvRow {
    name: String,
    primitive: String,
    backend: String,
    direction: Option<Direction>,
    bytes: u64,
    parallelism: u32,
    latency_ns: Option<f64>,
    throughput_ns: Option<f64>,
    cycles_per_byte: Option<f64>,
    gb_per_s: Option<f64>,
    peer: String,
    version: String,
    kind: Kind,
    median_cycles_per_byte: Option<f64>,
    floor_cycles_per_byte: Option<f64>,
    percent_of_floor: Option<f64>,
    latency_median_ns: Option<f64>,
    latency_cycles: Option<f64>,
    latency_median_cycles: Option<f64>,
    latency_clock_ghz: Option<f64>,
    latency_kept: Option<u32>,
    latency_dropped: Option<u32>,
    throughput_median_ns: Option<f64>,
    throughput_cycles: Option<f64>,
    throughput_median_cycles: Option<f64>,
    throughput_clock_ghz: Option<f64>,
    throughput_kept: Option<u32>,
    throughput_dropped: Option<u32>,
    machine: String,
    cpu: String,
    cores: u32,
    clock_ghz: f64,
    os: String,
    compiler: String,
    date: String,
    command: String,
}

/// The columns of one metric.
#[derive(Default)]
struct Columns {
    ns: Option<f64>,
    median_ns: Option<f64>,
    cycles: Option<f64>,
    median_cycles: Option<f64>,
    clock_ghz: Option<f64>,
    kept: Option<u32>,
    dropped: Option<u32>,
}

impl From<&Metric> for Columns {
    fn from(metric: &Metric) -> Self {
        Self {
            ns: Some(rounded(metric.ns.low)),
            median_ns: Some(rounded(metric.ns.median)),
            cycles: Some(rounded(metric.cycles.low)),
            median_cycles: Some(rounded(metric.cycles.median)),
            clock_ghz: Some(rounded(metric.clock_ghz)),
            kept: Some(metric.kept),
            dropped: Some(metric.dropped),
        }
    }
}

impl Columns {
    /// The metric, if its two lower quartiles are there; a missing median means that only one sample was taken.
    fn metric(self) -> Option<Metric> {
        let spread = |low: f64, median: Option<f64>| Spread { low, median: median.unwrap_or(low) };
        Some(Metric {
            ns: spread(self.ns?, self.median_ns),
            cycles: spread(self.cycles?, self.median_cycles),
            clock_ghz: self.clock_ghz.unwrap_or(0.0),
            kept: self.kept.unwrap_or(0),
            dropped: self.dropped.unwrap_or(0),
        })
    }
}

impl From<&Row> for CsvRow {
    fn from(row: &Row) -> Self {
        let (id, machine) = (row.id.clone(), row.machine.clone());
        let latency = row.latency.as_ref().map(Columns::from).unwrap_or_default();
        let throughput = row.throughput.as_ref().map(Columns::from).unwrap_or_default();
        Self {
            name: id.name,
            primitive: id.primitive,
            backend: id.backend,
            direction: id.direction,
            bytes: id.bytes,
            parallelism: id.parallelism,
            latency_ns: latency.ns,
            throughput_ns: throughput.ns,
            cycles_per_byte: row.cycles_per_byte().map(rounded),
            gb_per_s: row.gb_per_s().map(rounded),
            peer: id.peer,
            version: id.version,
            kind: id.kind,
            median_cycles_per_byte: row.median_cycles_per_byte().map(rounded),
            floor_cycles_per_byte: row.floor_cpb.map(rounded),
            percent_of_floor: row.percent_of_floor().map(rounded),
            latency_median_ns: latency.median_ns,
            latency_cycles: latency.cycles,
            latency_median_cycles: latency.median_cycles,
            latency_clock_ghz: latency.clock_ghz,
            latency_kept: latency.kept,
            latency_dropped: latency.dropped,
            throughput_median_ns: throughput.median_ns,
            throughput_cycles: throughput.cycles,
            throughput_median_cycles: throughput.median_cycles,
            throughput_clock_ghz: throughput.clock_ghz,
            throughput_kept: throughput.kept,
            throughput_dropped: throughput.dropped,
            machine: machine.name,
            cpu: machine.cpu,
            cores: machine.cores,
            clock_ghz: rounded(machine.clock_ghz),
            os: machine.os,
            compiler: machine.compiler,
            date: machine.date,
            command: machine.command,
        }
    }
}

impl From<CsvRow> for Row {
    fn from(flat: CsvRow) -> Self {
        let latency = Columns {
            ns: flat.latency_ns,
            median_ns: flat.latency_median_ns,
            cycles: flat.latency_cycles,
            median_cycles: flat.latency_median_cycles,
            clock_ghz: flat.latency_clock_ghz,
            kept: flat.latency_kept,
            dropped: flat.latency_dropped,
        };
        let throughput = Columns {
            ns: flat.throughput_ns,
            median_ns: flat.throughput_median_ns,
            cycles: flat.throughput_cycles,
            median_cycles: flat.throughput_median_cycles,
            clock_ghz: flat.throughput_clock_ghz,
            kept: flat.throughput_kept,
            dropped: flat.throughput_dropped,
        };
        Self {
            id: Identity {
                name: flat.name,
                primitive: flat.primitive,
                backend: flat.backend,
                direction: flat.direction,
                bytes: flat.bytes,
                parallelism: flat.parallelism,
                peer: flat.peer,
                version: flat.version,
                kind: flat.kind,
            },
            latency: latency.metric(),
            throughput: throughput.metric(),
            floor_cpb: flat.floor_cycles_per_byte,
            machine: Machine {
                name: flat.machine,
                cpu: flat.cpu,
                cores: flat.cores,
                clock_ghz: flat.clock_ghz,
                os: flat.os,
                compiler: flat.compiler,
                date: flat.date,
                command: flat.command,
            },
        }
    }
}
