//! Drives the program as its users do.

// Each test file is a program of its own, and uses a part of this.
#![allow(dead_code)]

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub(crate) const KEY: &str = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4";
pub(crate) const IV: &str = "000102030405060708090a0b0c0d0e0f";

/// A folder of its own, in which the program runs.
pub(crate) struct Sandbox {
    dir: TempDir,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: &[u8]) {
        std::fs::write(self.path(name), contents).expect("room");
    }

    /// A file that only its owner may read.
    pub(crate) fn write_key(&self, name: &str, contents: &[u8]) {
        self.write(name, contents);
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            std::fs::set_permissions(self.path(name), mode).expect("our file");
        }
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The names of everything that is there.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.dir.path())
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_icefish"));
        command.current_dir(self.dir.path()).env_remove("ICEFISH_BACKEND").stdin(Stdio::null());
        command
    }

    /// The program with a signal as it is by default: tests that run in the background ignore some, the
    /// program inherits that, and leaves ignored signals ignored.
    #[cfg(target_os = "linux")]
    pub(crate) fn heeding(&self, signal: &str) -> Command {
        // Some of the signals would leave a file `core` in the folder, if the machine allows that.
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -c 0; exec env \"$@\"", "sh"]);
        command.arg(format!("--default-signal={signal}")).arg(env!("CARGO_BIN_EXE_icefish"));
        command.current_dir(self.dir.path()).env_remove("ICEFISH_BACKEND").stdin(Stdio::null());
        command
    }

    /// The program: there is no such `env` here.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn heeding(&self, _: &str) -> Command {
        self.command()
    }

    /// Runs it with arguments divided by spaces.
    pub(crate) fn run(&self, args: &str) -> Run {
        self.run_all(args.split_whitespace())
    }

    pub(crate) fn run_all<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Run {
        Run(self.command().args(args).output().expect("the program runs"))
    }

    /// Runs it with standard input from a pipe.
    pub(crate) fn pipe(&self, args: &str, input: &[u8]) -> Run {
        let mut command = self.command();
        command.args(args.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        std::thread::scope(|scope| {
            // It may end before it has read everything.
            scope.spawn(move || stdin.write_all(input));
            Run(child.wait_with_output().expect("the program ends"))
        })
    }
}

/// What came of it.
pub(crate) struct Run(pub(crate) Output);

impl Run {
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// It did what it should, without a word of complaint; returns standard output.
    #[track_caller]
    pub(crate) fn ok(self) -> Vec<u8> {
        assert_eq!(self.0.status.code(), Some(0), "{}", self.stderr());
        assert_eq!(self.stderr(), "");
        self.0.stdout
    }

    #[track_caller]
    pub(crate) fn text(self) -> String {
        String::from_utf8(self.ok()).expect("text")
    }

    /// It ended with `code` and one sentence, in which all of `words` are.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, words: &[&str]) {
        let said = self.stderr();
        assert_eq!(self.0.status.code(), Some(code), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.starts_with("icefish: ") && said.ends_with('\n'), "{said}");
        assert!(!said.contains("panicked") && !said.contains("os error"), "{said}");
        for word in words {
            assert!(said.contains(word), "{word:?} is not in: {said}");
        }
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What takes longer hangs: no machine is so slow, nor so busy.
const PATIENCE: Duration = Duration::from_secs(300);

/// What `found` gives in the end; `otherwise` says what is wrong if that never comes.
#[track_caller]
pub(crate) fn wait_for<T>(
    mut found: impl FnMut() -> Option<T>,
    otherwise: impl Fn() -> String,
) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "{}", otherwise());
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// How a program ends that nobody feeds any more.
#[track_caller]
pub(crate) fn wait_for_end(child: &mut Child) -> ExitStatus {
    wait_for(|| child.try_wait().expect("our child"), || "it waits for input".to_owned())
}

/// Kills a program at random moments of its run, which is as long as runs turn out to take.
pub(crate) struct Killer {
    /// Knuth's MMIX generator; its high bits are the good ones.
    state: u64,
    most: Duration,
    killed: u32,
}

impl Killer {
    pub(crate) fn new() -> Self {
        Self { state: 1, most: Duration::from_millis(50), killed: 0 }
    }

    /// Runs `command` until the next moment.
    pub(crate) fn run(&mut self, mut command: Command) {
        let mut child = command.spawn().expect("the program runs");
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let part = (self.state >> 33) as f64 / (1_u64 << 31) as f64;
        std::thread::sleep(self.most.mul_f64(part));
        child.kill().expect("our child");
        // Few are to end by themselves. Whatever a run takes, many are killed then, and few are not.
        if child.wait().expect("it ends").success() {
            self.most = self.most.mul_f64(0.75);
        } else {
            self.killed += 1;
            self.most = self.most.mul_f64(1.07);
        }
    }

    pub(crate) fn has_killed(&self) -> bool {
        self.killed > 0
    }
}

/// Bytes in which no power of two hides.
pub(crate) fn paint(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// Whether `command`, a program that a test compares with, runs and succeeds. If not, the test says what it leaves out;
/// with ICEFISH_EXPECT_TOOLS, which `.ci/run` sets, that is a failure.
pub(crate) fn there_is(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let mut run = Command::new(words.next().expect("a program"));
    let there = run.args(words).output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(std::env::var_os("ICEFISH_EXPECT_TOOLS").is_none(), "`{command}` fails");
        println!("NOTE: `{command}` fails: what needs it was not tested");
    }
    there
}
