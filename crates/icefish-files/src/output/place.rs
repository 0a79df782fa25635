//! Where an output is to go, before anything is there.

use super::temporary::Temporary;
use super::{Output, To};
use crate::input::duplicate;
use crate::{Error, Identity};
use std::fs::{File, Metadata, OpenOptions};
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
    /// Standard output or standard error.
    Standard(File),
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
        Self::standard("standard output".to_owned(), duplicate(&io::stdout()))
    }

    fn standard(name: String, stream: io::Result<File>) -> Result<Self, Error> {
        match stream.and_then(|file| Ok((file.metadata()?, file))) {
            Ok((metadata, file)) => {
                let identity = Identity::of(&metadata, None);
                Ok(Self { name, identity, place: Place::Standard(file) })
            }
            Err(source) => Err(Error::Open { name, source }),
        }
    }

    /// The file at `path`, as the user names it. If there is one it stays, unless `replace`. A link is
    /// replaced, not followed. A pipe or a device is written to as it is, and so is one that a link of the
    /// system leads to. `/dev/stdout` is standard output, and `/dev/stderr` standard error, whatever they
    /// are.
    ///
    /// A file that replaces another has the owner, group and permissions of that, and on Linux its POSIX
    /// access control list and extended attributes (`user`, `trusted`, SELinux label). Where one of these
    /// cannot be kept, it has fewer permissions rather than more: nobody gets access who had none.
    ///
    /// # Errors
    /// [`Error::Exists`], [`Error::Directory`], [`Error::NotAName`], [`Error::Open`].
    pub fn file(path: &Path, replace: bool) -> Result<Self, Error> {
        let name = || path.display().to_string();
        match descriptor(path) {
            Some(1) => Self::standard(name(), duplicate(&io::stdout())),
            Some(2) => Self::standard(name(), duplicate(&io::stderr())),
            _ => Self::at(path, replace, true),
        }
    }

    /// The file at `path`, a name that was derived from that of an input. As [`Target::file`], but whatever is
    /// there is replaced or left alone: an attacker who plants a pipe or device beside an input gets nothing.
    ///
    /// # Errors
    /// As [`Target::file`].
    pub fn beside(path: &Path, replace: bool) -> Result<Self, Error> {
        Self::at(path, replace, false)
    }

    /// `through`: whether a pipe or device is written to.
    fn at(path: &Path, replace: bool, through: bool) -> Result<Self, Error> {
        let name = path.display().to_string();
        if path.file_name().is_none() || name.ends_with(std::path::is_separator) {
            return match path.is_dir() {
                true => Err(Error::Directory { name }),
                false => Err(Error::NotAName { name }),
            };
        }
        let to = |name, identity, place| Ok(Self { name, identity, place });
        let file = || Place::File { path: path.to_owned(), replace };
        let found = match path.symlink_metadata() {
            Ok(found) => found,
            Err(e) if e.kind() == ErrorKind::NotFound => return to(name, None, file()),
            Err(source) => return Err(Error::Open { name, source }),
        };
        let through = through && (!found.is_symlink() || is_of_the_system(path));
        let special = || Place::Special(path.to_owned());
        // What a link leads to is asked about, so that a link to an input or a folder is refused.
        match path.metadata() {
            Ok(metadata) if metadata.is_dir() => Err(Error::Directory { name }),
            Ok(metadata) if through && is_stream(&metadata) => to(name, None, special()),
            _ if !replace => Err(Error::Exists { name }),
            Ok(metadata) => {
                let identity = Identity::of(&metadata, Some(path));
                let place = if through && !metadata.is_file() { special() } else { file() };
                to(name, identity, place)
            }
            // A link to nothing.
            Err(_) => to(name, None, file()),
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
    /// [`Error::Create`], [`Error::Exists`].
    pub fn create(self) -> Result<Output, Error> {
        let Self { name, place, .. } = self;
        let to = match place {
            Place::Standard(file) => Ok(To::Stream(file)),
            Place::Special(path) => match open(&path) {
                // Somebody put it there since.
                Ok((_, metadata)) if metadata.is_file() => return Err(Error::Exists { name }),
                opened => opened.map(|(file, _)| To::Stream(file)),
            },
            Place::File { path, replace } => Temporary::create(path, replace).map(To::File),
        };
        match to {
            Ok(to) => Ok(Output { name, to }),
            Err(source) => Err(Error::Create { name, source }),
        }
    }
}

fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let file = OpenOptions::new().write(true).open(path)?;
    let metadata = file.metadata()?;
    Ok((file, metadata))
}

/// The number of the open file that `path` names, as `/dev/stdout` and `/proc/self/fd/1` do.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<u32> {
    let ours = ["/proc/self/fd", "/dev/fd"].map(|folder| Path::new(folder).canonicalize().ok());
    let mut path = path.to_owned();
    // /dev/stdout is one link; nothing needs many.
    for _ in 0..4 {
        let folder = super::folder(&path).canonicalize().ok()?;
        let name = path.file_name()?;
        if ours.contains(&Some(folder.clone())) {
            return name.to_str()?.parse().ok();
        }
        if folder != Path::new("/dev") {
            return None;
        }
        path = folder.join(folder.join(name).read_link().ok()?);
    }
    None
}

#[cfg(not(unix))]
fn descriptor(_: &Path) -> Option<u32> {
    None
}

/// Whether a link is where only root may make one, as in `/dev`.
#[cfg(unix)]
fn is_of_the_system(link: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    super::folder(link)
        .metadata()
        .is_ok_and(|folder| folder.uid() == 0 && folder.mode() & 0o022 == 0)
}

#[cfg(not(unix))]
fn is_of_the_system(_: &Path) -> bool {
    false
}

/// Whether writing adds to a stream and overwrites nothing.
#[cfg(unix)]
fn is_stream(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_fifo() || kind.is_socket()
}

#[cfg(not(unix))]
fn is_stream(_: &Metadata) -> bool {
    false
}
