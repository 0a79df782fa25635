//! Where bytes go: a file that is there whole or not at all, or a stream.
//!
//! A file can be opened by its owner only, and gets its name and mode when it is complete and on the disk.
//! [`Output::commit`] does that; an [`Output`] that is dropped before leaves nothing. On Linux it has no
//! name until then, if the file system has such files; elsewhere it has another name in the same folder,
//! and a program that is about to be ended by a signal calls [`abandon_all`]. The file that a killed
//! program has left is removed by the next program that writes to the folder.

mod alive;
#[cfg(unix)]
mod left;
#[cfg(target_os = "linux")]
mod nameless;
mod place;
#[cfg(unix)]
mod replaced;
mod secret;
mod temporary;

pub use alive::abandon_all;
pub use place::Target;
pub use secret::SecretFile;

use crate::Error;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use temporary::Temporary;

/// An output. Every output takes bytes in order; a regular file takes them at any position.
pub trait Destination: Write {
    /// The file, if it is a regular one that nobody sees yet: it can be written at any place.
    fn regular(&mut self) -> Option<&mut File> {
        None
    }
}

impl Destination for Vec<u8> {}

/// A file or a stream, open for writing.
#[derive(Debug)]
pub struct Output {
    name: String,
    to: To,
}

#[derive(Debug)]
enum To {
    /// A pipe, a device, standard output: what is written cannot be taken back.
    Stream(File),
    /// A file that has not got its name yet.
    File(Temporary),
}

impl Output {
    /// Its name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a pipe or a device: what is written there cannot be taken back.
    pub fn is_stream(&self) -> bool {
        matches!(self.to, To::Stream(_))
    }

    /// Makes it complete: until this call there is no file of that name.
    ///
    /// # Errors
    /// [`Error::Write`] if the disk is full or fails, [`Error::Exists`] if such a file appeared since: then nothing is left.
    /// [`Error::Unsynced`] if the file is complete and has its name, and the disk fails for the folder.
    pub fn commit(mut self) -> Result<(), Error> {
        self.flush().map_err(|source| Error::Write { name: self.name.clone(), source })?;
        match self.to {
            To::Stream(_) => Ok(()),
            To::File(temporary) => temporary.commit(self.name),
        }
    }

    /// The same error, with the name of this output if it is about writing.
    pub fn explain(&self, error: Error) -> Error {
        match error {
            Error::Write { source, .. } => Error::Write { name: self.name.clone(), source },
            other => other,
        }
    }
}

impl Destination for Output {
    fn regular(&mut self) -> Option<&mut File> {
        match &mut self.to {
            To::Stream(_) => None,
            To::File(temporary) => Some(temporary.file()),
        }
    }
}

/// Writing goes to the file as it is: give large buffers.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Stream(file) => file.write(bytes),
            To::File(temporary) => temporary.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Stream(file) => file.flush(),
            To::File(temporary) => temporary.file().flush(),
        }
    }
}

/// The folder that `path` is in.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests;
