//! `hash`: lines as those of sha256sum, and their check.

mod common;

use common::{Sandbox, paint};

/// Message and digest of the NIST competition, of the library's LWC_HASH_KAT_256.txt.
fn competition() -> Vec<(Vec<u8>, String)> {
    let text = include_str!("../../icefish/tests/vectors/xoodoo/LWC_HASH_KAT_256.txt");
    let records = text.split("\n\n").filter(|r| r.contains("Count"));
    let field = |record: &str, name: &str| {
        let line = record.lines().find_map(|l| l.strip_prefix(name)).expect("a field");
        line.trim().to_owned()
    };
    records
        .map(|r| {
            let message = hex::decode(field(r, "Msg =")).expect("hex");
            (message, field(r, "MD =").to_lowercase())
        })
        .collect()
}

#[test]
fn known_answers_of_many_files() {
    let sandbox = Sandbox::new();
    let (mut args, mut expected) =
        (["hash", "-a", "xoodyak"].map(str::to_owned).to_vec(), String::new());
    for (i, (message, digest)) in competition().iter().enumerate().step_by(9) {
        sandbox.write(&format!("f{i}"), message);
        args.push(format!("f{i}"));
        expected += &format!("{digest}  f{i}\n");
    }
    assert!(args.len() > 100);
    assert_eq!(sandbox.run_all(&args).text(), expected);
    args.extend(["--backend", "scalar"].map(str::to_owned));
    args[2] = "Xoodyak".to_owned();
    assert_eq!(sandbox.run_all(&args).text(), expected);
    sandbox.write("SUMS", expected.as_bytes());
    let verdicts = sandbox.run("hash -a xoodyak --check SUMS").text();
    assert_eq!(verdicts.lines().count(), expected.lines().count());
    assert!(verdicts.lines().all(|line| line.ends_with(": OK")), "{verdicts}");
}

#[test]
fn standard_input_and_lengths() {
    let sandbox = Sandbox::new();
    let (message, digest) = competition().swap_remove(77);
    let line = format!("{digest}  -\n");
    assert_eq!(sandbox.pipe("hash -a xoodyak", &message).text(), line);
    assert_eq!(sandbox.pipe("hash -a xoodyak -", &message).text(), line);
    let short = sandbox.pipe("hash -a xoodyak --length 40", &message).text();
    assert_eq!(short, format!("{}  -\n", &digest[..10]));
    let long = sandbox.pipe("hash -a xoodyak --length 800", &message).text();
    assert!(long.starts_with(&digest) && long.len() == 204, "{long}");
    sandbox.write("m", &message);
    sandbox.write("list", short.replace('-', "m").as_bytes());
    assert_eq!(sandbox.run("hash -a xoodyak -c list --length 40").text(), "m: OK\n");
    let long = long.replace('-', "m");
    assert_eq!(sandbox.pipe("hash -a xoodyak -c --length 800", long.as_bytes()).text(), "m: OK\n");
    sandbox.run("hash --length 0 m").fails(2, &["--length", "8..=32768"]);
    sandbox.run("hash --length 12 m").fails(2, &["--length 12", "multiple of 8"]);
    sandbox.run("hash --algorithm md5 m").fails(2, &["md5", "skein-512", "xoodyak"]);
}

/// A digest that was cut short says little about a file: its length is that of the call, not of the line.
#[test]
fn digests_of_another_length() {
    let sandbox = Sandbox::new();
    sandbox.write("m", b"some");
    let line = sandbox.run("hash m").text();
    for digits in [1, 2, 5, 126, 127] {
        sandbox.write("list", format!("{}  m\n", &line[..digits]).as_bytes());
        let run = sandbox.run("hash --check list");
        assert!(run.0.stdout.is_empty(), "{digits}");
        run.fails(1, &["list: 1 line has a digest", "not 512 bits"]);
    }
    let longer = sandbox.run("hash --length 520 m").text();
    sandbox.write("list", format!("{longer}{line}{longer}").as_bytes());
    let run = sandbox.run("hash --check list");
    assert_eq!(run.0.stdout, b"m: OK\n");
    run.fails(1, &["list: 2 lines have a digest", "not 512 bits"]);
    let run = sandbox.run("hash --check list --length 520");
    assert_eq!(run.0.stdout, b"m: OK\nm: OK\n");
    run.fails(1, &["list: 1 line has a digest", "not 520 bits"]);
}

/// Files of any length are the message of one call, whatever files stand beside them.
#[test]
fn long_files() {
    let sandbox = Sandbox::new();
    let lengths = [0, 131_071, 131_072, 131_073, 1, 1_000_000, 1 << 20, 1_576_961, 9_000_000];
    for name in ["skein-512", "skein-512-tree", "skein-1024", "xoodyak"] {
        let suite: icefish::suite::HashSuite = name.parse().expect("a name");
        let hash = suite.hash(icefish::Backend::best(), suite.bits).expect("its length");
        let mut expected = String::new();
        for len in lengths {
            let message = paint(len);
            let mut digest = vec![0; hash.digest_len()];
            hash.hash(&message, &mut digest).expect("its length");
            sandbox.write(&format!("{len}"), &message);
            expected += &format!("{}  {len}\n", hex::encode(digest));
        }
        let names = lengths.map(|len| len.to_string()).join(" ");
        assert_eq!(sandbox.run(&format!("hash -a {name} {names}")).text(), expected, "{name}");
    }
}

#[test]
fn what_fails_does_not_stop_the_rest() {
    let sandbox = Sandbox::new();
    sandbox.write("a", b"one");
    sandbox.write("b", b"two");
    let lines = sandbox.run("hash a b").text();
    let run = sandbox.run("hash a missing b");
    assert_eq!(String::from_utf8_lossy(&run.0.stdout), lines);
    run.fails(1, &["missing"]);
    let run = sandbox.run("hash . a b");
    assert_eq!(String::from_utf8_lossy(&run.0.stdout), lines);
    run.fails(1, &["directory"]);

    let (a, b) = lines.split_once('\n').expect("two lines");
    sandbox.write(
        "SUMS",
        format!("# a comment\n{}\n\n{b}", a.to_uppercase().replace("  A", " *a")).as_bytes(),
    );
    assert_eq!(sandbox.run("hash --check SUMS").text(), "a: OK\nb: OK\n");
    sandbox.write("b", b"three");
    let run = sandbox.run("hash --check SUMS");
    assert_eq!(run.0.stdout, b"a: OK\nb: FAILED\n");
    run.fails(1, &["SUMS", "1 line is of a file that differs"]);
    std::fs::remove_file(sandbox.path("a")).expect("it is there");
    let run = sandbox.run("hash --check SUMS");
    assert_eq!(run.0.stdout, b"a: FAILED open or read\nb: FAILED\n");
    assert_eq!(run.0.status.code(), Some(1));
    assert!(run.stderr().contains("cannot open a"), "{}", run.stderr());

    sandbox.write("b", b"two");
    sandbox.write("SUMS", format!("not a line\n{b}").as_bytes());
    let run = sandbox.run("hash --check SUMS");
    assert_eq!((&run.0.stdout[..], run.0.status.code()), (&b"b: OK\n"[..], Some(0)));
    assert!(run.stderr().contains("1 line is not a digest"), "{}", run.stderr());
    sandbox.write("SUMS", b"nothing here\n");
    sandbox.run("hash --check SUMS").fails(1, &["SUMS", "no line"]);
    sandbox.run("hash --check missing").fails(1, &["missing"]);
}

#[cfg(unix)]
#[test]
fn names_of_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let sandbox = Sandbox::new();
    let mut args = vec![std::ffi::OsString::from("hash")];
    for name in [&b"a b"[..], b"line\nend", b"back\\slash", b"\xff\xfe", b"r\r"] {
        let name = std::ffi::OsStr::from_bytes(name);
        std::fs::write(sandbox.path("").join(name), name.as_bytes()).expect("room");
        args.push(name.to_owned());
    }
    let lines = sandbox.run_all(&args).ok();
    assert_eq!(lines.split(|&byte| byte == b'\n').count(), 6);
    assert_eq!(lines.iter().filter(|&&byte| byte == b'\r').count(), 0);
    sandbox.write("SUMS", &lines);
    let verdicts = sandbox.run("hash --check SUMS").ok();
    let verdicts = String::from_utf8_lossy(&verdicts).into_owned();
    assert_eq!(verdicts.lines().filter(|line| line.ends_with(": OK")).count(), 5, "{verdicts}");
    // Lines that end as those of Windows, which sha256sum takes too.
    let windows = String::from_utf8_lossy(&sandbox.run_all(&args[..3]).ok()).replace('\n', "\r\n");
    sandbox.write("SUMS", windows.as_bytes());
    assert_eq!(sandbox.run("hash --check SUMS").ok(), b"a b: OK\n\\line\\nend: OK\n");
}

/// What a name has for the terminal does not reach it by a message.
#[test]
fn messages_are_one_line() {
    let sandbox = Sandbox::new();
    let run = sandbox.run_all(["hash", "x\u{1b}[31m\ny"]);
    run.fails(1, &["cannot open x\\u{1b}[31m\\ny: "]);
}

/// The known answers of Skein with whole bytes and the usual length, with keys and without.
#[test]
fn known_answers_of_skein() {
    let sandbox = Sandbox::new();
    let text = include_str!("../../icefish/tests/vectors/threefish/skein13_golden_kat.csv");
    let mut calls = std::collections::BTreeMap::<_, (Vec<String>, String)>::new();
    for (i, line) in text.lines().enumerate().skip(1) {
        let field: Vec<&str> = line.split(',').collect();
        let [state, out, bits, message, key, leaf, .., digest] = field[..] else {
            panic!("{line}")
        };
        if bits.parse::<usize>().expect("a number") % 8 != 0 || leaf != "0" {
            continue;
        }
        sandbox.write(&format!("f{i}"), &hex::decode(message).expect("hex"));
        let (files, expected) = calls.entry((state, out, key)).or_default();
        files.push(format!("f{i}"));
        *expected += &format!("{}  f{i}\n", digest.to_lowercase());
    }
    assert!(calls.len() > 30, "{}", calls.len());
    for ((state, out, key), (files, expected)) in calls {
        let mut call = format!("hash -a skein-{state} --length {out}");
        if !key.is_empty() {
            sandbox.write_key("key", key.as_bytes());
            call += " --key-file key";
        }
        let run = sandbox.run(&format!("{call} {}", files.join(" ")));
        assert_eq!(run.text(), expected, "{call}");
    }
}

#[test]
fn keys() {
    let sandbox = Sandbox::new();
    sandbox.write("m", b"some");
    sandbox.write_key("hex", b"6b 65 79\n");
    sandbox.write_key("text", b"\x6b\x65\x79");
    sandbox.write_key("other", b"not");
    sandbox.write_key("empty", b"\n");
    let line = sandbox.run("hash --key-file hex m").text();
    assert_eq!(line, sandbox.run("hash --key-file text m").text());
    assert_ne!(line, sandbox.run("hash m").text());
    sandbox.write("list", line.as_bytes());
    assert_eq!(sandbox.run("hash --key-file hex -c list").text(), "m: OK\n");
    let run = sandbox.run("hash --key-file other -c list");
    assert_eq!(run.0.stdout, b"m: FAILED\n");
    run.fails(1, &["differs"]);
    sandbox.run("hash --key-file empty m").fails(2, &["empty", "no key"]);
    sandbox.run("hash --key-file hex -a xoodyak m").fails(2, &["xoodyak", "takes none"]);
}

#[test]
fn lines_with_tags() {
    let sandbox = Sandbox::new();
    sandbox.write("m", b"some");
    sandbox.write("a) = b", b"other");
    let plain = sandbox.run("hash m").text();
    let digest = plain.strip_suffix("  m\n").expect("a line");
    let mut args = ["hash", "--tag", "m", "a) = b"].to_vec();
    let lines = sandbox.run_all(&args).text();
    assert!(lines.starts_with(&format!("Skein-512 (m) = {digest}\n")), "{lines}");
    sandbox.write(
        "SUMS",
        format!("{lines}{plain}").replace("Skein-512 (m", "SKEIN-512 (m").as_bytes(),
    );
    assert_eq!(sandbox.run("hash -c SUMS").text(), "m: OK\na) = b: OK\nm: OK\n");
    args.extend(["--length", "256", "-a", "skein-512"]);
    let lines = sandbox.run_all(&args).text();
    assert!(lines.starts_with("Skein-512-256 (m) = "), "{lines}");
    sandbox.write("SUMS", lines.as_bytes());
    assert_eq!(sandbox.run("hash -c SUMS --length 256").text(), "m: OK\na) = b: OK\n");
    let other = ["SUMS has no line", "of Skein-1024", "--algorithm"];
    sandbox.run("hash -c SUMS -a skein-1024").fails(1, &other);
    sandbox.write("SUMS", format!("{plain}{lines}").as_bytes());
    let run = sandbox.run("hash -c SUMS");
    assert_eq!((&run.0.stdout[..], run.0.status.code()), (&b"m: OK\n"[..], Some(0)));
    assert!(run.stderr().contains("2 lines are not a digest of Skein-512"), "{}", run.stderr());
}

#[cfg(unix)]
#[test]
fn folders() {
    let sandbox = Sandbox::new();
    for folder in ["top/b/c", "top/a", "top/empty"] {
        std::fs::create_dir_all(sandbox.path(folder)).expect("room");
    }
    for name in ["top/z", "top/b/2", "top/b/c/3", "top/a/1", "outside"] {
        sandbox.write(name, name.as_bytes());
    }
    std::os::unix::fs::symlink("../outside", sandbox.path("top/link")).expect("room");
    std::os::unix::fs::symlink("..", sandbox.path("top/a/up")).expect("room");
    let lines = sandbox.run("hash -r top outside").text();
    let names: Vec<&str> = lines.lines().map(|line| &line[130..]).collect();
    assert_eq!(names, ["top/a/1", "top/b/2", "top/b/c/3", "top/z", "outside"]);
    sandbox.run("hash top").fails(1, &["top", "directory"]);
    sandbox.run("hash -r missing").fails(1, &["missing"]);
}
