//! What a new file keeps of the one that it replaces: owner, group, mode, and on Linux also the access
//! control list and attributes. Nobody gets access who had none.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

/// A file that is to be replaced.
pub(super) struct Replaced<'p> {
    path: &'p Path,
    metadata: Metadata,
}

impl<'p> Replaced<'p> {
    /// The file at `path`, if there is one; a link or a pipe is none.
    pub(super) fn at(path: &'p Path) -> io::Result<Option<Self>> {
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_file() => Ok(Some(Self { path, metadata })),
            Ok(_) => Ok(None),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// Gives `file`, which only its owner may open, what the file had. Set-user-ID and the like are not
    /// for other contents.
    pub(super) fn give_to(&self, file: &File) -> io::Result<()> {
        let (uid, gid) = (self.metadata.uid(), self.metadata.gid());
        let kept = |file: &File| -> io::Result<(bool, bool)> {
            let now = file.metadata()?;
            Ok((now.uid() == uid, now.gid() == gid))
        };
        if kept(file)? != (true, true) && fchown(file, Some(uid), Some(gid)).is_err() {
            // Only root may give a file away; its owner may choose among his groups.
            let _ = fchown(file, None, Some(gid));
        }
        // Asked again, because success proves nothing: some file systems have no owners.
        let (owner, group) = kept(file)?;
        let mut mode = narrowed(self.metadata.mode() & 0o777, owner, group);
        if !attributes::copy(self.path, file, owner && group) {
            // The list that said who else may open it is lost.
            mode &= 0o700;
        }
        file.set_permissions(PermissionsExt::from_mode(mode))
    }
}

/// The part of `mode` that gives nobody more than before, where the file has another owner or group now.
/// The former owner is now in the group or among the others, former members of the group are among the others, and members of
/// the new group were among the others before.
pub(super) fn narrowed(mode: u32, owner_kept: bool, group_kept: bool) -> u32 {
    let (owner, mut group, mut others) = (mode >> 6 & 7, mode >> 3 & 7, mode & 7);
    if !owner_kept {
        group &= owner;
        others &= owner;
    }
    if !group_kept {
        group &= others;
        others = group;
    }
    owner << 6 | group << 3 | others
}

#[cfg(target_os = "linux")]
mod attributes {
    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, lgetxattr, llistxattr};
    use rustix::io::Errno;
    use std::fs::File;
    use std::path::Path;

    /// The largest value and the longest list that Linux has.
    const MOST: usize = 64 * 1024;
    const ACL: &str = "system.posix_acl_access";

    /// Copies the attributes of the file at `from`, its access control list only if `same_owners`.
    /// Whether `to` has the list that it should have.
    pub(super) fn copy(from: &Path, to: &File, same_owners: bool) -> bool {
        let mut value = vec![0; MOST];
        for name in names(from) {
            if let Ok(len) = lgetxattr(from, &name[..], &mut value[..]) {
                // Not everybody may set every attribute.
                let _ = fsetxattr(to, &name[..], &value[..len], XattrFlags::empty());
            }
        }
        match lgetxattr(from, ACL, &mut value[..]) {
            Ok(len) if same_owners => {
                fsetxattr(to, ACL, &value[..len], XattrFlags::empty()).is_ok()
            }
            // The folder may have given it a list.
            Err(Errno::NODATA | Errno::NOTSUP) => {
                matches!(fremovexattr(to, ACL), Ok(()) | Err(Errno::NODATA | Errno::NOTSUP))
            }
            _ => {
                let _ = fremovexattr(to, ACL);
                false
            }
        }
    }

    /// The names of what says something about a file and not about its contents: capabilities and
    /// checksums of the system stay behind.
    fn names(path: &Path) -> Vec<Vec<u8>> {
        let mut list = vec![0; MOST];
        let len = llistxattr(path, &mut list[..]).unwrap_or(0);
        let names = list[..len].split(|&byte| byte == 0).filter(|name| {
            name.starts_with(b"user.")
                || name.starts_with(b"trusted.")
                || *name == b"security.selinux"
        });
        names.map(<[u8]>::to_vec).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod attributes {
    use std::fs::File;
    use std::path::Path;

    /// Elsewhere they are not kept.
    pub(super) fn copy(_: &Path, _: &File, _: bool) -> bool {
        true
    }
}
