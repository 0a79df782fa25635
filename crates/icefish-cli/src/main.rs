//! The `icefish` program.

mod cli;
mod commands;
mod errors;
mod hex;
mod keys;
mod names;
mod passphrases;
mod progress;
mod ranges;
mod selftest;
mod signals;
mod stdio;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match cli::Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(e) => cli::not_parsed(&e),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let errors::Failure::BrokenPipe = failure {
                signals::die_of_broken_pipe();
            }
            ExitCode::from(failure.say())
        }
    }
}
