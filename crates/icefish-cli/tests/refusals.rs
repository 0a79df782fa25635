//! `encrypt` and `decrypt`: what they refuse, and that nothing is lost or left.

mod common;

use common::{IV, KEY, Sandbox, paint};
use std::process::Stdio;

fn with() -> String {
    format!("--cipher aes-256-cbc --key {KEY}")
}

#[test]
fn keys_and_vectors() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"some");
    let run = |args: &str| sandbox.run(&format!("encrypt {args} plain -o out"));
    let cipher = "--cipher aes-256-cbc";
    run(&format!("{cipher} --key {}", &KEY[1..])).fails(2, &["--key", "63", "odd"]);
    run(&format!("{cipher} --key {}", &KEY[2..])).fails(2, &["--key", "31 bytes", "32"]);
    run(&format!("{cipher} --key x{}", &KEY[1..])).fails(2, &["--key", "not hex", "character 1 "]);
    run(&format!("{cipher} --key é")).fails(2, &["--key"]);
    run(cipher).fails(2, &["--key"]);
    run(&format!("{cipher} --key {KEY} --generate-key k")).fails(2, &["--generate-key"]);
    run(&format!("{} --iv 00", with())).fails(2, &["--iv", "1 bytes", "16"]);
    run(&format!("{} --iv {}", with(), &IV[1..])).fails(2, &["--iv", "odd"]);
    run(&format!("{} --tweak 00", with())).fails(2, &["--tweak", "leave it out"]);
    let ecb = with().replace("cbc", "ecb");
    run(&format!("{ecb} --iv {IV}")).fails(2, &["--iv", "aes-256-ecb", "leave it out"]);
    let threefish = format!("--cipher threefish-256-ctr --key {KEY} --tweak 0011");
    run(&threefish).fails(2, &["--tweak", "2 bytes", "16"]);
    assert_eq!(sandbox.names(), ["plain"]);
}

#[test]
fn names() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"some");
    let run = |args: &str| sandbox.run(&format!("encrypt --key {KEY} {args} plain -o out"));
    run("--cipher aes-257-cbc").fails(2, &["aes-257-cbc", "aes-256-cbc", "threefish-512"]);
    run("--cipher aes-256-xts").fails(2, &["aes-256-xts", "ctr32-le", "gcm-siv"]);
    run("--cipher aes-256").fails(2, &["aes-256-cbc", "without a mode"]);
    run("--cipher rot13").fails(2, &["rot13", "aes-256"]);
    run("--cipher aes-256-cbc --padding pkcs1").fails(2, &["pkcs1", "pkcs7"]);
    run("--cipher aes-256-cbc --format zip").fails(2, &["zip", "raw", "valve-net"]);
    run("--cipher aes-256-cbc --level 2").fails(2, &["--level", "raw"]);
    run("--cipher aes-256-cbc other").fails(2, &["-o names one output", "--extension"]);
    run("--cipher aes-256-cbc --nonsense").fails(2, &["--nonsense"]);
    let text = "encrypt --cipher aes-256-cbc --key-text secret plain";
    sandbox.run(text).fails(2, &["--key-text", "raw"]);
    assert_eq!(sandbox.names(), ["plain"]);
}

#[test]
fn what_exists_is_kept() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"some");
    sandbox.write("out", b"precious");
    let encrypt = format!("encrypt {} plain -o out", with());
    sandbox.run(&encrypt).fails(2, &["out", "exists", "--force"]);
    assert_eq!(sandbox.read("out"), b"precious");
    sandbox.run(&format!("{encrypt} --force")).ok();
    sandbox.run(&format!("decrypt {} out -o back", with())).ok();
    assert_eq!(sandbox.read("back"), b"some");
    sandbox.run(&format!("encrypt {} plain -o .", with())).fails(1, &["directory"]);
    sandbox.run(&format!("encrypt {} plain -o a/b/c", with())).fails(1, &["a/b/c", "No such file"]);
    assert_eq!(sandbox.names(), ["back", "out", "plain"]);
}

#[test]
fn one_file_twice() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"some");
    sandbox.write_key("key", KEY.as_bytes());
    std::fs::hard_link(sandbox.path("plain"), sandbox.path("link")).expect("a link");
    for out in ["plain", "./plain", "link"] {
        let encrypt = format!("encrypt {} plain -o {out} --force", with());
        sandbox.run(&encrypt).fails(2, &["the input"]);
    }
    // As standard input, and as standard output.
    let open = || std::fs::File::open(sandbox.path("plain")).expect("a file");
    let append =
        || std::fs::File::options().append(true).open(sandbox.path("plain")).expect("a file");
    let run = |args: &str, stdin: Stdio, stdout: Stdio| {
        let mut command = sandbox.command();
        command.args(args.split_whitespace()).stdin(stdin).stdout(stdout).stderr(Stdio::piped());
        let child = command.spawn().expect("the program runs");
        common::Run(child.wait_with_output().expect("the program ends"))
    };
    let to_file = format!("encrypt {} -o plain --force", with());
    run(&to_file, open().into(), Stdio::piped()).fails(2, &["the input"]);
    let to_stdout = format!("encrypt {} plain", with());
    run(&to_stdout, Stdio::null(), append().into()).fails(2, &["the input"]);
    // The key is needed to decrypt.
    let encrypt = "encrypt --cipher aes-256-cbc --key-file key plain -o key --force";
    sandbox.run(encrypt).fails(2, &["the key file"]);
    let encrypt = "encrypt --cipher aes-256-cbc --generate-key new plain -o ./new --force";
    sandbox.run(encrypt).fails(2, &["the new key"]);
    assert_eq!(sandbox.read("plain"), b"some");
    assert_eq!(sandbox.read("key"), KEY.as_bytes());
    assert_eq!(sandbox.names(), ["key", "link", "plain"]);
}

#[test]
fn damaged_data() {
    let sandbox = Sandbox::new();
    let fails = |args: &str, bytes: &[u8], words: &[&str]| {
        sandbox.write("crypted", bytes);
        sandbox.run(&format!("decrypt {} {args} crypted -o out", with())).fails(1, words);
        sandbox.pipe(&format!("decrypt {} {args}", with()), bytes).fails(1, words);
    };
    let iv = format!("--iv {IV}");
    fails(&iv, &[0; 48], &["padding", "pkcs7", "key"]);
    fails(&iv, &[0; 47], &["47 bytes", "16"]);
    fails(&iv, &vec![0; (3 << 20) + 1], &["3145729 bytes", "16"]);
    fails(&iv, b"", &["0 bytes", "16"]);
    fails("", b"short", &["5 bytes", "IV of 16"]);
    fails("", &[0; 16], &["0 bytes", "16"]);
    fails(&format!("{iv} --padding none"), &[0; 17], &["17 bytes", "16"]);
    // Long enough that the padding shows after most of it has been written.
    fails(&iv, &vec![0; 5 << 20], &["padding"]);
    assert_eq!(sandbox.names(), ["crypted"]);
}

#[test]
fn missing_input() {
    let sandbox = Sandbox::new();
    let encrypt = format!("encrypt {} nothing -o out", with());
    sandbox.run(&encrypt).fails(1, &["nothing", "No such file"]);
    sandbox.run(&format!("encrypt {} . -o out", with())).fails(1, &["directory"]);
    // A call that fails leaves no key either.
    let encrypt = "encrypt --cipher aes-256-cbc --generate-key k nothing -o out";
    sandbox.run(encrypt).fails(1, &["nothing"]);
    sandbox.write("odd", b"odd");
    let encrypt = "encrypt --cipher aes-256-cbc --padding none --generate-key k odd -o out";
    sandbox.run(encrypt).fails(1, &["3 bytes"]);
    assert_eq!(sandbox.names(), ["odd"]);
}

#[cfg(target_os = "linux")]
#[test]
fn full_output() {
    let sandbox = Sandbox::new();
    for len in [0, 1, 5 << 20] {
        sandbox.write("plain", &paint(len));
        let encrypt = format!("encrypt {} plain", with());
        sandbox.run(&format!("{encrypt} -o /dev/full")).fails(1, &["/dev/full", "space"]);
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = sandbox.command().args(encrypt.split_whitespace()).stdout(full).output();
        common::Run(output.expect("the program runs")).fails(1, &["standard output", "space"]);
    }
    assert_eq!(sandbox.names(), ["plain"]);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::io::{Read, Write};
    use std::os::unix::process::ExitStatusExt;

    /// Nobody reads the output: the program ends as others do, by the signal, without a word.
    #[test]
    fn broken_pipe() {
        let sandbox = Sandbox::new();
        sandbox.write("plain", &paint(5 << 20));
        for args in [format!("encrypt {} plain", with()), "info".to_owned()] {
            let mut command = sandbox.command();
            command.args(args.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
            // `info` is short: it must find the pipe closed when it starts.
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            let child = command.stdout(writer).spawn().expect("the program runs");
            let output = child.wait_with_output().expect("the program ends");
            assert_eq!(output.status.signal(), Some(signal_hook::consts::SIGPIPE));
            assert!(output.stderr.is_empty());
        }
    }

    /// Pieces flow while more input is awaited.
    #[test]
    fn slow_pipes_flow() {
        let sandbox = Sandbox::new();
        let args = format!("encrypt --cipher aes-256-ctr --key {KEY} --iv {IV}");
        let mut command = sandbox.command();
        command.args(args.split_whitespace()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let mut stdout = child.stdout.take().expect("a pipe");
        for _ in 0..3 {
            stdin.write_all(b"piece").expect("it reads");
            let mut piece = [0; 5];
            stdout.read_exact(&mut piece).expect("it writes");
        }
        drop(stdin);
        assert!(child.wait().expect("the program ends").success());
    }
}
