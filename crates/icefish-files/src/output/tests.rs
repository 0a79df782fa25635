use super::SecretFile;
use crate::{Error, Identity, Target, same_place};
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn there_is_nothing_until_it_is_committed() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("out");
    let mut output = Target::file(&path, false)?.create()?;
    output.write_all(b"some").expect("room");
    assert!(!path.exists());
    output.commit()?;
    assert_eq!(names(dir.path()), ["out"]);
    assert_eq!(fs::read(&path).expect("a file"), b"some");
    Ok(())
}

#[test]
fn a_dropped_output_leaves_nothing() -> Result<(), Error> {
    let dir = folder();
    let mut output = Target::file(&dir.path().join("out"), false)?.create()?;
    output.write_all(b"some").expect("room");
    drop(output);
    assert!(names(dir.path()).is_empty());
    Ok(())
}

#[test]
fn what_exists_stays() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("out");
    let output = Target::file(&path, false)?.create()?;
    // It appears while we write.
    fs::write(&path, b"old").expect("room");
    assert!(matches!(output.commit(), Err(Error::Exists { .. })));
    assert!(matches!(Target::file(&path, false), Err(Error::Exists { .. })));
    assert_eq!(names(dir.path()), ["out"]);
    assert_eq!(fs::read(&path).expect("a file"), b"old");
    Target::file(&path, true)?.create()?.commit()?;
    assert_eq!(fs::read(&path).expect("a file"), b"");
    Ok(())
}

#[test]
fn names_that_are_none() {
    let dir = folder();
    let refused = |path: &Path| Target::file(path, true).err();
    assert!(matches!(refused(dir.path()), Some(Error::Directory { .. })));
    assert!(matches!(refused(Path::new("..")), Some(Error::Directory { .. })));
    assert!(matches!(refused(Path::new("")), Some(Error::NotAName { .. })));
    assert!(matches!(refused(&dir.path().join("new/")), Some(Error::NotAName { .. })));
    let missing = Target::file(&dir.path().join("no/where"), false).and_then(Target::create);
    assert!(matches!(missing, Err(Error::Create { .. })), "{missing:?}");
}

#[test]
fn what_is_needed_is_not_overwritten() -> Result<(), Error> {
    let dir = folder();
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    fs::write(&a, b"").expect("room");
    fs::hard_link(&a, &b).expect("a link");
    let identity = Identity::of_path(&a);
    assert!(identity.is_some());
    let target = Target::file(&b, true)?;
    assert!(matches!(target.refuse(identity.as_ref(), "the input"), Err(Error::SameFile { .. })));
    target.refuse(None, "the input")?;
    assert!(same_place(&a, &dir.path().join("./a")));
    assert!(!same_place(&a, &b));
    Ok(())
}

#[test]
fn secrets_go_unless_they_are_kept() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("key");
    drop(SecretFile::create(&path, b"00")?);
    assert!(!path.exists());
    SecretFile::create(&path, b"00")?.keep();
    assert_eq!(fs::read(&path).expect("a file"), b"00");
    assert!(matches!(SecretFile::create(&path, b"11"), Err(Error::Exists { .. })));
    assert_eq!(fs::read(&path).expect("a file"), b"00");
    Ok(())
}

#[cfg(target_os = "linux")]
mod kept;
#[cfg(unix)]
mod left;
#[cfg(unix)]
mod links;
#[cfg(unix)]
mod secrecy;
#[cfg(target_os = "linux")]
mod synced;
