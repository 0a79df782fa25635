//! A result, and the form in which the program prints it.
//!
//! | field | unit, meaning |
//! |---|---|
//! | `bytes` | bytes of one operation (a block, a state, a message); in rows of the kind `code`, of machine code |
//! | `parallelism` | operations that one call handles side by side |
//! | `latency_ns` | ns of one operation that waits for the one before |
//! | `throughput_ns` | ns of one operation when many run side by side: time of a call / operations in it |
//! | `cycles_per_byte` | core cycles of `throughput_ns`, at the clock of those samples, / `bytes` |
//! | `gb_per_s` | `bytes` / `throughput_ns`, which is 10⁹ bytes a second |
//!
//! These four are lower quartiles of many samples. In the JSON form ([`to_json`]) a row has these fields, `name`, `primitive`,
//! `backend` and `direction` only.

use serde::Serialize;

use crate::format::rounded;
use crate::identity::{Direction, Identity, Kind};
use crate::machine::Machine;
use crate::measure::Metric;

/// One line of a result table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was measured.
    pub id: Identity,
    /// One operation after the other, if that was measured.
    pub latency: Option<Metric>,
    /// Operations side by side, if that was measured.
    pub throughput: Option<Metric>,
    /// Cycles a byte that this micro-architecture cannot get below, if known.
    pub floor_cpb: Option<f64>,
    /// Where, when and with what.
    pub machine: Machine,
}

impl Row {
    /// A row without figures.
    #[must_use]
    pub fn new(id: Identity, machine: Machine) -> Self {
        Self { id, latency: None, throughput: None, floor_cpb: None, machine }
    }

    /// The same row with a latency.
    #[must_use]
    pub fn with_latency(mut self, metric: Option<Metric>) -> Self {
        self.latency = metric;
        self
    }

    /// The same row with a throughput.
    #[must_use]
    pub fn with_throughput(mut self, metric: Option<Metric>) -> Self {
        self.throughput = metric;
        self
    }

    /// The same row with a floor, in cycles a byte.
    #[must_use]
    pub fn with_floor(mut self, cpb: Option<f64>) -> Self {
        self.floor_cpb = cpb;
        self
    }

    /// ns of one operation that waits for the one before; the lower quartile.
    #[must_use]
    pub fn latency_ns(&self) -> Option<f64> {
        self.latency.as_ref().map(|m| m.ns.low)
    }

    /// ns of one operation of many; the lower quartile.
    #[must_use]
    pub fn throughput_ns(&self) -> Option<f64> {
        self.throughput.as_ref().map(|m| m.ns.low)
    }

    /// Core cycles a byte of the throughput; the lower quartile.
    #[must_use]
    pub fn cycles_per_byte(&self) -> Option<f64> {
        self.per_byte(self.throughput.as_ref()?.cycles.low)
    }

    /// Core cycles a byte of the throughput; the median.
    #[must_use]
    pub fn median_cycles_per_byte(&self) -> Option<f64> {
        self.per_byte(self.throughput.as_ref()?.cycles.median)
    }

    /// 10⁹ bytes a second of the throughput; from the lower quartile of the time.
    #[must_use]
    pub fn gb_per_s(&self) -> Option<f64> {
        let ns = self.throughput_ns()?;
        (self.id.bytes > 0 && ns > 0.0).then(|| self.id.bytes as f64 / ns)
    }

    /// How near to the floor, in percent: 100 is at the floor. Of the throughput if there is one, else of
    /// the latency.
    #[must_use]
    pub fn percent_of_floor(&self) -> Option<f64> {
        let metric = self.throughput.as_ref().or(self.latency.as_ref())?;
        Some(100.0 * self.floor_cpb? / self.per_byte(metric.cycles.low)?)
    }

    /// What was measured and the kind under which it is held against others: a [`Kind::Core`] row takes part
    /// in both views, and one of a kind that is no contest in none.
    pub fn results(&self) -> impl Iterator<Item = (Kind, &Metric)> {
        let contest = self.id.kind.is_contest();
        let bulk = match self.id.kind {
            Kind::Core | Kind::Latency => Kind::Throughput,
            kind => kind,
        };
        let latency = self.latency.as_ref().map(|metric| (Kind::Latency, metric));
        let throughput = self.throughput.as_ref().map(move |metric| (bulk, metric));
        latency.into_iter().chain(throughput).filter(move |_| contest)
    }

    fn per_byte(&self, cycles: f64) -> Option<f64> {
        (self.id.bytes > 0).then(|| cycles / self.id.bytes as f64)
    }
}

/// The JSON form: exactly these fields, in this order, `null` where nothing was measured.
#[derive(Serialize)]
struct JsonRow<'a> {
    name: &'a str,
    primitive: &'a str,
    backend: &'a str,
    direction: Option<Direction>,
    bytes: u64,
    parallelism: u32,
    latency_ns: Option<f64>,
    throughput_ns: Option<f64>,
    cycles_per_byte: Option<f64>,
    gb_per_s: Option<f64>,
}

impl<'a> From<&'a Row> for JsonRow<'a> {
    fn from(row: &'a Row) -> Self {
        Self {
            name: &row.id.name,
            primitive: &row.id.primitive,
            backend: &row.id.backend,
            direction: row.id.direction,
            bytes: row.id.bytes,
            parallelism: row.id.parallelism,
            latency_ns: row.latency_ns().map(rounded),
            throughput_ns: row.throughput_ns().map(rounded),
            cycles_per_byte: row.cycles_per_byte().map(rounded),
            gb_per_s: row.gb_per_s().map(rounded),
        }
    }
}

/// One JSON array, an object a line, with a line feed at the end.
///
/// # Errors
/// Only if serialisation fails.
pub fn to_json(rows: &[Row]) -> serde_json::Result<String> {
    let objects: Vec<String> = rows
        .iter()
        .map(|row| serde_json::to_string(&JsonRow::from(row)))
        .collect::<Result<_, _>>()?;
    if objects.is_empty() {
        return Ok("[]\n".to_owned());
    }
    Ok(format!("[\n  {}\n]\n", objects.join(",\n  ")))
}

#[cfg(test)]
#[path = "row/tests.rs"]
mod tests;
