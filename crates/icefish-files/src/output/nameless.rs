//! Files without a name (`O_TMPFILE`): nobody else can open one, and however the program ends, none is
//! left.

use rustix::fs::{AtFlags, CWD, OFlags, linkat};
use rustix::io::Errno;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// A file on the file system of `folder`, which [`link`] can name.
///
/// # Errors
/// If the file system has no such files, or if they could not be named here.
pub(super) fn create(folder: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let flags = OFlags::TMPFILE.bits().cast_signed();
    let file = options.read(true).write(true).mode(mode).custom_flags(flags).open(folder)?;
    // Without /proc only root may name it.
    let (ours, there) = (file.metadata()?, proc_path(&file).metadata()?);
    if (ours.dev(), ours.ino()) != (there.dev(), there.ino()) {
        return Err(Errno::NOTSUP.into());
    }
    Ok(file)
}

/// Names it, where nothing has that name.
pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
    Ok(linkat(CWD, proc_path(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

fn proc_path(file: &File) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}
