//! The command line: any arguments, on small files in a folder of its own.
//!
//! Nothing panics; the exit code is one of those that are documented; no file is changed without `--force`; what was encrypted
//! decrypts. The program is compiled in, without its handling of signals and without `bench` and `selftest`, which take seconds.

use crate::data::Data;
use clap::Parser;
use icefish::modes::Padding;
use icefish::suite::{CIPHERS, HASHES, Named};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The program's own modules, which expect to be at the root.
use crate::cli;

const COMMANDS: [&str; 9] =
    ["encrypt", "decrypt", "hash", "block", "permute", "info", "completions", "man", "help"];

/// Words, some of which go together.
const WORDS: &[&[&str]] = &[
    &["-o"],
    &["--output"],
    &["--force"],
    &["--extension"],
    &["--match", "a,b"],
    &["--context"],
    &["--threads", "1"],
    &["--format"],
    &["raw"],
    &["openssl"],
    &["valve"],
    &["valve-net"],
    &["--key"],
    &["--key-file"],
    &["--key-text"],
    &["--generate-key"],
    &["--cipher"],
    &["--iv"],
    &["--tweak"],
    &["--padding"],
    &["--associated"],
    &["--tag-length"],
    &["--level"],
    &["--range"],
    &["1..2"],
    &["-3.."],
    &["--passphrase-file", "a", "--argon2", "8K,1,1"],
    &["--passphrase-fd", "99"],
    &["--passphrase-env", "ICEFISH_FUZZ"],
    &["--argon2-most", "64K"],
    &["--algorithm"],
    &["--length"],
    &["--check"],
    &["--tag"],
    &["--recursive"],
    &["--permutation"],
    &["--rounds"],
    &["--decrypt"],
    &["--backend"],
    &["--help"],
    &["--version"],
    &["xoodoo"],
    &["bash"],
    &["--salt"],
    &["--base64"],
    &["--iter", "2"],
    &["-"],
    &["."],
    &["--"],
    &["a"],
    &["b"],
    &["c"],
    &["d"],
    &["a.b"],
    &["0"],
    &["16"],
    &["ff"],
    &["deadbeef01234567"],
    &["000102030405060708090a0b0c0d0e0f"],
    &["000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"],
];

/// A folder for this process, which is the current one from then on.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let path =
            std::env::temp_dir().join(format!("icefish-fuzz-{}-program", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        std::env::set_current_dir(&path).expect("a folder");
        path
    })
}

/// All files of the folder and their bytes.
fn files() -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![PathBuf::from(".")]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => drop(files.insert(path.clone(), std::fs::read(&path).unwrap_or_default())),
            }
        }
    }
    files
}

pub(crate) fn run(bytes: &[u8]) {
    let data = &mut Data::new(bytes);
    let folder = folder();
    for name in ["a", "b", "a.b"] {
        let text =
            if data.bit() { data.raw(60) } else { data.text(usize::from(name == "a") * 32 + 16) };
        std::fs::write(name, text).expect("a file");
    }
    if data.below(3) == 0 {
        there_and_back(data);
    } else {
        for _ in 0..1 + data.below(3) {
            let arguments = arguments(data);
            let _ = call(&arguments);
        }
    }
    std::fs::remove_dir_all(folder).and_then(|()| std::fs::create_dir(folder)).expect("a folder");
    std::env::set_current_dir(folder).expect("a folder");
}

/// The exit code of the program, with checks of what it did. None if it is not called.
fn call(arguments: &[OsString]) -> Option<u8> {
    // What could leave the folder, ask on the terminal, or take seconds.
    let refused = |word: &OsStr| {
        let bytes = word.as_bytes();
        bytes.contains(&b'/')
            || bytes.windows(2).any(|two| two == b"..") && !bytes.iter().any(u8::is_ascii_digit)
            || ["bench", "selftest", "--passphrase"].iter().any(|&name| word == name)
            || bytes.starts_with(b"--argon2=")
    };
    let slow = arguments.iter().any(|word| word.as_bytes().starts_with(b"--passphrase"))
        && !arguments.iter().any(|word| word == "--argon2" || word == "decrypt");
    if slow || arguments.iter().any(|word| refused(word)) {
        return None;
    }
    let before = files();
    let words = std::iter::once(OsString::from("icefish")).chain(arguments.iter().cloned());
    let result = match cli::Cli::try_parse_from(words) {
        Ok(cli) => cli.run(),
        Err(error) => cli::not_parsed(&error),
    };
    let code = result.err().map_or(0, crate::errors::Failure::say);
    assert!(code <= 2, "{code} of {arguments:?}");
    let after = files();
    let forced = arguments.iter().any(|word| word == "--force");
    for (name, bytes) in &before {
        assert!(
            forced || after.get(name) == Some(bytes),
            "{arguments:?} changed {}",
            name.display()
        );
    }
    assert!(code != 2 || after == before, "{arguments:?} is a usage error and wrote");
    Some(code)
}

/// A command with words of all kinds.
fn arguments(data: &mut Data<'_>) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![data.pick(&COMMANDS).into()];
    for _ in 0..data.below(12) {
        match data.below(8) {
            0 => words.push(OsString::from_vec(text(data))),
            1 => words.push(name(data).into()),
            2 => words.extend([OsString::from("--cipher"), name(data).into()]),
            _ => words.extend(data.pick(WORDS).iter().map(OsString::from)),
        }
    }
    words
}

fn text(data: &mut Data<'_>) -> Vec<u8> {
    let mut text = data.raw(40);
    text.retain(|&byte| byte != 0);
    text
}

/// A name of the library.
fn name(data: &mut Data<'_>) -> String {
    let all: Vec<Named> = Named::all().collect();
    match data.below(4) {
        0 => data.pick(CIPHERS).name.to_owned(),
        1 => data.pick(HASHES).name.to_owned(),
        2 => data.pick(&Padding::ALL).name().to_owned(),
        _ => data.pick(&all).to_string(),
    }
}

/// A file that is encrypted decrypts with the same options.
fn there_and_back(data: &mut Data<'_>) {
    let mut options: Vec<OsString> = vec!["--threads".into(), "1".into()];
    let key_len = match data.below(4) {
        0 => [16, 32][data.below(2)],
        _ => {
            let all: Vec<Named> = Named::all().collect();
            let named = data.pick(&all).to_string();
            options.extend(["--cipher".into(), named.clone().into()]);
            let cipher = CIPHERS.iter().filter(|cipher| named.starts_with(cipher.name));
            cipher.map(|cipher| cipher.key).max().unwrap_or([16, 32, 64][data.below(3)])
        }
    };
    let key: String = data.text(key_len).iter().map(|byte| format!("{byte:02x}")).collect();
    options.extend(["--key".into(), key.into()]);
    if data.bit() {
        options.extend(["--associated".into(), "c0ffee".into()]);
    }
    let there =
        [&["encrypt".into()], &options[..], &["a".into(), "-o".into(), "there".into()]].concat();
    if call(&there) != Some(0) {
        return;
    }
    let back =
        [&["decrypt".into()], &options[..], &["there".into(), "-o".into(), "back".into()]].concat();
    assert_eq!(call(&back), Some(0), "{back:?}");
    let read = |name: &str| std::fs::read(name).expect("a file");
    assert!(read("a") == read("back"), "{back:?} gave something else");
}
