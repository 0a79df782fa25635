//! Many files in one call.

mod common;

use common::{KEY, Run, Sandbox, paint, there_is};
use std::process::Command;

/// Lengths around blocks and pieces, one of which is empty.
const LENGTHS: [usize; 12] = [0, 1, 15, 16, 17, 31, 1000, 4096, 16384, 50_000, 70_001, 300_000];

/// Names that are not only letters.
const ODD: [&str; 6] =
    ["with space.log", "two.dots.log", "-dash.log", ".log", "ümlaut.log", "quote'\".log"];

fn key(len: usize) -> String {
    format!("--key {}", &KEY.repeat(4)[..2 * len])
}

/// A folder with a file of every length.
fn files(sandbox: &Sandbox) -> Vec<String> {
    let names: Vec<String> = (0..LENGTHS.len()).map(|i| format!("file{i}.log")).collect();
    for (name, &len) in names.iter().zip(&LENGTHS) {
        sandbox.write(name, &paint(len));
    }
    names
}

fn run(sandbox: &Sandbox, options: &str, files: &[impl AsRef<str>]) -> Run {
    let options = options.split_whitespace();
    sandbox.run_all(options.chain(["--"]).chain(files.iter().map(AsRef::as_ref)))
}

fn with_extension(names: &[String], extension: &str) -> Vec<String> {
    names.iter().map(|name| name.replace(".log", extension)).collect()
}

/// What comes back one by one went in together, and the other way round.
#[test]
fn every_kind_both_ways() {
    for (cipher, len) in [
        ("", 32),
        ("", 16),
        ("--cipher aes-256-cbc", 32),
        ("--cipher aes-128-cfb", 16),
        ("--cipher aes-256-ctr", 32),
        ("--cipher aes-256-ecb", 32),
        ("--cipher aes-256-ofb", 32),
        ("--cipher aes-256-pcbc --padding iso7816", 32),
        ("--cipher threefish-512-cbc", 64),
        ("--cipher ice-2-cbc", 16),
        ("--cipher aes-256-gcm", 32),
        ("--cipher aes-256-gcm-siv", 32),
        ("--cipher aes-256-cbc --threads 1", 32),
    ] {
        let sandbox = Sandbox::new();
        let (logs, options) = (files(&sandbox), format!("{cipher} {}", key(len)));
        run(&sandbox, &format!("encrypt {options} --extension enc"), &logs).ok();
        let sealed = with_extension(&logs, ".enc");
        for (name, &len) in sealed.iter().zip(&LENGTHS) {
            let plain = sandbox.run(&format!("decrypt {options} {name}")).ok();
            assert!(plain == paint(len), "{options}: {name}");
            let again = sandbox.pipe(&format!("encrypt {options}"), &plain).ok();
            sandbox.write(&name.replace(".enc", ".again"), &again);
            assert_eq!(again.len(), sandbox.read(name).len(), "{options}: {name}");
            assert!(len == 0 || cipher.contains("ecb") || again != sandbox.read(name), "{options}");
        }
        let again = with_extension(&logs, ".again");
        run(&sandbox, &format!("decrypt {options} --extension .back"), &again).ok();
        for (name, &len) in with_extension(&logs, ".back").iter().zip(&LENGTHS) {
            assert!(sandbox.read(name) == paint(len), "{options}: {name}");
        }
        assert_eq!(sandbox.names().len(), 4 * LENGTHS.len());
    }
}

/// Each has an initialization vector of its own, and openssl reads what comes after it.
#[test]
fn openssl_reads_each() {
    if !there_is("openssl version") {
        return;
    }
    let sandbox = Sandbox::new();
    let logs = files(&sandbox);
    run(&sandbox, &format!("encrypt --cipher aes-256-cbc {} --extension enc", key(32)), &logs).ok();
    let mut ivs = std::collections::HashSet::new();
    for (name, &len) in with_extension(&logs, ".enc").iter().zip(&LENGTHS) {
        let sealed = sandbox.read(name);
        let (iv, body) = sealed.split_at(16);
        assert!(ivs.insert(iv.to_vec()), "{name}");
        sandbox.write("body", body);
        let iv: String = iv.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut openssl = Command::new("openssl");
        openssl.args(["enc", "-d", "-aes-256-cbc", "-K", KEY, "-iv", &iv, "-in", "body"]);
        let plain = openssl.current_dir(sandbox.path(".")).output().expect("openssl runs").stdout;
        assert!(plain == paint(len), "{name}");
    }
}

#[test]
fn odd_names() {
    let sandbox = Sandbox::new();
    for (i, name) in ODD.iter().enumerate() {
        sandbox.write(name, &paint(100 + i));
    }
    for cipher in ["", "--cipher aes-256-cbc"] {
        let options = format!("{cipher} {} --force", key(32));
        run(&sandbox, &format!("encrypt {options} --extension enc"), &ODD).ok();
        // A name that begins with its only dot has no extension.
        let sealed = ODD.map(|name| match name {
            ".log" => ".log.enc".to_owned(),
            name => name.replace(".log", ".enc"),
        });
        run(&sandbox, &format!("decrypt {options} --extension txt"), &sealed).ok();
        for (i, name) in sealed.iter().enumerate() {
            assert!(sandbox.read(&name.replace(".enc", ".txt")) == paint(100 + i), "{name}");
        }
    }
    assert_eq!(sandbox.names().len(), 3 * ODD.len());
}

#[test]
fn one_that_fails_does_not_stop_the_others() {
    for cipher in ["", "--cipher aes-256-cbc", "--cipher aes-256-gcm"] {
        let sandbox = Sandbox::new();
        for name in ["a.log", "b.log", "c.log", "c.txt", "z.log"] {
            sandbox.write(name, name.as_bytes());
        }
        sandbox.write("b.enc", b"precious");
        std::fs::create_dir(sandbox.path("folder.log")).expect("a folder");
        let names = ["a.log", "missing.log", "b.log", "c.log", "c.txt", "folder.log", "z.log"];
        let options = format!("{cipher} {}", key(32));
        let failed = run(&sandbox, &format!("encrypt {options} --extension enc"), &names);
        let said = failed.stderr();
        assert_eq!(failed.0.status.code(), Some(1), "{said}");
        assert_eq!(said.lines().count(), 4, "{said}");
        for words in [
            ["missing.log", "cannot open"],
            ["b.enc", "exists already"],
            ["c.txt", "would both become c.enc"],
            ["folder.log", "--match"],
        ] {
            let has = |line: &str| words.iter().all(|word| line.contains(word));
            assert!(said.lines().any(has), "{words:?} is not in: {said}");
        }
        assert_eq!(sandbox.read("b.enc"), b"precious");
        assert_eq!(sandbox.names().len(), 7 + 3, "{:?}", sandbox.names());
        for name in ["a", "c", "z"] {
            let plain = sandbox.run(&format!("decrypt {options} {name}.enc")).ok();
            assert_eq!(plain, format!("{name}.log").as_bytes());
        }
        let names = ["a.log", "b.log"];
        run(&sandbox, &format!("encrypt {options} --extension enc --force"), &names).ok();
        assert_ne!(sandbox.read("b.enc"), b"precious");
    }
}

/// Data that is wrong is named, and leaves no output.
#[test]
fn damaged_files() {
    for (cipher, word) in [
        ("", "cobblestone"),
        ("--cipher aes-256-cbc", "blocks of 16"),
        ("--cipher aes-256-gcm", "tag"),
    ] {
        let sandbox = Sandbox::new();
        let (logs, options) = (files(&sandbox), format!("{cipher} {}", key(32)));
        run(&sandbox, &format!("encrypt {options} --extension enc"), &logs).ok();
        for name in ["file3.enc", "file9.enc", "file11.enc"] {
            let mut sealed = sandbox.read(name);
            sealed.pop();
            sandbox.write(name, &sealed);
        }
        let sealed = with_extension(&logs, ".enc");
        let failed = run(&sandbox, &format!("decrypt {options} --extension txt"), &sealed);
        let said = failed.stderr();
        assert_eq!(failed.0.status.code(), Some(1), "{said}");
        assert_eq!(said.lines().count(), 3, "{said}");
        for (i, &len) in LENGTHS.iter().enumerate() {
            let bad = [3, 9, 11].contains(&i);
            let named = said.lines().any(|line| line.contains(&format!(" file{i}.enc:")));
            assert_eq!(named, bad, "{word} file{i}: {said}");
            let output = sandbox.path(&format!("file{i}.txt"));
            assert_eq!(output.exists(), !bad, "file{i}");
            assert!(bad || sandbox.read(&format!("file{i}.txt")) == paint(len), "file{i}");
        }
    }
}

/// No input is overwritten, whatever its place in the list and however it is written.
#[test]
fn inputs_and_keys_are_safe() {
    let sandbox = Sandbox::new();
    for name in ["a.log", "a.enc", "b.log"] {
        sandbox.write(name, name.as_bytes());
    }
    sandbox.write_key("k.enc", KEY.as_bytes());
    sandbox.write("k.log", b"k");
    let options = "encrypt --cipher aes-256-cbc --key-file k.enc --force --extension enc";
    let failed = run(&sandbox, options, &["a.log", "./a.enc", "b.log", "k.log"]);
    let said = failed.stderr();
    assert_eq!(failed.0.status.code(), Some(2), "{said}");
    assert!(said.contains("a.log would become a.enc, which is an input"), "{said}");
    assert!(
        said.contains("a.enc is the input") && said.contains("k.enc is the key file"),
        "{said}"
    );
    assert_eq!(sandbox.read("a.enc"), b"a.enc");
    assert_eq!(sandbox.read("k.enc"), KEY.as_bytes());
    assert_eq!(sandbox.read("b.enc").len(), 32);
}

#[test]
fn a_new_key_is_kept_if_something_was_done() {
    let sandbox = Sandbox::new();
    let call = "encrypt --generate-key new.key --extension enc";
    run(&sandbox, call, &["missing.log", "gone.log"]);
    assert!(sandbox.names().is_empty(), "{:?}", sandbox.names());
    sandbox.write("a.log", b"some");
    let failed = run(&sandbox, call, &["missing.log", "a.log"]);
    assert_eq!(failed.0.status.code(), Some(1), "{}", failed.stderr());
    assert_eq!(sandbox.names(), ["a.enc", "a.log", "new.key"]);
    assert_eq!(sandbox.run("decrypt --key-file new.key a.enc").ok(), b"some");
}

#[test]
fn wrong_calls() {
    let sandbox = Sandbox::new();
    for name in ["a.log", "b.log"] {
        sandbox.write(name, b"some");
    }
    let refused = |args: &str, words: &[&str]| {
        sandbox.run(&format!("encrypt {} {args}", key(32))).fails(2, words);
    };
    refused("a.log b.log", &["2 files", "--extension"]);
    refused("a.log b.log -o out", &["-o", "2 files"]);
    refused("--extension enc a.log -o out", &["--extension has no meaning with -o"]);
    refused("--extension enc", &["--extension has no meaning"]);
    refused("--extension a/b a.log", &["--extension"]);
    refused("--match log a.log -o out", &["--match has no meaning"]);
    refused("--cipher aes-256-cbc --iv 00 --extension enc a.log", &["--iv", "of its own"]);
    refused("--cipher aes-256-gcm --iv 00 --extension enc a.log", &["--iv", "of its own"]);
    let decrypt = format!("decrypt {} --range ..1 --extension txt a.log b.log", key(32));
    sandbox.run(&decrypt).fails(2, &["--range", "one file"]);
    sandbox.write_key("pass", b"secret");
    sandbox
        .run("encrypt --passphrase-file pass --extension enc a.log b.log")
        .fails(2, &["--extension", "one file at a time"]);
    assert_eq!(sandbox.names(), ["a.log", "b.log", "pass"]);
}

/// Some of the files are too large to be in memory with others, and one takes all cores.
#[test]
fn large_and_small() {
    let sandbox = Sandbox::new();
    let sizes = [10, 5 << 20, 1 << 20, 4_000_001, 33, 2_000_000];
    let names: Vec<String> = (0..sizes.len()).map(|i| format!("f{i}.log")).collect();
    for (name, size) in names.iter().zip(sizes) {
        sandbox.write(name, &paint(size));
    }
    for cipher in ["", "--cipher aes-256-cbc", "--cipher aes-256-ctr", "--cipher aes-256-eax"] {
        let options = format!("{cipher} {} --force", key(32));
        run(&sandbox, &format!("encrypt {options} --extension enc"), &names).ok();
        run(
            &sandbox,
            &format!("decrypt {options} --extension txt"),
            &with_extension(&names, ".enc"),
        )
        .ok();
        for (name, size) in with_extension(&names, ".txt").iter().zip(sizes) {
            assert!(sandbox.read(name) == paint(size), "{cipher} {name}");
        }
    }
}

/// A folder, of which `--match` says what is taken.
#[test]
fn folders() {
    let sandbox = Sandbox::new();
    std::fs::create_dir_all(sandbox.path("in/deep")).expect("a folder");
    for name in ["in/a.log", "in/deep/b.log", "in/c.txt"] {
        sandbox.write(name, name.as_bytes());
    }
    let options = format!("--cipher aes-256-cbc {}", key(32));
    sandbox.run(&format!("encrypt {options} --extension enc --match log in")).ok();
    sandbox.run(&format!("decrypt {options} --extension back --match enc in")).ok();
    assert_eq!(sandbox.read("in/deep/b.back"), b"in/deep/b.log");
    assert!(!sandbox.path("in/c.enc").exists());
}
