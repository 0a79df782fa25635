//! `icefish encrypt`.

use super::crypt::{self, CryptArgs};
use crate::errors::Failure;
use icefish::Backend;
use icefish_files::formats::Way;
use std::path::PathBuf;

/// Encrypt a file or a stream
#[derive(clap::Args)]
#[command(after_help = EXAMPLE, group(
    clap::ArgGroup::new("source").required(true).args(["key", "key_file", "key_text", "generate_key"])
))]
pub(crate) struct Args {
    #[command(flatten)]
    crypt: CryptArgs,

    /// Draw a key from the operating system and write it, as hex, to a new file that only you may read
    #[arg(long, value_name = "FILE", help_heading = crate::keys::KEYS)]
    generate_key: Option<PathBuf>,
}

const EXAMPLE: &str = "\
Examples:
  icefish encrypt --cipher aes-256-gcm --generate-key my.key letter.txt -o letter.enc
  tar c folder | icefish encrypt --cipher threefish-1024-ctr --key-file my.key > folder.enc
  icefish encrypt --format valve --key-text X8bU2qll scripts/

Without --iv, one is drawn from the operating system and goes before the ciphertext, where decrypt
finds it. With --iv, the output is the ciphertext alone, as `openssl enc -K -iv` writes it.
With modes that have a tag, it goes last, and the data has 1 GiB at most. The other modes do not
authenticate: decryption does not notice changes.";

/// Encrypts.
pub(crate) fn run(mut args: Args, backend: Backend) -> Result<(), Failure> {
    args.crypt.generate_key = args.generate_key;
    crypt::run(args.crypt, Way::Encrypt, backend)
}
