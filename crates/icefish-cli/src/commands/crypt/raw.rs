//! Ciphertext as the mode gives it.

use super::args::CryptArgs;
use super::job::Job;
use crate::commands::block::tweak;
use crate::errors::Failure;
use crate::hex::check_len;
use crate::names;
use icefish::Backend;
use icefish::modes::{Granularity, Mode, Padding};
use icefish::suite::Suite;
use icefish_files::Error;
use icefish_files::formats::{Raw, Way};
use zeroize::Zeroizing;

/// Encrypts or decrypts one file or stream.
pub(super) fn run(
    args: &mut CryptArgs,
    suite: &Suite,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    refuse_meaningless(args, suite)?;
    let padding = names::padding(args.padding.as_deref().unwrap_or("pkcs7"))?;
    let iv = iv(args, suite)?;
    let tweak = tweak(args.tweak.as_ref(), suite.cipher)?;
    let (job, secret) = Job::prepare(args, suite.cipher.into(), way)?;
    let key = suite.cipher.key(&secret, &tweak, backend)?;
    drop(secret);
    let raw = Raw { key: &key, mode: suite.mode, padding, iv: iv.as_ref().map(|iv| iv.as_slice()) };
    job.run(
        |input, output, at| match way {
            Way::Encrypt => raw.encrypt(input, output, at),
            Way::Decrypt => raw.decrypt(input, output, at),
        },
        |e| explain(e, padding),
    )
}

/// Refuses options that have no meaning with a mode that only encrypts.
fn refuse_meaningless(args: &CryptArgs, suite: &Suite) -> Result<(), Failure> {
    let mut allowed = vec!["--cipher", "--generate-key"];
    allowed.extend((suite.mode.iv_len(suite.cipher.block) > 0).then_some("--iv"));
    allowed.extend((suite.cipher.tweak > 0).then_some("--tweak"));
    allowed.extend((suite.mode.granularity() == Granularity::Block).then_some("--padding"));
    args.allow(&allowed, |option| match option {
        "--padding" => format!("{suite}, which takes data of any length"),
        "--associated" => format!("{suite}, which authenticates nothing"),
        _ => format!("{suite}, which takes none"),
    })
}

/// A hint that only the caller's words can give.
fn explain(e: Error, padding: Padding) -> Failure {
    match e {
        Error::Crypt(icefish::Error::Padding) => Failure::Data(format!(
            "the padding is not {}: a wrong key, another padding, or damaged data",
            padding.name()
        )),
        Error::MissingIv { .. } => Failure::Data(format!("{e} with --iv")),
        e => e.into(),
    }
}

fn iv(args: &CryptArgs, suite: &Suite) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
    let Some(iv) = &args.iv else { return Ok(None) };
    let iv = iv.decode("--iv")?;
    check_len(iv.len(), suite.mode.iv_len(suite.cipher.block), "--iv", &suite.to_string())?;
    Ok(Some(iv))
}
