//! Links, pipes and devices in the place of an output.

use super::{folder, names};
use crate::{Error, Identity, Target};
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn write(target: Target) -> Result<(), Error> {
    let mut output = target.create()?;
    output.write_all(b"new").expect("room");
    output.commit()
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().expect("something").is_symlink()
}

fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()));
}

#[test]
fn a_link_is_replaced_and_not_followed() -> Result<(), Error> {
    for of in [Target::file, Target::beside] {
        let dir = folder();
        let (real, link) = (dir.path().join("real"), dir.path().join("link"));
        fs::write(&real, b"old").expect("room");
        fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).expect("our file");
        for leads_to in [&real, &dir.path().join("nothing")] {
            symlink(leads_to, &link).expect("a link");
            assert!(matches!(of(&link, false), Err(Error::Exists { .. })));
            write(of(&link, true)?)?;
            assert!(!is_link(&link));
            assert_eq!(fs::read(&link).expect("a file"), b"new");
            fs::remove_file(&link).expect("a file");
        }
        assert_eq!(fs::read(&real).expect("a file"), b"old");
        assert_eq!(names(dir.path()), ["real"]);
    }
    Ok(())
}

/// The new file has the mode of a new file: that of the link says nothing, and what it leads to stays.
#[test]
fn a_link_has_no_mode_to_keep() -> Result<(), Error> {
    let dir = folder();
    let (real, link, usual) =
        (dir.path().join("real"), dir.path().join("link"), dir.path().join("usual"));
    fs::write(&real, b"old").expect("room");
    fs::write(&usual, b"").expect("room");
    fs::set_permissions(&real, PermissionsExt::from_mode(0o777)).expect("our file");
    symlink(&real, &link).expect("a link");
    write(Target::file(&link, true)?)?;
    let mode = |path: &Path| path.metadata().expect("a file").permissions().mode();
    assert_eq!(mode(&link), mode(&usual));
    assert_eq!(mode(&real) & 0o777, 0o777);
    Ok(())
}

/// Nothing would be lost, but nobody means that.
#[test]
fn a_link_to_the_input_is_refused() -> Result<(), Error> {
    let dir = folder();
    let (real, link) = (dir.path().join("real"), dir.path().join("link"));
    fs::write(&real, b"old").expect("room");
    symlink(&real, &link).expect("a link");
    let target = Target::file(&link, true)?;
    let same = target.refuse(Identity::of_path(&real).as_ref(), "the input");
    assert!(matches!(same, Err(Error::SameFile { .. })));
    Ok(())
}

/// Somebody who may write to the folder could send the output wherever he likes.
#[test]
fn a_link_to_a_device_is_not_followed() -> Result<(), Error> {
    let dir = folder();
    fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o777)).expect("our folder");
    for of in [Target::file, Target::beside] {
        let link = dir.path().join("link");
        symlink("/dev/null", &link).expect("a link");
        assert!(matches!(of(&link, false), Err(Error::Exists { .. })));
        write(of(&link, true)?)?;
        assert_eq!(fs::read(&link).expect("a file"), b"new");
        fs::remove_file(&link).expect("a file");
    }
    Ok(())
}

#[test]
fn devices_and_pipes_are_written_to() -> Result<(), Error> {
    let mut output = Target::file(Path::new("/dev/null"), false)?.create()?;
    assert!(output.is_stream());
    output.write_all(b"some").expect("room for all");
    output.commit()
}

/// A file that takes the place of a pipe, before that is opened, is not overwritten.
#[test]
fn what_was_a_pipe_is_looked_at_again() {
    let dir = folder();
    let pipe = dir.path().join("pipe");
    make_pipe(&pipe);
    let target = Target::file(&pipe, false).expect("a pipe");
    fs::remove_file(&pipe).expect("a pipe");
    fs::write(&pipe, b"old").expect("room");
    assert!(matches!(target.create(), Err(Error::Exists { .. })));
    assert_eq!(fs::read(&pipe).expect("a file"), b"old");
}

/// What is derived from the name of an input is a file, or nothing.
#[test]
fn beside_an_input_there_are_files_only() -> Result<(), Error> {
    let dir = folder();
    let pipe = dir.path().join("pipe");
    make_pipe(&pipe);
    assert!(Target::file(&pipe, false).is_ok());
    assert!(matches!(Target::beside(&pipe, false), Err(Error::Exists { .. })));
    write(Target::beside(&pipe, true)?)?;
    assert_eq!(fs::read(&pipe).expect("a file"), b"new");
    Ok(())
}
