//! Whether two names are one file.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// A file with contents that overwriting would lose: a regular file or a disk. Two names of one file,
/// through links or not, have the same identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);
#[cfg(not(unix))]
type Inner = PathBuf;

impl Identity {
    /// The identity of an open file, if it is a regular file or a disk. `path` is its name if it has
    /// one.
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata, _path: Option<&Path>) -> Option<Self> {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let kind = metadata.file_type();
        (kind.is_file() || kind.is_block_device()).then(|| Self((metadata.dev(), metadata.ino())))
    }

    /// The same by canonical name.
    #[cfg(not(unix))]
    pub(crate) fn of(metadata: &Metadata, path: Option<&Path>) -> Option<Self> {
        metadata.is_file().then_some(())?;
        path?.canonicalize().ok().map(Self)
    }

    /// The identity of the file of that name, if there is one.
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::of(&path.metadata().ok()?, Some(path))
    }
}

/// Whether two names, of files that need not exist, name the same entry of the same folder.
pub fn same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| -> Option<PathBuf> {
        let folder = crate::output::folder(path).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    matches!((place(a), place(b)), (Some(a), Some(b)) if a == b)
}
