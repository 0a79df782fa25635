//! Files of secrets.

use super::temporary::sync_folder;
use super::{alive, folder};
use crate::Error;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

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
        let mut alive = alive::list();
        let mut file = options.open(path).map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => Error::Exists { name: name() },
            _ => Error::Create { name: name(), source },
        })?;
        alive.push(path.to_owned());
        drop(alive);
        let secret = Self { path: path.to_owned(), keep: false };
        let written = file.write_all(contents).and_then(|()| file.sync_all());
        written.map_err(|source| Error::Write { name: name(), source })?;
        sync_folder(folder(path)).map_err(|source| Error::Write { name: name(), source })?;
        Ok(secret)
    }

    /// Lets it stay.
    pub fn keep(mut self) {
        self.keep = true;
    }
}

impl Drop for SecretFile {
    fn drop(&mut self) {
        let mut alive = alive::list();
        alive.retain(|other| *other != self.path);
        if !self.keep {
            // Nothing is left to be done about a failure.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
