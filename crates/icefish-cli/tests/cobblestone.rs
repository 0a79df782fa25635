//! `encrypt` and `decrypt` without `--cipher`: files in chunks.

mod common;

use common::{KEY, Killer, Run, Sandbox, paint, wait_for_end};
use icefish::storage::cobblestone::{CHUNK, HEADER, SEALED_CHUNK, sealed_len};
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// The longest input of most tests: several runs of every worker.
const LONG: usize = 5 << 20;

/// A sandbox with a key of 32 bytes and one of 16.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_key("key", KEY.as_bytes());
    sandbox.write_key("short", &KEY.as_bytes()[..32]);
    sandbox
}

const ENCRYPT: &str = "encrypt --key-file key";
const DECRYPT: &str = "decrypt --key-file key";

#[test]
fn there_and_back() {
    let sandbox = sandbox();
    for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 32 * CHUNK, 32 * CHUNK + 1, 64 * CHUNK, LONG + 7]
    {
        let plain = paint(len);
        sandbox.write("plain", &plain);
        let sealed = sealed_len(len as u64).unwrap() as usize;
        for key in ["key", "short"] {
            let with = format!("--key-file {key} --context 0102");
            sandbox.run(&format!("encrypt {with} plain -o sealed --force")).ok();
            assert_eq!(sandbox.read("sealed").len(), sealed);
            sandbox.run(&format!("decrypt {with} sealed -o back --force")).ok();
            assert!(sandbox.read("back") == plain, "{len}, from file to file");
            let piped = sandbox.pipe(&format!("encrypt {with}"), &plain).ok();
            assert!(piped.len() == sealed && piped[..24] != sandbox.read("sealed")[..24]);
            assert!(
                sandbox.pipe(&format!("decrypt {with}"), &piped).ok() == plain,
                "{len}, by pipes"
            );
            sandbox.pipe(&format!("decrypt {with} -o back --force"), &piped).ok();
            assert!(sandbox.read("back") == plain, "{len}, from pipe to file");
            let back = sandbox.run(&format!("decrypt {with} sealed --threads 1")).ok();
            assert!(back == plain, "{len}, from file to pipe");
        }
    }
}

/// The length of the key says which it is, and so does the name.
#[test]
fn names_and_keys() {
    let sandbox = sandbox();
    let plain = paint(100_000);
    for (key, name, other) in [
        ("key", "cobblestone-256", "cobblestone-128"),
        ("short", "cobblestone-128", "cobblestone-256"),
    ] {
        let sealed = sandbox.pipe(&format!("encrypt --key-file {key}"), &plain).ok();
        let named = format!("decrypt --cipher {name} --key-file {key}");
        assert!(sandbox.pipe(&named, &sealed).ok() == plain);
        sandbox
            .run(&format!("encrypt --cipher {other} --key-file {key}"))
            .fails(2, &[other, "key"]);
    }
    sandbox.run("encrypt --generate-key new key -o sealed").ok();
    assert_eq!(sandbox.read("new").len(), 65);
    sandbox.run("decrypt --cipher cobblestone-256 --key-file new sealed -o back").ok();
    assert_eq!(sandbox.read("back"), KEY.as_bytes());
    // As bytes, and what is neither.
    sandbox.write_key("bytes", &hex::decode(KEY).unwrap());
    let sealed = sandbox.pipe("encrypt --key-file bytes", &plain).ok();
    assert!(sandbox.pipe(DECRYPT, &sealed).ok() == plain);
    for len in [0, 15, 17, 24, 31, 33, 64] {
        sandbox.write_key("wrong", "g".repeat(len).as_bytes());
        let run = sandbox.run("encrypt --key-file wrong key -o out");
        run.fails(
            2,
            &["Cobblestone", &format!("{len} bytes"), "32 or 64 hex digits", "16 or 32 bytes"],
        );
    }
    sandbox.run("encrypt --key 00 key -o out").fails(2, &["1 bytes", "16 or 32", "32 or 64"]);
    sandbox
        .run("encrypt --cipher cobblestone-192 --key-file key key")
        .fails(2, &["cobblestone-256"]);
    assert_eq!(sandbox.names(), ["back", "bytes", "key", "new", "sealed", "short", "wrong"]);
}

/// From a file to a file: an error, and nothing is there.
#[test]
fn nothing_unverified_leaves() {
    let sandbox = sandbox();
    let sealed = sandbox.pipe(ENCRYPT, &paint(LONG + 100)).ok();
    let fails = |contents: &[u8], args: &str, words: &[&str]| {
        sandbox.write("sealed", contents);
        sandbox.run(&format!("{args} sealed -o out")).fails(1, words);
        sandbox.pipe(&format!("{args} -o out"), contents).fails(1, words);
        assert_eq!(sandbox.names(), ["key", "sealed", "short"]);
    };
    let forged = |at: usize| {
        let mut forged = sealed.clone();
        forged[at] ^= 1;
        forged
    };
    for at in [0, 23, 24, 55] {
        fails(&forged(at), DECRYPT, &["another key or context", "--cipher"]);
    }
    fails(&sealed, "decrypt --key-file short", &["another key or context"]);
    fails(&sealed, &format!("{DECRYPT} --context 00"), &["another key or context"]);
    fails(&forged(56), DECRYPT, &["chunk 0 "]);
    fails(&forged(HEADER + 100 * SEALED_CHUNK), DECRYPT, &["chunk 100 "]);
    fails(&forged(sealed.len() - 1), DECRYPT, &["chunk 320 "]);
    fails(&sealed[..sealed.len() - 1], DECRYPT, &["chunk 320 ", "cut short"]);
    fails(&sealed[..HEADER + 320 * SEALED_CHUNK], DECRYPT, &["cut short"]);
    for len in [0, 1, 55, 56, 71] {
        fails(&sealed[..len], DECRYPT, &["cut short"]);
    }
    let longer = [&sealed[..], b"more"].concat();
    fails(&longer, DECRYPT, &["chunk 320 "]);
}

#[test]
fn every_bit_of_a_small_file() {
    let sandbox = sandbox();
    let mut sealed = sandbox.pipe(ENCRYPT, b"attack at dawn").ok();
    for bit in 0..8 * sealed.len() {
        sealed[bit / 8] ^= 1 << (bit % 8);
        sandbox.write("sealed", &sealed);
        let words = if bit < 8 * HEADER { ["another key"] } else { ["chunk 0 "] };
        sandbox.run(&format!("{DECRYPT} sealed -o out")).fails(1, &words);
        sealed[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(sandbox.names(), ["key", "sealed", "short"]);
}

/// To a pipe goes what is verified; the end tells the rest.
#[test]
fn a_stream_that_was_cut() {
    let sandbox = sandbox();
    let plain = paint(LONG + 100);
    let sealed = sandbox.pipe(ENCRYPT, &plain).ok();
    for (len, chunks) in [
        (1000, 0),
        (HEADER + SEALED_CHUNK + 10, 1),
        (HEADER + 99 * SEALED_CHUNK, 99),
        (sealed.len() - 1, 320),
    ] {
        let run = sandbox.pipe(DECRYPT, &sealed[..len]);
        assert!(run.0.stdout == plain[..chunks * CHUNK], "{len}: {}", run.0.stdout.len());
        run.fails(1, &["cut short", "verified", "not all"]);
    }
    let mut swapped = sealed;
    swapped[HEADER..HEADER + 3 * SEALED_CHUNK].rotate_left(SEALED_CHUNK);
    let run = sandbox.pipe(DECRYPT, &swapped);
    assert!(run.0.stdout.is_empty());
    run.fails(1, &["chunk 0 ", "moved"]);
}

#[test]
fn ranges() {
    let sandbox = sandbox();
    let plain = paint((1 << 20) + 5000);
    sandbox.write("sealed", &sandbox.pipe(ENCRYPT, &plain).ok());
    let len = plain.len();
    for (range, start, end) in [
        ("..", 0, len),
        ("0..0", 0, 0),
        ("5..17", 5, 17),
        ("16K..32K", CHUNK, 2 * CHUNK),
        ("1M..", 1 << 20, len),
        ("..1000k", 0, 1000 << 10),
        ("-4K..", len - 4096, len),
        ("-1M..-1K", len - (1 << 20), len - 1024),
        ("100..-100", 100, len - 100),
    ] {
        let made = sandbox.run(&format!("{DECRYPT} --range {range} sealed")).ok();
        assert!(made == plain[start..end], "{range}");
        sandbox.run(&format!("{DECRYPT} --range={range} sealed -o part --force")).ok();
        assert!(sandbox.read("part") == plain[start..end], "{range}");
    }
    std::fs::remove_file(sandbox.path("part")).unwrap();
    let fails = |range: &str, code, words: &[&str]| {
        let run = sandbox.run(&format!("{DECRYPT} --range {range} sealed -o part"));
        run.fails(code, words);
    };
    fails("5", 2, &["--range", "1G..2G"]);
    fails("1X..", 2, &["--range", "1G..2G"]);
    fails("2..1", 2, &["ends before", "1053576 bytes"]);
    fails("2M..", 2, &["beyond", "1053576 bytes"]);
    fails("-2M..", 2, &["beyond", "1053576 bytes"]);
    let sealed = sandbox.read("sealed");
    sandbox
        .pipe(&format!("{DECRYPT} --range 1.."), &sealed)
        .fails(2, &["range", "standard input", "stream"]);
    // As standard input that is a file.
    let mut command = sandbox.command();
    let stdin = std::fs::File::open(sandbox.path("sealed")).unwrap();
    command.args(format!("{DECRYPT} --range 7..9").split_whitespace()).stdin(stdin);
    assert_eq!(Run(command.output().unwrap()).ok(), &plain[7..9]);
    // Damaged elsewhere, and cut short, which the last chunk shows.
    let mut damaged = sealed.clone();
    damaged[HEADER + 3 * SEALED_CHUNK] ^= 1;
    sandbox.write("sealed", &damaged);
    sandbox.run(&format!("{DECRYPT} --range ..48K sealed")).ok();
    fails("..49153", 1, &["chunk 3 "]);
    sandbox.write("sealed", &sealed[..sealed.len() - SEALED_CHUNK]);
    fails("..1", 1, &["cut short"]);
    assert_eq!(sandbox.names(), ["key", "sealed", "short"]);
}

/// Verified chunks flow while more input is awaited.
#[test]
fn slow_pipes_flow() {
    let sandbox = sandbox();
    let plain = paint(2 * CHUNK);
    let sealed = sandbox.pipe(ENCRYPT, &plain).ok();
    let mut command = sandbox.command();
    command.args(DECRYPT.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = child.stdout.take().expect("a pipe");
    let (mut from, mut chunk) = (0, vec![0; CHUNK]);
    for number in 0..2 {
        let to = HEADER + (number + 1) * SEALED_CHUNK;
        stdin.write_all(&sealed[from..to]).expect("it reads");
        stdout.read_exact(&mut chunk).expect("it writes");
        assert!(chunk == plain[number * CHUNK..(number + 1) * CHUNK]);
        from = to;
    }
    stdin.write_all(&sealed[from..]).expect("it reads");
    drop(stdin);
    assert!(child.wait().expect("the program ends").success());
}

#[cfg(target_os = "linux")]
mod linux {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    /// The reader goes away, while the input stays open and gives no more.
    #[test]
    fn nobody_reads() {
        let sandbox = sandbox();
        let sealed = sandbox.pipe(ENCRYPT, &paint(LONG)).ok();
        for (args, input) in [(ENCRYPT, paint(LONG)), (DECRYPT, sealed)] {
            let mut command = sandbox.command();
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            command.args(args.split_whitespace()).stdin(Stdio::piped()).stdout(writer);
            let mut child = command.stderr(Stdio::piped()).spawn().expect("the program runs");
            let mut stdin = child.stdin.take().expect("a pipe");
            let _ = stdin.write_all(&input);
            wait_for_end(&mut child);
            drop(stdin);
            let output = child.wait_with_output().expect("the program ends");
            assert_eq!(output.status.signal(), Some(signal_hook::consts::SIGPIPE), "{args}");
            assert!(output.stderr.is_empty());
        }
    }

    #[test]
    fn full_outputs() {
        let sandbox = sandbox();
        for len in [0, 1, LONG] {
            sandbox.write("plain", &paint(len));
            sandbox.run(&format!("{ENCRYPT} plain -o /dev/full")).fails(1, &["/dev/full", "space"]);
            let run = sandbox.pipe(&format!("{ENCRYPT} -o /dev/full"), &paint(len));
            run.fails(1, &["/dev/full", "space"]);
        }
        assert_eq!(sandbox.names(), ["key", "plain", "short"]);
    }

    /// A file may not become as long, whoever writes it.
    #[test]
    fn the_largest_file_is_small() {
        let sandbox = sandbox();
        let plain = paint(LONG);
        sandbox.write("plain", &plain);
        sandbox.write("sealed", &sandbox.pipe(ENCRYPT, &plain).ok());
        for args in [
            format!("{ENCRYPT} plain"),
            format!("{DECRYPT} sealed"),
            format!("{DECRYPT} --range 9.. sealed"),
        ] {
            let mut command = Command::new("sh");
            command.args([
                "-c",
                "ulimit -f 1000 && exec \"$@\"",
                "sh",
                "env",
                "--default-signal=XFSZ",
            ]);
            command.arg(env!("CARGO_BIN_EXE_icefish")).args(args.split_whitespace());
            command.args(["-o", "out"]).current_dir(sandbox.path(".")).stdin(Stdio::null());
            let run = Run(command.output().expect("the program runs"));
            run.fails(1, &["cannot write out", "too large"]);
            assert_eq!(sandbox.names(), ["key", "plain", "sealed", "short"], "{args}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written() {
        let sandbox = sandbox();
        sandbox.run(&format!("{ENCRYPT} key -o /proc/out")).fails(1, &["/proc/out"]);
        sandbox.run(&format!("{ENCRYPT} key -o none/out")).fails(1, &["none/out", "No such file"]);
        assert_eq!(sandbox.names(), ["key", "short"]);
    }

    /// Killed at random moments: the input is as it was, and the output is there whole or not at all.
    #[test]
    fn killed() {
        let sandbox = sandbox();
        let plain = paint(LONG);
        sandbox.write("plain", &plain);
        sandbox.write("sealed", &sandbox.pipe(ENCRYPT, &plain).ok());
        let mut killer = Killer::new();
        for i in 0..200 {
            let (args, made) = match i % 2 {
                0 => (format!("{ENCRYPT} plain -o out"), sealed_len(LONG as u64).unwrap()),
                _ => (format!("{DECRYPT} sealed -o out"), LONG as u64),
            };
            let mut command = sandbox.command();
            command.args(args.split_whitespace());
            killer.run(command);
            let mut names = sandbox.names();
            if names.contains(&"out".to_owned()) {
                names.retain(|name| name != "out");
                assert_eq!(std::fs::metadata(sandbox.path("out")).unwrap().len(), made, "{args}");
                if i % 2 == 1 {
                    assert!(sandbox.read("out") == plain);
                } else {
                    sandbox.run(&format!("{DECRYPT} out -o /dev/null")).ok();
                }
                std::fs::remove_file(sandbox.path("out")).unwrap();
            }
            assert_eq!(names, ["key", "plain", "sealed", "short"], "{args}");
        }
        assert!(sandbox.read("plain") == plain);
        assert!(killer.has_killed());
    }

    /// Others write to the input while it is read. (`icefish-files` has the same for every moment.)
    #[test]
    fn an_input_that_shrinks() {
        let sandbox = sandbox();
        let file = std::fs::File::create(sandbox.path("large")).unwrap();
        file.set_len(1 << 30).unwrap();
        let mut command = sandbox.command();
        command.args(format!("{ENCRYPT} large").split_whitespace());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let mut stdout = child.stdout.take().expect("a pipe");
        // It has begun, and cannot go on: nobody reads the rest before the file is shorter.
        stdout.read_exact(&mut [0; 100]).expect("it writes");
        file.set_len(1000).unwrap();
        std::io::copy(&mut stdout, &mut std::io::sink()).expect("it writes");
        let run = Run(child.wait_with_output().expect("it ends"));
        run.fails(1, &["large", "shorter, while it was read"]);
        assert_eq!(sandbox.names(), ["key", "large", "short"]);
    }
}
