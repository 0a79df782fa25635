//! `icefish hash --check`: files beside the lines of a list.

use super::list::{self, Line, Lines};
use super::{Chosen, digests, open, say};
use crate::errors::Failure;
use crate::stdio;
use icefish::suite::AnyHash;
use icefish_files::Error;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, ErrorKind};
use subtle::ConstantTimeEq;

/// How many lines of a list are read before their files are.
const LINES: usize = 1024;

/// What `--check` says, and what counts as a failure: the options of sha256sum.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Skip files that do not exist; it is an error if none of them exists
    #[arg(long, requires = "check")]
    ignore_missing: bool,

    /// Print no line for a file that matches
    #[arg(short, long, requires = "check")]
    quiet: bool,

    /// Print no lines at all; the exit code tells whether all files match
    #[arg(long, requires = "check")]
    status: bool,

    /// Fail if a line of a list is not a digest and a name
    #[arg(long, requires = "check")]
    strict: bool,

    /// Report every line of a list that is not a digest and a name
    #[arg(short, long, requires = "check")]
    warn: bool,
}

/// A list that is being checked.
struct Check<'a> {
    hash: &'a AnyHash,
    options: &'a Options,
    lines: usize,
    malformed: usize,
    length: usize,
    unread: usize,
    differ: usize,
    same: usize,
}

/// Checks the files that a list names. Returns whether all match.
pub(super) fn list(chosen: &Chosen, list: &OsString, options: &Options) -> Result<bool, Failure> {
    let (mut names, mut expected) = (Vec::new(), Vec::new());
    let name = list.display().to_string();
    let mut reader = match open(list) {
        Ok(input) => BufReader::new(input),
        Err(e) => {
            say(e);
            return Ok(false);
        }
    };
    let mut check = Check::new(&chosen.hash, options);
    let mut lines = Lines::new(chosen.hash.digest_len(), &chosen.tag);
    let (mut line, mut number) = (Vec::new(), 0u64);
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line);
        let read = read.map_err(|source| Error::Read { name: name.clone(), source })?;
        if read == 0 || names.len() == LINES {
            check.compare(&names, &expected)?;
            names.clear();
            expected.clear();
        }
        if read == 0 {
            break;
        }
        number += 1;
        match lines.parse(&line) {
            Line::Digest(digest, name) => {
                check.lines += 1;
                names.push(name);
                expected.push(digest);
            }
            Line::Length => check.length += 1,
            Line::Empty => {}
            Line::Other => {
                check.malformed += 1;
                if options.warn {
                    let what = format!("not a digest of {} and a file's name", chosen.tag);
                    Failure::Data(format!("{name}: line {number} is {what}")).say();
                }
            }
        }
    }
    Ok(check.report(&name, &chosen.tag))
}

impl<'a> Check<'a> {
    fn new(hash: &'a AnyHash, options: &'a Options) -> Self {
        let (lines, malformed, length, unread, differ, same) = (0, 0, 0, 0, 0, 0);
        Self { hash, options, lines, malformed, length, unread, differ, same }
    }

    /// Compares files with their digests, and prints a word a file.
    fn compare(&mut self, names: &[OsString], expected: &[Vec<u8>]) -> Result<(), Failure> {
        digests::each(self.hash, names, &mut |index, digest| {
            let word = match digest {
                // A code is compared in constant time.
                Ok(digest) if bool::from(digest.ct_eq(&expected[index])) => {
                    self.same += 1;
                    if self.options.quiet {
                        return Ok(());
                    }
                    "OK"
                }
                Ok(_) => {
                    self.differ += 1;
                    "FAILED"
                }
                Err(Error::Open { source, .. })
                    if self.options.ignore_missing && source.kind() == ErrorKind::NotFound =>
                {
                    return Ok(());
                }
                Err(e) => {
                    say(e);
                    self.unread += 1;
                    "FAILED open or read"
                }
            };
            if self.options.status {
                return Ok(());
            }
            stdio::print_bytes(&list::verdict(&names[index], word))
        })
    }

    /// Says what was wrong with the list called `name`, whose hash is `tag`. Returns whether all match.
    fn report(&self, name: &str, tag: &str) -> bool {
        if self.lines + self.length == 0 {
            Failure::Data(format!(
                "{name} has no line with a digest of {tag} and a file's name; for another hash, give --algorithm or --length"
            ))
            .say();
            return false;
        }
        let nothing = self.options.ignore_missing && self.same == 0;
        if !self.options.status {
            self.tell(name, tag);
            if nothing {
                Failure::Data(format!("{name}: no file was verified")).say();
            }
        }
        let strict = if self.options.strict { self.malformed } else { 0 };
        self.length + self.unread + self.differ + strict == 0 && !nothing
    }

    /// Says how many lines had what wrong.
    fn tell(&self, name: &str, tag: &str) {
        for (count, one, many, what) in [
            (self.malformed, "is", "are", format!("not a digest of {tag} and a file's name")),
            (
                self.length,
                "has",
                "have",
                format!(
                    "a digest that is not {} bits long; --algorithm and --length say how long they are",
                    8 * self.hash.digest_len()
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
    }
}
