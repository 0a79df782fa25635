//! `icefish hash`: digests of files, and whether files still have them.

mod digests;
mod list;

use crate::errors::{Failure, usage};
use crate::stdio;
use digests::Job;
use icefish::Backend;
use icefish_files::Input;
use list::Line;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Print digests of files, a line a file, as sha256sum does; or check files against such lines
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// The hash: xoodyak
    #[arg(long, value_name = "NAME", default_value = "xoodyak")]
    algorithm: String,

    /// Length of a digest in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 32)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=4096))]
    length: u16,

    /// Read lines that an earlier run printed from the FILEs, and check the files they name. A digest that
    /// has not the length of this call is an error in the list
    #[arg(short, long)]
    check: bool,

    /// The files; none or - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
}

const EXAMPLE: &str = "\
Examples:
  icefish hash *.iso > SUMS
  icefish hash --check SUMS

The exit code is 1 if a file cannot be read or differs from its line, or if the digest of a line has
another length.";

/// How many lines of a list are read before their files are.
const LINES: usize = 1024;

/// Prints digests, or compares them.
pub(crate) fn run(args: Args, backend: Backend) -> Result<(), Failure> {
    let name = args.algorithm.to_lowercase();
    if name != "xoodyak" {
        return Err(usage(format!("no hash is called {name}; there is xoodyak")));
    }
    let mut files = args.files;
    if files.is_empty() {
        files.push("-".into());
    }
    let length = usize::from(args.length);
    let well = if args.check {
        let mut well = true;
        for file in &files {
            well &= check(backend, file, length)?;
        }
        well
    } else {
        print(backend, &files.into_iter().map(|name| Job { name, length }).collect::<Vec<_>>())?
    };
    if well { Ok(()) } else { Err(Failure::Said(1)) }
}

/// Opens a file, or standard input by the name `-`.
fn open(name: &OsString) -> Result<Input, icefish_files::Error> {
    if name == "-" { Input::stdin() } else { Input::open(Path::new(name)) }
}

/// Says what went wrong with one file of several.
fn say(e: icefish_files::Error) {
    Failure::Data(e.to_string()).say();
}

/// Prints a line a file; whether all could be read.
fn print(backend: Backend, jobs: &[Job]) -> Result<bool, Failure> {
    let mut well = true;
    digests::each(backend, jobs, &mut |index, digest| match digest {
        Ok(digest) => stdio::print_bytes(&list::line(&digest, &jobs[index].name)),
        Err(e) => {
            say(e);
            well = false;
            Ok(())
        }
    })?;
    Ok(well)
}

/// What came of a list.
#[derive(Default)]
struct Tally {
    lines: usize,
    malformed: usize,
    length: usize,
    unread: usize,
    differ: usize,
}

/// Checks the files that a list names, whose digests have `length` bytes; whether all is well.
fn check(backend: Backend, list: &OsString, length: usize) -> Result<bool, Failure> {
    let mut tally = Tally::default();
    let (mut jobs, mut expected) = (Vec::new(), Vec::new());
    let name = list.display();
    let mut reader = match open(list) {
        Ok(input) => BufReader::new(input),
        Err(e) => {
            say(e);
            return Ok(false);
        }
    };
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let read =
            read.map_err(|source| icefish_files::Error::Read { name: name.to_string(), source })?;
        if read == 0 || jobs.len() == LINES {
            compare(backend, &jobs, &expected, &mut tally)?;
            jobs.clear();
            expected.clear();
        }
        if read == 0 {
            break;
        }
        match list::parse(&line, length) {
            Line::Digest(digest, name) => {
                tally.lines += 1;
                jobs.push(Job { name, length });
                expected.push(digest);
            }
            Line::Length => tally.length += 1,
            Line::Empty => {}
            Line::Other => tally.malformed += 1,
        }
    }
    Ok(tally.report(&name.to_string(), length))
}

impl Tally {
    /// Says what was wrong with the list called `name`; whether all is well.
    fn report(&self, name: &str, length: usize) -> bool {
        if self.lines + self.length == 0 {
            Failure::Data(format!("{name} has no line with a digest and a file's name")).say();
            return false;
        }
        for (count, one, many, what) in [
            (self.malformed, "is", "are", "not a digest and a file's name".to_owned()),
            (
                self.length,
                "has",
                "have",
                format!(
                    "a digest that is not {length} bytes long; --length says how long they are"
                ),
            ),
            (self.unread, "is", "are", "of a file that could not be read".to_owned()),
            (self.differ, "is", "are", "of a file that differs".to_owned()),
        ] {
            if count > 0 {
                let lines =
                    if count == 1 { format!("line {one}") } else { format!("lines {many}") };
                Failure::Data(format!("{name}: {count} {lines} {what}")).say();
            }
        }
        self.length + self.unread + self.differ == 0
    }
}

/// Compares files with their digests, and prints a word a file.
fn compare(
    backend: Backend,
    jobs: &[Job],
    expected: &[Vec<u8>],
    tally: &mut Tally,
) -> Result<(), Failure> {
    digests::each(backend, jobs, &mut |index, digest| {
        let word = match digest {
            Ok(digest) if digest == expected[index] => "OK",
            Ok(_) => {
                tally.differ += 1;
                "FAILED"
            }
            Err(e) => {
                say(e);
                tally.unread += 1;
                "FAILED open or read"
            }
        };
        stdio::print_bytes(&list::verdict(&jobs[index].name, word))
    })
}
