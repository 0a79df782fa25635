//! `icefish-bench`: measures, compares recorded runs, and makes pages and tables of them.

#![forbid(unsafe_code)]

#[cfg(all(feature = "ours", target_arch = "x86_64"))]
mod forms;
mod other_builds;
mod passes;
mod run;
mod size;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use icefish_bench::clock::Clock;
use icefish_bench::goals::Verdict;
use icefish_bench::machine::Machine;
use icefish_bench::report::Page;
use icefish_bench::{Error, agreement, code, compare, goals, readme, results, row};

/// Measures icefish beside its peers, and shows what came out.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    /// Says how many bytes of machine code the program icefish has: all, and what each backend, cipher and mode costs.
    #[command(after_help = "Example: icefish-bench size --json")]
    Size {
        /// A build of the program in the profile inspect; without it, one is built, which needs cargo.
        program: Option<PathBuf>,
        /// Print one array of objects instead of a table.
        #[arg(long)]
        json: bool,
    },
    #[cfg(all(feature = "ours", target_arch = "x86_64"))]
    Forms(forms::Args),
    /// Names what became slower or faster between two runs; exit code 1 if something of ours became slower.
    #[command(
        after_help = "Example: icefish-bench compare bench-results/box/2026-11-21.csv new.csv"
    )]
    Compare {
        /// CSV of the older run.
        old: PathBuf,
        /// CSV of the newer run.
        new: PathBuf,
        /// How far apart two ranges must be, in percent.
        #[arg(long, default_value_t = 100.0 * compare::MARGIN)]
        margin: f64,
    },
    /// Names the goals that runs do not reach; exit code 1 if there are some, beyond noise.
    #[command(after_help = "Example: icefish-bench goals one.csv two.csv three.csv

What is 2 % short of a goal is within noise. In each of three runs or more, it counts as reached.")]
    Goals {
        /// CSVs of runs on one machine.
        #[arg(required = true)]
        runs: Vec<PathBuf>,
    },
    /// Makes a self-contained HTML page.
    #[command(after_help = "Example: icefish-bench report new.csv -o page.html")]
    Report {
        /// CSV of a run.
        csv: PathBuf,
        /// The page to write.
        #[arg(short, long)]
        output: PathBuf,
        /// Heading of the page.
        #[arg(long, default_value = "icefish benchmarks")]
        title: String,
    },
    /// Puts the tables of all machines between `<!-- bench:machines -->` and `<!-- /bench -->`.
    #[command(after_help = "Example: icefish-bench readme

Of each machine the newest day counts: bench-results/<machine>/<date>.csv, and <date>-2.csv and so on if it has several runs;
<date>.md, if it exists, is said before the tables.")]
    Readme {
        /// The folder of the runs.
        #[arg(default_value = "bench-results")]
        results: PathBuf,
        /// The Markdown file to change.
        #[arg(long, default_value = "README.md")]
        file: PathBuf,
        /// Change nothing; exit code 1 if the tables are not those of the runs.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    match run(Args::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("icefish-bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<ExitCode, Error> {
    match command {
        Command::Run(args) => run::run(&args),
        Command::Size { program, json } => {
            let program = program.map_or_else(size::build, Ok)?;
            let rows = code::rows(&program, &Machine::detect(&mut Clock::new()))?;
            if json {
                print!("{}", row::to_json(&rows)?);
            } else {
                print!("{}", code::markdown(&rows).unwrap_or_default());
            }
            Ok(ExitCode::SUCCESS)
        }
        #[cfg(all(feature = "ours", target_arch = "x86_64"))]
        Command::Forms(args) => Ok(forms::run(&args)),
        Command::Compare { old, new, margin } => {
            let (old, new) = (row::read_csv(&old)?, row::read_csv(&new)?);
            let result = compare::compare(&old, &new, margin / 100.0);
            print!("{result}");
            println!("{}", agreement::agreement(&old, &new, margin / 100.0));
            Ok(ExitCode::from(u8::from(result.has_regression())))
        }
        Command::Goals { runs } => {
            let runs = runs.iter().map(|csv| row::read_csv(csv)).collect::<Result<Vec<_>, _>>()?;
            let goals = goals::goals(&runs);
            print!("{}", goals::markdown(&goals));
            let missed = goals.iter().any(|goal| goal.verdict() == Verdict::Missed);
            Ok(ExitCode::from(u8::from(missed)))
        }
        Command::Report { csv, output, title } => {
            let rows = row::read_csv(&csv)?;
            let page = Page { title: &title, rows: &rows }.to_html();
            fs::write(&output, page).map_err(Error::io(&output))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Readme { results, file, check } => {
            let results = results::read(&results)?;
            let old = fs::read_to_string(&file).map_err(Error::io(&file))?;
            let new = readme::replace(&old, |name| readme::content(name, &results))
                .map_err(|e| e.in_file(&file))?;
            if check {
                return Ok(ExitCode::from(u8::from(old != new)));
            }
            if old != new {
                fs::write(&file, new).map_err(Error::io(&file))?;
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}
