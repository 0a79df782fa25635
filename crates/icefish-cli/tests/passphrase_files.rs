//! Files sealed with a passphrase: what they are, what opens them, and what is refused.

mod common;

use common::{KEY, Run, Sandbox, paint, there_is};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PASSPHRASE: &str = "correct horse battery staple";

/// The least that Argon2 takes: what a guess costs is not tested here.
const CHEAP: &str = "--argon2 8K,1,1";

/// Length of a header.
const HEADER: usize = 36;

/// A folder with the passphrase in it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_key("pass", format!("{PASSPHRASE}\n").as_bytes());
    sandbox
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/passphrase")
}

#[test]
fn there_and_back() {
    let sandbox = sandbox();
    for len in [0, 1, 16_383, 16_384, 16_385, 100_000, (3 << 20) + 7] {
        let plain = paint(len);
        sandbox.write("plain", &plain);
        let with = "--passphrase-file pass --force";
        sandbox.run(&format!("encrypt {CHEAP} {with} plain -o sealed")).ok();
        sandbox.run(&format!("decrypt {with} sealed -o back")).ok();
        assert!(sandbox.read("back") == plain, "{len}");
        let sealed = sandbox.read("sealed");
        assert_eq!(sealed[..HEADER - 16], *b"icefish\x01\0\0\0\x08\0\0\0\x01\0\0\0\x01");
        assert_eq!(sealed.len(), HEADER + 56 + len + 16 * (len / 16_384 + 1));

        let piped = sandbox.pipe(&format!("encrypt {CHEAP} {with}"), &plain).ok();
        assert!(piped[HEADER - 16..HEADER] != sealed[HEADER - 16..HEADER]);
        assert!(piped[HEADER..HEADER + 24] != sealed[HEADER..HEADER + 24]);
        assert!(sandbox.pipe(&format!("decrypt {with}"), &piped).ok() == plain, "{len}");
        sandbox.write("sealed", &piped);
        sandbox.run(&format!("decrypt {with} sealed -o back")).ok();
        assert!(sandbox.read("back") == plain, "{len}");
    }
}

/// A range of a file of several chunks, by name of the cipher and on one thread.
#[test]
fn ranges() {
    let sandbox = sandbox();
    let plain = paint(50_000);
    sandbox.write("plain", &plain);
    let with = "--passphrase-file pass --cipher cobblestone-256 --threads 1";
    sandbox.run(&format!("encrypt {CHEAP} {with} plain -o sealed")).ok();
    for (range, start, end) in
        [("16380..16390", 16_380, 16_390), ("40K..", 40_960, 50_000), ("-1K..", 48_976, 50_000)]
    {
        let part = sandbox.run(&format!("decrypt {with} --range {range} sealed")).ok();
        assert!(part == plain[start..end], "{range}");
    }
    let beyond = format!("decrypt {with} --range 0..50001 sealed -o out");
    sandbox.run(&beyond).fails(2, &["50000 bytes"]);
    let other = "encrypt --passphrase-file pass --cipher cobblestone-128 plain -o out";
    sandbox.run(other).fails(2, &["cobblestone-128", "cobblestone-256"]);
    assert_eq!(sandbox.names(), ["pass", "plain", "sealed"]);
}

/// What costs nobody named.
#[test]
fn the_default_cost() {
    let sandbox = sandbox();
    let sealed = sandbox.pipe("encrypt --passphrase-file pass", b"some").ok();
    assert_eq!(sealed[..HEADER - 16], *b"icefish\x01\0\x01\0\0\0\0\0\x03\0\0\0\x04");
    assert_eq!(sandbox.pipe("decrypt --passphrase-file pass", &sealed).ok(), b"some");
}

/// Files that argon2-cffi and pyca/cryptography made, as the README there says.
#[test]
fn files_of_others() {
    let sandbox = sandbox();
    for len in [0, 100, 16_384, 40_000] {
        let sealed = std::fs::read(vectors().join(format!("{len}.sealed"))).expect("a test file");
        let opened = sandbox.pipe("decrypt --passphrase-file pass", &sealed).ok();
        assert!(opened == paint(len), "{len}");
    }
}

/// The program of the documentation opens what this one seals.
#[test]
fn python_opens_it() {
    let python = std::env::var("ICEFISH_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let packages = "__import__('argon2'),__import__('cryptography.cobblestone')";
    if !there_is(&format!("{python} -c {packages}")) {
        return;
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/open-passphrase.py");
    let sandbox = sandbox();
    for (len, cost) in [(0, "8K,1,1"), (16_384, "64K,3,4"), (50_000, "1M,2,3")] {
        sandbox.write("plain", &paint(len));
        let encrypt =
            format!("encrypt --passphrase-file pass --argon2 {cost} plain -o sealed --force");
        sandbox.run(&encrypt).ok();
        let open = |passphrase: &str, output: &str| {
            let mut child = Command::new(&python)
                .arg(&program)
                .args(["sealed", output])
                .current_dir(sandbox.path("."))
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("python runs");
            let mut stdin = child.stdin.take().expect("a pipe");
            stdin.write_all(passphrase.as_bytes()).expect("it reads");
            drop(stdin);
            child.wait_with_output().expect("it ends")
        };
        let run = open(&format!("{PASSPHRASE}\n"), &format!("back {len}"));
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        assert!(sandbox.read(&format!("back {len}")) == paint(len), "{len}");
        assert!(!open("another\n", &format!("not {len}")).status.success());
    }
}

#[test]
fn wrong_passphrases() {
    let sandbox = sandbox();
    let sealed = std::fs::read(vectors().join("100.sealed")).expect("a test file");
    sandbox.write("sealed", &sealed);
    for wrong in ["x", "correct horse battery stapl", "correct horse battery staple "] {
        sandbox.write_key("pass", wrong.as_bytes());
        let decrypt = "decrypt --passphrase-file pass sealed";
        sandbox.run(&format!("{decrypt} -o out")).fails(1, &["passphrase is wrong"]);
        let run = sandbox.run(decrypt);
        assert!(run.0.stdout.is_empty());
        run.fails(1, &["passphrase is wrong"]);
    }
    assert_eq!(sandbox.names(), ["pass", "sealed"]);
}

/// Every bit of a header, and every length of one.
#[test]
fn damaged_headers() {
    let sandbox = sandbox();
    let sealed = std::fs::read(vectors().join("100.sealed")).expect("a test file");
    let decrypt = "decrypt --passphrase-file pass --argon2-most 16M sealed -o out";
    for bit in 0..8 * HEADER {
        let mut wrong = sealed.clone();
        wrong[bit / 8] ^= 1 << (bit % 8);
        sandbox.write("sealed", &wrong);
        let words: &[&str] = match bit / 8 {
            0..7 => &["sealed is not sealed with a passphrase"],
            7 => &["version"],
            // More than is allowed, what Argon2 does not take, or another key.
            _ => &[],
        };
        sandbox.run(decrypt).fails(1, words);
    }
    for len in 0..HEADER + 56 {
        sandbox.write("sealed", &sealed[..len]);
        sandbox.run(decrypt).fails(1, &[]);
    }
    assert_eq!(sandbox.names(), ["pass", "sealed"]);
}

/// No header makes the program ask for terabytes or run for a day, unless somebody wants that.
#[test]
fn hostile_headers() {
    let sandbox = sandbox();
    let sealed = std::fs::read(vectors().join("100.sealed")).expect("a test file");
    let decrypt = |args: &str| {
        sandbox.run(&format!("decrypt --passphrase-file pass {args} hostile -o out --force"))
    };
    let largest = u32::MAX;
    for (memory, passes, lanes, enough) in [
        (largest, 1, 1, "4194304M"),
        (largest, largest, 1, "4503599625273345M"),
        (8, largest, 1, "8388608M"),
        (2 << 20, 5, 4, "2560M"),
        ((2 << 20) + 1, 1, 4, "2049M"),
    ] {
        let mut hostile = sealed.clone();
        hostile[8..12].copy_from_slice(&u32::to_be_bytes(memory));
        hostile[12..16].copy_from_slice(&u32::to_be_bytes(passes));
        hostile[16..20].copy_from_slice(&u32::to_be_bytes(lanes));
        sandbox.write("hostile", &hostile);
        decrypt("").fails(1, &["hostile", "MiB of memory", "--argon2-most", enough]);
    }
    // The file needs 64 KiB and 3 passes.
    sandbox.write("hostile", &sealed);
    decrypt("--argon2-most 16K").fails(1, &["allowed are 0 MiB", "--argon2-most 1M"]);
    decrypt("--argon2-most 1M").ok();
    decrypt("--argon2-most 64K").ok();
    assert!(sandbox.read("out") == paint(100));
    assert_eq!(sandbox.names(), ["hostile", "out", "pass"]);
}

/// Which of them a file needs is said.
#[test]
fn keys_and_passphrases() {
    let sandbox = sandbox();
    sandbox.write_key("key", KEY.as_bytes());
    sandbox.write("plain", b"some");
    sandbox.run("encrypt --key-file key plain -o keyed").ok();
    sandbox.run(&format!("encrypt --passphrase-file pass {CHEAP} plain -o passed")).ok();
    let openssl = "--format openssl --cipher aes-256-ctr --iter 1";
    sandbox.run(&format!("encrypt {openssl} --passphrase-file pass plain -o openssl")).ok();
    let names = sandbox.names();
    let with_key = |file: &str| sandbox.run(&format!("decrypt --key-file key {file} -o out"));
    let with_pass =
        |file: &str| sandbox.run(&format!("decrypt --passphrase-file pass {file} -o out"));
    with_key("passed").fails(1, &["passed", "sealed with a passphrase", "--passphrase"]);
    with_pass("keyed").fails(1, &["keyed", "not sealed with a passphrase", "--key-file"]);
    with_pass("openssl").fails(1, &["openssl", "not sealed with a passphrase", "--format openssl"]);
    assert_eq!(sandbox.names(), names);
}

#[test]
fn costs_that_cannot_be() {
    let sandbox = sandbox();
    sandbox.write("plain", b"some");
    let run = |args: &str| -> Run {
        sandbox.run(&format!("encrypt --passphrase-file pass {args} plain -o out"))
    };
    for wrong in
        ["", "64M", "64M,3", "64M,3,4,5", "64M,x,4", "64M,3,-1", "1,1,1", "x,1,1", "5T,1,1"]
    {
        run(&format!("--argon2={wrong}")).fails(2, &["--argon2"]);
    }
    for wrong in ["7K,1,1", "8K,0,1", "8K,1,0", "8K,1,2"] {
        run(&format!("--argon2 {wrong}")).fails(2, &["Argon2 takes no memory"]);
    }
    run("--argon2-most 1G").fails(2, &["--argon2-most"]);
    sandbox.run("decrypt --passphrase-file pass --argon2 8K,1,1 plain").fails(2, &["--argon2"]);
    assert_eq!(sandbox.names(), ["pass", "plain"]);
}
