//! Copies of the key in the memory of a program that encrypts.

#![cfg(target_os = "linux")]

mod common;

use common::{Sandbox, paint, wait_for};
use icefish::Backend;
use icefish::suite::{AEADS, CHUNKED, CIPHERS};
use memchr::memmem;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::FileExt;
use std::process::{Command, Stdio};

/// A way to call the program.
struct Case {
    name: String,
    args: String,
    key: usize,
}

/// Every cipher, every authenticated mode, in chunks too, a format of games, and a stream cipher.
fn cases() -> Vec<Case> {
    let ciphers = CIPHERS.iter().map(|c| Case {
        name: c.name.to_owned(),
        args: format!("--cipher {}-ctr", c.name),
        key: c.key,
    });
    let aeads = AEADS.iter().map(|suite| Case {
        name: suite.name.to_owned(),
        args: format!("--cipher {suite}"),
        key: suite.key,
    });
    let games =
        Case { name: "valve-net".to_owned(), args: "--format valve-net".to_owned(), key: 16 };
    let stream = Case { name: "xoofff".to_owned(), args: "--cipher xoofff".to_owned(), key: 32 };
    let chunked = CHUNKED.iter().map(|suite| Case {
        name: suite.name.to_owned(),
        args: format!("--cipher {suite}"),
        key: suite.key,
    });
    ciphers.chain(aeads).chain(chunked).chain([games, stream]).collect()
}

/// How the program comes to its key.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Hex,
    Bytes,
    Argument,
    Generated,
}

/// How often something is in memory that the process may write to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Copies {
    /// On the stack of the main thread, which made the key, or above it, where the arguments are.
    main: usize,
    /// On the stacks of other threads.
    threads: usize,
    /// In the heap and in static variables.
    elsewhere: usize,
}

/// A thread that waits.
#[derive(PartialEq)]
struct Waiting {
    stack: u64,
    /// How often it began to wait, and how often it had to.
    switches: Vec<String>,
}

/// All threads of a process, if all of them wait.
fn all_wait(id: u32) -> Option<Vec<Waiting>> {
    let one = |path: std::path::PathBuf| {
        let call = std::fs::read_to_string(path.join("syscall")).ok()?;
        // The number of a call and its arguments, the stack, the program; or one word.
        let stack = call.split_whitespace().nth(7)?.strip_prefix("0x")?.to_owned();
        let stack = u64::from_str_radix(&stack, 16).ok()?;
        let status = std::fs::read_to_string(path.join("status")).ok()?;
        let switches = status.lines().filter(|line| line.contains("ctxt_switches"));
        Some(Waiting { stack, switches: switches.map(str::to_owned).collect() })
    };
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).expect("our child");
    tasks.map(|task| one(task.ok()?.path())).collect()
}

/// Where each of `needles` is in the memory of a process all of whose threads wait, and none of which ran meanwhile.
fn copies_at_rest(id: u32, needles: &[&[u8]]) -> Vec<Copies> {
    let look = || {
        let before = all_wait(id)?;
        let stacks: Vec<u64> = before.iter().map(|thread| thread.stack).collect();
        let found = copies(id, &stacks, needles)?;
        (all_wait(id)? == before).then_some(found)
    };
    wait_for(look, || "it does not wait".to_owned())
}

/// Where each of `needles` is in the memory of a process whose threads have these stacks.
fn copies(id: u32, stacks: &[u64], needles: &[&[u8]]) -> Option<Vec<Copies>> {
    let maps = std::fs::read_to_string(format!("/proc/{id}/maps")).expect("our child");
    let memory = File::open(format!("/proc/{id}/mem")).expect("our child");
    let mut found = vec![Copies::default(); needles.len()];
    for line in maps.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (start, end) = fields[0].split_once('-').expect("a range");
        let address = |digits| u64::from_str_radix(digits, 16).expect("hex");
        let (start, end) = (address(start), address(end));
        if !fields[1].starts_with("rw") {
            continue;
        }
        let mut bytes = vec![0; (end - start) as usize];
        memory.read_exact_at(&mut bytes, start).ok()?;
        for (needle, found) in needles.iter().zip(&mut found) {
            let count = memmem::find_iter(&bytes, needle).count();
            if fields.get(5).is_some_and(|name| *name == "[stack]") {
                found.main += count;
            } else if stacks.iter().any(|at| (start..end).contains(at)) {
                found.threads += count;
            } else {
                found.elsewhere += count;
            }
        }
    }
    Some(found)
}

/// What is in memory while the program waits for more to encrypt: the key, its digits, and a piece of it.
fn while_it_encrypts(case: &Case, source: Source, backend: Backend) -> [Copies; 3] {
    let sandbox = Sandbox::new();
    let mut key = vec![0; case.key];
    icefish_files::random::fill(&mut key).expect("random bytes");
    let given = match source {
        Source::Hex => {
            sandbox.write_key("key", hex::encode(&key).as_bytes());
            "--key-file key".to_owned()
        }
        Source::Bytes => {
            sandbox.write_key("key", &key);
            "--key-file key".to_owned()
        }
        Source::Argument => format!("--key {}", hex::encode(&key)),
        Source::Generated => "--generate-key key".to_owned(),
    };
    let args = format!("encrypt {} {given} --backend {backend} -o -", case.args);
    let mut command: Command = sandbox.command();
    command.args(args.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // More than a pipe holds: it is read after the key is made.
    stdin.write_all(&paint(3 << 20)).expect("it reads");
    if source == Source::Generated {
        key =
            hex::decode(String::from_utf8(sandbox.read("key")).expect("hex").trim()).expect("hex");
    }
    let digits = hex::encode(&key);
    // Where memory was freed, its first 16 bytes are overwritten.
    let piece = key.get(16..32).unwrap_or(&key);
    let found = copies_at_rest(child.id(), &[&key, digits.as_bytes(), piece]);
    drop(stdin);
    assert!(child.wait().expect("it ends").success(), "{args}");
    found.try_into().expect("three")
}

/// How often a schedule has the key as it is in it, and how often its piece.
fn in_a_schedule(name: &str) -> (usize, usize) {
    let cipher = |of: &str| name == of || name.starts_with(&format!("{of}-"));
    match () {
        // The first round key, and the last of decryption.
        () if cipher("aes-128") => (2, 2),
        () if name.starts_with("aes-") => (1, 1),
        // The words of the key over and over, and parts of the subkeys side by side.
        () if cipher("threefish-256") => (15, 16),
        () if cipher("threefish-512") => (8, 8),
        () if cipher("threefish-1024") => (4, 4),
        // They have no schedule: every message takes in the key.
        () if name == "xoodyak" || name.starts_with("aegis") => (1, 1),
        () => (0, 0),
    }
}

/// What is wrong with one case, if anything.
fn wrong(case: &Case, source: Source, backend: Backend) -> Option<String> {
    let [key, digits, piece] = while_it_encrypts(case, source, backend);
    let (keys, pieces) = in_a_schedule(&case.name);
    let right = |found: Copies, most| found.main + found.threads == 0 && found.elsewhere <= most;
    // What was given as argument stays where the operating system and the parser have put it.
    let digits_right = source == Source::Argument || right(digits, 0);
    (!right(key, keys) || !digits_right || !right(piece, pieces)).then(|| {
        format!(
            "{} on {backend}, {source:?}: {key:?}, where {keys} elsewhere are right; \
             a piece {piece:?}, where {pieces} are; digits {digits:?}",
            case.name
        )
    })
}

#[test]
#[cfg_attr(debug_assertions, ignore = "code that is not optimised copies what it moves")]
fn only_the_schedule_has_the_key() {
    let mut all_wrong = Vec::new();
    for backend in Backend::available() {
        for case in cases() {
            all_wrong.extend(wrong(&case, Source::Hex, backend));
            // Where a key comes from has nothing to do with its cipher.
            if case.name.starts_with("aes-256") || case.key == 128 || case.name == "ice-8" {
                all_wrong.extend(wrong(&case, Source::Bytes, backend));
                all_wrong.extend(wrong(&case, Source::Argument, backend));
                all_wrong.extend(wrong(&case, Source::Generated, backend));
            }
        }
    }
    assert!(all_wrong.is_empty(), "{} are wrong:\n{}", all_wrong.len(), all_wrong.join("\n"));
}

/// The search finds what is there: in the environment, which is above the stack, and in variables.
#[test]
fn copies_are_found() {
    let needle = "a needle that nothing else would have";
    let mut command = Command::new("sh");
    command.args(["-c", "both=$NEEDLE$NEEDLE; echo; read line"]).env("NEEDLE", needle);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
    let mut stdout = child.stdout.take().expect("a pipe");
    stdout.read_exact(&mut [0]).expect("it says when it is ready");
    let absent = needle.to_uppercase();
    let found = copies_at_rest(child.id(), &[needle.as_bytes(), absent.as_bytes()]);
    assert!(found[0].main >= 1 && found[0].elsewhere >= 2, "{found:?}");
    assert_eq!(found[1], Copies::default());
    drop(child.stdin.take());
    child.wait().expect("it ends");
}
