//! At home on a system: completions, manual pages, help that fits the screen.

mod common;

use common::{Sandbox, there_is};
use std::process::Command;

/// Every command.
const COMMANDS: [&str; 10] = [
    "encrypt",
    "decrypt",
    "block",
    "permute",
    "hash",
    "bench",
    "selftest",
    "info",
    "completions",
    "man",
];

#[test]
fn completions() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = sandbox.run(&format!("completions {shell}")).text();
        for word in COMMANDS.iter().chain(&["passphrase-file", "generate-key"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    sandbox.run("completions tcsh").fails(2, &["tcsh", "bash"]);
    sandbox.run("completions").fails(2, &["SHELL"]);
}

/// What bash makes of it.
#[test]
fn bash_completes() {
    if !there_is("bash --version") {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("script", &sandbox.run("completions bash").ok());
    let complete = |words: &str| {
        let last = words.rsplit(' ').next().expect("a word");
        let count = words.split(' ').count() - 1;
        let program = format!(
            "source ./script; COMP_WORDS=({words}); COMP_CWORD={count}; \
             _icefish icefish '{last}' icefish; echo \"${{COMPREPLY[@]}}\""
        );
        let run = Command::new("bash")
            .args(["--norc", "-c", &program])
            .current_dir(sandbox.path("."))
            .output()
            .expect("bash runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success() && said.is_empty(), "{words}: {said}");
        String::from_utf8(run.stdout).expect("text")
    };
    assert_eq!(complete("icefish enc").trim(), "encrypt");
    assert_eq!(complete("icefish decrypt --passphrase-f"), "--passphrase-file --passphrase-fd\n");
    assert_eq!(complete("icefish completions b").trim(), "bash");
}

#[test]
fn manual_pages() {
    let sandbox = Sandbox::new();
    let page = sandbox.run("man").text();
    assert!(page.contains(".TH icefish 1") && page.contains("icefish\\-encrypt(1)"), "{page}");
    for command in COMMANDS {
        let page = sandbox.run(&format!("man {command}")).text();
        assert!(page.contains(&format!(".TH icefish-{command} 1")), "{page}");
        for option in options(&sandbox, command) {
            assert!(page.contains(&option.replace('-', "\\-")), "{command}: {option}");
        }
    }
    sandbox.run("man nonsense").fails(2, &["nonsense", "encrypt", "selftest"]);
}

/// The long names of the options that `--help` shows.
fn options(sandbox: &Sandbox, command: &str) -> Vec<String> {
    let help = sandbox.run(&format!("{command} --help")).text();
    let lines = help.lines().map(str::trim).filter(|line| line.starts_with('-'));
    lines
        .filter_map(|l| l.split_whitespace().find(|w| w.starts_with("--")).map(str::to_owned))
        .collect()
}

/// Two screens of 24 lines and 80 columns, with an example, for whoever asks briefly or at length.
#[test]
fn help_fits_the_screen() {
    let sandbox = Sandbox::new();
    for command in COMMANDS.into_iter().chain([""]) {
        for help in ["-h", "--help"] {
            let mut run = sandbox.command();
            run.args(command.split_whitespace()).arg(help).env("COLUMNS", "80");
            let text = common::Run(run.output().expect("the program runs")).text();
            assert!(text.contains("\nExample"), "{command} {help}: {text}");
            let rows = text.lines().map(|line| line.chars().count().div_ceil(80).max(1));
            let rows: usize = rows.sum();
            assert!(rows <= 48, "{command} {help} takes {rows} rows: {text}");
        }
    }
}
