//! The page's tables.

use super::html::{Cell, cards, escape, right, table};
use crate::code;
use crate::duel::{Contestant, Duel, figure};
use crate::format::{NOTHING, maybe, number, percent, size};
use crate::goals::{self, Goal, Verdict};
use crate::identity::Direction;
use crate::machine::Machine;
use crate::opinion;
use crate::row::Row;

/// Where, when, with what; a line for each set of facts, should the rows come from several runs. Peers' other builds are named
/// in their rows.
pub(super) fn machine(rows: &[Row]) -> String {
    let mut runs: Vec<&Row> = Vec::new();
    for row in rows {
        let same = |run: &&Row| {
            let compiler = run.machine.compiler.clone();
            run.machine == Machine { compiler, ..row.machine.clone() }
        };
        if !runs.iter().any(same) {
            runs.push(row);
        }
    }
    let mut text = String::new();
    for run in runs {
        let m = &run.machine;
        text.push_str(&format!(
            "<p class=\"facts\">{}, {} cores, {} GHz measured. {}. {}. {}. <code>{}</code></p>\n",
            escape(&m.cpu),
            m.cores,
            number(m.clock_ghz),
            escape(&m.os),
            escape(&m.compiler),
            escape(&m.date),
            escape(&m.command),
        ));
    }
    text
}

/// Goals that are not reached, the worst first; `None` if all are.
pub(super) fn unmet(goals: &[Goal]) -> Option<String> {
    let open = goals::unmet(goals);
    let headings = ["row", "against", "#goal", "#reached", "#of the goal", "#verdict"];
    let rows = open.iter().map(|goal| {
        let other =
            if goal.other.is_empty() { goal.against.to_string() } else { goal.other.clone() };
        let missed = goal.verdict() == Verdict::Missed;
        vec![
            goal.contest.as_str().into(),
            other.into(),
            right(number(goal.least)),
            right(number(goal.worst())),
            Cell(
                percent(Some(100.0 * goal.worst() / goal.least)),
                if missed { "n no" } else { "n" },
            ),
            right(if missed { "behind" } else { "within noise" }),
        ]
    });
    (!open.is_empty()).then(|| cards(&headings, rows))
}

/// Ours beside the best peer, a line a kind of measurement.
pub(super) fn duels(duels: &[Duel<'_>]) -> String {
    let what = |duel: &Duel<'_>| {
        let mut cells = vec![duel.kind.title().into()];
        cells.extend([direction(duel), right(duel.amount_text())]);
        cells
    };
    sides(&["what", "direction", "#bytes"], duels, what)
}

/// Ours beside the best peer, a line a message size.
pub(super) fn sizes(duels: &[Duel<'_>]) -> String {
    sides(&["bytes", "direction"], duels, |duel| vec![size(duel.bytes()).into(), direction(duel)])
}

fn direction(duel: &Duel<'_>) -> Cell {
    duel.direction.map_or(NOTHING, Direction::word).into()
}

fn sides(what: &[&str], duels: &[Duel<'_>], cells: impl Fn(&Duel<'_>) -> Vec<Cell>) -> String {
    let headings =
        [what, &["#icefish", "backend", "#of floor", "#best peer", "which", "#times"]].concat();
    let rows = duels.iter().map(|duel| {
        let figure =
            |c: Option<Contestant<'_>>| c.map_or_else(|| NOTHING.into(), |c| figure(duel.kind, c));
        let peer = |c: Contestant<'_>| c.row.id.whose();
        let class = match duel.ratio() {
            Some(ratio) if ratio >= 1.0 => "n yes",
            Some(_) => "n no",
            None => "n",
        };
        let mut cells = cells(duel);
        cells.extend([
            right(figure(duel.ours)),
            duel.ours.map_or(NOTHING, |c| c.row.id.backend.as_str()).into(),
            right(percent(duel.ours.and_then(|c| c.percent_of_floor()))),
            right(figure(duel.peer)),
            duel.peer.map(peer).unwrap_or_default().into(),
            Cell(maybe(duel.ratio()), class),
        ]);
        cells
    });
    cards(&headings, rows)
}

/// What `openssl speed` says, beside what was measured; `None` if it was not asked.
pub(super) fn opinions(rows: &[Row]) -> Option<String> {
    let opinions = opinion::opinions(rows);
    let first = opinions.first()?;
    let mut text = format!(
        "<p class=\"note\"><code>openssl speed</code> of OpenSSL {}, a second an operation, beside the median of \
         what was measured here of OpenSSL {}, in GB/s.</p>\n",
        escape(&first.program.id.version),
        escape(&first.linked.id.version)
    );
    let headings = ["operation", "#openssl speed", "#in this process", "#times"];
    text.push_str(&cards(
        &headings,
        opinions.iter().map(|opinion| {
            let class = if opinion.agrees() { "n yes" } else { "n no" };
            vec![
                opinion.name().into(),
                right(number(opinion.program_rate())),
                right(number(opinion.linked_rate())),
                Cell(number(opinion.ratio()), class),
            ]
        }),
    ));
    for sentence in opinion::sentences(&opinions) {
        text.push_str(&format!("<p>{}</p>\n", escape(&sentence)));
    }
    Some(text)
}

/// Bytes of machine code of the program and its parts; `None` if nobody looked.
pub(super) fn code(rows: &[Row]) -> Option<String> {
    let parts = code::of(rows);
    let (.., all) = parts.first()?;
    let mut text = format!("<p class=\"note\">{}</p>\n", escape(&code::price(rows)));
    let share = |bytes: u64| percent(Some(100.0 * bytes as f64 / *all as f64));
    let rows = parts.iter().map(|(what, name, bytes)| {
        vec![(*name).into(), (*what).into(), right(bytes.to_string()), right(share(*bytes))]
    });
    text.push_str(&table(&["part", "what", "#bytes", "#share"], rows));
    Some(text)
}

/// Every row with its figures.
pub(super) fn all(rows: &[Row]) -> String {
    let headings = [
        "name",
        "whose",
        "kind",
        "direction",
        "#bytes",
        "#parallel",
        "#latency ns",
        "#median",
        "#throughput ns",
        "#median",
        "#cpb",
        "#GB/s",
        "#floor cpb",
        "#of floor",
        "#GHz",
    ];
    table(
        &headings,
        rows.iter().filter(|row| row.id.kind.is_contest()).map(|row| {
            let median = |metric: &Option<crate::measure::Metric>| {
                maybe(metric.as_ref().map(|m| m.ns.median))
            };
            let clock = row.throughput.as_ref().or(row.latency.as_ref()).map(|m| m.clock_ghz);
            vec![
                row.id.name.as_str().into(),
                row.id.whose().into(),
                row.id.kind.word().into(),
                row.id.direction_word().into(),
                right(size(row.id.bytes)),
                right(row.id.parallelism.to_string()),
                right(maybe(row.latency_ns())),
                right(median(&row.latency)),
                right(maybe(row.throughput_ns())),
                right(median(&row.throughput)),
                right(maybe(row.cycles_per_byte())),
                right(maybe(row.gb_per_s())),
                right(maybe(row.floor_cpb)),
                right(percent(row.percent_of_floor())),
                right(maybe(clock)),
            ]
        }),
    )
}
