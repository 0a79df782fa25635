//! A file that has not got its name yet.

#[cfg(unix)]
use super::left;
#[cfg(target_os = "linux")]
use super::nameless;
#[cfg(unix)]
use super::replaced::Replaced;
use super::{alive, folder};
use crate::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, PersistError};

/// What the names of unfinished files begin with.
pub(super) const PREFIX: &str = ".icefish-";

/// A file for `target`, which only its owner may open until it is complete, and which goes when it is
/// dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    file: Option<Unfinished>,
    target: PathBuf,
    replace: bool,
    /// The mode of a new file here.
    #[cfg(unix)]
    usual: u32,
}

#[derive(Debug)]
enum Unfinished {
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// With an unpredictable name beside the target.
    Named(NamedTempFile),
}

impl Temporary {
    /// A file without a name where the system has such files.
    pub(super) fn create(target: PathBuf, replace: bool) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        {
            let make = |mode| nameless::create(folder(&target), mode);
            // Two files: to see what the usual mode is, and one that never had it.
            if let (Ok(usual), Ok(file)) = (make(0o666).and_then(|file| mode(&file)), make(0o600)) {
                return Ok(Self { file: Some(Unfinished::Nameless(file)), target, replace, usual });
            }
        }
        Self::named(target, replace)
    }

    /// A file with a name, which [`abandon_all`](super::abandon_all) knows.
    pub(super) fn named(target: PathBuf, replace: bool) -> io::Result<Self> {
        #[cfg(unix)]
        left::clear_once(folder(&target), PREFIX);
        let mut alive = alive::list();
        #[cfg(unix)]
        let usual = {
            let mut builder = builder();
            let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
            mode(builder.permissions(permissions).tempfile_in(folder(&target))?.as_file())?
        };
        // Its mode is 0600 if nothing else is said.
        let file = loop {
            let file = builder().tempfile_in(folder(&target))?;
            #[cfg(unix)]
            if !left::hold(file.as_file(), file.path()) {
                continue;
            }
            break file;
        };
        alive.push(file.path().to_owned());
        let file = Some(Unfinished::Named(file));
        Ok(Self {
            file,
            target,
            replace,
            #[cfg(unix)]
            usual,
        })
    }

    /// The open file.
    pub(super) fn file(&mut self) -> &mut File {
        // Only `commit` takes it, and consumes `self`.
        match self.file.as_mut().expect("a file until it is committed") {
            #[cfg(target_os = "linux")]
            Unfinished::Nameless(file) => file,
            Unfinished::Named(file) => file.as_file_mut(),
        }
    }

    /// Gives it its owner, mode and name, once it is on the disk.
    pub(super) fn commit(mut self, name: String) -> Result<(), Error> {
        let write = |source| Error::Write { name: name.clone(), source };
        #[cfg(unix)]
        self.permit().map_err(write)?;
        self.file().sync_all().map_err(write)?;
        let mut alive = alive::list();
        let named = match self.file.take() {
            #[cfg(target_os = "linux")]
            Some(Unfinished::Nameless(file)) => link(&file, &self.target, self.replace),
            Some(Unfinished::Named(file)) => {
                let path = file.path().to_owned();
                let named = rename(file, &self.target, self.replace);
                alive.retain(|other| *other != path);
                named
            }
            None => Ok(()),
        };
        drop(alive);
        match named {
            // Nothing is taken back: a file that was replaced would not return.
            Ok(()) => {
                sync_folder(folder(&self.target)).map_err(|source| Error::Unsynced { name, source })
            }
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Err(Error::Exists { name }),
            Err(source) => Err(Error::Write { name, source }),
        }
    }

    /// Gives it the mode of a new file, or what it keeps of the file that it replaces.
    #[cfg(unix)]
    fn permit(&mut self) -> io::Result<()> {
        let target = self.target.clone();
        match Replaced::at(&target)? {
            Some(replaced) if self.replace => replaced.give_to(self.file()),
            _ => {
                let usual = std::os::unix::fs::PermissionsExt::from_mode(self.usual);
                self.file().set_permissions(usual)
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(Unfinished::Named(file)) = self.file.take() {
            let mut alive = alive::list();
            let path = file.path().to_owned();
            drop(file);
            alive.retain(|other| *other != path);
        }
    }
}

fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX);
    builder
}

#[cfg(unix)]
fn mode(file: &File) -> io::Result<u32> {
    Ok(std::os::unix::fs::MetadataExt::mode(&file.metadata()?) & 0o777)
}

/// Names a file that has no name. `linkat` cannot replace a file: the new one then gets a name beside that, and is renamed, so
/// that other programs see the old file or the new one.
#[cfg(target_os = "linux")]
fn link(file: &File, target: &Path, replace: bool) -> io::Result<()> {
    match nameless::link(file, target) {
        Err(e) if replace && e.kind() == ErrorKind::AlreadyExists => {
            left::clear_once(folder(target), PREFIX);
            // It has a name for a moment.
            let _ = file.lock();
            let beside = builder().make_in(folder(target), |path| nameless::link(file, path))?;
            // If that fails, the name is in the error, and goes with it.
            beside.into_temp_path().persist(target).map_err(|e| e.error)
        }
        other => other,
    }
}

/// Gives a file its name instead of the one that it has.
fn rename(file: NamedTempFile, target: &Path, replace: bool) -> io::Result<()> {
    let named = if replace {
        file.persist(target)
    } else {
        file.persist_noclobber(target).or_else(|e| without_links(e, target))
    };
    // If it failed, the file is in the error, and goes with it.
    named.map(|_| ()).map_err(|e| e.error)
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

/// Brings a new name to the disk. The file itself is there.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.or_else(|e| if is_refusal(&e) { Ok(()) } else { Err(e) })
}

/// Whether an error of opening or bringing a folder to the disk says that this is not done here, and not that it failed: some file
/// systems refuse it, Windows opens no folders, and who may write to a folder may not always read it.
pub(super) fn is_refusal(error: &io::Error) -> bool {
    use ErrorKind::{InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    // File systems of a network say this of a descriptor that they cannot write.
    #[cfg(unix)]
    let bad_descriptor = error.raw_os_error() == Some(BAD_DESCRIPTOR);
    #[cfg(not(unix))]
    let bad_descriptor = false;
    let refused = [InvalidInput, PermissionDenied, ReadOnlyFilesystem, Unsupported];
    bad_descriptor || refused.contains(&error.kind())
}

/// `EBADF`, the same on all Unix systems.
#[cfg(unix)]
const BAD_DESCRIPTOR: i32 = 9;
