//! `icefish completions`.

use crate::errors::Failure;
use crate::stdio;
use clap::Command;
use clap_complete::{Shell, generate};

/// Print the completion script of a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLE: &str = "\
Examples:
  icefish completions bash > ~/.local/share/bash-completion/completions/icefish
  icefish completions fish > ~/.config/fish/completions/icefish.fish";

/// Prints it for the arguments of `program`.
pub(crate) fn run(args: &Args, mut program: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut program, "icefish", &mut script);
    stdio::print_bytes(&script)
}
