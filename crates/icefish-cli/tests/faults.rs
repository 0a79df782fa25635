//! What goes wrong around the program: an exit code, one sentence, nothing lost, and no plaintext that was not verified.

mod common;

use common::{KEY, Sandbox, paint};
use icefish::storage::cobblestone::{CHUNK, HEADER, SEALED_CHUNK, TAG};

/// Bytes before the chunks of what is sealed with a passphrase.
const PASSPHRASE_HEADER: usize = 36;

/// Options of formats that keep a whole file from changes: sealed with a key, and with a passphrase.
const SEALED: [(&str, &str, usize); 2] = [
    ("--key-file key", "", HEADER),
    ("--passphrase-file pass", "--argon2 8K,1,1", PASSPHRASE_HEADER + HEADER),
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_key("key", KEY.as_bytes());
    sandbox.write_key("pass", b"correct horse");
    sandbox
}

/// Whether a file of `len` bytes can end where it does: in a chunk that has its tag and is not full. The length of a file is known,
/// and one that cannot be is refused before anything is opened.
fn possible(len: usize, header: usize) -> bool {
    len.checked_sub(header).is_some_and(|chunks| chunks % SEALED_CHUNK >= TAG)
}

/// Chunks swapped, doubled, dropped, and the file cut or made longer: to a file goes nothing, and to a pipe no more than the
/// chunks before, which are verified.
#[test]
fn chunks_that_moved() {
    let sandbox = sandbox();
    // More than a worker takes at a time.
    let plain = paint(40 * CHUNK + 100);
    for (with, encrypt, header) in SEALED {
        let sealed = sandbox.pipe(&format!("encrypt {with} {encrypt}"), &plain).ok();
        let chunk = |number: usize| {
            let start = header + number * SEALED_CHUNK;
            &sealed[start..sealed.len().min(start + SEALED_CHUNK)]
        };
        let of = |numbers: &[usize]| {
            let chunks = numbers.iter().map(|&number| chunk(number));
            [&[&sealed[..header]][..], &chunks.collect::<Vec<_>>()].concat().concat()
        };
        let fails = |forged: &[u8], before: usize, words: &[&str]| {
            sandbox.write("forged", forged);
            sandbox.run(&format!("decrypt {with} forged -o out")).fails(1, words);
            assert_eq!(sandbox.names(), ["forged", "key", "pass"]);
            let from_file = if possible(forged.len(), header) { before } else { 0 };
            for (run, chunks) in [
                (sandbox.run(&format!("decrypt {with} forged")), from_file),
                (sandbox.pipe(&format!("decrypt {with}"), forged), before),
            ] {
                assert!(run.0.stdout == plain[..chunks * CHUNK], "{}", run.0.stdout.len());
                run.fails(1, words);
            }
        };
        let all: Vec<usize> = (0..=40).collect();
        assert!(of(&all) == sealed);
        for at in [0, 1, 31, 32, 38] {
            let mut order = all.clone();
            order.swap(at, at + 1);
            fails(&of(&order), at, &[&format!("chunk {at} ")]);
            let mut order = all.clone();
            order.insert(at, at);
            fails(&of(&order), at + 1, &[&format!("chunk {} ", at + 1)]);
            let mut order = all.clone();
            order.remove(at);
            fails(&of(&order), at, &[&format!("chunk {at} ")]);
            fails(&of(&all[..at]), at, &["cut short"]);
        }
        fails(&of(&all[..40]), 40, &["cut short"]);
        fails(&[&sealed[..], b"+"].concat(), 40, &["chunk 40 "]);
        fails(&[&sealed[..], chunk(0)].concat(), 40, &["chunk 40 "]);
    }
}

/// A file of two chunks, cut at every length around what has a meaning, and at many others.
#[test]
fn files_that_are_cut() {
    let sandbox = sandbox();
    let plain = paint(2 * CHUNK - 500);
    for (with, encrypt, header) in SEALED {
        let sealed = sandbox.pipe(&format!("encrypt {with} {encrypt}"), &plain).ok();
        let borders = [0, header, header + SEALED_CHUNK, sealed.len()];
        let near = |len: usize| borders.iter().any(|border| len.abs_diff(*border) <= 20);
        for len in (0..sealed.len()).filter(|len| near(*len) || len.is_multiple_of(97)) {
            sandbox.write("cut", &sealed[..len]);
            let to_file = sandbox.run(&format!("decrypt {with} cut -o out"));
            to_file.fails(1, if len < PASSPHRASE_HEADER { &[] } else { &["cut"] });
            let to_pipe = sandbox.run(&format!("decrypt {with} cut"));
            let whole = usize::from(len >= header + SEALED_CHUNK && possible(len, header));
            assert!(to_pipe.0.stdout == plain[..whole * CHUNK], "{len}");
            to_pipe.fails(1, &[]);
        }
    }
    assert_eq!(sandbox.names(), ["cut", "key", "pass"]);
}

/// In every format, both ways, given as hex and in a file: usage, and nothing is made.
#[test]
fn keys_of_the_wrong_size() {
    let sandbox = Sandbox::new();
    sandbox.write("in", &paint(200));
    for (with, right) in [
        ("", "16 or 32"),
        ("--cipher cobblestone-128", "16"),
        ("--cipher cobblestone-256", "32"),
        ("--cipher aes-128-ecb", "16"),
        ("--cipher aes-192-cbc", "24"),
        ("--cipher aes-256-ctr", "32"),
        ("--cipher aes-256-gcm", "32"),
        ("--cipher aes-128-gcm-siv", "16"),
        ("--cipher aegis-128l", "16"),
        ("--cipher threefish-1024-ctr", "128"),
        ("--cipher threefish-512-eax", "64"),
        ("--cipher thin-ice-cbc", "8"),
        ("--cipher ice-2-ctr", "16"),
        ("--cipher xoodyak", "16"),
        ("--cipher xoofff", "16 or 32"),
        ("--format valve", "8"),
        ("--format valve-net --level 2", "16"),
    ] {
        for len in [1, 15, 17, 31, 33, 127, 129] {
            let (hex, got) = ("5a".repeat(len), format!("{len} bytes"));
            sandbox.write_key("key", hex.as_bytes());
            for way in ["encrypt", "decrypt"] {
                let words = [got.as_str(), right];
                sandbox.run(&format!("{way} {with} --key {hex} in -o out")).fails(2, &words);
                // A file is not hex of a key, nor a key as bytes: it says how long it is.
                let run = sandbox.run(&format!("{way} {with} --key-file key in -o out"));
                run.fails(2, &["bytes", right.split(' ').next().unwrap_or(right)]);
            }
        }
    }
    assert_eq!(sandbox.names(), ["in", "key"]);
    assert_eq!(sandbox.read("in"), paint(200));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use common::{Run, names};
    use std::fs::{self, File, Permissions};
    use std::io::Write;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::time::Duration;

    /// Every kind of format, in both directions.
    const FORMATS: [(&str, &str); 7] = [
        ("--key-file key", ""),
        ("--passphrase-file pass", "--argon2 8K,1,1"),
        ("--format openssl --cipher aes-256-cbc --passphrase-file pass --iter 10", ""),
        ("--cipher aes-256-ctr --key-file key", ""),
        ("--cipher aes-256-cbc --key-file key", ""),
        ("--cipher aes-256-gcm --key-file key", ""),
        ("--cipher aes-256-gcm-siv --key-file key", ""),
    ];

    /// Who read the output went away: the program ends by the signal, as others do, without a word.
    #[test]
    fn a_reader_that_goes_away() {
        let sandbox = sandbox();
        sandbox.write("plain", &paint(5 << 20));
        for (with, encrypt) in FORMATS {
            sandbox.run(&format!("encrypt {with} {encrypt} plain -o sealed --force")).ok();
            for args in
                [format!("encrypt {with} {encrypt} plain"), format!("decrypt {with} sealed")]
            {
                let mut command = sandbox.heeding("PIPE");
                command.args(args.split_whitespace()).stdout(Stdio::piped());
                let mut child = command.stderr(Stdio::piped()).spawn().expect("the program runs");
                let mut stdout = child.stdout.take().expect("a pipe");
                std::io::Read::read_exact(&mut stdout, &mut [0; 100]).expect("it writes");
                drop(stdout);
                let output = child.wait_with_output().expect("it ends");
                assert_eq!(output.status.signal(), Some(signal_hook::consts::SIGPIPE), "{args}");
                assert!(output.stderr.is_empty(), "{args}");
            }
        }
    }

    /// Somebody appends to the input all the time. Either the program says so and leaves nothing, or the output is whole, of the
    /// input as it was at some moment.
    #[test]
    fn an_input_that_grows() {
        let sandbox = sandbox();
        let len = 8 << 20;
        for (with, encrypt) in FORMATS {
            sandbox.write("plain", &paint(len));
            let encrypt = format!("encrypt {with} {encrypt} plain -o out");
            let done = AtomicBool::new(false);
            let run = std::thread::scope(|scope| {
                scope.spawn(|| {
                    let path = sandbox.path("plain");
                    let mut file = File::options().append(true).open(path).expect("our file");
                    while !done.load(Relaxed) {
                        file.write_all(b"more").expect("room");
                        std::thread::sleep(Duration::from_micros(100));
                    }
                });
                let run = sandbox.run(&encrypt);
                done.store(true, Relaxed);
                run
            });
            if run.0.status.code() == Some(1) {
                run.fails(1, &["plain", "longer", "while it was read"]);
                assert!(!sandbox.path("out").exists(), "{with}");
            } else {
                run.ok();
                let back = sandbox.run(&format!("decrypt {with} out")).ok();
                assert!(back.len() >= len && sandbox.read("plain").starts_with(&back), "{with}");
                fs::remove_file(sandbox.path("out")).expect("ours");
            }
            assert!(sandbox.read("plain").starts_with(&paint(len)));
            assert_eq!(sandbox.names(), ["key", "pass", "plain"], "{with}");
        }
    }

    /// What is sealed in chunks has the length that it had at the beginning: an input that became longer is an error.
    #[test]
    fn an_input_that_grew() {
        let sandbox = sandbox();
        for (with, encrypt) in SEALED.map(|(with, encrypt, _)| (with, encrypt)) {
            sandbox.write("plain", &paint(64 << 20));
            let mut command = sandbox.command();
            command.args(format!("encrypt {with} {encrypt} plain").split_whitespace());
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("the program runs");
            let mut stdout = child.stdout.take().expect("a pipe");
            // It has begun, and cannot go on before the rest is read.
            std::io::Read::read_exact(&mut stdout, &mut [0; 100]).expect("it writes");
            let file = File::options().append(true).open(sandbox.path("plain"));
            file.and_then(|mut file| file.write_all(b"more")).expect("our file");
            std::io::copy(&mut stdout, &mut std::io::sink()).expect("it writes");
            let run = Run(child.wait_with_output().expect("it ends"));
            run.fails(1, &["plain", "longer", "while it was read"]);
        }
    }

    /// The unfinished file is where the output is to be, so that it can be renamed.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_output_on_another_file_system() {
        let sandbox = sandbox();
        let device = |path: &std::path::Path| path.metadata().map(|found| found.dev()).ok();
        let here = device(&sandbox.path("."));
        let other = ["/dev/shm", "/run", "/var/tmp"].into_iter().find_map(|folder| {
            let folder = tempfile::tempdir_in(folder).ok()?;
            (device(folder.path()) != here).then_some(folder)
        });
        let Some(other) = other else {
            println!("NOTE: there is one file system here: outputs on another were not tested");
            return;
        };
        let plain = paint(1 << 20);
        sandbox.write("plain", &plain);
        let out = other.path().join("out");
        for (with, encrypt) in FORMATS {
            for _ in 0..2 {
                // The second replaces the first.
                let encrypt =
                    format!("encrypt {with} {encrypt} --force plain -o {}", out.display());
                sandbox.run(&encrypt).ok();
            }
            assert_eq!(names(other.path()), ["out"], "{with}");
            sandbox.run(&format!("decrypt {with} {} -o back --force", out.display())).ok();
            assert!(sandbox.read("back") == plain, "{with}");
            fs::write(&out, "not sealed").expect("room");
            let run = sandbox.run(&format!("decrypt {with} {} -o back", out.display()));
            run.fails(2, &["back", "exists"]);
        }
    }

    /// A folder in which the user may make no files: an error, and what is there stays.
    #[test]
    fn a_folder_that_may_not_be_written() {
        let sandbox = sandbox();
        let folder = sandbox.path(".");
        let root = folder.metadata().expect("a folder").uid() == 0;
        let mode = |name: &str, mode| {
            fs::set_permissions(sandbox.path(name), Permissions::from_mode(mode)).expect("ours");
        };
        mode(".", 0o755);
        fs::create_dir(sandbox.path("closed")).expect("room");
        sandbox.write("closed/old", b"precious");
        sandbox.write("plain", &paint(100_000));
        fs::copy(env!("CARGO_BIN_EXE_icefish"), sandbox.path("icefish")).expect("room");
        mode("closed", 0o555);
        for (with, encrypt) in FORMATS {
            let with = with.replace("--key-file key", &format!("--key {KEY}"));
            let with = with.replace("--passphrase-file pass", "--passphrase-env PASS");
            for output in ["closed/new", "closed/old --force"] {
                let mut command = Command::new(if root { "setpriv" } else { "env" });
                // Root may write everywhere.
                let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
                command.args(if root { &nobody[..] } else { &[] }).arg("./icefish");
                let args = format!("encrypt {with} {encrypt} plain -o {output}");
                command.args(args.split_whitespace()).env("PASS", "correct horse");
                command.current_dir(&folder).stdin(Stdio::null());
                let run = Run(command.output().expect("setpriv is there"));
                let name = output.split(' ').next().unwrap_or(output);
                run.fails(1, &["cannot create", name, "Permission denied"]);
            }
        }
        assert_eq!(names(&sandbox.path("closed")), ["old"]);
        assert_eq!(sandbox.read("closed/old"), b"precious");
        mode("closed", 0o755);
    }
}
