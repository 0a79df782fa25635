//! The table of Skein beside the Threefish that it is made of, and beside other code for Skein: times and goals.

use std::fmt::Write as _;

use super::tables::cell;
use crate::format::{messages, number, size};
use crate::row::Row;

/// What both sides of a line have in common: the backend, how many messages of how many bytes, the bits of a block, and
/// whether on all cores.
type Place<'a> = (&'a str, u32, u64, &'a str, bool);

/// What the time of a side is held against.
struct Beside<'a> {
    ours: &'a Row,
    other: &'a Row,
    /// Time of ours by that of the other.
    reached: f64,
    /// The most that it may be.
    most: f64,
}

/// A line for each pair. Empty if there is none.
pub(super) fn bounds(rows: &[&Row]) -> String {
    let pairs = pairs(rows);
    if pairs.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n| Skein | backend | GB/s | beside | GB/s | time | goal | met |\n|---|---|--:|---|--:|--:|--:|---|\n",
    );
    for Beside { ours, other, reached, most } in pairs {
        let (id, rate) = (&ours.id, |row: &Row| number(row.gb_per_s().unwrap_or_default()));
        let amount = match id.parallelism {
            1 => size(id.bytes),
            count => messages(count.into(), id.bytes),
        };
        let beside = match other.id.is_ours() {
            true => cell(&other.id.primitive),
            false => cell(&format!("{} {}", other.id.peer, other.id.version)),
        };
        let _ = writeln!(
            text,
            "| {}, {amount} | `{}` | {} | {beside} | {} | {}x | {}x | {} |",
            cell(&id.primitive),
            id.backend,
            rate(ours),
            rate(other),
            number(reached),
            number(most),
            if reached <= most { "yes" } else { "no" },
        );
    }
    text
}

/// How many goals rows have, and how many of them they miss.
#[must_use]
pub fn unmet(rows: &[Row]) -> (usize, usize) {
    let rows: Vec<&Row> =
        rows.iter().filter(|row| row.id.kind == crate::identity::Kind::Bounds).collect();
    let pairs = pairs(&rows);
    (pairs.len(), pairs.iter().filter(|pair| pair.reached > pair.most).count())
}

fn pairs<'a>(rows: &[&'a Row]) -> Vec<Beside<'a>> {
    let is_skein = |row: &Row| row.id.is_ours() && row.id.primitive.starts_with("skein");
    let mut pairs = Vec::new();
    for ours in rows.iter().filter(|row| is_skein(row)) {
        let others = rows.iter().filter(|row| place(row) == place(ours) && !is_skein(row));
        pairs.extend(others.filter_map(|other| {
            let reached = time(ours)? / time(other)?;
            Some(Beside { ours, other, reached, most: most(ours, other) })
        }));
    }
    pairs
}

/// Of one message, at the usual clock.
fn time(row: &Row) -> Option<f64> {
    row.throughput.as_ref().map(|metric| metric.ns_at(metric.clock_ghz))
}

fn place(row: &Row) -> Place<'_> {
    let id = &row.id;
    let bits = id.primitive.split(['-', ' ', ',']).nth(1).unwrap_or_default();
    (&id.backend, id.parallelism, id.bytes, bits, id.primitive.contains("all cores"))
}

/// The goal of a pair.
fn most(ours: &Row, other: &Row) -> f64 {
    let (id, tree) = (&ours.id, ours.id.primitive.contains("tree"));
    match () {
        // Crates in Rust; what they bind is C++.
        () if other.id.peer == "rustcrypto" => 0.5,
        () if !other.id.is_ours() => 1.0,
        () if id.primitive.contains("all cores") => 1.1,
        () if tree || (id.parallelism > 1 && !id.backend.starts_with("avx512")) => 1.15,
        () => 1.1,
    }
}
