//! `icefish encrypt`.

use super::crypt::{self, CryptArgs};
use crate::errors::Failure;
use crate::passphrases::PASSPHRASE_IDS;
use icefish::Backend;
use icefish_files::formats::Way;
use icefish_files::formats::passphrase::Cost;
use std::path::PathBuf;

/// Encrypt a file or a stream
#[derive(clap::Args)]
#[command(override_usage = "icefish encrypt [OPTIONS] <KEY> [FILE]...")]
#[command(after_help = EXAMPLE, after_long_help = [EXAMPLE, MORE].concat(), group(
    clap::ArgGroup::new("source").required(true).args(PASSPHRASE_IDS).args(["key", "key_file", "key_text", "generate_key"])
))]
pub(crate) struct Args {
    #[command(flatten)]
    crypt: CryptArgs,

    /// Draw a key and write it to a new file
    ///
    /// It is drawn from the operating system, and written as hex to a file that only you may read.
    #[arg(long, value_name = "FILE", help_heading = crate::keys::KEYS, display_order = 0)]
    generate_key: Option<PathBuf>,

    /// The cost of each guess: 64M,3,4 if not given
    ///
    /// Memory, passes and lanes of Argon2id, which derives the key from the passphrase. 64M,3,4 and 2G,1,4 are those that
    /// RFC 9106 recommends.
    #[arg(long, value_name = "M,P,L", help_heading = crate::keys::KEYS, value_parser = crypt::cost)]
    argon2: Option<Cost>,
}

const EXAMPLE: &str = "\
Examples:
  icefish encrypt --generate-key my.key letter.txt -o letter.enc
  icefish encrypt --passphrase letter.txt -o letter.enc
  icefish encrypt --key-file my.key --extension enc *.log
  tar c folder | icefish encrypt --key-file my.key > folder.enc
  icefish encrypt --cipher aes-256-ctr --key-file my.key data -o data.enc
  icefish encrypt --format openssl --cipher aes-256-cbc --passphrase a -o b
  icefish encrypt --format valve --key-text X8bU2qll scripts/";

const MORE: &str = "

Without --cipher, the output is Cobblestone (c2sp.org/chunked-encryption), which other programs
read. Every change is detected, any part can be decrypted by itself, and all cores work. With a
passphrase, a header goes before that.
--extension takes any number of files: a.log becomes a.enc beside it. If one fails, the others are
processed all the same.
With --cipher, the output is an IV, drawn from the operating system, and the ciphertext. If you
give an --iv, it is the ciphertext alone, as `openssl enc -K -iv` writes it. Modes with a tag put
it last; gcm-siv reads a file twice, and takes 1 GiB at most from a pipe or to one. The other
modes and --format openssl do not authenticate.";

/// Encrypts.
pub(crate) fn run(mut args: Args, backend: Backend) -> Result<(), Failure> {
    args.crypt.generate_key = args.generate_key;
    args.crypt.cost = args.argon2;
    crypt::run(args.crypt, Way::Encrypt, backend)
}
