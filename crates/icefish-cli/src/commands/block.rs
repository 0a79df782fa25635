//! `icefish block`: single blocks, for checking against a specification.

use crate::errors::{Failure, usage};
use crate::hex::{Text, check_len, decode};
use crate::keys::KeyArgs;
use crate::{names, stdio};
use icefish::Backend;

/// Encrypt or decrypt single blocks given as hex, one line for each
#[derive(clap::Args)]
#[command(after_help = EXAMPLE, group(
    clap::ArgGroup::new("source").required(true).args(["key", "key_file"])
))]
pub(crate) struct Args {
    /// The cipher, without a mode, such as aes-128 or thin-ice
    #[arg(long, value_name = "NAME")]
    cipher: String,

    #[command(flatten)]
    key: KeyArgs,

    /// The tweak as hex digits, for ciphers that have one; zeros if it is not given
    #[arg(long, value_name = "HEX")]
    tweak: Option<Text>,

    /// Decrypt instead
    #[arg(long)]
    decrypt: bool,

    /// The blocks
    #[arg(value_name = "HEX", required = true)]
    blocks: Vec<String>,
}

const EXAMPLE: &str = "\
Example:
  icefish block --cipher thin-ice --key deadbeef01234567 fedcba9876543210
prints de240d83a00a9cc0.";

/// Prints the blocks.
pub(crate) fn run(mut args: Args, backend: Backend) -> Result<(), Failure> {
    let cipher = names::cipher(&args.cipher)?;
    let tweak = tweak(args.tweak.as_ref(), cipher)?;
    let secret = args.key.take(cipher.into())?;
    let secret = secret.ok_or_else(|| usage("a key is needed: --key or --key-file"))?;
    let key = cipher.key(backend, &secret, &tweak)?;
    drop(secret);
    let mut lines = String::new();
    for (i, digits) in args.blocks.iter().enumerate() {
        let what = format!("block {}", i + 1);
        let mut block = decode(digits.as_bytes(), &what)?;
        check_len(block.len(), cipher.block, &what, cipher.name)?;
        if args.decrypt {
            key.decrypt_blocks(&mut block)?;
        } else {
            key.encrypt_blocks(&mut block)?;
        }
        lines += &::hex::encode(&*block);
        lines.push('\n');
    }
    stdio::print(&lines)
}

/// The tweak of `cipher` from an argument: nothing if it is not given.
pub(crate) fn tweak(
    argument: Option<&Text>,
    cipher: &icefish::suite::CipherInfo,
) -> Result<zeroize::Zeroizing<Vec<u8>>, Failure> {
    let Some(tweak) = argument else { return Ok(zeroize::Zeroizing::default()) };
    if cipher.tweak == 0 {
        let of = cipher.name;
        return Err(usage(format!(
            "--tweak has no meaning with {of}, which takes none; leave it out"
        )));
    }
    let tweak = tweak.decode("--tweak")?;
    check_len(tweak.len(), cipher.tweak, "--tweak", cipher.name)?;
    Ok(tweak)
}
