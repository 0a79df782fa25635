//! The table of files: seconds and rates of whole programs, beside `cp`.

use std::fmt::Write as _;

use super::tables::cell;
use crate::format::{NOTHING, number, size};
use crate::identity::Direction;
use crate::row::Row;

/// A line for each program and what it made: the best time of sealing and of opening, the rate, and that as a multiple of the time of
/// `cp`, or for many files of the time of the slowest, which is the loop. Empty if there are no rows.
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
    for many in [false, true] {
        let rows: Vec<&Row> = rows.iter().filter(|row| (row.id.parallelism > 1) == many).collect();
        text.push_str(&table(&rows, many));
    }
    text
}

fn table(rows: &[&Row], many: bool) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let beside = match many {
        false => rows.iter().find(|row| row.id.direction.is_none()),
        true => rows.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b))),
    };
    let data = match many {
        false => size(first.id.bytes),
        true => format!("{} files of {} B", first.id.parallelism, first.id.bytes),
    };
    let than = beside.map_or(NOTHING, |row| row.id.peer.as_str());
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

/// All files of a row.
fn seconds(row: &Row) -> f64 {
    row.throughput_ns().unwrap_or_default() * f64::from(row.id.parallelism) / 1e9
}
