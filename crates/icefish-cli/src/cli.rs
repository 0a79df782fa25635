//! The command line.

use crate::commands::{
    bench, block, completions, decrypt, encrypt, hash, info, man, permute, selftest,
};
use crate::errors::{Failure, usage};
use crate::stdio;
use clap::error::ErrorKind;
use clap::{ArgAction, CommandFactory, Parser, Subcommand};
use icefish::Backend;

/// Symmetric cryptography on the widest instruction set of this CPU: AES, Threefish, ICE, Skein, Xoodoo.
#[derive(Parser)]
#[command(name = "icefish", version, arg_required_else_help = true, after_help = EXAMPLE)]
#[command(disable_help_flag = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Instruction set to use; `icefish info` lists them
    ///
    /// Without it, the widest of this CPU is used. The environment variable ICEFISH_BACKEND does the same.
    #[arg(long, global = true, value_name = "NAME", display_order = 1000)]
    backend: Option<String>,

    /// Print help; `icefish help COMMAND` says more
    #[arg(short, long, global = true, action = ArgAction::HelpShort, display_order = 1001)]
    help: Option<bool>,
}

const EXAMPLE: &str = "\
Examples:
  icefish encrypt --generate-key my.key letter.txt -o letter.enc
  icefish decrypt --key-file my.key letter.enc -o letter.txt

Exit codes: 0 done, 1 bad data or a failure of the machine, 2 a usage error.
Every change of a file that was encrypted without --cipher is detected. With --cipher, the modes
gcm, gcm-siv, eax, aegis and xoodyak detect changes too; the others only encrypt.";

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
    Completions(completions::Args),
    Man(man::Args),
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
            Command::Completions(args) => completions::run(&args, Self::command()),
            Command::Man(args) => man::run(&args, Self::command()),
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
