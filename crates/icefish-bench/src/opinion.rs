//! A second opinion: what `openssl speed` says, beside what this program measures of the OpenSSL that is linked.
//!
//! Both run the same code, in two processes and by two clocks: if their figures differ, one of them is wrong. The program
//! `openssl` is seldom of the version that is linked here, which may also be the reason of a difference.

use std::fmt::Write as _;

use crate::clock::Timebase;
use crate::format::{number, size};
use crate::identity::{Identity, Kind};
use crate::machine::Machine;
use crate::measure::Metric;
use crate::peers::openssl_speed::Program;
use crate::peers::{Direction, Mode, Operation};
use crate::primitives::{direction, primitive};
use crate::row::Row;
use crate::stats::Spread;

/// The name of the peer in the rows of the program.
pub const PROGRAM: &str = "openssl speed";
/// The name of the peer in the rows of the library.
const LIBRARY: &str = "openssl";
/// Further apart than this is worth a sentence.
const MARGIN: f64 = 0.15;
/// The length of the messages: long enough that what the two do around a message does not count.
const BYTES: usize = 16 * 1024;

const CHECKED: [Operation; 4] = [
    aes(128, Mode::Cbc, Direction::Encrypt),
    aes(128, Mode::Cbc, Direction::Decrypt),
    aes(128, Mode::Ctr, Direction::Encrypt),
    aes(256, Mode::Gcm, Direction::Encrypt),
];

const fn aes(bits: u16, mode: Mode, direction: Direction) -> Operation {
    Operation::Aes { bits, mode, direction }
}

/// Why there is no second opinion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// No program.
    #[error("no program openssl on PATH: OpenSSL's figures are not checked by `openssl speed`")]
    Program,
    /// A program that does not answer.
    #[error(
        "OpenSSL {0} on PATH does not answer `openssl speed -mr -seconds 1 -bytes {BYTES}`: it checks nothing"
    )]
    Answer(String),
}

/// Asks the program of `PATH`, a second an operation, for up to `most` of those operations that have a row of the
/// library; nothing if none has.
///
/// # Errors
/// If there is no program, or it gives no figure.
pub fn ask(
    rows: &[Row],
    most: usize,
    machine: &Machine,
    time: &mut dyn Timebase,
) -> Result<Vec<Row>, Missing> {
    let known = CHECKED.iter().filter(|operation| library_row(rows, **operation).is_some());
    let known: Vec<Operation> = known.take(most).copied().collect();
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let program = Program::find().ok_or(Missing::Program)?;
    let answers = known.iter().filter_map(|&operation| {
        let before = time.ghz();
        let figure = program.run(operation, BYTES)?;
        // The higher one, as for samples: an interrupted calibration looks like a slow clock.
        let ghz = before.max(time.ghz());
        Some(row(operation, &program.version, figure.bytes_per_second, ghz, machine))
    });
    let answers: Vec<Row> = answers.collect();
    if answers.is_empty() { Err(Missing::Answer(program.version)) } else { Ok(answers) }
}

fn row(operation: Operation, version: &str, rate: f64, ghz: f64, machine: &Machine) -> Row {
    let ns = 1e9 * BYTES as f64 / rate;
    let one = |value: f64| Spread { low: value, median: value };
    let metric = Metric { ns: one(ns), cycles: one(ns * ghz), clock_ghz: ghz, kept: 1, dropped: 0 };
    let id = Identity {
        name: format!("{operation}_openssl_speed"),
        primitive: primitive(operation),
        backend: String::new(),
        direction: direction(operation),
        bytes: BYTES as u64,
        parallelism: 1,
        peer: PROGRAM.to_owned(),
        version: version.to_owned(),
        kind: Kind::Check,
    };
    Row::new(id, machine.clone()).with_throughput(Some(metric))
}

fn library_row(rows: &[Row], operation: Operation) -> Option<&Row> {
    let (primitive, direction) = (primitive(operation), direction(operation));
    library(rows).find(|row| row.id.primitive == primitive && row.id.direction == direction)
}

fn library(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| {
        let id = &row.id;
        (id.peer.as_str(), id.kind, id.bytes) == (LIBRARY, Kind::Throughput, BYTES as u64)
    })
}

/// One operation by both.
#[derive(Clone, Copy, Debug)]
pub struct Opinion<'a> {
    /// What the program says.
    pub program: &'a Row,
    /// What was measured here.
    pub linked: &'a Row,
}

/// Those of a run, in the order of its rows.
#[must_use]
pub fn opinions(rows: &[Row]) -> Vec<Opinion<'_>> {
    let program = rows.iter().filter(|row| row.id.kind == Kind::Check && row.id.peer == PROGRAM);
    let pairs = program.filter_map(|program| {
        let same = |row: &&Row| {
            row.id.primitive == program.id.primitive && row.id.direction == program.id.direction
        };
        Some(Opinion { program, linked: library(rows).find(same)? })
    });
    pairs.collect()
}

impl Opinion<'_> {
    /// The operation: `aes-128-cbc, decrypt, 16 KiB`.
    #[must_use]
    pub fn name(&self) -> String {
        let id = &self.program.id;
        let direction = id.direction.map_or(String::new(), |d| format!(", {d}"));
        format!("{}{direction}, {}", id.primitive, size(id.bytes))
    }

    /// 10⁹ bytes a second by the program, a mean over a second.
    #[must_use]
    pub fn program_rate(&self) -> f64 {
        median_rate(self.program)
    }

    /// 10⁹ bytes a second here. The median: a lower quartile is faster than any mean.
    #[must_use]
    pub fn linked_rate(&self) -> f64 {
        median_rate(self.linked)
    }

    /// The library's rate here by the program's.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.linked_rate() / self.program_rate()
    }

    /// Whether both are about the same.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.ratio().max(1.0 / self.ratio()) <= 1.0 + MARGIN
    }

    /// What a difference means, in a sentence without its full stop.
    fn verdict(&self) -> String {
        let (here, there) = (&self.linked.id.version, &self.program.id.version);
        let same = here.split('.').next() == there.split('.').next();
        let meaning = if same {
            "versions so near to each other should be equal, so one of the measurements is wrong"
        } else {
            "these are two versions, which may differ"
        };
        format!(
            "{}: OpenSSL {here} in this process has {} times the rate of the program OpenSSL {there}; {meaning}",
            self.name(),
            number(self.ratio()),
        )
    }
}

fn median_rate(row: &Row) -> f64 {
    let ns = row.throughput.as_ref().map_or(f64::NAN, |metric| metric.ns.median);
    row.id.bytes as f64 / ns
}

/// The verdicts, a sentence each: one if all agree.
#[must_use]
pub fn sentences(opinions: &[Opinion<'_>]) -> Vec<String> {
    let Some(first) = opinions.first() else { return Vec::new() };
    let different: Vec<String> = opinions
        .iter()
        .filter(|opinion| !opinion.agrees())
        .map(|opinion| format!("More than {:.0} % apart: {}.", 100.0 * MARGIN, opinion.verdict()))
        .collect();
    if !different.is_empty() {
        return different;
    }
    vec![format!(
        "OpenSSL {} in this process and the program OpenSSL {} agree within {:.0} %.",
        first.linked.id.version,
        first.program.id.version,
        100.0 * MARGIN
    )]
}

/// A table in Markdown and what it says; `None` without a second opinion.
#[must_use]
pub fn markdown(rows: &[Row]) -> Option<String> {
    let opinions = opinions(rows);
    let first = opinions.first()?;
    let mut text = format!(
        "| GB/s | `openssl speed`, OpenSSL {} | in this process, OpenSSL {} | ratio |\n|---|--:|--:|--:|\n",
        first.program.id.version, first.linked.id.version
    );
    for opinion in &opinions {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {}x |",
            opinion.name(),
            number(opinion.program_rate()),
            number(opinion.linked_rate()),
            number(opinion.ratio())
        );
    }
    text.push('\n');
    sentences(&opinions).iter().for_each(|sentence| text.push_str(&format!("{sentence}\n")));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    /// The library at `here` GB/s by the median, and the program at `there`.
    fn rows(version: &str, here: f64, there: f64) -> Vec<Row> {
        let cbc = CHECKED[1];
        let machine = samples::machine();
        let mut library = row(cbc, "4.0.3", 1e9 * here, 3.0, &machine);
        (library.id.peer, library.id.kind) = (LIBRARY.into(), Kind::Throughput);
        if let Some(metric) = &mut library.throughput {
            metric.ns.low *= 0.5; // which must not count
        }
        vec![library, row(cbc, version, 1e9 * there, 3.0, &machine)]
    }

    fn said(rows: &[Row]) -> String {
        sentences(&opinions(rows)).join("\n")
    }

    #[test]
    fn what_agrees_is_one_sentence() {
        let rows = rows("3.0.19", 10.0, 9.0);
        assert_eq!(
            said(&rows),
            "OpenSSL 4.0.3 in this process and the program OpenSSL 3.0.19 agree within 15 %."
        );
        let text = markdown(&rows).unwrap();
        assert!(
            text.contains("| aes-128-cbc, decrypt, 16 KiB | 9.00 | 10.0 | 1.11x |\n"),
            "{text}"
        );
    }

    #[test]
    fn it_is_on_the_page() {
        let rows = rows("3.0.19", 12.0, 10.0);
        let page = crate::report::Page { title: "T", rows: &rows }.to_html();
        for part in ["<h2 id=\"openssl-speed\">", ">1.20</td>", "two versions", ">1 rows<"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let page = crate::report::Page { title: "T", rows: &rows[..1] }.to_html();
        assert!(!page.contains("openssl-speed"));
    }

    #[test]
    fn what_differs_is_named_with_both_versions() {
        for (here, there, times) in [(12.0, 10.0, "1.20"), (10.0, 12.0, "0.833")] {
            let other = said(&rows("3.0.19", here, there));
            assert!(other.starts_with("More than 15 % apart: aes-128-cbc, decrypt, 16 KiB: "));
            for words in [times, "4.0.3", "3.0.19", "two versions"] {
                assert!(other.contains(words), "{words}: {other}");
            }
            assert!(said(&rows("4.0.1", here, there)).contains("one of the measurements is wrong"));
        }
    }

    #[test]
    fn a_check_is_no_contest() {
        let rows = rows("3.0.19", 12.0, 10.0);
        assert_eq!(crate::duel::duels(&rows).len(), 1);
        assert_eq!(crate::compare::compare(&rows[..1], &rows, 0.05).only_new, []);
    }

    #[test]
    fn without_the_library_nobody_is_asked() {
        let mut clock = crate::clock::Clock::new();
        assert_eq!(ask(&[], 4, &samples::machine(), &mut clock), Ok(Vec::new()));
        assert_eq!(markdown(&[]), None);
        assert_eq!(said(&[]), "");
    }
}
