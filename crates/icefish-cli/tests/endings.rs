//! However the program ends, it leaves no part of an output.

#![cfg(unix)]

mod common;

use common::{KEY, Run, Sandbox, names, paint, wait_for, wait_for_end};
use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGKILL, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP,
    SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

/// Signals that end a program.
const SIGNALS: [i32; 14] = [
    SIGABRT, SIGALRM, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGUSR1,
    SIGUSR2, SIGVTALRM, SIGXCPU,
];

const WITH: &str = "encrypt --cipher aes-256-cbc --generate-key k -o out";

/// Feeds `command` until it is in the middle of its work, and sends the signal.
fn end_in_the_middle(mut command: Command, sandbox: &Sandbox, signal: i32, files: usize) -> Child {
    command.stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&paint(3 << 20)).expect("it reads");
    let there = || (sandbox.names().len() == files).then_some(());
    wait_for(there, || format!("{:?}", sandbox.names()));
    let id = child.id().to_string();
    let kill = Command::new("kill").args([&format!("-{signal}"), &id]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    // The pipe stays open until the program has ended.
    child.stdin = Some(stdin);
    wait_for_end(&mut child);
    child
}

/// The signal that a shell sees.
fn ended_by(child: Child) -> Option<i32> {
    let status = child.wait_with_output().expect("the program ends").status;
    status.signal().or(status.code().map(|code| code - 128))
}

/// Ended in the middle, it leaves nothing: neither the output nor the key.
#[test]
fn ended_by_a_signal() {
    for signal in SIGNALS {
        let sandbox = Sandbox::new();
        let mut command = sandbox.heeding(&signal.to_string());
        command.args(WITH.split_whitespace());
        let unnamed = usize::from(!cfg!(target_os = "linux"));
        let child = end_in_the_middle(command, &sandbox, signal, 1 + unnamed);
        assert_eq!(ended_by(child), Some(signal));
        assert!(sandbox.names().is_empty(), "{signal}: {:?}", sandbox.names());
    }
}

/// What nothing can handle leaves no part of the output either: it has no name.
#[cfg(target_os = "linux")]
#[test]
fn killed() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command();
    command.args(WITH.split_whitespace());
    let child = end_in_the_middle(command, &sandbox, SIGKILL, 1);
    assert_eq!(ended_by(child), Some(SIGKILL));
    assert_eq!(sandbox.names(), ["k"]);
}

/// Without /proc, a file cannot be named later, and has a name from the start.
#[cfg(target_os = "linux")]
#[test]
fn ended_by_a_signal_with_a_named_file() {
    let without_proc = |sandbox: &Sandbox, then: &str| {
        let mut command = Command::new("unshare");
        let script = format!("ulimit -c 0; mount -t tmpfs none /proc && exec {then}");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", &script]);
        command.arg("sh").current_dir(sandbox.path(".")).stdin(Stdio::null());
        command
    };
    let possible = without_proc(&Sandbox::new(), "true").output();
    if !possible.is_ok_and(|output| output.status.success()) {
        println!("NOTE: /proc cannot be hidden here: files with a name were not tested");
        return;
    }
    for signal in SIGNALS {
        let sandbox = Sandbox::new();
        let then = format!("env --default-signal={signal} \"$@\"");
        let mut command = without_proc(&sandbox, &then);
        command.arg(env!("CARGO_BIN_EXE_icefish")).args(WITH.split_whitespace());
        let child = end_in_the_middle(command, &sandbox, signal, 2);
        assert_eq!(ended_by(child), Some(signal));
        assert!(sandbox.names().is_empty(), "{signal}: {:?}", sandbox.names());
    }
}

/// A file may not become as long: an error like any other.
#[test]
fn the_largest_file_is_small() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", &paint(1 << 20));
    let encrypt = format!("encrypt --cipher aes-256-ctr --key {KEY} plain -o out");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 100 && exec \"$@\"", "sh"]).args(["env"]);
    if cfg!(target_os = "linux") {
        command.arg(format!("--default-signal={SIGXFSZ}"));
    }
    command.arg(env!("CARGO_BIN_EXE_icefish")).args(encrypt.split_whitespace());
    command.current_dir(sandbox.path(".")).stdin(Stdio::null());
    Run(command.output().expect("the program runs")).fails(1, &["cannot write out", "too large"]);
    assert_eq!(names(&sandbox.path(".")), ["plain"]);
}
