//! Where a passphrase comes from. It is never an argument: those can be read in the list of processes.

// The fuzzer, which has this file as a module of its own, finds it too.
#[path = "passphrases/terminal.rs"]
mod terminal;

pub(crate) use terminal::show_again;

use crate::errors::{Failure, usage};
use crate::keys::{self, KEYS};
use crate::stdio;
use icefish_files::{Identity, Input, reason};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use subtle::ConstantTimeEq;
use terminal::Terminal;
use zeroize::Zeroizing;

/// Most bytes of a passphrase: more than anybody types, and about what a terminal takes in a line.
const MOST: usize = 4000;

/// The options that give a passphrase.
pub(crate) const PASSPHRASES: [&str; 4] =
    ["--passphrase", "--passphrase-file", "--passphrase-fd", "--passphrase-env"];

/// The names of these options to their parser.
pub(crate) const PASSPHRASE_IDS: [&str; 4] =
    ["passphrase", "passphrase_file", "passphrase_fd", "passphrase_env"];

/// The arguments that give a passphrase.
#[derive(clap::Args)]
pub(crate) struct PassphraseArgs {
    /// Ask for a passphrase on the terminal
    ///
    /// To encrypt, it is asked for twice.
    #[arg(long, help_heading = KEYS)]
    passphrase: bool,

    /// A file with a passphrase: one line
    ///
    /// The newline at its end is no part of the passphrase.
    #[arg(long, value_name = "FILE", help_heading = KEYS)]
    passphrase_file: Option<PathBuf>,

    /// The same, from the open file of this number
    #[arg(long, value_name = "N", help_heading = KEYS)]
    passphrase_fd: Option<u32>,

    /// An environment variable with a passphrase
    ///
    /// Nothing is removed from its end.
    #[arg(long, value_name = "NAME", help_heading = KEYS)]
    passphrase_env: Option<OsString>,
}

impl PassphraseArgs {
    /// Each option, and whether it is given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 4] {
        let [ask, file, descriptor, environment] = PASSPHRASES;
        [
            (ask, self.passphrase),
            (file, self.passphrase_file.is_some()),
            (descriptor, self.passphrase_fd.is_some()),
            (environment, self.passphrase_env.is_some()),
        ]
    }

    /// Whether any of them is.
    pub(crate) fn is_given(&self) -> bool {
        self.given().iter().any(|(_, given)| *given)
    }

    /// Which file it is read from, if that is a file with a name.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.passphrase_file.as_deref().and_then(Identity::of_path)
    }

    /// Whether it is read from standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        let file = self.passphrase_file.as_deref();
        self.passphrase_fd == Some(0) || file.is_some_and(stdio::is_stdin)
    }

    /// The passphrase: one to 4000 bytes, as they were typed or stored. `twice`: whether who types it is asked again.
    pub(crate) fn get(&self, twice: bool) -> Result<Zeroizing<Vec<u8>>, Failure> {
        if let Some(path) = &self.passphrase_file {
            return from_file(path);
        }
        if let Some(number) = self.passphrase_fd {
            return from_descriptor(number);
        }
        if let Some(name) = &self.passphrase_env {
            return from_environment(name);
        }
        if !self.passphrase {
            return Err(usage("a passphrase is needed: --passphrase asks for it on the terminal"));
        }
        let mut terminal = Terminal::open()?;
        let passphrase = checked(terminal.ask("Passphrase: ")?, "the passphrase")?;
        if twice && !bool::from(terminal.ask("The same again: ")?.ct_eq(&passphrase)) {
            return Err(usage("the two passphrases differ; nothing was encrypted"));
        }
        Ok(passphrase)
    }
}

fn from_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let what = format!("the passphrase file {}", path.display());
    let file = File::open(path).map_err(|e| unreadable(&what, &e))?;
    keys::warn_of_everybody(&file, "passphrase file", path);
    line(file, &what)
}

fn from_descriptor(number: u32) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let what = format!("the passphrase from descriptor {number}");
    if number == 0 {
        return line(Input::stdin()?, &what);
    }
    // Taking over a number of an open file is unsafe; its name in /dev/fd is not.
    let file = File::open(format!("/dev/fd/{number}")).map_err(|e| unreadable(&what, &e))?;
    line(file, &what)
}

fn from_environment(name: &OsString) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let shown = name.display();
    // Such a name can never be set, and asking for it panics on some systems.
    let possible = !name.is_empty() && !name.as_encoded_bytes().iter().any(|b| b"=\0".contains(b));
    let value = possible.then(|| std::env::var_os(name)).flatten();
    let value = value.ok_or_else(|| {
        usage(format!("--passphrase-env {shown}: there is no such environment variable"))
    })?;
    let what = format!("the passphrase in the environment variable {shown}");
    checked(Zeroizing::new(value.into_encoded_bytes()), &what)
}

/// All of `from`, which is one line, without the newline at its end.
fn line(from: impl Read, what: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    // Room for all of it at once: a vector that grows leaves copies behind.
    let room = MOST + 3;
    let mut bytes = Zeroizing::new(Vec::with_capacity(room));
    let read = from.take(room as u64).read_to_end(&mut bytes);
    read.map_err(|e| unreadable(what, &e))?;
    for end in [b'\n', b'\r'] {
        if bytes.last() == Some(&end) {
            bytes.pop();
        } else {
            break;
        }
    }
    if bytes.contains(&b'\n') {
        return Err(usage(format!("{what} has more than one line; a passphrase is one")));
    }
    checked(bytes, what)
}

fn checked(bytes: Zeroizing<Vec<u8>>, what: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let wrong = match bytes.len() {
        0 => "is empty; anybody would guess it".to_owned(),
        // Other programs take it for the end.
        _ if bytes.contains(&0) => "has a zero byte; a passphrase is text".to_owned(),
        1..=MOST => return Ok(bytes),
        _ => format!("has more than {MOST} bytes, the most of a passphrase"),
    };
    Err(usage(format!("{what} {wrong}")))
}

fn unreadable(what: &str, e: &io::Error) -> Failure {
    Failure::Data(format!("cannot read {what}: {}", reason(e)))
}
