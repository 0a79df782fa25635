//! Where passphrases come from, and which are refused.

#![cfg(unix)]

mod common;

use common::{Run, Sandbox, there_is, wait_for};
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Without a salt, equal passphrases give equal files.
const WITH: &str = "--format openssl --cipher aes-256-ctr --no-salt --iter 1";

/// A folder with something to encrypt.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("plain", b"some plaintext");
    sandbox
}

/// What comes of the passphrase in a file of such contents.
fn from_file(sandbox: &Sandbox, contents: &[u8]) -> Run {
    sandbox.write_key("pass", contents);
    sandbox.run(&format!("encrypt {WITH} --passphrase-file pass plain"))
}

/// The program with the file `pass` open as `number`.
fn from_descriptor(sandbox: &Sandbox, number: u32, args: &str) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec \"$@\" {number}<pass"), "sh"]);
    command.arg(env!("CARGO_BIN_EXE_icefish")).args(args.split_whitespace());
    Run(command.current_dir(sandbox.path(".")).output().expect("the program runs"))
}

fn from_environment(sandbox: &Sandbox, value: &str) -> Run {
    let args = format!("encrypt {WITH} --passphrase-env PASS plain");
    let mut command = sandbox.command();
    command.args(args.split_whitespace()).env("PASS", value);
    Run(command.output().expect("the program runs"))
}

#[test]
fn from_everywhere() {
    let sandbox = sandbox();
    for passphrase in ["secret", "zwölf Boxkämpfer", " spaces ", "x"] {
        let right = from_file(&sandbox, passphrase.as_bytes()).ok();
        for end in ["\n", "\r\n"] {
            let line = format!("{passphrase}{end}");
            assert_eq!(from_file(&sandbox, line.as_bytes()).ok(), right, "{passphrase}{end:?}");
            for number in [0, 3, 9] {
                let args = format!("encrypt {WITH} --passphrase-fd {number} plain");
                assert_eq!(from_descriptor(&sandbox, number, &args).ok(), right, "{number}");
            }
        }
        assert_eq!(from_environment(&sandbox, passphrase).ok(), right);
        let piped = format!("encrypt {WITH} --passphrase-fd 0 plain");
        assert_eq!(sandbox.pipe(&piped, passphrase.as_bytes()).ok(), right);
        assert_ne!(from_environment(&sandbox, &format!("{passphrase}\n")).ok(), right);
        assert_ne!(from_file(&sandbox, format!("{passphrase} ").as_bytes()).ok(), right);
    }
    let long = "x".repeat(4000);
    assert_eq!(
        from_file(&sandbox, format!("{long}\n").as_bytes()).ok(),
        from_environment(&sandbox, &long).ok()
    );
}

#[test]
fn what_is_no_passphrase() {
    let sandbox = sandbox();
    for empty in ["", "\n", "\r\n"] {
        from_file(&sandbox, empty.as_bytes()).fails(2, &["passphrase file pass", "empty"]);
    }
    from_file(&sandbox, b"one\ntwo\n").fails(2, &["passphrase file pass", "more than one line"]);
    from_file(&sandbox, b"\n\n").fails(2, &["more than one line"]);
    from_file(&sandbox, b"a\0b\n").fails(2, &["passphrase file pass", "zero byte"]);
    for long in [4001, 4002, 4003, 1 << 20] {
        from_file(&sandbox, "x".repeat(long).as_bytes()).fails(2, &["more than 4000 bytes"]);
    }
    from_environment(&sandbox, "").fails(2, &["environment variable PASS", "empty"]);
    let run = |args: &str| sandbox.run(&format!("encrypt {WITH} {args} plain -o out"));
    run("--passphrase-file nothing").fails(1, &["passphrase file nothing", "No such file"]);
    run("--passphrase-file .").fails(1, &["passphrase file .", "directory"]);
    run("--passphrase-fd 99").fails(1, &["descriptor 99", "No such file"]);
    run("--passphrase-fd=-1").fails(2, &["--passphrase-fd"]);
    run("--passphrase-env NO_SUCH").fails(2, &["NO_SUCH", "no such environment variable"]);
    run("--passphrase-env A=B").fails(2, &["A=B", "no such environment variable"]);
    run("").fails(2, &["--passphrase"]);
    run("--passphrase-fd 3 --passphrase-env A").fails(2, &["--passphrase-fd", "cannot be used"]);
    run("--passphrase --key 00").fails(2, &["--passphrase", "cannot be used"]);
    // What is said never repeats a passphrase; the command line takes none.
    run("--passphrase=secret").fails(2, &["--passphrase"]);
    assert_eq!(sandbox.names(), ["pass", "plain"]);
}

/// Nothing that is read is overwritten, and nothing is read as two things.
#[test]
fn files_with_two_roles() {
    let sandbox = sandbox();
    sandbox.write_key("pass", b"secret");
    let onto = format!("encrypt {WITH} --passphrase-file pass plain -o pass --force");
    sandbox.run(&onto).fails(2, &["the passphrase file"]);
    for input in ["", "-"] {
        let piped = format!("encrypt {WITH} --passphrase-fd 0 {input}");
        sandbox.pipe(&piped, b"secret").fails(2, &["standard input", "descriptor"]);
        let named = format!("encrypt {WITH} --passphrase-file /dev/stdin {input}");
        sandbox.pipe(&named, b"secret").fails(2, &["standard input", "file"]);
        let key = format!("encrypt --key-file /dev/stdin {input}");
        sandbox.pipe(&key, common::KEY.as_bytes()).fails(2, &["standard input", "key file"]);
    }
    assert_eq!(sandbox.read("pass"), b"secret");
    std::fs::set_permissions(
        sandbox.path("pass"),
        std::os::unix::fs::PermissionsExt::from_mode(0o644),
    )
    .expect("our file");
    let run = sandbox.run(&format!("encrypt {WITH} --passphrase-file pass plain -o out"));
    assert_eq!(run.0.status.code(), Some(0));
    assert!(run.stderr().contains("everybody may read the passphrase file pass"));
}

/// The program on a terminal that a test types on.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    shown: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Terminal {
    /// `script` gives a command a terminal.
    fn run(sandbox: &Sandbox, command: &str) -> Self {
        let mut child = Command::new("script")
            .args(["--quiet", "--return", "--command", command, "/dev/null"])
            .env("ICEFISH", env!("CARGO_BIN_EXE_icefish"))
            .current_dir(sandbox.path("."))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script runs");
        let shown = Arc::new(Mutex::new(Vec::new()));
        let (mut from, to) = (child.stdout.take().expect("a pipe"), Arc::clone(&shown));
        let reader = std::thread::spawn(move || {
            let mut piece = [0; 1000];
            while let Ok(n @ 1..) = from.read(&mut piece) {
                to.lock().expect("no panic").extend_from_slice(&piece[..n]);
            }
        });
        let keys = child.stdin.take().expect("a pipe");
        Self { child, keys, shown, reader }
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().expect("no panic")).into_owned()
    }

    /// Types `keys` once `question` is shown.
    fn answer(&mut self, question: &str, keys: &str) {
        let asked = || self.shown().contains(question).then_some(());
        wait_for(asked, || format!("shown: {}", self.shown()));
        self.keys.write_all(keys.as_bytes()).expect("it reads");
    }

    /// Its exit code, and all that was shown.
    fn ends(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().expect("it ends").code();
        self.reader.join().expect("no panic");
        let shown = self.shown.lock().expect("no panic");
        (code, String::from_utf8_lossy(&shown).into_owned())
    }
}

#[test]
fn from_the_terminal() {
    if !there_is("script --version") {
        return;
    }
    let sandbox = sandbox();
    let right = from_file(&sandbox, b"secret").ok();
    let encrypt = format!("\"$ICEFISH\" encrypt {WITH} --passphrase plain -o out");
    let mut terminal = Terminal::run(&sandbox, &encrypt);
    terminal.answer("Passphrase: ", "secret\n");
    terminal.answer("again: ", "secret\n");
    let (code, shown) = terminal.ends();
    assert!(code == Some(0) && !shown.contains("secret"), "{shown}");
    assert_eq!(sandbox.read("out"), right);

    // Once is enough to decrypt; the line can be edited.
    let decrypt = format!("\"$ICEFISH\" decrypt {WITH} --passphrase out -o back");
    let mut terminal = Terminal::run(&sandbox, &decrypt);
    terminal.answer("Passphrase: ", "secrex\x7ft\n");
    let (code, shown) = terminal.ends();
    assert!(code == Some(0) && !shown.contains("secre"), "{shown}");
    assert_eq!(sandbox.read("back"), b"some plaintext");

    for (first, second, says) in
        [("secret\n", "secrat\n", "differ"), ("\n", "", "empty"), ("\x04", "", "empty")]
    {
        let mut terminal = Terminal::run(&sandbox, &encrypt.replace("out", "other"));
        terminal.answer("Passphrase: ", first);
        if !second.is_empty() {
            terminal.answer("again: ", second);
        }
        let (code, shown) = terminal.ends();
        assert!(code == Some(2) && shown.contains(says), "{shown}");
        assert!(!shown.contains("secr"), "{shown}");
    }
    assert_eq!(sandbox.names(), ["back", "out", "pass", "plain"]);
}

/// Whoever ends the program while it asks has a terminal that shows what is typed.
#[test]
fn the_terminal_shows_again() {
    if !there_is("script --version") || !there_is("stty --version") {
        return;
    }
    let sandbox = sandbox();
    let run = "trap : INT; env --default-signal=INT \"$ICEFISH\" encrypt";
    let command = format!("{run} {WITH} --passphrase plain -o out; echo code $?; stty -a");
    for keys in ["\x03", "secret\n\x03"] {
        let mut terminal = Terminal::run(&sandbox, &command);
        for (question, key) in
            ["Passphrase: ", "again: "].into_iter().zip(keys.split_inclusive('\n'))
        {
            terminal.answer(question, key);
        }
        let (_, shown) = terminal.ends();
        assert!(shown.contains("code 130"), "{shown}");
        assert!(shown.contains(" echo ") && !shown.contains("-echo "), "{shown}");
        assert_eq!(sandbox.names(), ["plain"]);
    }
}

/// Without a terminal it says what else there is.
#[test]
fn without_a_terminal() {
    if !there_is("setsid --version") {
        return;
    }
    let sandbox = sandbox();
    let mut command = Command::new("setsid");
    command.arg("--wait").arg(env!("CARGO_BIN_EXE_icefish")).current_dir(sandbox.path("."));
    command.args(format!("encrypt {WITH} --passphrase plain -o out").split_whitespace());
    let run = Run(command.stdin(Stdio::null()).output().expect("it runs"));
    run.fails(2, &["no terminal", "--passphrase-file"]);
    assert_eq!(sandbox.names(), ["plain"]);
}
