//! Every option of `encrypt` and `decrypt` with every format and kind of cipher: what has no meaning is
//! refused.

mod common;

use common::{KEY, Sandbox};
use icefish::modes::{Granularity, Mode};
use icefish::suite::{AEADS, AnyMode, CIPHERS, CipherInfo};
use icefish_files::formats::KeyStream;
use std::fs;

/// What has a meaning with every format.
const ALWAYS: [&str; 7] =
    ["--key", "--key-file", "--format", "--output", "--force", "--backend", "--help"];

/// What has a meaning with some, and values that are right for none and for some of them.
const SOMETIMES: [(&str, &[&str]); 25] = [
    ("--cipher", &["aes-256-cbc", "nonsense"]),
    ("--key-text", &["E2NcUkG2", "x"]),
    ("--generate-key", &["new.key"]),
    ("--context", &["zz", "00", ""]),
    ("--range", &["..", "-4K..2"]),
    ("--threads", &["1", "7"]),
    ("--iv", &["zz", "00", ""]),
    ("--tweak", &["zz", "00", "", "000102030405060708090a0b0c0d0e0f"]),
    ("--padding", &["pkcs7", "none", "nonsense"]),
    ("--associated", &["zz", "00", ""]),
    ("--tag-length", &["0", "16"]),
    ("--level", &["0", "2"]),
    ("--extension", &["txt", ".x", ""]),
    ("--match", &["txt", "a,b"]),
    ("--argon2", &["8K,1,1"]),
    ("--argon2-most", &["1G"]),
    ("--passphrase", FLAG),
    ("--passphrase-file", &["no.such"]),
    ("--passphrase-fd", &["0", "99"]),
    ("--passphrase-env", &["NO_SUCH"]),
    ("--kdf", &["pbkdf2", "nonsense"]),
    ("--iter", &["10000"]),
    ("--md", &["sha256", "nonsense"]),
    ("--base64", FLAG),
    ("--no-salt", FLAG),
];

/// What stands for the value of an option that takes none.
const FLAG: &[&str] = &["--"];

/// The options that give a passphrase.
const PASSPHRASES: [&str; 4] =
    ["--passphrase", "--passphrase-file", "--passphrase-fd", "--passphrase-env"];

/// What one of the commands has not.
const LACKS: [(&str, &str); 4] = [
    ("encrypt", "--range"),
    ("encrypt", "--argon2-most"),
    ("decrypt", "--argon2"),
    ("decrypt", "--generate-key"),
];

/// A way to call the program, which options it takes, and the length of its key: 0 if it takes a passphrase.
struct Case {
    call: String,
    takes: Vec<&'static str>,
    key: usize,
}

impl Case {
    /// The arguments that give a key or passphrase.
    fn keyed(&self) -> String {
        match self.key {
            0 => "--passphrase-file pass".to_owned(),
            len => format!("--key {}", &KEY.repeat(4)[..2 * len]),
        }
    }
}

/// Every mode of one cipher of every kind, every authenticated mode, a stream cipher, files of openssl, and the formats of games.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for name in ["aes-256", "threefish-256", "ice-2"] {
        let cipher = CipherInfo::by_name(name).expect("a cipher");
        for (mode_name, mode) in AnyMode::ALL {
            let mut takes = vec!["--cipher", "--generate-key", "--threads"];
            takes.extend((mode.iv_len(cipher.block) > 0).then_some("--iv"));
            takes.extend((cipher.tweak > 0).then_some("--tweak"));
            takes.extend((mode.granularity() == Granularity::Block).then_some("--padding"));
            let call = format!("--cipher {name}-{mode_name}");
            cases.push(Case { call, takes, key: cipher.key });
        }
    }
    for suite in AEADS {
        let takes = vec!["--cipher", "--generate-key", "--iv", "--associated", "--tag-length"];
        cases.push(Case { call: format!("--cipher {suite}"), takes, key: suite.key });
    }
    let takes = vec!["--cipher", "--generate-key", "--iv", "--threads"];
    cases.push(Case { call: "--cipher xoofff".to_owned(), takes, key: 32 });
    for mode in ["ecb", "cbc", "ctr"] {
        let mut takes =
            vec!["--cipher", "--kdf", "--iter", "--md", "--base64", "--no-salt", "--threads"];
        takes.extend(PASSPHRASES);
        takes.extend((mode != "ctr").then_some("--padding"));
        let call = format!("--format openssl --cipher aes-256-{mode}");
        cases.push(Case { call, takes, key: 0 });
    }
    for call in ["", "--cipher cobblestone-256"] {
        let mut takes = vec!["--cipher", "--range", "--threads", "--argon2", "--argon2-most"];
        takes.extend(PASSPHRASES);
        takes.push("--generate-key");
        cases.push(Case { call: call.to_owned(), takes, key: 0 });
    }
    for (name, key) in
        [("", 32), ("--cipher cobblestone-128", 16), ("--cipher cobblestone-256", 32)]
    {
        let mut takes = vec!["--cipher", "--generate-key", "--context", "--range", "--threads"];
        // What gives a key decides what else is taken.
        takes.extend((key == 32).then_some(PASSPHRASES).into_iter().flatten());
        cases.push(Case { call: name.to_owned(), takes, key });
    }
    for (format, level) in [("valve", 0), ("valve-net", 2)] {
        let takes = vec!["--key-text", "--level", "--extension", "--match", "--threads"];
        let key = CIPHERS.iter().find(|c| c.name == format!("ice-{level}")).expect("ICE").key;
        cases.push(Case { call: format!("--format {format}"), takes, key });
    }
    cases
}

/// The options that the help shows. Those of rarely used formats are not in `--help`.
fn options(sandbox: &Sandbox, command: &str) -> Vec<String> {
    let help = sandbox.run(&format!("help {command}")).text();
    let lines = help.lines().filter(|line| line.starts_with("      --") || line.starts_with("  -"));
    let words = lines.filter_map(|line| line.split_whitespace().find(|w| w.starts_with("--")));
    words.map(|word| word.trim_end_matches(',').to_owned()).collect()
}

#[test]
fn the_options_are_all_of_them() {
    let sandbox = Sandbox::new();
    let mut known: Vec<&str> = ALWAYS.into_iter().chain(SOMETIMES.iter().map(|o| o.0)).collect();
    known.sort_unstable();
    for command in ["encrypt", "decrypt"] {
        let mut found = options(&sandbox, command);
        let lacks = LACKS.into_iter().filter(|(of, _)| *of == command);
        found.extend(lacks.map(|(_, option)| option.to_owned()));
        found.sort_unstable();
        assert_eq!(found, known);
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("in.a", b"");
    sandbox.write_key("pass", b"secret");
    let mut refused = 0;
    for case in cases() {
        let (keyed, Case { call, takes, .. }) = (case.keyed(), case);
        for (option, values) in SOMETIMES.iter().filter(|(option, _)| !takes.contains(option)) {
            for way in ["encrypt", "decrypt"] {
                if LACKS.contains(&(way, *option)) {
                    continue;
                }
                for value in *values {
                    let gives_a_key = ["--key-text", "--generate-key"].contains(option)
                        || PASSPHRASES.contains(option);
                    let keyed = if gives_a_key { "" } else { &keyed };
                    let args = format!("{way} {call} {keyed} in.a -o out");
                    let value = Some(*value).filter(|value| *value != FLAG[0]);
                    let args = args.split_whitespace().chain([*option]).chain(value);
                    sandbox.run_all(args).fails(2, &[option, "has no meaning", "leave it out"]);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 3000, "{refused}");
    assert_eq!(sandbox.names(), ["in.a", "pass"]);
}

/// Sources of passphrases that need more than a file: `passphrases.rs` tests them.
const ELSEWHERE: [&str; 3] = ["--passphrase", "--passphrase-fd", "--passphrase-env"];

/// The other half of the pairs: with right values, what has a meaning is taken.
#[test]
fn what_has_a_meaning_is_taken() {
    let sandbox = Sandbox::new();
    for case in cases() {
        let (keyed, Case { call, takes, key }) = (case.keyed(), case);
        for option in takes.into_iter().filter(|option| !ELSEWHERE.contains(option)) {
            fs::create_dir(sandbox.path("in")).expect("a folder");
            sandbox.write("in/file.a", b"");
            sandbox.write_key("pass", b"secret");
            let (file, folder) = ("in/file.a -o out", "in");
            let cipher = call.strip_prefix("--cipher ");
            let iv = cipher.map(|name| "07".repeat(iv_len(name))).unwrap_or_default();
            let (keyed, value, files) = match option {
                "--cipher" => (&*keyed, String::new(), file),
                "--key-text" => ("", "E2NcUkG2E2NcUkG2"[..key].to_owned(), file),
                "--generate-key" => ("", "new.key".to_owned(), file),
                "--iv" => (&*keyed, iv, file),
                "--tweak" => (&*keyed, "07".repeat(16), file),
                "--padding" if key == 0 => (&*keyed, "none".to_owned(), file),
                "--padding" => (&*keyed, "iso7816".to_owned(), file),
                "--associated" | "--context" => (&*keyed, "0708".to_owned(), file),
                "--tag-length" => (&*keyed, "16".to_owned(), file),
                "--threads" => (&*keyed, "2".to_owned(), file),
                "--argon2" => (&*keyed, "8K,1,1".to_owned(), file),
                // Of `decrypt`: see tests/cobblestone.rs and tests/passphrase_files.rs.
                "--range" | "--argon2-most" => (&*keyed, String::new(), file),
                "--level" => (&*keyed, if key == 8 { "0" } else { "2" }.to_owned(), file),
                "--passphrase-file" => ("", "pass".to_owned(), file),
                "--kdf" => (&*keyed, "bytes-to-key".to_owned(), file),
                "--iter" => (&*keyed, "1".to_owned(), file),
                "--md" => (&*keyed, "md5".to_owned(), file),
                "--base64" | "--no-salt" => (&*keyed, String::new(), file),
                "--extension" => (&*keyed, "b".to_owned(), folder),
                "--match" => (&*keyed, "a".to_owned(), folder),
                _ => panic!("{option} is new"),
            };
            let silent = ["--cipher", "--range", "--argon2-most"].contains(&option);
            let option = if silent { "" } else { option };
            let args = format!("encrypt {call} {keyed} {option} {value} {files}");
            sandbox.run(&args).ok();
            for name in sandbox.names() {
                let path = sandbox.path(&name);
                let gone =
                    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
                gone.expect("it is there");
            }
        }
    }
}

fn iv_len(name: &str) -> usize {
    if name.starts_with("cobblestone") {
        return 0;
    }
    if name == KeyStream::NAME {
        return KeyStream::NONCE;
    }
    if let Ok(suite) = name.parse::<icefish::suite::AeadSuite>() {
        return suite.nonce;
    }
    let suite: icefish::suite::Suite = name.parse().expect("a suite");
    suite.mode.iv_len(suite.cipher.block)
}

/// Where outputs do not go beside their inputs, nothing is derived and no folder is read.
#[test]
fn options_of_folders() {
    let sandbox = Sandbox::new();
    sandbox.write("in.ctx", b"12345678");
    let decrypt = "decrypt --format valve --key-text E2NcUkG2";
    for option in ["--extension b", "--match ctx"] {
        for files in ["", "-", "in.ctx -o out", "in.ctx -o -"] {
            let run = sandbox.run(&format!("{decrypt} {option} {files}"));
            run.fails(2, &[&option[..5], "has no meaning", "leave it out"]);
        }
    }
    assert_eq!(sandbox.names(), ["in.ctx"]);
}

#[test]
fn tweaks_of_blocks() {
    let sandbox = Sandbox::new();
    for tweak in ["", "00", "zz"] {
        let key = &KEY[..32];
        let args = ["block", "--cipher", "aes-128", "--key", key, "--tweak", tweak, key];
        sandbox.run_all(args).fails(2, &["--tweak", "aes-128", "leave it out"]);
    }
}
