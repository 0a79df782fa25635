//! Work on all cores. Threads are started for each call and end with it, so that a process may fork between calls.

use crate::error::Failure;
use std::num::NonZero;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

/// From so many bytes on, a call lets other threads of Python run.
const RELEASE: usize = 4096;

/// Bytes that are worth the start of a thread.
pub(crate) const SHARE: usize = 256 * 1024;

/// Calls `work` for `len` bytes, without the GIL if they are many.
#[inline]
pub(crate) fn release<T: Send>(
    py: pyo3::Python<'_>,
    len: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    if len < RELEASE { work() } else { py.detach(work) }
}

/// How many threads are worth it for `len` bytes.
pub(crate) fn count(len: usize) -> usize {
    let most = len / SHARE;
    if most < 2 {
        return 1;
    }
    // Asked once: it opens files of the kernel.
    static CORES: OnceLock<usize> = OnceLock::new();
    most.min(*CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get)))
}

/// Does each of `tasks`, on so many threads, each with what `make` makes; the caller's is one of them. After a failure no task is
/// begun, and the failure of the first failed task is returned.
pub(crate) fn each<T: Send, B>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    make: impl Fn() -> B + Sync,
    work: impl Fn(&mut B, T) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let queue = Mutex::new((tasks.enumerate(), None::<(usize, Failure)>));
    let locked = || queue.lock().unwrap_or_else(PoisonError::into_inner);
    let worker = || {
        let mut buffer = make();
        loop {
            let next = {
                let mut queue = locked();
                if queue.1.is_some() { None } else { queue.0.next() }
            };
            let Some((index, task)) = next else { return };
            if let Err(failure) = work(&mut buffer, task) {
                let mut queue = locked();
                if queue.1.as_ref().is_none_or(|(first, _)| index < *first) {
                    queue.1 = Some((index, failure));
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Fewer threads take longer and do the same.
            if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
    let (_, failed) = queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(()), |(_, failure)| Err(failure))
}
