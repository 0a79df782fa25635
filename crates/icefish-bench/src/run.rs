//! `icefish-bench run`.

use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io::{IsTerminal, Write as _, stderr};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use icefish_bench::clock::Clock;
use icefish_bench::contest::{self, Contest, Outputs, contests};
use icefish_bench::limits::Limit;
use icefish_bench::machine::Machine;
use icefish_bench::measure::Settings;
use icefish_bench::report::Page;
use icefish_bench::row::{self, Row, to_json};
use icefish_bench::table::table;
use icefish_bench::{Error, code, goals, opinion};

use crate::other_builds::Build;
use crate::{other_builds, passes};

/// Measures ours beside the peers of this build; exit code 1 if some of them compute different things.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  icefish-bench run --builds native,x86-64-v3 --html bench.html -o bench.csv
  icefish-bench run threefish sizes --quick
  icefish-bench run aes --as avx2_vaes
  icefish-bench run --check")]
pub(crate) struct Args {
    /// Measure what has one of these in its name or kind, such as aes-128-cbc, ice or latency
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,

    /// A look, in a fraction of the time
    #[arg(long)]
    quick: bool,

    /// Time for each side of a contest in all processes, in seconds [default: 0.1, or 0.008 with --quick]
    #[arg(long, value_name = "SECONDS", value_parser = budget)]
    budget: Option<Duration>,

    /// Processes to measure in, one after the other; the best counts [default: 3, or 1 with --quick]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=100))]
    passes: Option<u32>,

    /// Write the rows as CSV
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,

    /// Write a page
    #[arg(long, value_name = "PAGE")]
    html: Option<PathBuf>,

    /// Add the peers of a run by another build, such as one with RUSTFLAGS="-C target-cpu=native"
    #[arg(long, value_name = "CSV")]
    peers_from: Vec<PathBuf>,

    /// Compile the peers that choose their instructions at compile time for these CPUs too, so that the
    /// faster of their builds counts; needs cargo
    #[arg(long, value_name = "CPU", value_delimiter = ',', value_parser = cpu)]
    builds: Vec<String>,

    /// Measure this backend of x86-64 alone, beside peers that are held to its instructions; those that choose them at
    /// compile time are compiled for them, and icefish with them, which needs cargo
    #[arg(long = "as", value_name = "BACKEND", value_parser = limit, conflicts_with = "builds")]
    held: Option<Limit>,

    /// Measure those peers only, if they compute what this file says
    #[arg(long, value_name = "CSV", hide = true)]
    peers_only: Option<PathBuf>,

    /// Compare all outputs, and measure nothing
    #[arg(long)]
    check: bool,

    /// One process of a run: only the rows that it measures
    #[arg(long, hide = true)]
    part: bool,

    /// Of ours, measure the best backend alone, as a program uses it
    #[arg(long, hide = true)]
    usual: bool,

    /// Print one array of objects instead of a table
    #[arg(long)]
    json: bool,

    /// Name what would be measured, and measure nothing
    #[arg(long)]
    list: bool,
}

impl Args {
    fn settings(&self) -> Settings {
        let settings = if self.quick { Settings::quick() } else { Settings::full() };
        let budget = self.budget.unwrap_or(settings.budget);
        settings.with_budget(budget)
    }

    fn passes(&self) -> u32 {
        let usual = if self.quick || self.check { 1 } else { 3 };
        self.passes.unwrap_or(usual)
    }

    fn builds(&self) -> Vec<Build> {
        let of_cpus = self.builds.iter().map(|cpu| Build::for_cpu(cpu));
        let limit = self.held.filter(|limit| !limit.is_none());
        of_cpus.chain(limit.as_ref().map(Build::held_to)).collect()
    }

    /// What of these says what is measured, as arguments.
    fn of_measurement(&self) -> Vec<String> {
        let mut arguments = self.filters.clone();
        arguments.extend(self.quick.then(|| "--quick".to_owned()));
        arguments.extend(self.budget.map(|time| format!("--budget={}", time.as_secs_f64())));
        arguments.extend(self.passes.map(|number| format!("--passes={number}")));
        arguments
    }

    /// The same for one of so many processes.
    fn of_a_pass(&self, passes: u32) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = self.filters.iter().map(OsString::from).collect();
        arguments.push("--part".into());
        arguments.extend(self.quick.then(|| "--quick".into()));
        if let Some(outputs) = &self.peers_only {
            arguments.extend(["--peers-only".into(), outputs.into()]);
        }
        let budget = self.settings().budget.as_secs_f64() / f64::from(passes);
        arguments.push(format!("--budget={budget}").into());
        arguments
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Error> {
    if let Some(limit) = args.held.filter(|limit| Limit::current() != Some(*limit)) {
        return held(&limit);
    }
    let mut contests = contests(&args.filters);
    if args.peers_only.is_some() {
        contests.retain(contest::has_compiled_peers);
    }
    if contests.is_empty() {
        let filters = args.filters.join(" or ");
        return Err(Error::Nothing { filters });
    }
    if args.list {
        contests.iter().for_each(|contest| println!("{contest}"));
        return Ok(ExitCode::SUCCESS);
    }
    // Compiled before anything is measured: what is wrong with a build shows at once, and the machine is warm and quiet.
    let builds = args.builds();
    let outputs = if builds.is_empty() { Outputs::default() } else { Outputs::of(&contests) };
    let measurement = args.of_measurement();
    let rows_of = |build| other_builds::rows(build, &args.filters, &measurement, &outputs);
    let elsewhere = builds.iter().map(rows_of);
    let elsewhere = elsewhere.collect::<Result<Vec<_>, _>>()?;
    let mut clock = Clock::new();
    let machine = Machine::detect(&mut clock);
    let (mut rows, right) = match args.passes() {
        1 => {
            let outputs = args.peers_only.as_deref().map(Outputs::read_csv).transpose()?;
            measured(args, &contests, outputs.as_ref(), &machine, &mut clock)?
        }
        passes => passes::rows(passes, &args.of_a_pass(passes))?,
    };
    rows.iter_mut().for_each(|row| row.machine = machine.clone());
    if args.check {
        println!(
            "{} contests, {} outputs wrong",
            contests.len(),
            if right { "no" } else { "some" }
        );
        return Ok(ExitCode::from(u8::from(!right)));
    }
    for others in elsewhere {
        contest::add_build(&mut rows, others);
    }
    for path in &args.peers_from {
        let mut others = row::read_csv(path)?;
        others.retain(|other| {
            !other.id.is_ours() && rows.iter().any(|row| row.id.primitive == other.id.primitive)
        });
        contest::add_build(&mut rows, others);
    }
    if !args.part && args.peers_only.is_none() {
        besides(args, &machine, &mut clock, &mut rows);
    }
    write(args, &rows)?;
    if args.json {
        print!("{}", to_json(&rows)?);
    } else {
        print_all(&machine, &rows);
    }
    Ok(ExitCode::from(u8::from(!right)))
}

/// The same run in a process with what the libraries read when they are loaded.
fn held(limit: &Limit) -> Result<ExitCode, Error> {
    let program = env::current_exe().map_err(|_| Error::Pass)?;
    let mut child = Command::new(program);
    child.args(env::args_os().skip(1)).envs(limit.environment());
    let code = child.status().map_err(|_| Error::Pass)?.code();
    code.and_then(|code| u8::try_from(code).ok()).map(ExitCode::from).ok_or(Error::Pass)
}

/// The rows, and whether all sides computed the same; an error if these had to compute what another process did, and do
/// not.
fn measured(
    args: &Args,
    contests: &[Contest],
    outputs: Option<&Outputs>,
    machine: &Machine,
    clock: &mut Clock,
) -> Result<(Vec<Row>, bool), Error> {
    let settings = args.settings();
    let (mut rows, mut right) = (Vec::new(), true);
    for (i, contest) in contests.iter().enumerate() {
        progress(&format!("{} of {}: {contest}", i + 1, contests.len()));
        let mut group = match outputs {
            Some(_) => contest::compiled_group(contest),
            None if args.usual => contest::usual_group(contest),
            None => contest::full_group(contest),
        };
        let verified = group.verify().map(|_| ());
        if let Some(outputs) = outputs {
            verified.and_then(|()| outputs.verify(contest, &mut group))?;
        } else if let Err(mismatch) = verified {
            right = false;
            progress("");
            eprintln!("icefish-bench: {mismatch}");
            continue;
        }
        if !args.check {
            rows.extend(contest::rows(contest, group, machine, clock, &settings, &mut |_| {}));
        }
    }
    progress("");
    Ok((rows, right))
}

/// What is no contest: the second opinion of `openssl speed`, and the program's machine code in a run of everything. What
/// is not there is said, and missing.
fn besides(args: &Args, machine: &Machine, clock: &mut Clock, rows: &mut Vec<Row>) {
    let say = |what: &dyn Display| {
        progress("");
        eprintln!("icefish-bench: {what}");
    };
    progress("openssl speed");
    match opinion::ask(rows, if args.quick { 1 } else { usize::MAX }, machine, clock) {
        Ok(answers) => rows.extend(answers),
        Err(missing) => say(&missing),
    }
    if args.filters.is_empty() {
        match code::program().map(|program| code::rows(&program, machine)) {
            Some(Ok(parts)) => rows.extend(parts),
            Some(Err(error)) => say(&error),
            None => say(
                &"no program icefish with symbols, so the report has no sizes: `cargo build --profile inspect` makes it",
            ),
        }
    }
    progress("");
}

fn budget(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a number from 0 to 3600".to_owned())
}

/// A backend of this CPU that peers can be held to.
fn limit(name: &str) -> Result<Limit, String> {
    let limit = Limit::by_name(name).ok_or("a backend of x86-64, such as avx2 or avx2_vaes")?;
    #[cfg(feature = "ours")]
    icefish::Backend::by_name(name).map_err(|error| error.to_string())?;
    Ok(limit)
}

/// What the compiler may call a CPU, and a folder may be called.
fn cpu(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if text.is_empty() || !text.chars().all(plain) {
        return Err("a name such as native or x86-64-v3".to_owned());
    }
    Ok(text.to_owned())
}

fn write(args: &Args, rows: &[Row]) -> Result<(), Error> {
    if let Some(path) = &args.output {
        row::write_csv(path, rows)?;
    }
    if let Some(path) = &args.html {
        let page = Page { title: "icefish benchmarks", rows };
        fs::write(path, page.to_html()).map_err(Error::io(path))?;
    }
    Ok(())
}

fn print_all(machine: &Machine, rows: &[Row]) {
    println!("{}, core clock {:.2} GHz; {}", machine.cpu, machine.clock_ghz, machine.compiler);
    println!("icefish: {}\n{}\n", env!("CARGO_PKG_VERSION"), contest::versions());
    let contests: Vec<Row> = rows.iter().filter(|row| row.id.kind.is_contest()).cloned().collect();
    println!("{}", table(&contests));
    println!("{}", contest::summary(rows));
    println!("{}", goals::markdown(&goals::goals(&[rows.to_vec()])));
    for table in [opinion::markdown(rows), code::markdown(rows)].into_iter().flatten() {
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
