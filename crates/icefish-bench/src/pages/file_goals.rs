//! The table of the README: what whole programs take for a file, by machine, beside `cp`; and rates of hashes.

use std::fmt::Write as _;

use super::files::{COPY, seconds};
use super::tables::cell;
use crate::format::{NOTHING, number};
use crate::identity::{Direction, Kind};
use crate::results::Results;
use crate::row::Row;

/// A line: what it is called, and its figure of one machine.
type Line = (&'static str, fn(&Results) -> Option<String>);

const LINES: [Line; 8] = [
    ("Cobblestone-256, sealed; opened", |Results { files: rows, .. }| {
        let of = |way| ours(rows, "cobblestone-256", way).and_then(|row| times_of_copy(row, rows));
        Some(all([of(THERE), of(BACK)]))
    }),
    ("fastest other program: encrypting; decrypting", |results| {
        Some(all([THERE, BACK].map(|way| other(&results.files, way))))
    }),
    ("AES-256-GCM; AES-256-CTR", |results| {
        Some(sealed(&results.files, ["aes-256-gcm", "aes-256-ctr"]))
    }),
    ("Threefish-1024-CTR; Thin-ICE-CTR; Xoofff", |results| {
        Some(sealed(&results.files, ["threefish-1024-ctr", "thin-ice-ctr", "xoofff"]))
    }),
    (
        "many files, AES-256-CBC: time of a loop over `openssl enc` / ours",
        |Results { files, .. }| {
            let many = |ours| files.iter().find(|row| is_many(row) && row.id.is_ours() == ours);
            Some(times(many(false)?, many(true)?))
        },
    ),
    ("many files hashed: time of `sha512sum` / ours", |Results { files, .. }| {
        let many = |name| files.iter().find(|row| row.id.parallelism > 1 && row.id.peer == name);
        let skein = |row: &&Row| row.id.parallelism > 1 && row.id.primitive == "skein-512";
        Some(times(many("sha512sum")?, files.iter().find(skein)?))
    }),
    ("GB/s, messages of 16 KiB: Skein-512; SHA-512; BLAKE3", |results| {
        Some(rates(&results.hashes, 16 << 10, ["skein-512", "sha-512", "blake3"]))
    }),
    ("GB/s, 1 GiB on all cores: Skein-512 as a tree; BLAKE3", |results| {
        let names = ["skein-512 tree, all cores", "blake3, all cores"];
        Some(rates(&results.hashes, 1 << 30, names))
    }),
];

const THERE: Direction = Direction::Encrypt;
const BACK: Direction = Direction::Decrypt;

/// A column for each machine of which there are files; empty if there are none.
#[must_use]
pub fn file_goals(results: &[Results]) -> String {
    let machines: Vec<&Results> =
        results.iter().filter(|results| !results.files.is_empty()).collect();
    if machines.is_empty() {
        return String::new();
    }
    let mut text = String::from("| figure |");
    for row in machines.iter().filter_map(|results| results.files.first()) {
        let _ = write!(text, " {} |", cell(&short(&row.machine.cpu)));
    }
    let _ = writeln!(text, "\n|---|{}", "--:|".repeat(machines.len()));
    for (name, figure) in LINES {
        let _ = write!(text, "| {name} |");
        for results in &machines {
            let _ = write!(text, " {} |", figure(results).unwrap_or_else(|| NOTHING.to_owned()));
        }
        text.push('\n');
    }
    text
}

/// The name of a CPU without its stepping, and without words that say nothing.
fn short(cpu: &str) -> String {
    let cpu = cpu.replace("(R)", "").replace(" Processor", "");
    cpu.split_once(", stepping").map_or_else(|| cpu.clone(), |(name, _)| format!("{name})"))
}

/// Figures in one cell.
fn all<const N: usize>(figures: [Option<String>; N]) -> String {
    figures.map(|figure| figure.unwrap_or_else(|| NOTHING.to_owned())).join("; ")
}

/// What several modes take to encrypt.
fn sealed<const N: usize>(rows: &[Row], names: [&str; N]) -> String {
    all(names.map(|name| times_of_copy(ours(rows, name, THERE)?, rows)))
}

/// Many short files, of which there are encrypted ones too.
fn is_many(row: &Row) -> bool {
    row.id.parallelism > 1 && row.id.direction == Some(THERE)
}

fn large(rows: &[Row], way: Direction) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.id.parallelism == 1 && row.id.direction == Some(way))
}

fn ours<'a>(rows: &'a [Row], name: &str, way: Direction) -> Option<&'a Row> {
    large(rows, way).find(|row| row.id.is_ours() && row.id.primitive == name)
}

/// The fastest program of others, whatever it does, and its name.
fn other(rows: &[Row], way: Direction) -> Option<String> {
    let others = large(rows, way).filter(|row| !row.id.is_ours());
    let best = others.min_by(|a, b| seconds(a).total_cmp(&seconds(b)))?;
    Some(format!("{} {}", times_of_copy(best, rows)?, cell(&best.id.peer)))
}

fn times_of_copy(row: &Row, rows: &[Row]) -> Option<String> {
    let copy = rows.iter().find(|row| row.id.primitive == COPY)?;
    Some(times(row, copy))
}

/// What hash functions reach with one message of `bytes` bytes, in GB/s.
fn rates<const N: usize>(rows: &[Row], bytes: u64, names: [&str; N]) -> String {
    all(names.map(|name| {
        let row = rows.iter().find(|row| {
            let id = &row.id;
            id.kind == Kind::Hashes
                && (id.bytes, id.parallelism, &*id.primitive) == (bytes, 1, name)
        });
        row?.gb_per_s().map(number)
    }))
}

fn times(row: &Row, than: &Row) -> String {
    format!("{:.2}", seconds(row) / seconds(than))
}
