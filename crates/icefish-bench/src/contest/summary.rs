//! One line for each contest: which side is the fastest.

use std::fmt::Write as _;

use crate::duel::{Contestant, duels};
use crate::format::{NOTHING, number, percent};
use crate::identity::Kind;
use crate::row::Row;

/// The contests of a run: operation, kind, length, our best backend and its figure, the best peer and its
/// figure, how much of the floor we reach, and how many times faster we are by wall time. Latencies in ns, the rest in cycles a byte.
#[must_use]
pub fn summary(rows: &[Row]) -> String {
    let heading =
        ["operation", "", "kind", "bytes", "icefish", "", "of floor", "best peer", "", "ratio"];
    let mut lines = vec![heading.map(str::to_owned)];
    for duel in duels(rows) {
        let figure = |side: Option<Contestant<'_>>| {
            side.map_or_else(|| NOTHING.to_owned(), |side| figure(duel.kind, side))
        };
        lines.push([
            duel.primitive.to_owned(),
            duel.direction.map_or(String::new(), |direction| direction.to_string()),
            duel.kind.to_string(),
            duel.amount_text(),
            figure(duel.ours),
            duel.ours.map_or(String::new(), |side| side.row.id.backend.clone()),
            percent(duel.ours.and_then(|side| side.percent_of_floor())),
            figure(duel.peer),
            duel.peer.map_or(String::new(), |side| side.row.id.peer.clone()),
            duel.ratio().map_or_else(|| NOTHING.to_owned(), |ratio| format!("{}x", number(ratio))),
        ]);
    }
    let mut widths = [0; 10];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for line in &lines {
        for (i, (cell, width)) in line.iter().zip(widths).enumerate() {
            // Figures to the right, words to the left.
            let _ = match i {
                3 | 4 | 6 | 7 | 9 => write!(text, "{cell:>width$}  "),
                _ => write!(text, "{cell:width$}  "),
            };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn figure(kind: Kind, side: Contestant<'_>) -> String {
    match kind {
        Kind::Latency => format!("{} ns", number(side.metric.ns.low)),
        _ => number(side.metric.cycles.low / side.row.id.bytes.max(1) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::row;

    #[test]
    fn a_line_for_each_contest() {
        let mut rows = [row("a", "icefish", 16, 20.0, 8.0), row("a", "peer", 16, 30.0, 12.0)];
        rows[1].id.backend = String::new();
        let expected = "\
operation  kind        bytes  icefish          of floor  best peer         ratio
prim       latency      16 B    20.0 ns  avx512  -   30.0 ns  peer  1.50x
prim       throughput   16 B       1.50  avx512  -      2.25  peer  1.50x
";
        let squeezed = |text: &str| {
            text.lines()
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
        };
        assert_eq!(squeezed(&summary(&rows)), squeezed(expected));
        assert_eq!(summary(&[]).lines().count(), 1);
    }
}
