//! The usual clock of a side: what a second is for its cycles.
//!
//! Wide instruction sets lower the clock of some CPUs, and the clock of others varies by 3 % from minute to minute. So a side's clock
//! is compared with that of the sides that took turns with it, in the same process.

use std::collections::HashMap;

use crate::identity::{Direction, Identity, Kind};
use crate::measure::Metric;
use crate::row::Row;
use crate::stats;

/// A smaller part of the clock than this is noise.
const NOISE: f64 = 0.01;

/// Whose code, for which instruction set.
pub(crate) type Side<'a> = (&'a str, &'a str);

pub(crate) fn side(row: &Row) -> Side<'_> {
    (&row.id.peer, &row.id.backend)
}

/// The sides that took turns: of one contest, in one build.
type Turns<'a> = (Kind, &'a str, Option<Direction>, u64, u32, &'a str);

fn turns(row: &Row, kind: Kind) -> Turns<'_> {
    let id = &row.id;
    let count = if kind == Kind::Many { id.parallelism } else { 1 };
    let build = if id.is_ours() { "" } else { &id.backend };
    (kind, &id.primitive, id.direction, id.bytes, count, build)
}

/// Of each figure in a contest of several sides, its clock by the mean clock of the sides.
fn relative(rows: &[Row]) -> Vec<(&Row, Kind, f64)> {
    let mut contests: HashMap<Turns<'_>, Vec<(&Row, Kind, f64)>> = HashMap::new();
    for row in rows {
        for (kind, metric) in row.results() {
            let sides = contests.entry(turns(row, kind)).or_default();
            sides.push((row, kind, metric.clock_ghz));
        }
    }
    let mut all: Vec<_> = contests.into_values().filter(|sides| sides.len() > 1).collect();
    for sides in &mut all {
        let mean = sides.iter().map(|(.., clock)| clock).sum::<f64>() / sides.len() as f64;
        sides.iter_mut().for_each(|(.., clock)| *clock /= mean);
    }
    all.concat()
}

fn usual<'a>(rows: impl Iterator<Item = &'a Row>) -> f64 {
    let mut all: Vec<f64> =
        rows.flat_map(Row::results).map(|(_, metric)| metric.clock_ghz).collect();
    stats::median(&mut all).unwrap_or_default()
}

/// The usual clock of each side, in GHz: that of all rows, times the median of what the side's clock is to that of the sides that took
/// turns with it, if that is more than noise.
pub(crate) fn of_sides(rows: &[Row]) -> HashMap<Side<'_>, f64> {
    let mut sides: HashMap<Side<'_>, Vec<f64>> =
        rows.iter().map(|row| (side(row), vec![])).collect();
    for (row, _, clock) in relative(rows) {
        sides.entry(side(row)).or_default().push(clock);
    }
    let usual = usual(rows.iter());
    let of = |mut relative: Vec<f64>| {
        let relative = stats::median(&mut relative).unwrap_or(1.0);
        if (relative - 1.0).abs() < NOISE { usual } else { usual * relative }
    };
    sides.into_iter().map(|(side, relative)| (side, of(relative))).collect()
}

/// Gives each figure of `rows`, the best of several passes, a clock that does not depend on which pass it is from: that of all passes,
/// times the median of what it was in each to the clock of the sides that took turns with it there.
pub fn level(rows: &mut [Row], passes: &[Vec<Row>]) {
    let mut relative_in: HashMap<(&Identity, Kind), Vec<f64>> = HashMap::new();
    for (row, kind, clock) in passes.iter().flat_map(|rows| relative(rows)) {
        relative_in.entry((&row.id, kind)).or_default().push(clock);
    }
    let usual = usual(passes.iter().flatten());
    for row in rows {
        let kinds: Vec<Kind> = row.results().map(|(kind, _)| kind).collect();
        for kind in kinds {
            if let Some(relative) =
                relative_in.get_mut(&(&row.id, kind)).and_then(|r| stats::median(r))
                && let Some(metric) = metric(&mut row.latency, &mut row.throughput, kind)
            {
                metric.clock_ghz = usual * relative;
            }
        }
    }
}

/// That of the two which [`Row::results`] names so.
fn metric<'a>(
    latency: &'a mut Option<Metric>,
    throughput: &'a mut Option<Metric>,
    kind: Kind,
) -> Option<&'a mut Metric> {
    if kind == Kind::Latency { latency.as_mut() } else { throughput.as_mut() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::keep_faster;
    use crate::samples::row;

    fn at(peer: &str, ns: f64, clock: f64) -> Row {
        let mut row = row("a", peer, 16, 20.0, ns).with_latency(None);
        row.throughput.as_mut().unwrap().clock_ghz = clock;
        row
    }

    fn clocks(rows: &[Row]) -> Vec<f64> {
        rows.iter().map(|row| row.throughput.as_ref().unwrap().clock_ghz).collect()
    }

    /// The best figure of one side is from a pass of a high clock, that of the other from one of a low clock.
    #[test]
    fn a_pass_at_another_clock_favours_nobody() {
        let passes = [
            vec![at("icefish", 8.0, 4.0), at("peer", 9.0, 4.0)],
            vec![at("icefish", 9.0, 3.0), at("peer", 8.0, 3.0)],
        ];
        let mut rows = Vec::new();
        passes.iter().for_each(|pass| keep_faster(&mut rows, pass.clone()));
        assert_eq!(clocks(&rows), [4.0, 3.0]);
        level(&mut rows, &passes);
        assert_eq!(clocks(&rows), [3.5, 3.5]);
    }

    #[test]
    fn a_side_that_lowers_the_clock_keeps_it() {
        let passes =
            [vec![at("icefish", 8.0, 3.0), at("peer", 9.0, 5.0)], vec![at("alone", 1.0, 4.0)]];
        let mut rows = passes.concat();
        level(&mut rows, &passes);
        assert_eq!(clocks(&rows), [3.0, 5.0, 4.0]);
        assert_eq!(of_sides(&rows)[&side(&rows[0])], 3.0);
    }

    #[test]
    fn half_a_percent_is_noise() {
        let rows = [at("icefish", 8.0, 3.98), at("peer", 9.0, 4.02)];
        let sides = of_sides(&rows);
        assert!(sides.values().all(|clock| *clock == 4.0), "{sides:?}");
    }
}
