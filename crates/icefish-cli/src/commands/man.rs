//! `icefish man`.

use crate::errors::{Failure, usage};
use crate::stdio;
use clap::Command;
use clap_mangen::Man;

/// Print the manual page of icefish, or of one of its commands
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// A command, such as encrypt; the page of icefish itself if it is not given
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

const EXAMPLE: &str = "\
Examples:
  icefish man encrypt | man -l -
  icefish man > /usr/local/share/man/man1/icefish.1";

/// Prints the page of `program` or of one of its commands.
pub(crate) fn run(args: &Args, mut program: Command) -> Result<(), Failure> {
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            let all = program.get_subcommands().map(Command::get_name);
            let all: Vec<&str> = all.filter(|name| *name != "help").collect();
            usage(format!("no command is called {name}; the commands are {}", all.join(", ")))
        })?,
    };
    let mut text = Vec::new();
    let rendered = Man::new(page).manual("icefish").render(&mut text);
    rendered.map_err(|e| Failure::Data(format!("cannot write the page: {e}")))?;
    stdio::print_bytes(&text)
}
