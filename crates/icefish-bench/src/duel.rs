//! Ours beside the best peer: which is faster, and by how much.
//!
//! Contestants did the same work: same kind of measurement, primitive and direction, and for latencies and
//! message sizes the same number of bytes. Our best backend is compared with the
//! fastest peer, by wall time at the usual clock of each side: usual among the sides that took turns with it. So a wide instruction
//! set that lowers the clock has that as a cost, and no side gains from a time at which the CPU was cooler.

use std::fmt;

use crate::clocks::{self, side};
use crate::format::{messages, number, size};
use crate::identity::{Direction, Kind};
use crate::measure::Metric;
use crate::row::Row;

/// One contest. At least one side is present.
#[derive(Clone, Copy, Debug)]
pub struct Duel<'a> {
    /// Latency or one of the throughputs; never [`Kind::Core`].
    pub kind: Kind,
    /// The algorithm.
    pub primitive: &'a str,
    /// Encryption or decryption.
    pub direction: Option<Direction>,
    /// Our best row.
    pub ours: Option<Contestant<'a>>,
    /// The best row of a peer.
    pub peer: Option<Contestant<'a>>,
    /// Bytes of one operation and, of many messages, how many they are; not where other lengths are the same contest.
    amount: Option<(u64, u32)>,
}

/// A row and that of its two metrics that takes part.
#[derive(Clone, Copy, Debug)]
pub struct Contestant<'a> {
    /// The row.
    pub row: &'a Row,
    /// Its latency or throughput.
    pub metric: &'a Metric,
    /// The usual clock of its code, in GHz.
    clock_ghz: f64,
}

impl Contestant<'_> {
    /// How near to the floor, in percent; nothing if the floor is that of the row's other metric.
    #[must_use]
    pub fn percent_of_floor(&self) -> Option<f64> {
        let floored = self.row.throughput.as_ref().or(self.row.latency.as_ref())?;
        self.row.percent_of_floor().filter(|_| std::ptr::eq(floored, self.metric))
    }

    /// What decides: ns a byte, or ns where bytes mean nothing.
    fn cost(&self) -> f64 {
        self.metric.ns_at(self.clock_ghz) / self.row.id.bytes.max(1) as f64
    }
}

impl Duel<'_> {
    /// How many times faster we are than the best peer, by wall time; below 1, slower.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        Some(self.peer?.cost() / self.ours?.cost())
    }

    /// The same by core cycles: what stays from run to run, whatever the clock does.
    #[must_use]
    pub fn ratio_in_cycles(&self) -> Option<f64> {
        let cycles = |c: Contestant<'_>| c.metric.cycles.low / c.row.id.bytes.max(1) as f64;
        Some(cycles(self.peer?) / cycles(self.ours?))
    }

    /// Whether `other` is the same contest, perhaps of another run.
    #[must_use]
    pub fn is_same_contest(&self, other: &Duel<'_>) -> bool {
        let key = |d: &Duel<'_>| (d.kind, d.direction, d.amount);
        key(self) == key(other) && self.primitive == other.primitive
    }

    /// Bytes of one operation: ours, or the peer's.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.ours.or(self.peer).map_or(0, |c| c.row.id.bytes)
    }

    /// Messages of one call.
    #[must_use]
    pub fn messages(&self) -> u32 {
        self.amount.map_or(1, |(_, count)| count)
    }

    /// Bytes of one operation, for a reader: `16 KiB`; of many messages `8 x 16 KiB`.
    #[must_use]
    pub fn amount_text(&self) -> String {
        match (self.kind, self.amount) {
            (Kind::Many, Some((bytes, count))) => messages(count.into(), bytes),
            _ => size(self.bytes()),
        }
    }
}

impl fmt::Display for Duel<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = self.direction.map_or(String::new(), |d| format!(", {d}"));
        write!(f, "{} ({}{direction}, {})", self.primitive, self.kind, self.amount_text())
    }
}

/// All contests, by kind and otherwise in the order of the rows.
#[must_use]
pub fn duels(rows: &[Row]) -> Vec<Duel<'_>> {
    let clocks = clocks::of_sides(rows);
    let mut duels: Vec<Duel<'_>> = Vec::new();
    for row in rows {
        for (kind, metric) in row.results() {
            let contestant = Contestant { row, metric, clock_ghz: clocks[&side(row)] };
            let count = if kind == Kind::Many { row.id.parallelism } else { 1 };
            let amount = (kind != Kind::Throughput).then_some((row.id.bytes, count));
            let (primitive, direction) = (row.id.primitive.as_str(), row.id.direction);
            let new = Duel { kind, primitive, direction, ours: None, peer: None, amount };
            let known = duels.iter().position(|duel| duel.is_same_contest(&new));
            let at = known.unwrap_or_else(|| {
                duels.push(new);
                duels.len() - 1
            });
            let best = if row.id.is_ours() { &mut duels[at].ours } else { &mut duels[at].peer };
            if best.is_none_or(|best| contestant.cost() < best.cost()) {
                *best = Some(contestant);
            }
        }
    }
    duels.sort_by_key(|duel| duel.kind);
    duels
}

/// A latency in ns; a throughput in cycles a byte and GB/s.
pub(crate) fn figure(kind: Kind, contestant: Contestant<'_>) -> String {
    if kind == Kind::Latency {
        let metric = contestant.metric;
        return format!("{} ns ({} cycles)", number(metric.ns.low), number(metric.cycles.low));
    }
    match (contestant.row.cycles_per_byte(), contestant.row.gb_per_s()) {
        (Some(cpb), Some(rate)) => format!("{} cpb ({} GB/s)", number(cpb), number(rate)),
        _ => format!("{} ns", number(contestant.metric.ns.low)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::row;

    #[test]
    fn the_best_of_each_side_meet() {
        let rows = [
            row("a_scalar", "icefish", 16, 20.0, 8.0),
            row("a_avx2", "icefish", 16, 25.0, 2.0),
            row("a", "slow peer", 16, 90.0, 9.0),
            row("a", "peer", 16, 40.0, 4.0),
        ];
        let duels = duels(&rows);
        assert_eq!(duels.len(), 2);
        assert_eq!((duels[0].kind, duels[1].kind), (Kind::Latency, Kind::Throughput));
        assert_eq!(duels[0].ours.unwrap().row.id.name, "a_scalar");
        assert_eq!(duels[1].ours.unwrap().row.id.name, "a_avx2");
        assert_eq!(duels[1].peer.unwrap().row.id.peer, "peer");
        assert_eq!((duels[0].ratio(), duels[1].ratio()), (Some(2.0), Some(2.0)));
    }

    #[test]
    fn throughput_is_held_against_that_of_other_lengths_but_latency_is_not() {
        let rows = [row("a", "icefish", 16, 20.0, 2.0), row("b", "peer", 32, 40.0, 8.0)];
        let duels = duels(&rows);
        assert_eq!(duels.len(), 3);
        assert_eq!((duels[0].ratio(), duels[1].ratio()), (None, None));
        assert_eq!((duels[1].bytes(), duels[2].bytes()), (32, 16));
        assert_eq!(duels[2].ratio(), Some(2.0));
    }

    fn at_half_the_clock(row: &mut Row) {
        row.latency.as_mut().unwrap().clock_ghz = 1.5;
        row.throughput.as_mut().unwrap().clock_ghz = 1.5;
    }

    /// A moment of a high clock makes nobody faster.
    #[test]
    fn ratios_are_at_the_usual_clock() {
        let mut rows = [row("a", "icefish", 16, 20.0, 8.0), row("a", "peer", 16, 40.0, 8.0)];
        rows[1].throughput.as_mut().unwrap().ns.low = 7.0;
        assert_eq!(duels(&rows)[1].ratio(), Some(1.0));
        // One of three contests at half the clock is a moment; all of them are usual.
        let mut rows = rows.to_vec();
        for bytes in [32, 48] {
            rows.push(row("a", "icefish", bytes, 20.0, 9.0));
            rows.push(row("a", "peer", bytes, 40.0, 9.0));
        }
        at_half_the_clock(&mut rows[1]);
        assert_eq!(duels(&rows).last().unwrap().ratio(), Some(1.0));
        rows.iter_mut().filter(|row| !row.id.is_ours()).for_each(at_half_the_clock);
        assert_eq!(duels(&rows).last().unwrap().ratio(), Some(2.0));
    }

    #[test]
    fn another_build_is_not_slower_because_it_was_measured_at_another_time() {
        let mut rows = vec![row("a", "icefish", 16, 20.0, 8.0), row("a", "peer", 16, 40.0, 8.0)];
        rows.extend(["peer", "other"].map(|peer| row("a", peer, 16, 40.0, 8.0)));
        for row in &mut rows[2..] {
            row.id.backend = "native".into();
            at_half_the_clock(row);
        }
        assert_eq!(duels(&rows)[1].ratio(), Some(1.0));
    }

    #[test]
    fn a_floor_belongs_to_the_throughput() {
        let rows = [row("a", "icefish", 16, 20.0, 8.0).with_floor(Some(0.75))];
        let floors: Vec<_> =
            duels(&rows).iter().map(|duel| duel.ours.unwrap().percent_of_floor()).collect();
        assert_eq!(floors, [None, Some(50.0)]);
    }

    #[test]
    fn directions_and_primitives_do_not_mix() {
        let mut rows = [row("a", "icefish", 16, 1.0, 1.0), row("a", "icefish", 16, 1.0, 1.0)];
        rows[1].id.direction = Some(Direction::Decrypt);
        assert_eq!(duels(&rows).len(), 4);
        rows[1].id.direction = None;
        rows[1].id.primitive = "other".into();
        assert_eq!(duels(&rows).len(), 4);
    }
}
