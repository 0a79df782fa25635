//! The files that must go when the program is ended before they are complete.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Their names. Only the holder of the lock may make or name one.
static ALIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The list, locked.
pub(super) fn list() -> MutexGuard<'static, Vec<PathBuf>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file, for a program that a signal is about to end: from then on no output
/// can be created or committed; a thread that tries waits for ever.
pub fn abandon_all() {
    let paths = list();
    for path in paths.iter() {
        // Nothing is left to be done about a failure.
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(paths);
}
