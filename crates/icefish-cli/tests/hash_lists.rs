//! `hash --check`: the forms of lists that other programs write, and the options of sha256sum.

mod common;

use common::{Sandbox, there_is};
use std::process::Command;

/// A list with one line, and what came of it.
#[track_caller]
fn is_well(sandbox: &Sandbox, line: &str) {
    sandbox.write("SUMS", line.as_bytes());
    assert_eq!(sandbox.run("hash --check SUMS").text(), "m: OK\n", "{line}");
}

#[test]
fn lists_of_other_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("m", b"some");
    let digest = sandbox.run("hash m").text()[..128].to_owned();
    // sha256sum, in text and binary mode; `skein512 -r` and `skein512` of FreeBSD; openssl dgst.
    is_well(&sandbox, &format!("{digest}  m\n"));
    is_well(&sandbox, &format!("{digest} *m\n"));
    is_well(&sandbox, &format!("{digest} m\n"));
    is_well(&sandbox, &format!("Skein512 (m) = {digest}\n"));
    is_well(&sandbox, &format!("SKEIN-512(m)= {digest}"));
    is_well(&sandbox, &format!(" \t{digest}  m\r\n"));
    is_well(&sandbox, &format!("{}\tm\n", digest.to_uppercase()));
    let other =
        format!("Skein1024 (m) = {digest}\nSkein-512 (m) : {digest}\nSkein-512 (m = {digest}\n");
    sandbox.write("SUMS", other.as_bytes());
    sandbox.run("hash --check SUMS").fails(1, &["SUMS has no line"]);
}

/// A name that begins with a space is not taken for another, whatever the other lines are.
#[test]
fn one_space_or_two() {
    let sandbox = Sandbox::new();
    sandbox.write("m", b"some");
    sandbox.write(" m", b"other");
    let digest = sandbox.run("hash m").text()[..128].to_owned();
    sandbox.write("SUMS", format!("{digest} m\n{digest}  m\n{digest} *m\n").as_bytes());
    let run = sandbox.run("hash --check SUMS");
    assert_eq!(run.0.stdout, b"m: OK\n m: FAILED\n*m: FAILED open or read\n");
    sandbox.write("SUMS", format!("{digest}  m\n{digest} m\n").as_bytes());
    let run = sandbox.run("hash --check SUMS");
    assert_eq!(run.0.stdout, b"m: OK\n");
    assert!(run.stderr().contains("1 line is not a digest"), "{}", run.stderr());
}

/// Lists as sha256sum writes them, with our digests in the place of its own.
#[cfg(unix)]
#[test]
fn lists_of_coreutils() {
    if !there_is("sha256sum --version") {
        return;
    }
    let sandbox = Sandbox::new();
    let names = [
        "plain",
        "a b",
        " c",
        "*d",
        "line\nend",
        "back\\slash",
        "e) = f",
        "ü",
        "Skein-512 (g) = 00",
    ];
    for name in names {
        sandbox.write(name, name.as_bytes());
    }
    let (sums, ours) = (["-b"].as_slice(), ["hash"].as_slice());
    let cases = [
        (sums, ours, " *", "  "),
        (&[], ours, "", ""),
        (&["--tag"], &["hash", "--tag"], "SHA256 (", "Skein-512 ("),
    ];
    let zero = (["--zero"].as_slice(), ["hash", "--zero"].as_slice(), "", "");
    for (theirs, ours, from, to) in cases.into_iter().chain([zero]) {
        let list = |names: &[&str]| {
            let mut command = Command::new("sha256sum");
            let run = command.current_dir(sandbox.path("")).args(theirs).args(names).output();
            String::from_utf8(run.expect("it runs").stdout).expect("text")
        };
        let mut list = list(&names);
        for name in names {
            let sum = |args: &[&str]| sandbox.run_all(args).text();
            let digest = sum(&["hash", "--zero", name])[..128].to_owned();
            let mut command = Command::new("sha256sum");
            let run = command.current_dir(sandbox.path("")).args(["--zero", name]).output();
            let known = String::from_utf8(run.expect("it runs").stdout).expect("text");
            list = list.replace(&known[..64], &digest);
        }
        let written = sandbox.run_all(ours.iter().chain(&names)).text();
        assert_eq!(written, list.replace(from, to), "{theirs:?}");
        if !theirs.contains(&"--zero") {
            sandbox.write("SUMS", list.replace("SHA256 (", "Skein-512 (").as_bytes());
            let verdicts = sandbox.run("hash --check SUMS").text();
            assert_eq!(verdicts.matches(": OK\n").count(), names.len(), "{verdicts}");
        }
    }
}

#[test]
fn options_of_check() {
    let sandbox = Sandbox::new();
    for name in ["a", "b", "c"] {
        sandbox.write(name, name.as_bytes());
    }
    let list = sandbox.run("hash a b c").text();
    sandbox.write("SUMS", list.as_bytes());
    assert_eq!(sandbox.run("hash -c --quiet SUMS").text(), "");
    assert_eq!(sandbox.run("hash -c --status SUMS").text(), "");
    sandbox.write("b", b"another");
    std::fs::remove_file(sandbox.path("c")).expect("it is there");
    let run = sandbox.run("hash -c --quiet SUMS");
    assert_eq!(run.0.stdout, b"b: FAILED\nc: FAILED open or read\n");
    assert_eq!(run.0.status.code(), Some(1));
    let run = sandbox.run("hash -c --ignore-missing SUMS");
    assert_eq!(run.0.stdout, b"a: OK\nb: FAILED\n");
    run.fails(1, &["1 line is of a file that differs"]);
    let run = sandbox.run("hash -c --ignore-missing --status SUMS");
    assert_eq!(
        (run.0.status.code(), run.stderr().as_str(), &run.0.stdout[..]),
        (Some(1), "", &[][..])
    );
    sandbox.write("b", b"b");
    assert_eq!(sandbox.run("hash -c --ignore-missing --quiet SUMS").text(), "");
    sandbox.write("none", list.lines().last().expect("three lines").as_bytes());
    sandbox.run("hash -c --ignore-missing none").fails(1, &["none: no file was verified"]);

    let lines: Vec<&str> = list.lines().collect();
    sandbox.write("SUMS", format!("{}\nnothing\n{}\n", lines[0], lines[1]).as_bytes());
    let run = sandbox.run("hash -c --warn SUMS");
    assert_eq!(run.0.status.code(), Some(0));
    assert!(run.stderr().contains("SUMS: line 2 is not a digest of Skein-512"), "{}", run.stderr());
    sandbox.run("hash -c --strict SUMS").fails(1, &["SUMS: 1 line is not a digest"]);
    assert_eq!(sandbox.run("hash -c --status SUMS").text(), "");
    for option in ["--ignore-missing", "--quiet", "--status", "--strict", "--warn"] {
        sandbox.run(&format!("hash {option} a")).fails(2, &["--check"]);
    }
    sandbox.run("hash -c --zero SUMS").fails(2, &["--zero"]);
}
