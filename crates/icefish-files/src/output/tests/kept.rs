//! What a file keeps of the one that it replaces.

use super::folder;
use crate::output::replaced::narrowed;
use crate::{Error, Target};
use rustix::fs::{XattrFlags, lgetxattr, lsetxattr};
use rustix::io::Errno;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

const ACL: &str = "system.posix_acl_access";
const INHERITED: &str = "system.posix_acl_default";

/// An access control list as the kernel takes it: version 2; entries of a tag, permissions and a number.
fn acl(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(permissions.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

const NOBODY: u32 = 65534;
const NONE: u32 = u32::MAX;
/// Owner rw, user 65534 r, group none, others none.
const READER: [(u16, u16, u32); 5] =
    [(0x01, 6, NONE), (0x02, 4, NOBODY), (0x04, 0, NONE), (0x10, 4, NONE), (0x20, 0, NONE)];

fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = [0; 4096];
    match lgetxattr(path, name, &mut value[..]) {
        Ok(len) => Some(value[..len].to_vec()),
        Err(Errno::NODATA) => None,
        Err(e) => panic!("{name}: {e}"),
    }
}

/// Whether the file system of `path` takes that attribute: tests of what it does not take say so and end.
fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    let done = lsetxattr(path, name, value, XattrFlags::empty());
    if done == Err(Errno::NOTSUP) {
        println!("NOTE: temporary files here have no {name}: that they are kept was not tested");
    } else {
        done.expect("our file");
    }
    done.is_ok()
}

fn replace(path: &Path) -> Result<(), Error> {
    let mut output = Target::file(path, true)?.create()?;
    output.write_all(b"new").expect("room");
    output.commit()?;
    assert_eq!(fs::read(path).expect("a file"), b"new");
    Ok(())
}

fn mode(path: &Path) -> u32 {
    path.metadata().expect("a file").mode() & 0o7777
}

#[test]
fn the_owner() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("out");
    fs::write(&path, b"old").expect("room");
    if path.metadata().expect("a file").uid() != 0 {
        println!("NOTE: not root: whether another owner is kept was not tested");
        return Ok(());
    }
    for (owner, group) in [(NOBODY, NOBODY), (0, NOBODY), (1, 2)] {
        for kept in [0o600, 0o640, 0o444] {
            chown(&path, Some(owner), Some(group)).expect("we are root");
            fs::set_permissions(&path, PermissionsExt::from_mode(kept)).expect("we are root");
            replace(&path)?;
            let now = path.metadata().expect("a file");
            assert_eq!((now.uid(), now.gid(), mode(&path)), (owner, group, kept));
        }
    }
    // What lends the rights of its owner was lent to the old contents.
    fs::set_permissions(&path, PermissionsExt::from_mode(0o6755)).expect("we are root");
    replace(&path)?;
    assert_eq!(mode(&path), 0o755);
    Ok(())
}

#[test]
fn attributes() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("out");
    fs::write(&path, b"old").expect("room");
    if !set(&path, "user.note", b"some") {
        return Ok(());
    }
    set(&path, "user.empty", b"");
    replace(&path)?;
    assert_eq!(get(&path, "user.note").as_deref(), Some(&b"some"[..]));
    assert_eq!(get(&path, "user.empty").as_deref(), Some(&b""[..]));
    Ok(())
}

#[test]
fn access_control_lists() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("out");
    fs::write(&path, b"old").expect("room");
    if !set(&path, ACL, &acl(&READER)) {
        return Ok(());
    }
    let list = get(&path, ACL);
    assert!(list.is_some());
    replace(&path)?;
    assert_eq!(get(&path, ACL), list);
    assert_eq!(mode(&path), 0o640);
    Ok(())
}

/// A file without a list, in a folder that gives one to every new file, gives nobody else access.
#[test]
fn an_inherited_list_opens_nothing() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("out");
    fs::write(&path, b"old").expect("room");
    if !set(dir.path(), INHERITED, &acl(&READER)) {
        return Ok(());
    }
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("our file");
    replace(&path)?;
    assert_eq!(get(&path, ACL), None);
    assert_eq!(mode(&path), 0o640);
    // A file that is new has the list, as any new file there.
    let (new, usual) = (dir.path().join("new"), dir.path().join("usual"));
    fs::write(&usual, b"").expect("room");
    replace(&new)?;
    assert!(get(&usual, ACL).is_some());
    assert_eq!(get(&new, ACL), get(&usual, ACL));
    assert_eq!(mode(&new), mode(&usual));
    Ok(())
}

/// Nobody may do what he could not do with the file that was there.
#[test]
fn modes_of_another_owner() {
    // Kept: owner and group, neither, the owner alone, the group alone.
    for (mode, both, neither, owner, group) in [
        (0o600, 0o600, 0o600, 0o600, 0o600),
        (0o640, 0o640, 0o600, 0o600, 0o640),
        (0o644, 0o644, 0o644, 0o644, 0o644),
        (0o604, 0o604, 0o600, 0o600, 0o604),
        (0o664, 0o664, 0o644, 0o644, 0o664),
        (0o466, 0o466, 0o444, 0o466, 0o444),
        (0o066, 0o066, 0o000, 0o066, 0o000),
        (0o777, 0o777, 0o777, 0o777, 0o777),
    ] {
        assert_eq!(narrowed(mode, true, true), both, "{mode:o}");
        assert_eq!(narrowed(mode, false, false), neither, "{mode:o}");
        assert_eq!(narrowed(mode, true, false), owner, "{mode:o}");
        assert_eq!(narrowed(mode, false, true), group, "{mode:o}");
    }
}
