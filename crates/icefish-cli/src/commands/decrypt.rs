//! `icefish decrypt`.

use super::crypt::{self, CryptArgs};
use crate::errors::Failure;
use icefish::Backend;
use icefish_files::formats::Way;

/// Decrypt a file or a stream
#[derive(clap::Args)]
#[command(after_help = EXAMPLE, group(
    clap::ArgGroup::new("source").required(true).args(["key", "key_file", "key_text"])
))]
pub(crate) struct Args {
    #[command(flatten)]
    crypt: CryptArgs,
}

const EXAMPLE: &str = "\
Examples:
  icefish decrypt --cipher aes-256-gcm --key-file my.key letter.enc -o letter.txt
  icefish decrypt --cipher threefish-1024-ctr --key-file my.key < folder.enc | tar x
  icefish decrypt --format valve --key-text X8bU2qll --extension txt scripts/ weapon_ak47.ctx

Without --iv, the data begins with its IV, as encrypt without --iv writes it.
With modes that have a tag nothing is written before the tag is verified. In other modes wrong padding
is found at the end. A file given with -o does not appear then. What went to a pipe
or to standard output cannot be taken back: look at the exit code before you use it.";

/// Decrypts.
pub(crate) fn run(args: Args, backend: Backend) -> Result<(), Failure> {
    crypt::run(args.crypt, Way::Decrypt, backend)
}
