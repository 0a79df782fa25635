//! Where outputs go: standard output by other names, links in their place, owners of what is replaced.

#![cfg(unix)]

mod common;

use common::{KEY, Run, Sandbox};
use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::process::{Command, Stdio};

const VALVE: &str = "--format valve --key-text E2NcUkG2";

fn with() -> String {
    format!("--cipher aes-256-ctr --key {KEY} --iv {}", "00".repeat(16))
}

/// Standard output is what it is, also where that is a file, and also in the middle of one.
#[test]
fn standard_output_by_its_names() {
    let sandbox = Sandbox::new();
    let expected = sandbox.pipe(&format!("encrypt {}", with()), b"some").ok();
    sandbox.write("plain", b"some");
    for (name, is_error) in [("/dev/stdout", false), ("/dev/fd/1", false), ("/dev/stderr", true)] {
        for force in ["", "--force"] {
            let into = File::create(sandbox.path("into")).expect("room");
            std::io::Write::write_all(&mut &into, b"before ").expect("room");
            let mut command = sandbox.command();
            let args = format!("encrypt {} plain -o {name} {force}", with());
            command.args(args.split_whitespace());
            let other = into.try_clone().expect("a file");
            match is_error {
                true => command.stderr(other).stdout(Stdio::null()),
                false => command.stdout(other).stderr(Stdio::piped()),
            };
            let run = Run(command.spawn().expect("it runs").wait_with_output().expect("it ends"));
            assert!(run.ok().is_empty());
            std::io::Write::write_all(&mut &into, b" after").expect("room");
            assert_eq!(sandbox.read("into"), [b"before ", &expected[..], b" after"].concat());
        }
    }
    let plain = File::options().append(true).open(sandbox.path("plain")).expect("a file");
    let args = format!("encrypt {} plain -o /dev/stdout", with());
    let output = sandbox.command().args(args.split_whitespace()).stdout(plain).output();
    Run(output.expect("the program runs")).fails(2, &["/dev/stdout", "the input"]);
    assert_eq!(sandbox.read("plain"), b"some");
}

/// Somebody planted a link or a pipe where an output goes that is derived from the name of the input.
#[test]
fn what_was_planted_in_a_folder() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("scripts")).expect("a folder");
    sandbox.write("precious", b"precious");
    for name in ["a", "b", "c"] {
        sandbox.write(&format!("scripts/{name}.ctx"), b"12345678");
    }
    symlink("../precious", sandbox.path("scripts/a.txt")).expect("a link");
    symlink("/dev/null", sandbox.path("scripts/b.txt")).expect("a link");
    let pipe = sandbox.path("scripts/c.txt");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()));
    // Who reads it, so that a writer does not wait.
    let _reader = File::options().read(true).write(true).open(pipe).expect("a pipe");

    let decrypt = format!("decrypt {VALVE} scripts");
    let run = sandbox.run(&decrypt);
    let said = run.stderr();
    assert_eq!(run.0.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().filter(|line| line.contains("exists already")).count(), 3, "{said}");
    sandbox.run(&format!("{decrypt} --force")).ok();
    assert_eq!(sandbox.read("precious"), b"precious");
    let plain = sandbox.pipe(&format!("decrypt {VALVE}"), b"12345678").ok();
    for name in ["a.txt", "b.txt", "c.txt"] {
        let path = sandbox.path("scripts").join(name);
        assert!(path.symlink_metadata().expect("a file").is_file(), "{name}");
        assert_eq!(fs::read(path).expect("a file"), plain, "{name}");
    }
}

#[test]
fn a_link_given_as_output_is_replaced() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"some");
    sandbox.write("precious", b"precious");
    symlink("precious", sandbox.path("out")).expect("a link");
    let encrypt = format!("encrypt {} plain -o out", with());
    sandbox.run(&encrypt).fails(2, &["out", "exists"]);
    sandbox.run(&format!("{encrypt} --force")).ok();
    assert_eq!(sandbox.read("precious"), b"precious");
    assert_eq!(sandbox.read("out").len(), 4);
    assert!(!sandbox.path("out").is_symlink());
}

/// Who may write to a folder may replace what others own there: then nobody else gets access by that.
#[test]
fn another_owner_is_kept_or_nobody_gets_more() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path(".");
    if folder.metadata().expect("a folder").uid() != 0 {
        println!("NOTE: not root: files of other owners were not tested");
        return;
    }
    const NOBODY: u32 = 65534;
    sandbox.write("plain", b"some");
    sandbox.write("out", b"old");
    fs::copy(env!("CARGO_BIN_EXE_icefish"), sandbox.path("icefish")).expect("room");
    let set = |owner, group, mode| {
        chown(sandbox.path("out"), Some(owner), Some(group)).expect("we are root");
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(sandbox.path("out"), mode).expect("we are root");
    };
    let got = || {
        let now = sandbox.path("out").metadata().expect("a file");
        (now.uid(), now.gid(), now.mode() & 0o7777)
    };
    let args = format!("encrypt {} plain -o out --force", with());
    set(NOBODY, NOBODY, 0o600);
    sandbox.run(&args).ok();
    assert_eq!(got(), (NOBODY, NOBODY, 0o600));

    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).expect("we are root");
    for (owner, group, mode, expected) in [
        (0, 0, 0o664, (NOBODY, NOBODY, 0o644)),
        (0, 0, 0o640, (NOBODY, NOBODY, 0o600)),
        (0, 0, 0o600, (NOBODY, NOBODY, 0o600)),
        (0, 12, 0o640, (NOBODY, 12, 0o640)),
        (NOBODY, 12, 0o640, (NOBODY, 12, 0o640)),
    ] {
        set(owner, group, mode);
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--groups=12", "./icefish"]);
        command.args(args.split_whitespace()).current_dir(&folder).stdin(Stdio::null());
        Run(command.output().expect("setpriv is there")).ok();
        assert_eq!(got(), expected, "{owner} {group} {mode:o}");
    }
}
