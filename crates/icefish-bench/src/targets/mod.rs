//! The goals of this project's ciphers, as far as a run can tell, filled from its rows.

mod aes;
mod lines;
mod select;

use select::Select;

use crate::identity::{Direction, Kind};
use crate::measure::Metric;
use crate::row::Row;
use crate::target::{Goal, Target};

/// What is compared with the goal.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    CyclesPerByte,
    Cycles,
    Ns,
    GbPerS,
    /// How many times faster than the best peer.
    TimesPeer,
    /// How many times faster than our own row of another kind and the same length, called so.
    TimesKind(Kind, &'static str),
    /// How many times slower than our own row of another primitive, called so.
    TimesSlower(&'static str, &'static str),
    /// Cycles more than those of a chained encryption by this primitive.
    CyclesBeyond(&'static str),
    /// ns more than those of an encryption by this primitive in the same kind of measurement, called so.
    NsBeyond(&'static str, &'static str),
}

impl Unit {
    fn text(self) -> &'static str {
        match self {
            Self::CyclesPerByte => "cycles/byte",
            Self::Cycles => "cycles",
            Self::Ns => "ns",
            Self::GbPerS => "GB/s",
            Self::TimesPeer => "x best peer",
            Self::TimesKind(_, text) | Self::TimesSlower(_, text) | Self::NsBeyond(_, text) => text,
            Self::CyclesBeyond(_) => "cycles more than a block",
        }
    }

    fn goal(self) -> Goal {
        match self {
            Self::GbPerS | Self::TimesPeer | Self::TimesKind(..) => Goal::AtLeast,
            _ => Goal::AtMost,
        }
    }

    fn value(self, row: &Row, metric: &Metric) -> f64 {
        let bytes = row.id.bytes.max(1) as f64;
        match self {
            Self::CyclesPerByte => metric.cycles.min / bytes,
            Self::Cycles | Self::CyclesBeyond(_) => metric.cycles.min,
            Self::Ns => metric.ns.min,
            // A difference of two moments of other clocks would be one of clocks.
            Self::NsBeyond(..) => metric.steady_ns(),
            Self::TimesSlower(..) => metric.steady_ns() / bytes,
            Self::TimesPeer | Self::TimesKind(..) => bytes / metric.steady_ns(),
            Self::GbPerS => bytes / metric.ns.min,
        }
    }
}

/// One goal.
struct Line {
    id: &'static str,
    area: &'static str,
    description: &'static str,
    unit: Unit,
    goal: f64,
    selects: &'static [Select],
}

/// The goals, with what these rows reach. Goals without rows say so by having nothing reached.
#[must_use]
pub fn targets(rows: &[Row]) -> Vec<Target> {
    lines().map(|line| target(line, rows)).collect()
}

fn lines() -> impl Iterator<Item = &'static Line> {
    lines::LINES.iter().chain(aes::LINES)
}

/// Ours and the best peer, both in the goal's unit, and the peer's name.
type Reached = (f64, Option<(f64, String)>);

fn target(line: &Line, rows: &[Row]) -> Target {
    let unit = line.unit;
    let target =
        Target::new(line.id, line.area, line.description, unit.text(), unit.goal(), line.goal);
    let results: Vec<Option<Reached>> =
        line.selects.iter().flat_map(|select| reached(unit, select, rows)).collect();
    // The worst counts, and it is known only if all of them are.
    let Some(results) = results.into_iter().collect::<Option<Vec<_>>>() else { return target };
    let worst = results.into_iter().reduce(|a, b| {
        let first = match unit.goal() {
            Goal::AtMost => a.0 >= b.0,
            Goal::AtLeast => a.0 <= b.0,
        };
        if first { a } else { b }
    });
    let Some((ours, peer)) = worst else { return target };
    let (value, name) = peer.unzip();
    target.with_reached(Some(ours)).with_best_peer(name.unwrap_or_default(), value)
}

/// One result for each length that `select` means; `None` if our row, or the other side of a ratio, is
/// missing.
fn reached(unit: Unit, select: &Select, rows: &[Row]) -> Vec<Option<Reached>> {
    let mut lengths: Vec<u64> = matching(select, rows).map(|(row, _)| row.id.bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    if lengths.is_empty() {
        return vec![None];
    }
    lengths
        .into_iter()
        .map(|bytes| at(unit, &Select { bytes: Some(bytes), ..*select }, rows))
        .collect()
}

/// The result for one length.
fn at(unit: Unit, here: &Select, rows: &[Row]) -> Option<Reached> {
    let (ours, _) = best(unit, here, rows, true)?;
    let peer = best(unit, here, rows, false);
    match unit {
        Unit::TimesPeer => peer.map(|(rate, name)| (ours / rate, Some((1.0, name)))),
        Unit::TimesKind(kind, _) => {
            let (rate, _) = best(unit, &Select { kind, ..*here }, rows, true)?;
            let peer = peer.map(|(peer, name)| (peer / rate, name));
            Some((ours / rate, peer))
        }
        Unit::TimesSlower(primitive, _) => {
            let (cost, _) = best(unit, &Select { primitive, ..*here }, rows, true)?;
            Some((ours / cost, None))
        }
        Unit::CyclesBeyond(primitive) | Unit::NsBeyond(primitive, _) => {
            let direction = Some(Direction::Encrypt);
            let block = Select { primitive, direction, ..*here };
            // The peer's block is that of the same peer.
            let beyond = |ours: bool, value: f64, name: &str| {
                let (block, whose) = best(unit, &block, rows, ours)?;
                (ours || whose == name).then_some(value - block)
            };
            let peer = peer.and_then(|(value, name)| Some((beyond(false, value, &name)?, name)));
            Some((beyond(true, ours, "")?, peer))
        }
        _ => Some((ours, peer)),
    }
}

fn matching<'a>(
    select: &'a Select,
    rows: &'a [Row],
) -> impl Iterator<Item = (&'a Row, &'a Metric)> {
    let rows = rows.iter().filter(|row| {
        row.id.primitive == select.primitive
            && row.id.direction == select.direction
            && row.id.kind == select.kind
            && select.bytes.is_none_or(|bytes| bytes == row.id.bytes)
            && if row.id.is_ours() {
                select.backend.is_none_or(|name| name == row.id.backend)
            } else {
                let among = |list: &[&str], name: &str| list.is_empty() || list.contains(&name);
                among(select.against, &row.id.peer) && among(select.builds, &row.id.backend)
            }
    });
    rows.filter_map(|row| Some((row, row.throughput.as_ref().or(row.latency.as_ref())?)))
}

fn best(unit: Unit, select: &Select, rows: &[Row], ours: bool) -> Option<(f64, String)> {
    let side = matching(select, rows).filter(|(row, _)| row.id.is_ours() == ours);
    // Wall time decides, as in a duel.
    let (row, metric) = side.min_by(|a, b| a.1.steady_ns().total_cmp(&b.1.steady_ns()))?;
    Some((unit.value(row, metric), row.id.whose()))
}

#[cfg(test)]
mod tests;
