//! The table of hashes: rates of different functions, side by side.

use std::fmt::Write as _;

use super::bounds::bounds;
use super::tables::cell;
use crate::format::{NOTHING, messages, number, size};
use crate::identity::Kind;
use crate::row::Row;

/// A line for each number and length of messages, and a column in GB/s for each function and library. No ratios: the functions
/// differ. After it, the table of goals. Empty if there are no rows.
#[must_use]
pub fn hashes(rows: &[Row]) -> String {
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
    let (limits, rows): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.id.kind == Kind::Bounds);
    if !rows.is_empty() {
        text.push_str(&rates(&rows));
    }
    text.push_str(&bounds(&limits));
    text
}

fn rates(rows: &[&Row]) -> String {
    let mut text = String::from("\n| GB/s");
    let (mut columns, mut data) = (Vec::new(), Vec::new());
    for row in rows {
        let (column, amount) =
            ((&row.id.primitive, &row.id.peer), (row.id.parallelism, row.id.bytes));
        if !columns.contains(&column) {
            let _ = write!(
                text,
                " | {}, {} {}",
                cell(&row.id.primitive),
                cell(&row.id.peer),
                cell(&row.id.version)
            );
            columns.push(column);
        }
        if !data.contains(&amount) {
            data.push(amount);
        }
    }
    let _ = writeln!(text, " |\n|---{}|", "|--:".repeat(columns.len()));
    for (count, bytes) in data {
        let amount = if count == 1 { size(bytes) } else { messages(count.into(), bytes) };
        let _ = write!(text, "| {amount}");
        for column in &columns {
            let row = rows.iter().find(|row| {
                ((&row.id.primitive, &row.id.peer), (row.id.parallelism, row.id.bytes))
                    == (*column, (count, bytes))
            });
            let rate =
                row.and_then(|row| row.gb_per_s()).map_or_else(|| NOTHING.to_owned(), number);
            let _ = write!(text, " | {rate}");
        }
        text.push_str(" |\n");
    }
    text
}
