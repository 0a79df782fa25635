//! Where an output is to go, before anything is there.

use super::temporary::Temporary;
use super::{Output, To};
use crate::input::duplicate;
use crate::{Error, Identity};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A place to write to, looked at but not touched.
#[derive(Debug)]
pub struct Target {
    name: String,
    identity: Option<Identity>,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Standard output.
    Stdout(File),
    /// A pipe or device, which stays what it is.
    Special(PathBuf),
    /// A file to be made or replaced.
    File { path: PathBuf, replace: bool },
}

impl Target {
    /// Standard output, without the buffer of [`std::io::Stdout`].
    ///
    /// # Errors
    /// [`Error::Open`].
    pub fn stdout() -> Result<Self, Error> {
        let name = "standard output".to_owned();
        match duplicate(&io::stdout()).and_then(|file| Ok((file.metadata()?, file))) {
            Ok((metadata, file)) => {
                let identity = Identity::of(&metadata, None);
                Ok(Self { name, identity, place: Place::Stdout(file) })
            }
            Err(source) => Err(Error::Open { name, source }),
        }
    }

    /// The file at `path`. If there is one it stays, unless `replace`; a link to a file stays a link.
    /// A pipe or a device is written to as it is.
    ///
    /// # Errors
    /// [`Error::Exists`], [`Error::Directory`], [`Error::NotAName`], [`Error::Open`].
    pub fn file(path: &Path, replace: bool) -> Result<Self, Error> {
        let name = path.display().to_string();
        let new = |path: &Path, identity| {
            let place = Place::File { path: path.to_owned(), replace };
            Ok(Self { name: name.clone(), identity, place })
        };
        if path.file_name().is_none() || name.ends_with(std::path::is_separator) {
            return match path.is_dir() {
                true => Err(Error::Directory { name }),
                false => Err(Error::NotAName { name }),
            };
        }
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(Error::Directory { name }),
            Ok(metadata) if is_stream(&metadata) => {
                Ok(Self { name, identity: None, place: Place::Special(path.to_owned()) })
            }
            Ok(_) if !replace => Err(Error::Exists { name }),
            Ok(metadata) if !metadata.is_file() => {
                let identity = Identity::of(&metadata, Some(path));
                Ok(Self { name, identity, place: Place::Special(path.to_owned()) })
            }
            Ok(metadata) => match path.canonicalize() {
                Ok(real) => new(&real, Identity::of(&metadata, Some(path))),
                Err(source) => Err(Error::Open { name, source }),
            },
            // A link to nothing is something too.
            Err(e) if e.kind() == ErrorKind::NotFound => match path.symlink_metadata() {
                Ok(_) if !replace => Err(Error::Exists { name }),
                _ => new(path, None),
            },
            Err(source) => Err(Error::Open { name, source }),
        }
    }

    /// Refuses to overwrite what is needed: `other`, which is `role`, such as `"the input"`.
    ///
    /// # Errors
    /// [`Error::SameFile`].
    pub fn refuse(&self, other: Option<&Identity>, role: &'static str) -> Result<(), Error> {
        if other.is_some() && other == self.identity.as_ref() {
            return Err(Error::SameFile { name: self.name.clone(), role });
        }
        Ok(())
    }

    /// Opens it.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Write`].
    pub fn create(self) -> Result<Output, Error> {
        let Self { name, place, .. } = self;
        let to = match place {
            Place::Stdout(file) => Ok(To::Stream(file)),
            Place::Special(path) => OpenOptions::new().write(true).open(path).map(To::Stream),
            Place::File { path, replace } => Temporary::create(path, replace).map(To::File),
        };
        match to {
            Ok(to) => Ok(Output { name, to }),
            Err(source) => Err(Error::Create { name, source }),
        }
    }
}

/// Whether writing adds to a stream and overwrites nothing.
#[cfg(unix)]
fn is_stream(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_stream(_: &std::fs::Metadata) -> bool {
    false
}
