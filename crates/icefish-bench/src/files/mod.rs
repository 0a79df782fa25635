//! `icefish-bench files`: the program on files, beside other programs.
//!
//! Every program runs as a process, from a file of the page cache to a new file in the same folder. A round has all of them, one after
//! the other, and the best round of each counts. Before each, as much memory is used and freed as it will need. In the first round, what a
//! program sealed is opened and compared.

mod folder;
mod goals;
mod peer;
mod sides;
mod threads;
mod times;

use std::io::{Write as _, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use icefish_bench::Error;
use icefish_bench::clock::Clock;
use icefish_bench::format::parse_size;
use icefish_bench::machine::Machine;
use icefish_bench::pages;
use icefish_bench::row::{self, Row};

use folder::Folder;
pub(crate) use peer::{Args as PeerArgs, run as run_peer};
use sides::{SIDES, Side};
pub(crate) use threads::{Args as ThreadArgs, run as run_threads};

/// Files that are encrypted in one go, and the length of each.
const MANY: usize = 2000;
const SHORT: u64 = 50_000;

/// Measures the program on files, beside cp, openssl, age, rage, gpg, libraries of the same format, sha512sum and b3sum.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  icefish-bench files -o files.csv
  icefish-bench files cobblestone cp --size 256M --rounds 5

The folder must have room for three files of that size. What is not installed is named and left out.
ICEFISH_PYTHON names the interpreter that has pyca/cryptography.")]
pub(crate) struct Args {
    /// Measure what has one of these in its name or that of its program, and cp
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,

    /// Length of the large file, such as 256M
    #[arg(long, default_value = "1G", value_parser = size)]
    size: u64,

    /// Where the files are made: a file system in memory, so that no disk is measured
    #[arg(long, default_value = "/dev/shm")]
    dir: PathBuf,

    /// Rounds, of which the best of each program counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,

    /// The program icefish [default: the one beside this program]
    #[arg(long)]
    program: Option<PathBuf>,

    /// Write the rows as CSV
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
}

pub(crate) fn size(text: &str) -> Result<u64, String> {
    parse_size(text).filter(|&size| size > 0).ok_or_else(|| "a length is such as 256M or 1G".into())
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Error> {
    let machine = Machine::detect(&mut Clock::new());
    let wanted: Vec<&Side> = SIDES.iter().filter(|side| side.is_wanted(&args.filters)).collect();
    let many = wanted.iter().any(|side| side.data.is_many());
    let count = if many { MANY } else { 0 };
    let folder = Folder::new(&args.dir, args.size, count, args.program.as_deref())?;
    let mut sides = Vec::new();
    for side in wanted {
        match side.version(&folder) {
            Ok(version) => sides.push(times::Runner::new(side, version)),
            Err(reason) => note(side, &reason),
        }
    }
    for round in 0..args.rounds {
        sides.retain_mut(|runner| match runner.round(&folder, round == 0) {
            Ok(()) => true,
            Err(reason) => {
                note(runner.side, &reason);
                false
            }
        });
    }
    let rows: Vec<Row> =
        sides.into_iter().flat_map(|runner| runner.rows(args.size, &machine)).collect();
    print!("{}{}", pages::files(&rows), goals::table(&rows));
    if let Some(path) = &args.output {
        row::write_csv(path, &rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what is left out.
fn note(side: &Side, reason: &str) {
    let _ = writeln!(stderr(), "NOTE: {} by {} is left out: {reason}", side.what, side.by);
}
