//! The arguments of `encrypt` and `decrypt`.

use crate::errors::{Failure, usage};
use crate::hex::Text;
use crate::keys::{KEYS, KeyArgs};
use std::path::PathBuf;

/// Where the help shows what only those formats have.
const GAMES: &str = "Options of the valve formats";

/// The arguments that both commands have.
#[derive(clap::Args)]
pub(crate) struct CryptArgs {
    /// A new file for a new key: an argument of `encrypt` only.
    #[arg(skip)]
    pub(crate) generate_key: Option<PathBuf>,

    /// The cipher and mode, such as aes-256-gcm-siv or threefish-1024-ctr; `icefish info` lists them
    #[arg(long, value_name = "NAME")]
    pub(crate) cipher: Option<String>,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    /// The key as text, for the valve formats: its characters are the bytes of the key
    #[arg(long, value_name = "TEXT", help_heading = KEYS)]
    pub(crate) key_text: Option<Text>,

    /// The initialization vector as hex digits, for data that does not begin with it. Never use one
    /// twice with the same key
    #[arg(long, value_name = "HEX")]
    pub(crate) iv: Option<Text>,

    /// The tweak as hex digits, for ciphers that have one; zeros if it is not given
    #[arg(long, value_name = "HEX")]
    pub(crate) tweak: Option<Text>,

    /// What fills the last block, in modes that need whole blocks: pkcs7 (the default), x923, iso7816,
    /// zero (data that ends in zeros loses them), none
    #[arg(long, value_name = "NAME")]
    pub(crate) padding: Option<String>,

    /// What is authenticated with the message without being a part of it, as hex digits: modes with a tag
    /// only
    #[arg(long, value_name = "HEX")]
    pub(crate) associated: Option<Text>,

    /// The length of the tag in bytes, for modes that have shorter ones: 16 for AEGIS, which else has 32. Both
    /// sides must give the same
    #[arg(long, value_name = "N")]
    pub(crate) tag_length: Option<usize>,

    /// What the files look like: raw, valve (scripts of Source-engine games: .ctx, .nuc,
    /// .ekv) or valve-net (one encrypted network message of such a game)
    #[arg(long, value_name = "NAME", default_value = "raw")]
    pub(crate) format: String,

    /// The level of ICE, 8 at most: 0 for valve, 2 for valve-net if it is not given
    #[arg(long, value_name = "N", help_heading = GAMES)]
    pub(crate) level: Option<usize>,

    /// The extension of the output, which goes beside the input. Without it, valve decrypts to txt and
    /// encrypts to ctx, valve-net to dec and enc
    #[arg(long, value_name = "EXT", help_heading = GAMES)]
    pub(crate) extension: Option<String>,

    /// The extensions of what is taken from folders. Without it, valve decrypts ctx,nuc,ekv and
    /// encrypts txt, valve-net enc and dec
    #[arg(long = "match", value_name = "EXT,...", value_delimiter = ',', help_heading = GAMES)]
    pub(crate) matching: Vec<String>,

    /// The output; - is standard output, which is also the default for raw. A file appears when it is
    /// complete, and one that exists is left alone. A pipe or device is written to
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Replace outputs that exist. A link is replaced, not followed. Owner, group and mode are kept, and on
    /// Linux the POSIX access control list and extended attributes; what cannot be kept gives access to
    /// fewer users, never to more
    #[arg(long)]
    pub(crate) force: bool,

    /// The input; standard input if it is not given or -. The valve formats take many files and
    /// folders
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

impl CryptArgs {
    /// Refuses every option that is given and not among `allowed`; `of` says what it has no meaning with, and
    /// may say why. Options that always have a meaning are not asked for.
    pub(crate) fn allow(
        &self,
        allowed: &[&str],
        of: impl Fn(&str) -> String,
    ) -> Result<(), Failure> {
        let options = [
            ("--cipher", self.cipher.is_some()),
            ("--key-text", self.key_text.is_some()),
            ("--generate-key", self.generate_key.is_some()),
            ("--iv", self.iv.is_some()),
            ("--tweak", self.tweak.is_some()),
            ("--padding", self.padding.is_some()),
            ("--associated", self.associated.is_some()),
            ("--tag-length", self.tag_length.is_some()),
            ("--level", self.level.is_some()),
            ("--extension", self.extension.is_some()),
            ("--match", !self.matching.is_empty()),
        ];
        let wrong = options.iter().find(|(name, given)| *given && !allowed.contains(name));
        wrong.map_or(Ok(()), |(name, _)| {
            Err(usage(format!("{name} has no meaning with {}; leave it out", of(name))))
        })
    }
}
