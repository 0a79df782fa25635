//! Files that a killed program left.

use super::{folder, names};
use crate::output::left::clear;
use crate::output::temporary::{PREFIX, Temporary};
use std::fs;

#[test]
fn what_nobody_writes_goes() {
    let dir = folder();
    let alive = Temporary::named(dir.path().join("out"), false).expect("a folder");
    let its = names(dir.path());
    assert!(its.len() == 1 && its[0].starts_with(".icefish-"), "{its:?}");
    fs::write(dir.path().join(".icefish-Dead01"), b"half").expect("room");
    // These are not ours.
    let others = [".icefish-", ".icefish-notes", ".icefish-a.dead", "icefish-Dead01"];
    for other in others {
        fs::write(dir.path().join(other), b"other").expect("room");
    }
    fs::create_dir(dir.path().join(".icefish-folder")).expect("room");
    fs::create_dir(dir.path().join(".icefish-Folder")).expect("room");
    std::os::unix::fs::symlink("icefish-Dead01", dir.path().join(".icefish-aLink1")).expect("room");
    clear(dir.path(), PREFIX);
    let left = names(dir.path());
    assert!(!left.contains(&".icefish-Dead01".to_owned()), "{left:?}");
    assert!(left.contains(&its[0]) && left.contains(&".icefish-aLink1".to_owned()), "{left:?}");
    assert_eq!(left.len(), 1 + others.len() + 3, "{left:?}");
    drop(alive);
    assert!(!names(dir.path()).contains(&its[0]));
}

/// Who made a file and did not lock it yet may lose it, notices, and makes another.
#[test]
fn a_file_that_was_taken_away_is_made_again() {
    let dir = folder();
    let path = dir.path().join(".icefish-Gone01");
    let file = fs::File::create(&path).expect("room");
    clear(dir.path(), PREFIX);
    assert!(!path.exists() && !crate::output::left::hold(&file, &path));
    let file = fs::File::create(&path).expect("room");
    assert!(crate::output::left::hold(&file, &path));
    clear(dir.path(), PREFIX);
    assert!(path.exists());
}
