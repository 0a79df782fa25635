//! What there is to gain from all cores where nothing is encrypted: a copy by positioned reads and writes, and the writes alone.

use std::fs::File;
use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use icefish_bench::Error;

/// What a thread takes at a time, as the program does.
const PIECE: u64 = 256 * 1024;

/// Writes a file on all cores.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// `copy`, or `write` for as many zeros
    way: String,
    /// The file to be copied, or one of that length
    from: PathBuf,
    /// The new file
    to: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Error> {
    let from = File::open(&args.from).map_err(Error::io(&args.from))?;
    let len = from.metadata().map_err(Error::io(&args.from))?.len();
    let to = File::create_new(&args.to).map_err(Error::io(&args.to))?;
    let (next, reads) = (AtomicU64::new(0), args.way == "copy");
    let work = || -> io::Result<()> {
        let mut buffer = vec![0; PIECE as usize];
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed) * PIECE;
            if at >= len {
                return Ok(());
            }
            let piece = &mut buffer[..(len - at).min(PIECE) as usize];
            if reads {
                read_at(&from, piece, at)?;
            }
            write_at(&to, piece, at)?;
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let done: io::Result<()> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let panicked = |_| Err(io::Error::other("a thread panicked"));
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(panicked))
    });
    done.map_err(Error::io(&args.to))?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(unix)]
fn read_at(file: &File, piece: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, piece, at)
}

#[cfg(unix)]
fn write_at(file: &File, piece: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, piece, at)
}

#[cfg(not(unix))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn write_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
