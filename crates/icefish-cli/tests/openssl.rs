//! `--format openssl`: against the installed openssl both ways, and against files that openssl made.

mod common;

use common::{KEY, Sandbox, paint, there_is};
use std::path::Path;
use std::process::{Command, Stdio};

const WITH: &str = "--format openssl --passphrase-file pass";

/// The passphrase of every test and every file.
const PASSPHRASE: &str = "correct horse battery staple";

/// A folder with the passphrase in it.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_key("pass", format!("{PASSPHRASE}\n").as_bytes());
    sandbox
}

/// What `openssl enc` makes of a file.
fn openssl(sandbox: &Sandbox, args: &str, file: &str) -> Vec<u8> {
    let output = Command::new("openssl")
        .args(["enc", "-pass", "file:pass", "-in", file])
        .args(args.split_whitespace())
        .current_dir(sandbox.path("."))
        .stdin(Stdio::null())
        .output()
        .expect("openssl runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "openssl enc {args}: {said}");
    output.stdout
}

/// One way of openssl to do it: its options, and ours for the same.
struct Way {
    theirs: String,
    ours: String,
}

/// Every cipher and mode with every derivation.
fn ways() -> Vec<Way> {
    let mut ways = Vec::new();
    for bits in [128, 192, 256] {
        for mode in ["ecb", "cbc", "cfb", "cfb8", "ofb", "ctr"] {
            for md in ["md5", "sha1", "sha256", "sha512"] {
                for (kdf, ours) in [("-pbkdf2 -iter 3", "--iter 3"), ("", "--kdf bytes-to-key")] {
                    ways.push(Way {
                        theirs: format!("-aes-{bits}-{mode} -md {md} {kdf}"),
                        ours: format!("--cipher aes-{bits}-{mode} --md {md} {ours}"),
                    });
                }
            }
        }
    }
    ways
}

#[test]
fn the_whole_matrix_both_ways() {
    if !there_is("openssl version") {
        return;
    }
    let sandbox = sandbox();
    let mut compared = 0;
    for Way { theirs, ours } in ways() {
        for (i, (text, salt)) in
            [("", ""), ("-a", ""), ("", "-nosalt"), ("-a", "-nosalt")].into_iter().enumerate()
        {
            // Each length with each of the four: 0 to 52, whole blocks and whole lines among them.
            let plain = paint((compared * 4 + i) % 53);
            sandbox.write("plain", &plain);
            let flags = format!("{theirs} {text} {salt}");
            let text = if text.is_empty() { "" } else { "--base64" };
            let salt = if salt.is_empty() { "" } else { "--no-salt" };
            let with = format!("{WITH} {ours} {text} {salt}");

            let made = openssl(&sandbox, &flags, "plain");
            let ours = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
            assert!(sandbox.pipe(&format!("decrypt {with}"), &made).ok() == plain, "{flags}");
            sandbox.write("ours", &ours);
            assert!(openssl(&sandbox, &format!("-d {flags}"), "ours") == plain, "{flags}");
            match salt {
                "" => assert!(ours != made && ours.len() == made.len(), "{flags}"),
                _ => assert!(ours == made, "{flags}"),
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 3 * 6 * 4 * 2 * 4);
}

/// What both take if nothing is said, paddings, long files and long lines.
#[test]
fn defaults_and_lengths() {
    if !there_is("openssl version") {
        return;
    }
    let sandbox = sandbox();
    let cbc = format!("{WITH} --cipher aes-256-cbc");
    let both = |theirs: &str, ours: &str, len: usize| {
        let plain = paint(len);
        sandbox.write("plain", &plain);
        let made = openssl(&sandbox, &format!("-aes-256-cbc -pbkdf2 {theirs}"), "plain");
        assert!(sandbox.pipe(&format!("decrypt {cbc} {ours}"), &made).ok() == plain, "{len}");
        sandbox.run(&format!("encrypt {cbc} {ours} plain -o ours --force")).ok();
        let theirs = theirs.replace("-A", "-a");
        let back = openssl(&sandbox, &format!("-d -aes-256-cbc -pbkdf2 {theirs}"), "ours");
        assert!(back == plain, "{theirs} {len}");
    };
    both("", "", 1000);
    both("-nopad", "--padding none", 160);
    for len in [0, (1 << 20) - 17, 1 << 20, (3 << 20) + 5] {
        both("", "", len);
        both("-a", "--base64", len);
        both("-a -A", "--base64", len);
    }
}

/// Long files of the modes whose pieces can be taken by themselves, from and to files and pipes.
#[test]
fn long_files_on_all_cores() {
    if !there_is("openssl version") {
        return;
    }
    let sandbox = sandbox();
    for (mode, len) in
        [("ecb", 3 << 20), ("cbc", (3 << 20) - 1), ("cfb", (3 << 20) + 7), ("ctr", (4 << 20) + 1)]
    {
        let plain = paint(len);
        sandbox.write("plain", &plain);
        for (text, base64) in [("", ""), ("-a", "--base64")] {
            let with = format!("{WITH} --cipher aes-192-{mode} {base64} --threads 3");
            let theirs = format!("-aes-192-{mode} -pbkdf2 {text}");
            let back = |name: &str| openssl(&sandbox, &format!("-d {theirs}"), name) == plain;
            sandbox.run(&format!("encrypt {with} plain -o ours --force")).ok();
            assert!(back("ours"), "{with}");
            let piped = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
            sandbox.write("ours", &piped);
            assert!(back("ours"), "{with}, piped");

            let made = openssl(&sandbox, &theirs, "plain");
            assert!(sandbox.pipe(&format!("decrypt {with}"), &made).ok() == plain, "{with}, piped");
            sandbox.write("theirs", &made);
            sandbox.run(&format!("decrypt {with} theirs -o back --force")).ok();
            assert!(sandbox.read("back") == plain, "{with}");
        }
    }
}

/// Files that openssl 3.0.19 made, as the README there says: no openssl is needed here.
#[test]
fn stored_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/openssl");
    let rows = std::fs::read_to_string(folder.join("files.csv")).expect("a test file");
    let plain = std::fs::read(folder.join("plain.txt")).expect("a test file");
    let sandbox = sandbox();
    let mut files = 0;
    for row in rows.lines().filter(|row| !row.starts_with('#')) {
        let (name, ours) = row.split_once(',').expect("two columns");
        let made = std::fs::read(folder.join(name)).expect("a test file");
        let back = sandbox.pipe(&format!("decrypt {WITH} {ours}"), &made).ok();
        assert!(back == plain, "{row}");
        // Without a salt it is the same file again.
        if ours.contains("--no-salt") {
            let again = sandbox.pipe(&format!("encrypt {WITH} {ours}"), &plain).ok();
            assert!(again == made, "{row}");
        }
        files += 1;
    }
    assert_eq!(files, 24);
}

#[test]
fn lines_of_any_length() {
    let sandbox = sandbox();
    let with = format!("{WITH} --cipher aes-128-ctr --base64 --iter 1");
    let plain = paint(5001);
    let text = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
    let lines: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
    let (last, rest) = lines.split_last().expect("lines");
    assert!(last.is_empty() && rest.len() == 105, "{}", rest.len());
    assert!(rest[..104].iter().all(|line| line.len() == 64));
    let digits: Vec<u8> = text.iter().copied().filter(|&b| b != b'\n').collect();
    for step in [1, 3, 64, 77, 8000] {
        for end in ["\n", "\r\n", " \t\n\n"] {
            let pieces = digits.chunks(step).map(|line| [line, end.as_bytes()].concat());
            let other: Vec<u8> = pieces.collect::<Vec<_>>().concat();
            assert!(sandbox.pipe(&format!("decrypt {with}"), &other).ok() == plain, "{step}");
        }
    }
    let fails = |text: &[u8], words: &[&str]| {
        sandbox.write("text", text);
        sandbox.run(&format!("decrypt {with} text -o out")).fails(1, words);
        assert_eq!(sandbox.names(), ["pass", "text"]);
    };
    fails(&digits[..digits.len() - 1], &["text", "not base64", "group of four"]);
    fails(&[&digits[..], b"QUJD"].concat(), &["not base64", "character", "belong"]);
    fails(&[&digits[..1000], b"!", &digits[1001..]].concat(), &["not base64", "character 1001"]);
    fails(b"U2FsdGVkX18=", &["Salted__"]);
}

/// No file is left, and one sentence says what may be wrong.
#[test]
fn wrong_passphrases_and_damage() {
    let sandbox = sandbox();
    let with = format!("{WITH} --cipher aes-256-cbc --iter 1");
    sandbox.write("plain", &paint(100));
    sandbox.run(&format!("encrypt {with} --no-salt plain -o made")).ok();
    sandbox.write_key("pass", b"another");
    let refused = |args: &str, words: &[&str]| {
        sandbox.run(&format!("decrypt {args} made -o out")).fails(1, words);
        assert_eq!(sandbox.names(), ["made", "pass", "plain"]);
    };
    let unsalted = format!("{with} --no-salt");
    refused(&unsalted, &["padding", "wrong passphrase", "--kdf", "--md"]);
    refused(&with, &["made", "does not begin with Salted__", "--no-salt"]);
    sandbox.write("made", b"Salted__1234567");
    refused(&with, &["does not begin with Salted__"]);
    sandbox.write("made", b"Salted__12345678");
    refused(&with, &["0 bytes", "16"]);
    sandbox.write("made", b"Salted__12345678xxxxxxxxxxxxxxxxx");
    refused(&with, &["17 bytes", "16"]);
    sandbox.write("made", b"U2FsdGVkX18xMjM0NTY3OA==");
    refused(&with, &["base64", "--base64"]);
}

#[test]
fn what_openssl_has_not() {
    let sandbox = sandbox();
    sandbox.write("plain", b"some");
    let refused = |args: &str, words: &[&str]| {
        for way in ["encrypt", "decrypt"] {
            sandbox.run(&format!("{way} --format openssl {args} plain -o out")).fails(2, words);
        }
        assert_eq!(sandbox.names(), ["pass", "plain"]);
    };
    let pass = "--passphrase-file pass";
    for suite in ["aes-256-ctr32", "aes-128-pcbc", "threefish-512-cbc", "ice-1-cbc", "aes-256-gcm"]
    {
        refused(&format!("{pass} --cipher {suite}"), &[suite, "openssl enc", "cfb8"]);
    }
    refused(&format!("{pass} --cipher aes-128-cfb1"), &["aes-128-cfb1", "bit"]);
    refused(pass, &["--cipher", "aes-256-cbc"]);
    let cbc = format!("{pass} --cipher aes-256-cbc");
    refused(&format!("{cbc} --padding x923"), &["x923", "pkcs7", "none"]);
    refused(&format!("{cbc} --iv 00"), &["--iv", "has no meaning", "passphrase"]);
    refused(&format!("{cbc} --kdf scrypt"), &["scrypt", "pbkdf2", "bytes-to-key"]);
    refused(&format!("{cbc} --md sha3"), &["sha3", "sha256", "md5"]);
    refused(&format!("{cbc} --iter 0"), &["--iter", "zero"]);
    refused(&format!("{cbc} --kdf bytes-to-key --iter 2"), &["--iter", "once"]);
    let keyed = format!("--cipher aes-256-cbc --key {KEY}");
    refused(&keyed, &["--format openssl", "passphrase", "--iv"]);
}
