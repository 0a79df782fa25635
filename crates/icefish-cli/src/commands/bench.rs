//! `icefish bench`.

use crate::errors::{Failure, usage};
use crate::stdio;
use icefish::Backend;
use icefish::suite::Suite;
use icefish_measure::cases::{Case, Choice, MESSAGE, cases, run as measure};
use icefish_measure::clock::Clock;
use icefish_measure::format::{parse_size, size};
use icefish_measure::identity::Direction;
use icefish_measure::machine::Machine;
use icefish_measure::measure::Settings;
use icefish_measure::row::{Row, to_json};
use icefish_measure::table::table;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// Measure primitives and modes on this CPU
///
/// Latency is measured with states or one-block messages that each need the one before, throughput with as many states as fill the
/// registers, or a message of 16 KiB. Cycles are those of the core, whose frequency is measured.
/// The benchmark icefish-bench, beside this program in its repository, measures other libraries too, and keeps runs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  icefish bench threefish --backend avx2
  icefish bench aes-128-cbc --size 16
  icefish bench thin-ice-ecb --size 80000
  icefish bench xoodoo xoodyak xoofff
  icefish bench xoodoo64 --json")]
pub(crate) struct Args {
    /// Measure what has one of these in its name, such as xoodoo, aes256 or thin-ice-ecb
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,

    /// Length of a message in bytes, from 16 on, with K, M or G for powers of 1024; with the name of a cipher and mode,
    /// one message is measured in both directions
    #[arg(long, value_name = "BYTES", value_parser = length)]
    size: Option<usize>,

    /// Messages of zeros instead of bytes that look random
    #[arg(long)]
    zero: bool,

    /// One array of objects instead of a table
    #[arg(long)]
    json: bool,
}

/// Measures.
pub(crate) fn run(args: &Args, backend: Option<Backend>) -> Result<(), Failure> {
    let message = args.size.unwrap_or(MESSAGE);
    // Named ciphers with a size are measured as a user would run them: on the best backend.
    let suites =
        !args.filters.is_empty() && args.filters.iter().all(|f| f.parse::<Suite>().is_ok());
    let sized = args.size.is_some() && suites;
    let backend = backend.or(if sized { Some(Backend::best()) } else { None });
    let choice = Choice { filters: args.filters.clone(), backend, message, zero: args.zero };
    let cases = cases(&choice);
    if cases.is_empty() {
        return Err(usage(format!(
            "nothing to measure has {} in its name; try xoodoo, threefish, aes, ice or a name such as aes-256-cbc",
            args.filters.join(" or ")
        )));
    }
    // A few cases may take their time.
    let settings = Settings::quick().with_budget(if cases.len() > 8 { MANY } else { FEW });
    let rows = rows(cases, &settings);
    if args.json {
        let json = to_json(&rows)
            .map_err(|e| Failure::Data(format!("rows cannot be written as JSON: {e}")))?;
        stdio::print(&format!("{json}\n"))
    } else if sized {
        stdio::print(&times(&rows))
    } else {
        let clock = rows.first().map_or(0.0, |row| row.machine.clock_ghz);
        let cpu = rows.first().map_or("", |row| row.machine.cpu.as_str());
        stdio::print(&format!("{cpu}, core clock {clock:.2} GHz\n\n{}", table(&rows)))
    }
}

/// The length of a message.
fn length(text: &str) -> Result<usize, String> {
    let bytes = parse_size(text).filter(|bytes| (16..=LONGEST).contains(bytes));
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    bytes.ok_or_else(|| "a number of bytes from 16 to 4G, such as 64, 16K or 1M".to_owned())
}

/// Bytes of the longest message.
const LONGEST: u64 = 4 << 30;

/// Time for each of many cases, and for each of a few.
const MANY: Duration = Duration::from_millis(60);
const FEW: Duration = Duration::from_millis(500);

fn rows(cases: Vec<Case>, settings: &Settings) -> Vec<Row> {
    let mut clock = Clock::new();
    let machine = Machine::detect(&mut clock);
    let bar = if cases.len() > 1 && stdio::stderr_is_terminal() {
        ProgressBar::new(cases.len() as u64)
    } else {
        ProgressBar::hidden()
    };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    let rows = cases.into_iter().map(|case| {
        bar.set_message(case.id.name.clone());
        let row = measure(case, &machine, &mut clock, settings, &mut |_| {});
        bar.inc(1);
        row
    });
    let rows = rows.collect();
    bar.finish_and_clear();
    rows
}

/// Time and rate of one message, a line each way.
fn times(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        if row.id.direction == Some(Direction::Encrypt) {
            text += &format!("{}, {}, {}\n", row.id.primitive, size(row.id.bytes), row.id.backend);
        }
        let way = match row.id.direction {
            Some(Direction::Decrypt) => "decryption",
            _ => "encryption",
        };
        let Some(ns) = row.throughput_ns() else { continue };
        let rate = row.id.bytes as f64 / (1 << 20) as f64 / (ns * 1e-9);
        let (time, unit) = if ns < 1e6 { (ns / 1e3, "us") } else { (ns / 1e6, "ms") };
        text += &format!("{way}: {time:>10.3} {unit}  {rate:>10.1} MiB/s\n");
    }
    text
}
