//! Which files are hashed.

use super::say;
use icefish_files::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of `names`, with those in folders, sorted. Links in folders are left out. Whether all folders could be read.
pub(super) fn expand(names: Vec<OsString>) -> (Vec<OsString>, bool) {
    let (mut files, mut ok) = (Vec::new(), true);
    for name in names {
        if name != "-" && Path::new(&name).is_dir() {
            ok &= folder(PathBuf::from(name), &mut files);
        } else {
            files.push(name);
        }
    }
    (files, ok)
}

/// Adds the files in a folder and in its folders. Not by recursion, which deep folders would make too deep.
fn folder(top: PathBuf, files: &mut Vec<OsString>) -> bool {
    let (mut waiting, mut ok) = (vec![(top, true)], true);
    while let Some((path, is_folder)) = waiting.pop() {
        if !is_folder {
            files.push(path.into_os_string());
            continue;
        }
        match entries(&path) {
            // The last is the next.
            Ok(mut entries) => {
                entries.sort_by(|a, b| b.0.cmp(&a.0));
                waiting.extend(entries);
            }
            Err(source) => {
                say(Error::Read { name: path.display().to_string(), source });
                ok = false;
            }
        }
    }
    ok
}

/// The files and folders in a folder, and whether they are folders.
fn entries(path: &Path) -> std::io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // Of the entry itself, also if it is a link.
        let kind = entry.file_type()?;
        if kind.is_dir() || kind.is_file() {
            entries.push((entry.path(), kind.is_dir()));
        }
    }
    Ok(entries)
}
