//! From a regular file to a regular file: every worker reads and writes at the places of its chunks. Nothing is handed from one
//! thread to another.

use super::RUN;
use super::run::{Chunks, Run};
use crate::Error;
use crate::pipeline::Fault;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use zeroize::Zeroizing;

/// A message and its places.
pub(super) struct Work<'f> {
    pub(super) chunks: Chunks,
    pub(super) input: &'f File,
    /// Where its chunks begin in the input.
    pub(super) from: u64,
    /// How many bytes of them there are.
    pub(super) len: u64,
    pub(super) output: &'f File,
    /// Where its chunks begin in the output.
    pub(super) to: u64,
}

/// What the workers share.
struct Shared<'f> {
    work: Work<'f>,
    /// The next run.
    next: AtomicU64,
    /// Bytes written.
    done: AtomicU64,
    failed: AtomicBool,
    /// What is wrong, in the first run of those in which anything was found.
    fault: Mutex<Option<(u64, Fault)>>,
}

/// Does all of it; returns how many bytes were written. The caller's thread is one of `workers`.
pub(super) fn run(
    work: Work<'_>,
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
                worker.spawn_scoped(scope, || shared.take_runs(&mut |_| {})).ok()
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
    shared.work.ends()?;
    progress(shared.done.load(Relaxed));
    Ok(shared.done.into_inner())
}

impl Shared<'_> {
    /// Takes runs as long as there are any.
    fn take_runs(&self, progress: &mut dyn FnMut(u64)) {
        let mut buffers = Buffers::new(&self.work.chunks, self.work.len);
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

/// What a worker reads to and writes from.
struct Buffers {
    input: Zeroizing<Vec<u8>>,
    output: Zeroizing<Vec<u8>>,
}

impl Buffers {
    /// For runs of a message of `len` bytes.
    fn new(chunks: &Chunks, len: u64) -> Self {
        let count = (len / chunks.input() as u64 + 1).min(RUN as u64) as usize;
        let room = |size: usize| Zeroizing::new(vec![0; count * size]);
        Self { input: room(chunks.input()), output: room(chunks.output()) }
    }
}

impl Work<'_> {
    /// The number of runs.
    fn runs(&self) -> u64 {
        // The last chunk is there, even if it is empty.
        (self.len / self.chunks.input() as u64 + 1).div_ceil(RUN as u64)
    }

    /// Reads, takes and writes a run; returns how many bytes it wrote.
    fn take(&self, number: u64, buffers: &mut Buffers) -> Result<u64, Fault> {
        let run = Run { first: number * RUN as u64, last: number + 1 == self.runs() };
        let (from, to) = (self.chunks.input() as u64, self.chunks.output() as u64);
        let len = (self.len - run.first * from).min(RUN as u64 * from) as usize;
        let input = &mut buffers.input[..len];
        read_at(self.input, input, self.from + run.first * from)?;
        let (len, taken) = self.chunks.take(run, input, &mut buffers.output);
        taken.map_err(Fault::Between)?;
        write_at(self.output, &buffers.output[..len], self.to + run.first * to)
            .map_err(Fault::Write)?;
        Ok(len as u64)
    }

    /// The input must not have become longer.
    fn ends(&self) -> Result<(), Fault> {
        match read_some_at(self.input, &mut [0], self.from + self.len).map_err(Fault::Read)? {
            0 => Ok(()),
            _ => Err(Fault::Changed),
        }
    }
}

/// Fills `buffer` from the place `at`.
fn read_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> Result<(), Fault> {
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
fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
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
