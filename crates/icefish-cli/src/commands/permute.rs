//! `icefish permute`: states through a permutation.

use crate::errors::{Failure, usage};
use crate::hex::{check_len, decode};
use crate::names::{PERMUTATIONS, State};
use crate::stdio;
use icefish::Backend;
use icefish::permutations::Xoodoo;

/// Permute states of 48 bytes given as hex, one line for each
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Args {
    /// The permutation: xoodoo or xoodoo64
    #[arg(long, value_name = "NAME")]
    permutation: String,

    /// How many rounds, the last ones of the permutation
    #[arg(long, value_name = "N", default_value_t = Xoodoo::ROUNDS)]
    rounds: usize,

    /// The states, 96 digits each
    #[arg(value_name = "HEX", required = true)]
    states: Vec<String>,
}

const EXAMPLE: &str = "\
Example:
  icefish permute --permutation xoodoo --rounds 6 $(printf '%096d' 0)";

/// Prints the states.
pub(crate) fn run(args: &Args, backend: Backend) -> Result<(), Failure> {
    let name = args.permutation.to_lowercase();
    let found = PERMUTATIONS.iter().find(|p| p.name == name);
    let permutation = found.ok_or_else(|| {
        let all: Vec<&str> = PERMUTATIONS.iter().map(|p| p.name).collect();
        usage(format!("no permutation is called {name}; the permutations are {}", all.join(", ")))
    })?;
    let mut lines = String::new();
    for (i, digits) in args.states.iter().enumerate() {
        let what = format!("state {}", i + 1);
        let bytes = decode(digits.as_bytes(), &what)?;
        check_len(bytes.len(), size_of::<State>(), &what, permutation.name)?;
        let mut state = [0; size_of::<State>()];
        state.copy_from_slice(&bytes);
        (permutation.many)(backend, args.rounds, std::slice::from_mut(&mut state))?;
        lines += &::hex::encode(state);
        lines.push('\n');
    }
    stdio::print(&lines)
}
