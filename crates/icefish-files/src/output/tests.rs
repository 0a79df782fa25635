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
    assert_eq!(names(dir.path()).len(), 1);
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

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        path.metadata().expect("a file").permissions().mode() & 0o777
    }

    #[test]
    fn modes() -> Result<(), Error> {
        let dir = folder();
        let (usual, path) = (dir.path().join("usual"), dir.path().join("out"));
        fs::write(&usual, b"").expect("room");
        let output = Target::file(&path, false)?.create()?;
        for name in names(dir.path()).iter().filter(|n| *n != "usual") {
            assert_eq!(mode(&dir.path().join(name)), 0o600);
        }
        output.commit()?;
        assert_eq!(mode(&path), mode(&usual));
        // What is replaced is not opened to others.
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("our file");
        Target::file(&path, true)?.create()?.commit()?;
        assert_eq!(mode(&path), 0o640);
        SecretFile::create(&dir.path().join("key"), b"")?.keep();
        assert_eq!(mode(&dir.path().join("key")), 0o600);
        Ok(())
    }

    #[test]
    fn links_stay_links() -> Result<(), Error> {
        let dir = folder();
        let (real, link, dangling) =
            (dir.path().join("real"), dir.path().join("link"), dir.path().join("dangling"));
        fs::write(&real, b"old").expect("room");
        symlink(&real, &link).expect("a link");
        symlink(dir.path().join("nothing"), &dangling).expect("a link");
        assert!(matches!(Target::file(&dangling, false), Err(Error::Exists { .. })));
        let target = Target::file(&link, true)?;
        let same = target.refuse(Identity::of_path(&real).as_ref(), "the input");
        assert!(matches!(same, Err(Error::SameFile { .. })));
        let mut output = target.create()?;
        output.write_all(b"new").expect("room");
        output.commit()?;
        assert!(link.symlink_metadata().expect("a link").is_symlink());
        assert_eq!(fs::read(&real).expect("a file"), b"new");
        Ok(())
    }

    #[test]
    fn devices_are_written_to() -> Result<(), Error> {
        let mut output = Target::file(Path::new("/dev/null"), false)?.create()?;
        assert!(output.is_stream());
        output.write_all(b"some").expect("room for all");
        output.commit()
    }
}
