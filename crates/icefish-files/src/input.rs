//! Where bytes come from.

use crate::{Error, Identity};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;
use zeroize::Zeroizing;

/// All bytes of a file.
pub type Contents = Zeroizing<Vec<u8>>;

/// A file or standard input, open for reading.
#[derive(Debug)]
pub struct Input {
    name: String,
    file: File,
    len: Option<u64>,
    identity: Option<Identity>,
}

impl Input {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Directory`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        match opened {
            Ok((metadata, file)) => Self::new(name, file, &metadata, Some(path)),
            Err(source) => Err(Error::Open { name, source }),
        }
    }

    /// Standard input, without the buffer of [`std::io::Stdin`].
    ///
    /// # Errors
    /// [`Error::Open`], [`Error::Directory`].
    pub fn stdin() -> Result<Self, Error> {
        let name = "standard input".to_owned();
        match duplicate(&io::stdin()).and_then(|file| Ok((file.metadata()?, file))) {
            Ok((metadata, file)) => Self::new(name, file, &metadata, None),
            Err(source) => Err(Error::Open { name, source }),
        }
    }

    fn new(
        name: String,
        mut file: File,
        metadata: &Metadata,
        path: Option<&Path>,
    ) -> Result<Self, Error> {
        if metadata.is_dir() {
            return Err(Error::Directory { name });
        }
        // Standard input may have been read from before.
        let read = file.stream_position().unwrap_or(0);
        let len = metadata.is_file().then(|| metadata.len().saturating_sub(read));
        Ok(Self { name, len, identity: Identity::of(metadata, path), file })
    }

    /// Its name, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its length if it is a regular file, without what was read already. It may change while it is read.
    pub fn len_hint(&self) -> Option<u64> {
        self.len
    }

    /// Which file it is, if overwriting it would lose something.
    pub fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    /// All bytes of a regular file, whose length fits into memory.
    ///
    /// # Errors
    /// [`Error::Changed`] if there are more or fewer than there were, [`Error::Read`].
    pub fn contents(mut self) -> Result<Contents, Error> {
        let hint = self.len.and_then(|len| usize::try_from(len).ok()).unwrap_or(0);
        // One byte more than there should be, to see the end.
        let mut bytes = Zeroizing::new(vec![0; hint + 1]);
        if self.read_up_to(&mut bytes)? != hint {
            return Err(Error::Changed { name: self.name });
        }
        bytes.truncate(hint);
        Ok(bytes)
    }

    /// Fills as much of `buffer` as there is; returns how much that is.
    pub(crate) fn read_up_to(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        let read = crate::pipeline::fill(self, buffer);
        read.map_err(|source| Error::Read { name: self.name.clone(), source })
    }

    /// Its name and the open file, which are still its own.
    pub(crate) fn parts(&mut self) -> (&str, &File) {
        (&self.name, &self.file)
    }

    /// Its name and the open file.
    pub(crate) fn into_parts(self) -> (String, File) {
        (self.name, self.file)
    }
}

/// Reading goes to the file as it is: give large buffers.
impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.len = self.len.map(|len| len.saturating_sub(read as u64));
        Ok(read)
    }
}

/// A second handle of a standard stream. The handles of the standard library buffer, and look for the
/// ends of lines.
#[cfg(unix)]
pub(crate) fn duplicate(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// The same on Windows.
#[cfg(windows)]
pub(crate) fn duplicate(stream: &impl std::os::windows::io::AsHandle) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}
