//! The arguments of `encrypt` and `decrypt`.

use super::openssl_args::OpenSslArgs;
use crate::errors::{Failure, usage};
use crate::hex::Text;
use crate::keys::{KEYS, KeyArgs};
use crate::passphrases::PassphraseArgs;
use icefish_files::formats::Part;
use icefish_files::formats::passphrase::{Cost, Limit};
use std::num::NonZero;
use std::path::PathBuf;

/// The heading in the help of options for data of other programs.
const OTHERS: &str = "Other ciphers and modes, for data of other programs";

/// The heading in the help of options of those formats.
const GAMES: &str = "Options of the valve formats";

/// The arguments that both commands have. `--help` shows the first line of each; `icefish help` and manual pages show all.
#[derive(clap::Args)]
pub(crate) struct CryptArgs {
    /// A new file for a new key: an argument of `encrypt` only.
    #[arg(skip)]
    pub(crate) generate_key: Option<PathBuf>,

    /// The part of the plaintext to decrypt: an argument of `decrypt` only.
    #[arg(skip)]
    pub(crate) range: Option<Part>,

    /// The cost of one guess at the passphrase: an argument of `encrypt` only.
    #[arg(skip)]
    pub(crate) cost: Option<Cost>,

    /// The largest cost that is accepted: an argument of `decrypt` only.
    #[arg(skip)]
    pub(crate) limit: Option<Limit>,

    /// The output; - is standard output, which is the default
    ///
    /// A file gets its name when it is complete. One that exists is an error without --force. A pipe or device is written to.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Replace outputs that exist
    ///
    /// A link is replaced, not followed. Owner, group and mode are kept, and on Linux the POSIX access control list
    /// and extended attributes; where these cannot be kept, fewer users have access, never more.
    #[arg(long)]
    pub(crate) force: bool,

    /// For many files: the extension of the outputs
    ///
    /// It replaces that of the input: with enc, a.log becomes a.enc, and decrypt with log makes a.log of that. The valve
    /// formats have their own if it is not given: valve decrypts to txt and encrypts to ctx, valve-net to dec and enc.
    #[arg(long, value_name = "EXT")]
    pub(crate) extension: Option<String>,

    /// The files to take from folders
    ///
    /// Extensions, such as log,txt; with --extension. Without it, valve decrypts ctx,nuc,ekv and encrypts txt, valve-net enc
    /// and dec, and other formats take no folders.
    #[arg(long = "match", value_name = "EXT,...", value_delimiter = ',', hide_short_help = true)]
    pub(crate) matching: Vec<String>,

    /// Context that the file is bound to, as hex digits
    ///
    /// It is not in the file, and decrypt needs the same.
    #[arg(long, value_name = "HEX")]
    pub(crate) context: Option<Text>,

    /// Number of threads: as many as cores if not given
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// raw, openssl, valve or valve-net
    ///
    /// The format of the files: raw, openssl (as `openssl enc` writes it with a passphrase), valve (scripts of Source-engine
    /// games: .ctx, .nuc, .ekv) or valve-net (one encrypted network message of such a game).
    #[arg(long, value_name = "NAME", default_value = "raw")]
    pub(crate) format: String,

    #[command(flatten)]
    pub(crate) key: KeyArgs,

    #[command(flatten)]
    pub(crate) passphrase: PassphraseArgs,

    /// The key as text, for the valve formats
    ///
    /// Its characters are the bytes of the key.
    #[arg(long, value_name = "TEXT", help_heading = KEYS, hide_short_help = true)]
    pub(crate) key_text: Option<Text>,

    /// Such as aes-256-ctr; `icefish info` lists them
    ///
    /// The cipher and mode. Without it, the file is sealed in chunks with cobblestone-128 or cobblestone-256, by the length of
    /// the key.
    #[arg(long, value_name = "NAME", help_heading = OTHERS)]
    pub(crate) cipher: Option<String>,

    /// The IV, for data that does not begin with it
    ///
    /// The initialization vector as hex digits. Never use one twice with the same key.
    #[arg(long, value_name = "HEX", help_heading = OTHERS)]
    pub(crate) iv: Option<Text>,

    /// The tweak of ciphers that have one: zeros if not given
    #[arg(long, value_name = "HEX", help_heading = OTHERS, hide_short_help = true)]
    pub(crate) tweak: Option<Text>,

    /// pkcs7 (the default), x923, iso7816, zero or none
    ///
    /// What fills the last block, in modes that need whole blocks. With zero, data that ends in zeros loses them.
    #[arg(long, value_name = "NAME", help_heading = OTHERS)]
    pub(crate) padding: Option<String>,

    /// The associated data, for modes with a tag
    ///
    /// As hex digits: what is authenticated with the message without being a part of it.
    #[arg(long, value_name = "HEX", help_heading = OTHERS)]
    pub(crate) associated: Option<Text>,

    /// The length of the tag in bytes, if it is a shorter one
    ///
    /// 16 for AEGIS, whose tags otherwise have 32. Both sides must give the same length.
    #[arg(long, value_name = "N", help_heading = OTHERS, hide_short_help = true)]
    pub(crate) tag_length: Option<usize>,

    #[command(flatten)]
    pub(crate) openssl: OpenSslArgs,

    /// The level of ICE
    ///
    /// 8 at most; 0 for valve, 2 for valve-net if it is not given.
    #[arg(long, value_name = "N", help_heading = GAMES, hide_short_help = true)]
    pub(crate) level: Option<usize>,

    /// The input; standard input if it is not given or -
    ///
    /// With --extension there may be many. The valve formats take many files and folders.
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
            ("--context", self.context.is_some()),
            ("--range", self.range.is_some()),
            ("--threads", self.threads.is_some()),
            ("--argon2", self.cost.is_some()),
            ("--argon2-most", self.limit.is_some()),
            ("--iv", self.iv.is_some()),
            ("--tweak", self.tweak.is_some()),
            ("--padding", self.padding.is_some()),
            ("--associated", self.associated.is_some()),
            ("--tag-length", self.tag_length.is_some()),
            ("--level", self.level.is_some()),
            ("--extension", self.extension.is_some()),
            ("--match", !self.matching.is_empty()),
        ];
        let options = options.into_iter();
        let mut options = options.chain(self.passphrase.given()).chain(self.openssl.given());
        let wrong = options.find(|(name, given)| *given && !allowed.contains(name));
        wrong.map_or(Ok(()), |(name, _)| {
            Err(usage(format!("{name} has no meaning with {}; leave it out", of(name))))
        })
    }
}
