//! The command line.

use crate::commands::{bench, block, decrypt, encrypt, hash, info, permute, selftest};
use crate::errors::{Failure, usage};
use crate::stdio;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use icefish::Backend;

/// Symmetric cryptography as wide as this CPU: ICE, Threefish, AES and Xoodoo.
#[derive(Parser)]
#[command(name = "icefish", version, arg_required_else_help = true, after_help = EXAMPLE)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Instruction set to use instead of the widest of this CPU; `icefish info` lists them. The
    /// environment variable ICEFISH_BACKEND does the same.
    #[arg(long, global = true, value_name = "NAME")]
    backend: Option<String>,
}

const EXAMPLE: &str = "\
Examples:
  icefish encrypt --cipher aes-256-gcm-siv --generate-key my.key letter.txt -o letter.enc
  icefish decrypt --cipher aes-256-gcm-siv --key-file my.key letter.enc -o letter.txt

Exit codes: 0 done, 1 bad data or a failure of the machine, 2 a usage error.
Modes with a tag (gcm, gcm-siv, eax, aegis, xoodyak) detect changes of the ciphertext; the others only encrypt.";

#[derive(Subcommand)]
enum Command {
    Encrypt(encrypt::Args),
    Decrypt(decrypt::Args),
    Block(block::Args),
    Permute(permute::Args),
    Hash(hash::Args),
    Bench(bench::Args),
    Selftest(selftest::Args),
    Info(info::Args),
}

impl Cli {
    /// Does what was asked.
    pub(crate) fn run(self) -> Result<(), Failure> {
        let chosen = match &self.backend {
            Some(name) => {
                Some(Backend::by_name(name).map_err(|e| usage(format!("--backend {name}: {e}")))?)
            }
            None => None,
        };
        let backend = match chosen {
            Some(backend) => backend,
            None => Backend::from_env().map_err(|e| usage(format!("ICEFISH_BACKEND: {e}")))?,
        };
        match self.command {
            Command::Encrypt(args) => encrypt::run(args, backend),
            Command::Decrypt(args) => decrypt::run(args, backend),
            Command::Block(args) => block::run(args, backend),
            Command::Permute(args) => permute::run(&args, backend),
            Command::Hash(args) => hash::run(args, backend),
            Command::Bench(args) => bench::run(&args, chosen),
            Command::Selftest(args) => selftest::run(&args, chosen),
            Command::Info(args) => info::run(&args, backend),
        }
    }
}

/// What the parser of the command line has to say: help, or an error in our form.
pub(crate) fn not_parsed(e: &clap::Error) -> Result<(), Failure> {
    match e.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => stdio::print(&e.render().to_string()),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = e.print();
            Err(Failure::Said(2))
        }
        _ => Err(usage(sentence(&e.render().to_string()))),
    }
}

/// The paragraphs of an error message before its usage lines, as one sentence.
fn sentence(rendered: &str) -> String {
    let paragraphs = rendered.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
        lines.join(" ")
    });
    let said: Vec<String> = paragraphs
        .filter(|p| !p.is_empty() && !p.starts_with("Usage:") && !p.starts_with("For more"))
        .map(|p| p.trim_start_matches("error: ").trim_start_matches("tip: ").to_owned())
        .collect();
    format!("{}; --help shows what is right", said.join("; "))
}
