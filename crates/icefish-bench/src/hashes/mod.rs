//! `icefish-bench hashes`: Skein beside what a user would take instead.
//!
//! The others compute other functions, so these rows are no contests: no ratio is made of them, and no output is compared with one of
//! another function. Two sides of one function must agree.
//!
//! Then Skein beside the Threefish that it is made of, and beside other code for Skein ([`bounds`]): these rows have goals.

mod bounds;
mod sides;

use std::collections::HashMap;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;

use icefish_bench::Error;
use icefish_bench::clock::Clock;
use icefish_bench::identity::{Identity, Kind};
use icefish_bench::machine::Machine;
use icefish_bench::measure::{Entry, Group, Settings, measure};
use icefish_bench::pages;
use icefish_bench::row::{self, Row};

use sides::Side;

/// Lengths of one message.
const ONE: [usize; 7] = [64, 1024, 16_384, 65_536, 1 << 20, 16 << 20, 1 << 30];
/// Lengths of each of many messages, and how many they are.
const EACH: [usize; 4] = [64, 1024, 16_384, 65_536];
const MANY: [usize; 2] = [8, 1000];
/// From here on a message takes so long that one sample is enough. The clock seldom stands still for so long.
const LONG: usize = 32 << 20;

/// Measures Skein beside other hash functions: BLAKE3, and SHA-2 and BLAKE2 of OpenSSL; and beside Threefish and other code for Skein.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  icefish-bench hashes -o hashes.csv
  icefish-bench hashes skein blake3 --most 16M
  icefish-bench hashes bounds

What other functions compute differs, so no output and no ratio is compared. Rows beside Threefish and other code for Skein, which
the filter `bounds` selects, have goals.")]
pub(crate) struct Args {
    /// Measure what has one of these in its name or that of its library
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,

    /// The longest data
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = super::files::size)]
    most: u64,

    /// Write the rows as CSV
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Error> {
    let sides: Vec<Side> = sides::all().filter(|side| side.is_wanted(&args.filters)).collect();
    let mut clock = Clock::new();
    let machine = Machine::detect(&mut clock);
    let one = ONE.into_iter().map(|bytes| vec![bytes]);
    let many = MANY.into_iter().flat_map(|count| EACH.map(|bytes| vec![bytes; count]));
    let mut rows = Vec::new();
    for lengths in one.chain(many) {
        let len: usize = lengths.iter().sum();
        if len as u64 > args.most || sides.is_empty() {
            continue;
        }
        let data = data(len);
        let mut group = group(&sides, &data, &lengths);
        agree(&sides, &data, &lengths)?;
        let metrics = measure(&mut group, &mut clock, &settings(len), &mut |_| {});
        for (entry, metric) in group.entries.into_iter().zip(metrics) {
            rows.push(Row::new(entry.id, machine.clone()).with_throughput(metric.ok()));
        }
    }
    bounds::run(args, &machine, &mut clock, &mut rows)?;
    if rows.is_empty() {
        return Err(Error::Nothing { filters: args.filters.join(" or ") });
    }
    print!("{}", pages::hashes(&rows));
    let (goals, unmet) = pages::unmet(&rows);
    if goals > 0 {
        println!("\n{} of {goals} goals are met, {unmet} are not.", goals - unmet);
    }
    if let Some(path) = &args.output {
        row::write_csv(path, &rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is hashed.
fn data(len: usize) -> Vec<u8> {
    (0..251).cycle().take(len).collect()
}

/// How to measure messages of `len` bytes in all.
fn settings(len: usize) -> Settings {
    let usual = Settings::full();
    if len < LONG {
        return usual;
    }
    Settings { rounds: 1, enough: 1, tolerance: 0.1, ..usual }
}

/// All sides that take part, on the same bytes.
fn group<'d>(sides: &[Side], data: &'d [u8], lengths: &[usize]) -> Group<'d> {
    let mut group = Group::new(format!("{} messages of {} B", lengths.len(), lengths[0]));
    for side in sides.iter().filter(|side| side.takes(lengths)) {
        let mut work = (side.make)();
        let (lengths, count) = (lengths.to_vec(), lengths.len() as u64);
        let id = Identity {
            name: format!("{} by {}", side.what, side.by),
            primitive: side.what.to_owned(),
            backend: String::new(),
            direction: None,
            bytes: lengths[0] as u64,
            parallelism: lengths.len() as u32,
            peer: side.by.to_owned(),
            version: side.version.to_owned(),
            kind: Kind::Hashes,
        };
        group = group.with(Entry::new(id, count, move |n| {
            for _ in 0..n {
                black_box(work(black_box(data), &lengths));
            }
        }));
    }
    group
}

/// Sides of one function have the same digests.
fn agree(sides: &[Side], data: &[u8], lengths: &[usize]) -> Result<(), Error> {
    let mut first: HashMap<&str, Vec<u8>> = HashMap::new();
    for side in sides.iter().filter(|side| side.takes(lengths)) {
        let digests = (side.make)()(data, lengths);
        let known = first.entry(side.function).or_insert_with(|| digests.clone());
        if *known != digests {
            return Err(Error::Disagree { what: side.what, by: side.by, function: side.function });
        }
    }
    Ok(())
}
