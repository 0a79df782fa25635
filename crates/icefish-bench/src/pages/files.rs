//! The table of files: seconds and rates of whole programs, beside `cp`.

use std::fmt::Write as _;

use super::tables::cell;
use crate::format::{NOTHING, number, size};
use crate::identity::Direction;
use crate::row::Row;

/// What the copy is called, beside which everything is.
pub(super) const COPY: &str = "copy";

/// What writes without reading: what a file of that size takes at least.
const WRITE: &str = "nothing but writing";

/// A line for each program and what it made: the best time of sealing and of opening, the rate, and that as a multiple of the time of
/// `cp`, or for many files and for digests of the time of the slowest. Empty if there are no rows.
#[must_use]
pub fn files(rows: &[Row]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let m = &first.machine;
    let mut text = format!(
        "{}, {} cores, {} GHz measured; {}; {}; `{}`\n",
        m.cpu,
        m.cores,
        number(m.clock_ghz),
        m.os,
        m.date,
        m.command
    );
    for (many, read) in [(false, false), (true, false), (false, true), (true, true)] {
        let rows = rows.iter().filter(|row| (row.id.parallelism > 1, is_read(row)) == (many, read));
        text.push_str(&table(&rows.collect::<Vec<_>>(), many, read));
    }
    text
}

/// Whether nothing was written: what has no direction is a digest, but for copies and for what writes alone.
fn is_read(row: &Row) -> bool {
    row.id.direction.is_none() && row.id.primitive != WRITE && !row.id.primitive.starts_with(COPY)
}

fn table(rows: &[&Row], many: bool, read: bool) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let beside = match many || read {
        false => rows.iter().find(|row| row.id.primitive == COPY),
        true => rows.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b))),
    };
    let data = match many {
        false => size(first.id.bytes),
        true => format!("{} files of {} B", first.id.parallelism, first.id.bytes),
    };
    let than = beside.map_or(NOTHING, |row| row.id.peer.as_str());
    if read {
        return digests(rows, &data, than, beside);
    }
    let mut text = format!(
        "\n| {data} | program | seal, s | GB/s | time of {than} | open, s | GB/s | time of {than} |\n\
         |---|---|---|---|---|---|---|---|\n"
    );
    for row in rows.iter().filter(|row| row.id.direction != Some(Direction::Decrypt)) {
        let back = rows.iter().find(|back| {
            back.id.direction == Some(Direction::Decrypt)
                && (&back.id.primitive, &back.id.peer) == (&row.id.primitive, &row.id.peer)
        });
        let figures = |row: Option<&&Row>| {
            let Some(row) = row else { return [NOTHING; 3].join(" | ") };
            let ratio = beside.map(|beside| format!("{}x", number(seconds(row) / seconds(beside))));
            let ratio = ratio.unwrap_or_else(|| NOTHING.to_owned());
            let rate = row.gb_per_s().map_or_else(|| NOTHING.to_owned(), number);
            format!("{} | {rate} | {ratio}", number(seconds(row)))
        };
        let _ = writeln!(
            text,
            "| {} | {} {} | {} | {} |",
            cell(&row.id.primitive),
            cell(&row.id.peer),
            cell(&row.id.version),
            figures(Some(row)),
            figures(back)
        );
    }
    text
}

/// The table of what was hashed: digests have no way back.
fn digests(rows: &[&Row], data: &str, than: &str, beside: Option<&&Row>) -> String {
    let mut text = format!(
        "\n| {data} | program | hash, s | GB/s | time of {than} |\n|---|---|---|---|---|\n"
    );
    for row in rows {
        let ratio = beside.map_or_else(
            || NOTHING.to_owned(),
            |beside| format!("{}x", number(seconds(row) / seconds(beside))),
        );
        let rate = row.gb_per_s().map_or_else(|| NOTHING.to_owned(), number);
        let (what, by) = (cell(&row.id.primitive), cell(&row.id.peer));
        let (version, time) = (cell(&row.id.version), number(seconds(row)));
        let _ = writeln!(text, "| {what} | {by} {version} | {time} | {rate} | {ratio} |");
    }
    text
}

/// All files of a row.
pub(super) fn seconds(row: &Row) -> f64 {
    row.throughput_ns().unwrap_or_default() * f64::from(row.id.parallelism) / 1e9
}
