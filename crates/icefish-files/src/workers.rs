//! From a regular file to a regular file: every worker reads and writes at the places of its runs. Nothing is handed from one thread to
//! another.

use crate::Error;
use crate::pipeline::Fault;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The number of workers, at least one: `threads`, or else as many as the machine runs at the same time. Each has `memory` bytes
/// of buffers, and all together have 48 MiB at most.
pub(crate) fn count(threads: Option<NonZero<usize>>, memory: usize) -> usize {
    const MEMORY: usize = 48 << 20;
    let wanted = threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    wanted.min(MEMORY / memory).max(1)
}

/// Work in runs that need nothing of each other.
pub(crate) trait Runs: Sync {
    /// The buffers of a worker.
    type Buffers;
    /// The number of runs.
    fn runs(&self) -> u64;
    /// For one worker.
    fn buffers(&self) -> Self::Buffers;
    /// Reads, takes and writes a run; returns how many bytes it wrote.
    fn take(&self, number: u64, buffers: &mut Self::Buffers) -> Result<u64, Fault>;
    /// The input, and where it must end.
    fn end(&self) -> (&File, u64);
}

/// The state that the workers share.
struct Shared<W> {
    work: W,
    /// The next run.
    next: AtomicU64,
    /// Bytes written.
    done: AtomicU64,
    failed: AtomicBool,
    /// The fault of the earliest run that had one, and the number of that run.
    fault: Mutex<Option<(u64, Fault)>>,
}

/// Does all of it; returns how many bytes were written. The caller's thread is one of `workers`.
pub(crate) fn run(
    work: impl Runs,
    workers: usize,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, Fault> {
    let runs = work.runs();
    let shared = Shared {
        work,
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        failed: AtomicBool::new(false),
        fault: Mutex::new(None),
    };
    // A thread for less than two runs is not worth its start.
    let helpers = (workers - 1).min(usize::try_from(runs / 2).unwrap_or(usize::MAX));
    thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers)
            .map_while(|_| {
                let worker = thread::Builder::new().name("worker".into());
                // Fewer threads take longer and do the same.
                let takes: Box<dyn FnOnce() + Send> = Box::new(|| shared.take_runs(&mut |_| {}));
                worker.spawn_scoped(scope, takes).ok()
            })
            .collect();
        shared.take_runs(progress);
        for helper in helpers {
            if helper.join().is_err() {
                let panicked = Error::Thread("a worker panicked".to_owned());
                shared.fail(0, Fault::Between(panicked));
            }
        }
    });
    let fault = shared.fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, fault)) = fault {
        return Err(fault);
    }
    ends(shared.work.end())?;
    progress(shared.done.load(Relaxed));
    Ok(shared.done.into_inner())
}

impl<W: Runs> Shared<W> {
    /// Takes runs as long as there are any.
    fn take_runs(&self, progress: &mut dyn FnMut(u64)) {
        let mut buffers = self.work.buffers();
        while !self.failed.load(Relaxed) {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.work.runs() {
                return;
            }
            match self.work.take(number, &mut buffers) {
                Ok(written) => progress(self.done.fetch_add(written, Relaxed) + written),
                Err(fault) => self.fail(number, fault),
            }
        }
    }

    fn fail(&self, number: u64, fault: Fault) {
        self.failed.store(true, Relaxed);
        let mut first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|(earlier, _)| number < *earlier) {
            *first = Some((number, fault));
        }
    }
}

/// The input must not have become longer.
fn ends((input, end): (&File, u64)) -> Result<(), Fault> {
    loop {
        match read_some_at(input, &mut [0], end) {
            Ok(0) => return Ok(()),
            Ok(_) => return Err(Fault::Changed),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Fault::Read(e)),
        }
    }
}

/// Fills `buffer` from the place `at`.
pub(crate) fn read_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> Result<(), Fault> {
    while !buffer.is_empty() {
        match read_some_at(file, buffer, at) {
            Ok(0) => return Err(Fault::Changed),
            Ok(n) => {
                buffer = &mut buffer[n..];
                at += n as u64;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(Fault::Read(e)),
        }
    }
    Ok(())
}

/// Writes `bytes` at the place `at`.
pub(crate) fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match write_some_at(file, bytes, at) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => {
                bytes = &bytes[n..];
                at += n as u64;
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(unix)]
use std::os::unix::fs::FileExt;

#[cfg(unix)]
fn read_some_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(buffer, at)
}

#[cfg(unix)]
fn write_some_at(file: &File, bytes: &[u8], at: u64) -> io::Result<usize> {
    file.write_at(bytes, at)
}

#[cfg(windows)]
use std::os::windows::fs::FileExt;

#[cfg(windows)]
fn read_some_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(buffer, at)
}

#[cfg(windows)]
fn write_some_at(file: &File, bytes: &[u8], at: u64) -> io::Result<usize> {
    file.seek_write(bytes, at)
}
