//! Who may open an output, and when.

use super::{folder, names};
use crate::output::temporary::Temporary;
use crate::{Error, SecretFile, Target};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

fn mode(path: &Path) -> u32 {
    path.metadata().expect("a file").permissions().mode() & 0o777
}

#[test]
fn modes() -> Result<(), Error> {
    let dir = folder();
    let (usual, path) = (dir.path().join("usual"), dir.path().join("out"));
    fs::write(&usual, b"").expect("room");
    Target::file(&path, false)?.create()?.commit()?;
    assert_eq!(mode(&path), mode(&usual));
    // What is replaced is not opened to others.
    for kept in [0o640, 0o600, 0o400, 0o777, 0o000] {
        fs::set_permissions(&path, PermissionsExt::from_mode(kept)).expect("our file");
        Target::file(&path, true)?.create()?.commit()?;
        assert_eq!(mode(&path), kept);
    }
    SecretFile::create(&dir.path().join("key"), b"")?.keep();
    assert_eq!(mode(&dir.path().join("key")), 0o600);
    Ok(())
}

/// The mode is that of the file that is replaced in the end, not of one that was there at the beginning.
#[test]
fn the_mode_is_read_when_it_is_needed() -> Result<(), Error> {
    let dir = folder();
    let path = dir.path().join("out");
    fs::write(&path, b"old").expect("room");
    fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).expect("our file");
    let output = Target::file(&path, true)?.create()?;
    fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("our file");
    output.commit()?;
    assert_eq!(mode(&path), 0o600);
    Ok(())
}

/// Makes temporary files with a secret while somebody opens whatever the folder shows to everybody.
fn secrets_are_not_seen(make: impl Fn(&Path) -> Temporary) {
    let dir = folder();
    let (opened, end) = (Mutex::new(Vec::<File>::new()), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !end.load(Ordering::Relaxed) {
                for name in names(dir.path()) {
                    let Ok(file) = File::open(dir.path().join(name)) else { continue };
                    // Root may open everything: what counts is who else might.
                    if file.metadata().is_ok_and(|m| m.permissions().mode() & 0o077 != 0) {
                        opened.lock().expect("no panic").push(file);
                    }
                }
            }
        });
        for _ in 0..2000 {
            let mut temporary = make(&dir.path().join("out"));
            temporary.file().write_all(b"secret").expect("room");
            let mut opened = opened.lock().expect("no panic");
            for file in opened.iter_mut() {
                let mut text = String::new();
                let read =
                    file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_string(&mut text));
                if read.is_err() || !text.is_empty() {
                    end.store(true, Ordering::Relaxed);
                }
                assert_eq!(text, "");
            }
            opened.clear();
        }
        end.store(true, Ordering::Relaxed);
    });
}

#[test]
fn nobody_opens_it_before_it_is_complete() {
    secrets_are_not_seen(|path| Temporary::create(path.to_owned(), false).expect("a file"));
}

#[test]
fn nor_where_it_needs_a_name() {
    secrets_are_not_seen(|path| Temporary::named(path.to_owned(), false).expect("a file"));
}

/// Whatever ends the program, it leaves no part of an output: there is no name that could be left.
#[cfg(target_os = "linux")]
#[test]
fn an_unfinished_file_has_no_name() -> Result<(), Error> {
    let dir = folder();
    if crate::output::nameless::create(dir.path(), 0o600).is_err() {
        println!("NOTE: the file system of temporary files has no files without names: not tested");
        return Ok(());
    }
    for replace in [false, true] {
        let mut output = Target::file(&dir.path().join("out"), replace)?.create()?;
        output.write_all(b"some").expect("room");
        assert_eq!(names(dir.path()).len(), usize::from(replace));
        output.commit()?;
        assert_eq!(names(dir.path()), ["out"]);
    }
    Ok(())
}

/// With a name or without one, it ends in the same place, once and whole.
#[test]
fn both_kinds_are_named_alike() -> Result<(), Error> {
    for make in [Temporary::create, Temporary::named] {
        let dir = folder();
        let path = dir.path().join("out");
        let write = |replace| {
            let mut temporary = make(path.clone(), replace).expect("a file");
            temporary.file().write_all(b"new").expect("room");
            temporary
        };
        write(false).commit("out".to_owned())?;
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        fs::write(&path, b"old").expect("room");
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("our file");
        assert!(matches!(write(false).commit("out".to_owned()), Err(Error::Exists { .. })));
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        write(true).commit("out".to_owned())?;
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        assert_eq!(mode(&path), 0o640);
        drop(write(true));
        assert_eq!(names(dir.path()), ["out"]);
        // A folder cannot be replaced, and what should have replaced it goes.
        fs::remove_file(&path).expect("a file");
        fs::create_dir(&path).expect("a folder");
        assert!(matches!(write(true).commit("out".to_owned()), Err(Error::Write { .. })));
        assert_eq!(names(dir.path()), ["out"]);
    }
    Ok(())
}

/// What has a name is known to whoever ends the program.
#[test]
fn names_are_known_while_they_are_there() {
    let dir = folder();
    let temporary = Temporary::named(dir.path().join("out"), false).expect("a file");
    let path = dir.path().join(&names(dir.path())[0]);
    assert!(crate::output::alive::list().contains(&path));
    drop(temporary);
    assert!(!crate::output::alive::list().contains(&path));
}
