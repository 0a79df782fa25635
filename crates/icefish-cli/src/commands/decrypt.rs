//! `icefish decrypt`.

use super::crypt::{self, CryptArgs};
use crate::errors::Failure;
use crate::passphrases::PASSPHRASE_IDS;
use icefish::Backend;
use icefish_files::formats::passphrase::Limit;
use icefish_files::formats::{Part, Way};

/// Decrypt a file or a stream
#[derive(clap::Args)]
#[command(override_usage = "icefish decrypt [OPTIONS] <KEY> [FILE]...")]
#[command(after_help = EXAMPLE, after_long_help = [EXAMPLE, MORE].concat(), group(
    clap::ArgGroup::new("source").required(true).args(PASSPHRASE_IDS).args(["key", "key_file", "key_text"])
))]
pub(crate) struct Args {
    #[command(flatten)]
    crypt: CryptArgs,

    /// A part, such as 1G..2G, 512.., or -4K..
    ///
    /// 1G..2G are the bytes from 1 GiB on and before 2 GiB. Either may be left out; -4K.. are the last 4 KiB. Only the chunks
    /// that it needs and the last one are read and verified. The input must be a file in chunks.
    #[arg(long, value_name = "FROM..TO", value_parser = crate::ranges::parse, allow_hyphen_values = true)]
    range: Option<Part>,

    /// Memory that a file may ask for: 2G if not given
    ///
    /// A file says how much memory and how many passes its Argon2id takes, and may be from somebody else. It is refused if it
    /// asks for more than this memory, or for more than four times as much in all passes together.
    #[arg(long, value_name = "SIZE", help_heading = crate::keys::KEYS, value_parser = crypt::limit)]
    argon2_most: Option<Limit>,
}

const EXAMPLE: &str = "\
Examples:
  icefish decrypt --key-file my.key letter.enc -o letter.txt
  icefish decrypt --passphrase letter.enc -o letter.txt
  icefish decrypt --key-file my.key --extension log *.enc
  icefish decrypt --key-file my.key --range 1G..2G disk.enc -o part
  icefish decrypt --cipher aes-256-ctr --key-file my.key old.enc -o old.txt
  icefish decrypt --format openssl --cipher aes-256-cbc --passphrase a -o b
  icefish decrypt --format valve --key-text X8bU2qll scripts/ ak47.ctx";

const MORE: &str = "

A file given with -o appears only if all of it was verified. A pipe or standard output gets
verified chunks only, but its end may be missing, which the exit code says.
With --cipher, modes with a tag write nothing before the tag is verified. The other modes and
--format openssl detect no changes. Without --iv, the data begins with its IV, as
encrypt writes it.";

/// Decrypts.
pub(crate) fn run(mut args: Args, backend: Backend) -> Result<(), Failure> {
    args.crypt.range = args.range;
    args.crypt.limit = args.argon2_most;
    crypt::run(args.crypt, Way::Decrypt, backend)
}
