//! Unfinished files that a program left when it was killed, where they have names.
//!
//! A program that writes such a file has a lock on it, which ends with the program. A file without a lock is therefore of a program
//! that has ended. The next program that writes to the folder removes it.

use std::collections::BTreeSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Random letters and digits behind the prefix.
const RANDOM: usize = 6;

/// Locks a file with the name `path`; whether it still has that name. Some file systems have no locks, and there nobody removes it.
pub(super) fn hold(file: &File, path: &Path) -> bool {
    match file.lock() {
        Ok(()) => is_at(file, path).unwrap_or(false),
        Err(_) => true,
    }
}

/// Removes files with names that begin with `prefix` and were left in `folder`, the first time that this program asks.
pub(super) fn clear_once(folder: &Path, prefix: &str) {
    static CLEARED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut cleared = CLEARED.lock().unwrap_or_else(PoisonError::into_inner);
    if !cleared.contains(folder) {
        clear(folder, prefix);
        cleared.insert(folder.to_owned());
    }
}

/// Removes what was left in `folder`. What cannot be removed stays, and harms nobody.
pub(super) fn clear(folder: &Path, prefix: &str) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(prefix));
        let ours = |random: &str| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if random.is_some_and(ours) {
            let _ = remove(&entry.path());
        }
    }
}

/// Removes a file that nobody has locked.
fn remove(path: &Path) -> io::Result<()> {
    if !path.symlink_metadata()?.is_file() {
        return Ok(());
    }
    // To write, because some file systems give no other lock. This changes nothing.
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    if file.try_lock().is_ok() && is_at(&file, path)? {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

/// Whether it is this file that has the name.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let place = |metadata: Metadata| (metadata.dev(), metadata.ino());
    Ok(place(file.metadata()?) == place(path.symlink_metadata()?))
}
