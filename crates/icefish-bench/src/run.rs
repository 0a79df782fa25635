//! `icefish-bench run`.

use std::fs;
use std::io::{IsTerminal, Write as _, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use icefish::Backend;
use icefish_bench::clock::Clock;
use icefish_bench::contest::{self, contests};
use icefish_bench::machine::Machine;
use icefish_bench::measure::Settings;
use icefish_bench::report::Page;
use icefish_bench::row::{self, Row, to_json};
use icefish_bench::table::table;
use icefish_bench::{Error, readme, target, targets};

/// Measures ours beside the peers of this build; exit code 1 if some of them compute different things.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  icefish-bench run --html bench.html -o bench.csv
  icefish-bench run threefish sizes --quick")]
pub(crate) struct Args {
    /// Measure what has one of these in its name or kind, such as aes-128-cbc, ice or latency
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,

    /// A look, in a thirtieth of the time
    #[arg(long)]
    quick: bool,

    /// Write the rows as CSV
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,

    /// Write a page, with the targets
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,

    /// Write the targets and what is reached as CSV
    #[arg(long, value_name = "CSV")]
    targets: Option<PathBuf>,

    /// Rows of a run by another build, such as one with RUSTFLAGS="-C target-cpu=native": each peer's faster
    /// row counts
    #[arg(long, value_name = "CSV")]
    peers_from: Vec<PathBuf>,

    /// Print one array of objects instead of a table
    #[arg(long)]
    json: bool,

    /// Name what would be measured, and measure nothing
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Error> {
    let contests = contests(&args.filters);
    if contests.is_empty() {
        let filters = args.filters.join(" or ");
        return Err(Error::Nothing { filters });
    }
    if args.list {
        contests.iter().for_each(|contest| println!("{contest}"));
        return Ok(ExitCode::SUCCESS);
    }
    let settings = if args.quick { Settings::quick() } else { Settings::full() };
    let mut clock = Clock::new();
    let machine = Machine::detect(&mut clock);
    let backends: Vec<Backend> = Backend::available().collect();
    let (mut rows, mut wrong) = (Vec::new(), false);
    for (i, contest) in contests.iter().enumerate() {
        progress(&format!("{} of {}: {contest}", i + 1, contests.len()));
        match contest::run(contest, &backends, &machine, &mut clock, &settings, &mut |_| {}) {
            Ok(measured) => rows.extend(measured),
            Err(mismatch) => {
                wrong = true;
                eprintln!("icefish-bench: {mismatch}");
            }
        }
    }
    progress("");
    for path in &args.peers_from {
        let mut others = row::read_csv(path)?;
        others.retain(|other| rows.iter().any(|row| row.id.primitive == other.id.primitive));
        contest::take_faster_peers(&mut rows, others);
    }
    write(args, &rows)?;
    if args.json {
        print!("{}", to_json(&rows)?);
    } else {
        print_all(&machine, &rows);
    }
    Ok(ExitCode::from(u8::from(wrong)))
}

fn write(args: &Args, rows: &[Row]) -> Result<(), Error> {
    let targets = targets::targets(rows);
    if let Some(path) = &args.output {
        row::write_csv(path, rows)?;
    }
    if let Some(path) = &args.targets {
        target::write_csv(path, &targets)?;
    }
    if let Some(path) = &args.html {
        let page = Page { title: "icefish benchmarks", rows, targets: &targets };
        fs::write(path, page.to_html()).map_err(Error::io(path))?;
    }
    Ok(())
}

fn print_all(machine: &Machine, rows: &[Row]) {
    println!("{}, core clock {:.2} GHz; {}", machine.cpu, machine.clock_ghz, machine.compiler);
    println!("icefish: {}\n{}\n", env!("CARGO_PKG_VERSION"), contest::versions());
    println!("{}", table(rows));
    println!("{}", contest::summary(rows));
    let mut targets = targets::targets(rows);
    targets.retain(|target| target.met.is_some());
    if let Some(table) = readme::content("targets", rows, &targets).filter(|_| !targets.is_empty())
    {
        println!("{table}");
    }
}

/// One line that the next one replaces, on terminals only.
fn progress(text: &str) {
    let mut out = stderr();
    if out.is_terminal() {
        // Whoever closed the stream does not want to know.
        let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
    }
}
