//! A file that has not got its name yet.

use super::folder;
use crate::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, PersistError};

/// The temporary files that exist. Who holds the lock may make or name one.
static ALIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn alive() -> MutexGuard<'static, Vec<PathBuf>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file, for a program that a signal is about to end: from then on no output
/// can be created or committed; a thread that tries waits for ever.
pub fn abandon_all() {
    let paths = alive();
    for path in paths.iter() {
        // Nothing is left to be done about a failure.
        let _ = std::fs::remove_file(path);
    }
    std::mem::forget(paths);
}

/// A file with an unpredictable name beside `target`, removed when it is dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    file: Option<NamedTempFile>,
    target: PathBuf,
    replace: bool,
    #[cfg(unix)]
    mode: u32,
}

impl Temporary {
    /// A new file. With `replace`, it has the mode of the file it will replace in the end; else the
    /// usual one.
    pub(super) fn create(target: PathBuf, replace: bool) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".icefish-");
        #[cfg(unix)]
        builder.permissions(mode(0o666));
        let mut alive = alive();
        let file = builder.tempfile_in(folder(&target))?;
        alive.push(file.path().to_owned());
        drop(alive);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Made with the usual mode to see what the usual mode is, while there is nothing in it.
            let usual = file.as_file().metadata()?.permissions().mode();
            file.as_file().set_permissions(mode(0o600))?;
            let replaced = target.metadata().ok().filter(|_| replace);
            let mode = replaced.map_or(usual, |old| old.permissions().mode()) & 0o777;
            Ok(Self { file: Some(file), target, replace, mode })
        }
        #[cfg(not(unix))]
        Ok(Self { file: Some(file), target, replace })
    }

    /// The open file.
    pub(super) fn file(&mut self) -> &mut File {
        // Only `commit` takes it, and consumes `self`.
        self.file.as_mut().expect("a file until it is committed").as_file_mut()
    }

    /// Gives it its mode and name, once it is on the disk.
    pub(super) fn commit(mut self, name: String) -> Result<(), Error> {
        let write = |source| Error::Write { name: name.clone(), source };
        #[cfg(unix)]
        {
            let mode = mode(self.mode);
            self.file().set_permissions(mode).map_err(write)?;
        }
        self.file().sync_all().map_err(write)?;
        let mut alive = alive();
        let Some(file) = self.file.take() else { return Ok(()) };
        let path = file.path().to_owned();
        let named = if self.replace {
            file.persist(&self.target)
        } else {
            file.persist_noclobber(&self.target).or_else(|e| without_links(e, &self.target))
        };
        // If it failed, the file is in the error, and dropped with it before the lock is.
        let named = named.map_err(|e| e.error);
        alive.retain(|other| *other != path);
        drop(alive);
        match named {
            Ok(_) => {
                sync_folder(folder(&self.target));
                Ok(())
            }
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(Error::Exists { name }),
            Err(source) => Err(Error::Write { name, source }),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut alive = alive();
        if let Some(file) = self.file.take() {
            let path = file.path().to_owned();
            drop(file);
            alive.retain(|other| *other != path);
        }
    }
}

/// A new file for a secret: complete and on the disk once it is made, readable by its owner only, and
/// removed when it is dropped, unless [`SecretFile::keep`] is called.
#[derive(Debug)]
pub struct SecretFile {
    path: PathBuf,
    keep: bool,
}

impl SecretFile {
    /// A file at `path`, where there is none, with `contents`.
    ///
    /// # Errors
    /// [`Error::Exists`], [`Error::Create`], [`Error::Write`]; nothing is left.
    pub fn create(path: &Path, contents: &[u8]) -> Result<Self, Error> {
        let name = || path.display().to_string();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut alive = alive();
        let mut file = options.open(path).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => Error::Exists { name: name() },
            _ => Error::Create { name: name(), source },
        })?;
        alive.push(path.to_owned());
        drop(alive);
        let secret = Self { path: path.to_owned(), keep: false };
        let written = file.write_all(contents).and_then(|()| file.sync_all());
        written.map_err(|source| Error::Write { name: name(), source })?;
        sync_folder(folder(path));
        Ok(secret)
    }

    /// Lets it stay.
    pub fn keep(mut self) {
        self.keep = true;
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        let mut alive = alive();
        alive.retain(|other| *other != self.path);
        if !self.keep {
            // Nothing is left to be done about a failure.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// For file systems that can neither rename without overwriting nor make links: takes the name with an
/// empty file, which is exclusive everywhere, and replaces that.
fn without_links(failed: PersistError, target: &Path) -> Result<File, PersistError> {
    if failed.error.kind() == ErrorKind::AlreadyExists {
        return Err(failed);
    }
    match OpenOptions::new().write(true).create_new(true).open(target) {
        Ok(_) => failed.file.persist(target).inspect_err(|_| {
            let _ = std::fs::remove_file(target);
        }),
        Err(error) => Err(PersistError { error, file: failed.file }),
    }
}

/// Brings a new name to the disk. The file itself is there; not every file system can do this.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(unix)]
fn mode(bits: u32) -> std::fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(bits)
}
