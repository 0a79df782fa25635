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
    let (mut args, mut expected) = (vec!["hash".to_owned()], String::new());
    for (i, (message, digest)) in competition().iter().enumerate().step_by(9) {
        sandbox.write(&format!("f{i}"), message);
        args.push(format!("f{i}"));
        expected += &format!("{digest}  f{i}\n");
    }
    assert!(args.len() > 100);
    assert_eq!(sandbox.run_all(&args).text(), expected);
    args.extend(["--backend", "scalar", "--algorithm", "Xoodyak"].map(str::to_owned));
    assert_eq!(sandbox.run_all(&args).text(), expected);
    sandbox.write("SUMS", expected.as_bytes());
    let verdicts = sandbox.run("hash --check SUMS").text();
    assert_eq!(verdicts.lines().count(), expected.lines().count());
    assert!(verdicts.lines().all(|line| line.ends_with(": OK")), "{verdicts}");
}

#[test]
fn standard_input_and_lengths() {
    let sandbox = Sandbox::new();
    let (message, digest) = competition().swap_remove(77);
    let line = format!("{digest}  -\n");
    assert_eq!(sandbox.pipe("hash", &message).text(), line);
    assert_eq!(sandbox.pipe("hash -", &message).text(), line);
    let short = sandbox.pipe("hash --length 5", &message).text();
    assert_eq!(short, format!("{}  -\n", &digest[..10]));
    let long = sandbox.pipe("hash --length 100", &message).text();
    assert!(long.starts_with(&digest) && long.len() == 204, "{long}");
    sandbox.write("m", &message);
    sandbox.write("list", short.replace('-', "m").as_bytes());
    assert_eq!(sandbox.run("hash -c list --length 5").text(), "m: OK\n");
    let long = long.replace('-', "m");
    assert_eq!(sandbox.pipe("hash -c --length 100", long.as_bytes()).text(), "m: OK\n");
    sandbox.run("hash --length 0 m").fails(2, &["--length", "1..=4096"]);
    sandbox.run("hash --algorithm md5 m").fails(2, &["md5", "xoodyak"]);
}

/// A digest that was cut short says little about a file: its length is that of the call, not of the line.
#[test]
fn digests_of_another_length() {
    let sandbox = Sandbox::new();
    sandbox.write("m", b"some");
    let line = sandbox.run("hash m").text();
    for digits in [1, 2, 5, 62, 63] {
        sandbox.write("list", format!("{}  m\n", &line[..digits]).as_bytes());
        let run = sandbox.run("hash --check list");
        assert!(run.0.stdout.is_empty(), "{digits}");
        run.fails(1, &["list: 1 line has a digest", "not 32 bytes"]);
    }
    let longer = sandbox.run("hash --length 33 m").text();
    sandbox.write("list", format!("{longer}{line}{longer}").as_bytes());
    let run = sandbox.run("hash --check list");
    assert_eq!(run.0.stdout, b"m: OK\n");
    run.fails(1, &["list: 2 lines have a digest", "not 32 bytes"]);
    let run = sandbox.run("hash --check list --length 33");
    assert_eq!(run.0.stdout, b"m: OK\nm: OK\n");
    run.fails(1, &["list: 1 line has a digest", "not 33 bytes"]);
}

/// Files of any length are the message of one call, whatever files stand beside them.
#[test]
fn long_files() {
    let sandbox = Sandbox::new();
    let mut expected = String::new();
    for len in [0, 131_071, 131_072, 131_073, 1, 1_000_000] {
        let message = paint(len);
        let mut digest = [0; 32];
        icefish::constructions::xoodyak::hash(icefish::Backend::best(), &message, &mut digest);
        sandbox.write(&format!("{len}"), &message);
        expected += &format!("{}  {len}\n", hex::encode(digest));
    }
    let found = sandbox.run("hash 0 131071 131072 131073 1 1000000").text();
    assert_eq!(found, expected);
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
}
