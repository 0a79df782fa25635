//! `icefish hash`: digests of files, and whether files still have them.

mod check;
mod digests;
mod files;
mod list;

use crate::errors::{Failure, usage};
use crate::{keys, stdio};
use icefish::Backend;
use icefish::suite::{AnyHash, HASHES, HashSuite};
use icefish_files::Input;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Print digests of files, one line for each, as sha256sum does; or check files against such lines
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// The hash: skein-512, skein-256, skein-1024, skein-512-tree (for large files on many cores) or
    /// xoodyak
    #[arg(short, long, value_name = "NAME", default_value = "skein-512")]
    algorithm: String,

    /// Length of a digest in bits, a multiple of 8 [default: 256 for skein-256 and xoodyak, 1024 for
    /// skein-1024, else 512]
    #[arg(short, long, value_name = "BITS")]
    #[arg(value_parser = clap::value_parser!(u32).range(8..=32768))]
    length: Option<u32>,

    /// A file with a key of any length, as hex digits or as bytes: the digests are then message
    /// authentication codes (Skein)
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,

    /// Check files: the FILEs are lists of digests and names, as this command, FreeBSD or openssl prints
    /// them. Each digest must have the length that --algorithm and --length say
    #[arg(short, long)]
    check: bool,

    /// Print lines in the form of BSD, which begin with the name of the hash
    #[arg(long, conflicts_with = "check")]
    tag: bool,

    /// End lines with a zero byte, and do not escape names
    #[arg(short, long, conflicts_with = "check")]
    zero: bool,

    /// Hash all files in the folders that are named, sorted; links in folders are left out
    #[arg(short, long, conflicts_with = "check")]
    recursive: bool,

    #[command(flatten)]
    lists: check::Options,

    /// The files; none or - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<OsString>,
}

const EXAMPLE: &str = "\
Examples:
  icefish hash *.iso > SUMS
  icefish hash --check SUMS
  icefish hash --check --quiet --ignore-missing SUMS
  icefish hash --recursive --tag photos > photos.sums

The exit code is 1 if a file cannot be read or does not match its digest, or if a digest in a list has
another length.";

/// A hash, and its name in lists.
struct Chosen {
    hash: AnyHash,
    tag: String,
}

/// Prints digests, or compares them.
pub(crate) fn run(args: Args, backend: Backend) -> Result<(), Failure> {
    let chosen = choose(&args, backend)?;
    let mut files = args.files;
    if files.is_empty() {
        files.push("-".into());
    }
    let mut ok = true;
    if args.check {
        for file in &files {
            ok &= check::list(&chosen, file, &args.lists)?;
        }
    } else {
        if args.recursive {
            (files, ok) = files::expand(files);
        }
        ok &= print(&chosen, &files, args.tag, args.zero)?;
    }
    if ok { Ok(()) } else { Err(Failure::Said(1)) }
}

/// The hash that the arguments ask for.
fn choose(args: &Args, backend: Backend) -> Result<Chosen, Failure> {
    let name = args.algorithm.to_lowercase();
    let suite: HashSuite = name.parse().map_err(|_| {
        let names: Vec<&str> = HASHES.iter().map(|suite| suite.name).collect();
        usage(format!("no hash is called {name}; there are {}", names.join(", ")))
    })?;
    let bits = args.length.map_or(suite.bits, u64::from);
    if !bits.is_multiple_of(8) {
        return Err(usage(format!("--length {bits} is not a multiple of 8 bits")));
    }
    let key = args.key_file.as_deref().map(keys::of_any_length).transpose()?;
    let key = key.as_ref().map(|key| &key[..]);
    let hash = match key {
        Some(key) => suite.mac(backend, key, bits),
        None => suite.hash(backend, bits),
    };
    let hash = hash.map_err(|e| usage(format!("--algorithm {name}: {e}")))?.on_all_cores();
    // As the specification names them: Skein-512-256 has digests of 256 bits.
    let mut tag = name[..1].to_uppercase() + &name[1..];
    if bits != suite.bits {
        tag += &format!("-{bits}");
    }
    Ok(Chosen { hash, tag })
}

/// Opens a file, or standard input by the name `-`.
fn open(name: &OsString) -> Result<Input, icefish_files::Error> {
    if name == "-" { Input::stdin() } else { Input::open(Path::new(name)) }
}

/// Says what went wrong with one file of several.
fn say(e: icefish_files::Error) {
    Failure::Data(e.to_string()).say();
}

/// Prints a line for each file, with tags if `tag`, ended by a zero byte if `zero`. Returns whether all could be read.
fn print(chosen: &Chosen, files: &[OsString], tag: bool, zero: bool) -> Result<bool, Failure> {
    let tag = tag.then_some(&*chosen.tag);
    let mut ok = true;
    digests::each(&chosen.hash, files, &mut |index, digest| match digest {
        Ok(digest) => stdio::print_bytes(&list::line(&digest, &files[index], tag, zero)),
        Err(e) => {
            say(e);
            ok = false;
            Ok(())
        }
    })?;
    Ok(ok)
}
