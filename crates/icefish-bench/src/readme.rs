//! Tables in Markdown, put between markers of a README by one command: figures are never typed.
//!
//! ```text
//! <!-- bench:aes-throughput -->
//! ... replaced ...
//! <!-- /bench -->
//! ```
//!
//! A name is one of
//!
//! - `<primitive>-<kind>`, such as `aes-256-cbc-sizes` or `threefish-throughput`: ours beside the best peer,
//!   for every primitive whose name starts like this (`ice` is not the start of `thin-ice`; `all-latency`
//!   is for all of them);
//! - `targets`: the goals and what was reached;
//! - `openssl-speed`: what that program says, beside what was measured of OpenSSL;
//! - `code`: bytes of machine code;
//! - `machine`: where, when and with which command the figures were measured.
//!
//! Markers stand alone on their lines. Markers in indented or fenced code count too: do not show them there
//! with a name.

use std::fmt::Write as _;

use crate::Error;
use crate::code;
use crate::duel::{Contestant, Duel, duels};
use crate::format::{number, percent, size};
use crate::identity::Kind;
use crate::opinion;
use crate::row::Row;
use crate::target::Target;

const OPEN: &str = "<!-- bench:";
const CLOSE: &str = "<!-- /bench -->";

/// Replaces what stands between the markers of `text` by what `content` gives for the marker's name.
///
/// # Errors
/// If a marker has no partner, or `content` knows no such name. Nothing is replaced then.
pub fn replace(
    text: &str,
    mut content: impl FnMut(&str) -> Option<String>,
) -> Result<String, Error> {
    let mut output = String::with_capacity(text.len());
    let mut open: Option<(usize, &str)> = None;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let marker = |problem: String| Error::Marker { line: index + 1, problem };
        let trimmed = line.trim();
        let name =
            trimmed.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix("-->")).map(str::trim);
        match (name, open) {
            (Some(name), None) => {
                let content =
                    content(name).ok_or_else(|| marker(format!("no table is called {name:?}")))?;
                open = Some((index + 1, name));
                output.push_str(line);
                output.push_str(content.trim_end());
                output.push('\n');
            }
            (Some(_), Some((at, first))) => {
                return Err(marker(format!(
                    "the table {first:?} of line {at} is not closed by {CLOSE}"
                )));
            }
            (None, None) if trimmed == CLOSE => {
                return Err(marker(format!("{CLOSE} without {OPEN}NAME -->")));
            }
            (None, Some(_)) if trimmed == CLOSE => {
                open = None;
                output.push_str(line);
            }
            (None, None) => output.push_str(line),
            (None, Some(_)) => {}
        }
    }
    match open {
        Some((line, name)) => {
            Err(Error::Marker { line, problem: format!("{name:?} is not closed by {CLOSE}") })
        }
        None => Ok(output),
    }
}

/// The content for a marker's name, as the module describes; `None` if the name means nothing or no row
/// belongs to it.
#[must_use]
pub fn content(name: &str, rows: &[Row], targets: &[Target]) -> Option<String> {
    match name {
        "targets" => (!targets.is_empty()).then(|| target_table(targets)),
        "machine" => rows.first().map(machine_lines),
        "openssl-speed" => opinion::markdown(rows),
        "code" => code::markdown(rows),
        _ => {
            let (primitive, kind) = name.rsplit_once('-')?;
            let kind = Kind::from_word(kind)?;
            let duels: Vec<Duel<'_>> = duels(rows)
                .into_iter()
                .filter(|d| {
                    d.kind == kind && (primitive == "all" || d.primitive.starts_with(primitive))
                })
                .collect();
            (!duels.is_empty()).then(|| duel_table(kind, &duels))
        }
    }
}

fn duel_table(kind: Kind, duels: &[Duel<'_>]) -> String {
    let floor = |duel: &Duel<'_>| duel.ours.and_then(|c| c.percent_of_floor());
    let floors = duels.iter().any(|duel| floor(duel).is_some());
    let mut lines = vec![
        [
            "primitive",
            "direction",
            "bytes",
            "icefish",
            "backend",
            "of floor",
            "best peer",
            "",
            "ratio",
        ]
        .map(str::to_owned),
        ["---", "---", "--:", "--:", "---", "--:", "--:", "---", "--:"].map(str::to_owned),
    ];
    for duel in duels {
        let figure = |c: Option<Contestant<'_>>| c.map_or_else(|| "-".into(), |c| figure(kind, c));
        let peer = |c: Contestant<'_>| c.row.id.whose();
        lines.push([
            cell(duel.primitive),
            duel.direction.map_or("-", crate::identity::Direction::word).to_owned(),
            size(duel.bytes()),
            figure(duel.ours),
            cell(duel.ours.map_or("-", |c| c.row.id.backend.as_str())),
            percent(floor(duel)),
            figure(duel.peer),
            cell(&duel.peer.map_or_else(|| "-".into(), peer)),
            duel.ratio().map_or_else(|| "-".into(), |ratio| format!("{}x", number(ratio))),
        ]);
    }
    let mut text = String::new();
    for line in lines {
        for (_, cell) in line.iter().enumerate().filter(|(i, _)| floors || *i != 5) {
            let _ = match cell.as_str() {
                "" => write!(text, "| "),
                rule if rule.starts_with("--") => write!(text, "|{rule}"),
                cell => write!(text, "| {cell} "),
            };
        }
        text.push_str("|\n");
    }
    text
}

/// A latency in ns; a throughput in cycles a byte and GB/s.
pub(crate) fn figure(kind: Kind, contestant: Contestant<'_>) -> String {
    if kind == Kind::Latency {
        let metric = contestant.metric;
        return format!("{} ns ({} cycles)", number(metric.ns.min), number(metric.cycles.min));
    }
    match (contestant.row.cycles_per_byte(), contestant.row.gb_per_s()) {
        (Some(cpb), Some(rate)) => format!("{} cpb ({} GB/s)", number(cpb), number(rate)),
        _ => format!("{} ns", number(contestant.metric.ns.min)),
    }
}

fn target_table(targets: &[Target]) -> String {
    let mut text = String::from("| area | goal | unit | target | reached | best peer | met |\n");
    text.push_str("|---|---|---|--:|--:|--:|---|\n");
    for target in targets {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            cell(&target.issue_area),
            cell(&target.description),
            cell(&target.metric),
            target.goal_text(),
            crate::format::maybe(target.reached),
            cell(&target.best_peer_text()),
            target.met_text(),
        );
    }
    text
}

fn machine_lines(row: &Row) -> String {
    let m = &row.machine;
    format!(
        "{}, {} cores, {} GHz measured; {}; {}; {}; `{}`\n",
        m.cpu,
        m.cores,
        number(m.clock_ghz),
        m.os,
        m.compiler,
        m.date,
        m.command
    )
}

/// A bar would end the cell, and a line feed the table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
#[path = "readme_tests.rs"]
mod tests;
