//! `icefish-bench`: measures, compares recorded runs, and makes pages and tables of them.

#![forbid(unsafe_code)]

mod files;
#[cfg(all(feature = "ours", target_arch = "x86_64"))]
mod forms;
#[cfg(feature = "ours")]
mod hashes;
#[cfg(feature = "ours")]
mod once;
mod other_builds;
mod passes;
mod run;
mod size;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use icefish_bench::clock::Clock;
use icefish_bench::goals::Verdict;
use icefish_bench::machine::Machine;
use icefish_bench::report::Page;
use icefish_bench::{Error, agreement, code, compare, goals, pages, results, row};

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
    Files(files::Args),
    #[cfg(feature = "ours")]
    Hashes(hashes::Args),
    #[cfg(feature = "ours")]
    #[command(hide = true)]
    Once(once::Args),
    #[command(hide = true)]
    Cobblestone(files::PeerArgs),
    #[command(hide = true)]
    Threads(files::ThreadArgs),
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
    /// Writes the tables of all machines into Markdown pages, and a picture of each machine beside the first.
    #[command(after_help = "Example: icefish-bench pages

Tables are written between the lines `<!-- bench:machines -->` and `<!-- /bench -->`, pictures to the folder `pictures`. The newest
day of each machine is shown: bench-results/<machine>/<date>.csv, and <date>-2.csv and so on if that day has several runs. The text
of <date>.md, if it exists, is copied before the tables.")]
    Pages {
        /// The folder of the runs.
        #[arg(default_value = "bench-results")]
        results: PathBuf,
        /// The Markdown files to change; pictures are beside the first.
        #[arg(long = "file", default_values = ["docs/benchmarks.md", "README.md"])]
        files: Vec<PathBuf>,
        /// Change nothing; exit code 1 if tables or pictures are not those of the runs.
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
        Command::Files(args) => files::run(&args),
        #[cfg(feature = "ours")]
        Command::Hashes(args) => hashes::run(&args),
        #[cfg(feature = "ours")]
        Command::Once(args) => once::run(&args),
        Command::Cobblestone(args) => files::run_peer(&args),
        Command::Threads(args) => files::run_threads(&args),
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
        Command::Pages { results, files, check } => write_pages(&results, &files, check),
    }
}

/// Exit code 1 if `check` finds a difference.
fn write_pages(folder: &Path, pages: &[PathBuf], check: bool) -> Result<ExitCode, Error> {
    let results = results::read(folder)?;
    let mut files = Vec::new();
    for page in pages {
        let old = fs::read_to_string(page).map_err(Error::io(page))?;
        let tables = pages::replace(&old, |name| pages::content(name, &results));
        files.push((page.to_owned(), tables.map_err(|e| e.in_file(page))?));
    }
    let first = pages.first().map_or_else(PathBuf::new, PathBuf::clone);
    let pictures = first.with_file_name(pages::PICTURES);
    files.extend(results.iter().filter_map(|results| {
        Some((pictures.join(pages::picture_name(results)), pages::picture(results)?))
    }));
    files.retain(|(path, new)| !fs::read_to_string(path).is_ok_and(|old| old == *new));
    if check {
        return Ok(ExitCode::from(u8::from(!files.is_empty())));
    }
    fs::create_dir_all(&pictures).map_err(Error::io(&pictures))?;
    for (path, new) in files {
        fs::write(&path, new).map_err(Error::io(&path))?;
    }
    Ok(ExitCode::SUCCESS)
}
