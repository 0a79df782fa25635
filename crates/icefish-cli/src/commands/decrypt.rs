//! `icefish decrypt`.

use super::crypt::{self, CryptArgs};
use crate::errors::Failure;
use icefish::Backend;
use icefish_files::formats::{Part, Way};

/// Decrypt a file or a stream
#[derive(clap::Args)]
#[command(after_help = EXAMPLE, group(
    clap::ArgGroup::new("source").required(true).args(["key", "key_file", "key_text"])
))]
pub(crate) struct Args {
    #[command(flatten)]
    crypt: CryptArgs,

    /// Decrypt a part: 1G..2G, 1G.., or -4K.. for the last 4 KiB. No more chunks are read and verified than
    /// it needs. The input must be a file in chunks
    #[arg(long, value_name = "FROM..TO", value_parser = crate::ranges::parse, allow_hyphen_values = true)]
    range: Option<Part>,
}

const EXAMPLE: &str = "\
Examples:
  icefish decrypt --key-file my.key letter.enc -o letter.txt
  icefish decrypt --key-file my.key --range 1G..2G disk.enc -o part
  icefish decrypt --key-file my.key < folder.enc | tar x
  icefish decrypt --cipher aes-256-ctr --key-file my.key old.enc -o old.txt
  icefish decrypt --format valve --key-text X8bU2qll --extension txt scripts/ weapon_ak47.ctx

A file given with -o appears only if all of it was verified. A pipe or standard output gets
verified chunks only, and whether the end is missing shows at the end: look at the exit code.
With --cipher and gcm, gcm-siv or eax nothing is written before the tag is verified. The other
modes detect no changes. Without --iv, the data begins with its IV, as encrypt writes it.";

/// Decrypts.
pub(crate) fn run(mut args: Args, backend: Backend) -> Result<(), Failure> {
    args.crypt.range = args.range;
    crypt::run(args.crypt, Way::Decrypt, backend)
}
