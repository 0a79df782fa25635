//! The program is killed at random moments: inputs are as they were, an output is there whole or not at all, and the next run works.

#![cfg(target_os = "linux")]

mod common;

use common::{KEY, Killer, Sandbox, paint};
use std::io::Write;
use std::process::{Command, Stdio};

/// Kills of each format.
const KILLS: u64 = 200;

/// Several pieces of every format.
const LONG: usize = 5 << 20;

/// Both directions of a format, `with` its options. `encrypt`: options of that direction alone.
fn survives(with: &str, encrypt: &str) {
    let sandbox = Sandbox::new();
    let plain = paint(LONG);
    sandbox.write("plain", &plain);
    sandbox.write_key("pass", b"correct horse");
    let there = format!("encrypt {with} {encrypt} plain -o out");
    let back = format!("decrypt {with} sealed -o out");
    sandbox.run(&there).ok();
    std::fs::rename(sandbox.path("out"), sandbox.path("sealed")).expect("ours");
    let sealed = sandbox.read("sealed");
    let mut killer = Killer::new();
    for i in 0..KILLS {
        let args = if i % 2 == 0 { &there } else { &back };
        let mut command = sandbox.command();
        command.args(args.split_whitespace());
        killer.run(command);
        let mut names = sandbox.names();
        if names.iter().any(|name| name == "out") {
            names.retain(|name| name != "out");
            let made = sandbox.read("out");
            if i % 2 == 0 {
                assert_eq!(made.len(), sealed.len(), "{args}");
                assert!(sandbox.pipe(&format!("decrypt {with}"), &made).ok() == plain, "{args}");
            } else {
                assert!(made == plain, "{args}");
            }
            std::fs::remove_file(sandbox.path("out")).expect("ours");
        }
        assert_eq!(names, ["pass", "plain", "sealed"], "{args}");
    }
    assert!(killer.has_killed());
    assert!(sandbox.read("plain") == plain && sandbox.read("sealed") == sealed);
    sandbox.run(&back).ok();
    assert!(sandbox.read("out") == plain);
}

#[test]
fn sealed_with_a_passphrase() {
    survives("--passphrase-file pass", "--argon2 8K,1,1");
}

#[test]
fn the_format_of_openssl() {
    survives("--format openssl --cipher aes-256-ctr --passphrase-file pass --iter 10", "");
}

#[test]
fn raw_modes() {
    survives(&format!("--cipher aes-256-ctr --key {KEY}"), "");
    survives(&format!("--cipher aes-256-cbc --key {KEY}"), "");
}

#[test]
fn authenticated_modes() {
    survives(&format!("--cipher aes-256-gcm --key {KEY}"), "");
    survives(&format!("--cipher aes-256-gcm-siv --key {KEY}"), "");
}

/// A key that was written before the program was killed may be needed: the next run keeps it, and says so.
#[test]
fn a_new_key_stays() {
    for with in ["", "--cipher aes-256-cbc"] {
        let sandbox = Sandbox::new();
        let args = format!("encrypt {with} --generate-key k -o out");
        let mut command = sandbox.command();
        command.args(args.split_whitespace()).stdin(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(&paint(LONG)).expect("it reads");
        child.kill().expect("our child");
        child.wait().expect("it ends");
        assert_eq!(sandbox.names(), ["k"]);
        let key = sandbox.read("k");
        assert_eq!(key.len(), 65);
        sandbox.pipe(&args, b"more").fails(2, &["k exists"]);
        assert!(sandbox.read("k") == key);
        let again = args.replace("--generate-key", "--key-file");
        sandbox.pipe(&again, b"more").ok();
        assert_eq!(sandbox.names(), ["k", "out"]);
    }
}

/// Without /proc, an unfinished file has a name, which stays after a kill: it is not the name of the output, only its owner may read
/// it, and the next run removes it.
#[test]
fn a_file_that_has_a_name() {
    let sandbox = Sandbox::new();
    let run = |command: &str, input: Stdio| {
        let mut unshare = Command::new("unshare");
        let script = format!("mount -t tmpfs none /proc && exec {command}");
        unshare.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"]);
        unshare.arg(env!("CARGO_BIN_EXE_icefish")).args(["encrypt", "--key", KEY, "-o", "out"]);
        unshare.current_dir(sandbox.path(".")).stdin(input).stderr(Stdio::piped());
        unshare.spawn().expect("unshare runs")
    };
    let possible = run("true", Stdio::null()).wait().expect("it ends");
    if !possible.success() {
        println!("NOTE: /proc cannot be hidden here: files with a name were not tested");
        return;
    }
    let mut child = run("\"$@\"", Stdio::piped());
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&paint(LONG)).expect("it reads");
    child.kill().expect("our child");
    child.wait().expect("it ends");
    let left = sandbox.names();
    assert!(matches!(&left[..], [name] if name.starts_with(".icefish-")), "{left:?}");
    let metadata = sandbox.path(&left[0]).metadata().expect("a file");
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777, 0o600);
    assert!(run("\"$@\"", Stdio::null()).wait().expect("it ends").success());
    assert_eq!(sandbox.names(), ["out"]);
    sandbox.run(&format!("decrypt --key {KEY} out -o /dev/null")).ok();
}
