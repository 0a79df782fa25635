//! Authenticated modes: a message and its tag.

use super::args::CryptArgs;
use super::job::Job;
use crate::errors::{Failure, usage};
use crate::hex::check_len;
use icefish::Backend;
use icefish::suite::AeadSuite;
use icefish_files::Error;
use icefish_files::formats::{Sealed, Way};
use zeroize::Zeroizing;

/// Encrypts or decrypts one file or stream.
pub(super) fn run(
    args: &mut CryptArgs,
    suite: AeadSuite,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    let allowed = ["--cipher", "--generate-key", "--iv", "--associated", "--tag-length"];
    args.allow(&allowed, |_| suite.to_string())?;
    let nonce = args.iv.as_ref().map(|iv| iv.decode("--iv")).transpose()?;
    if let Some(nonce) = &nonce {
        check_len(nonce.len(), suite.nonce, "--iv", suite.name)?;
    }
    let associated = match &args.associated {
        Some(associated) => associated.decode("--associated")?,
        None => Zeroizing::new(Vec::new()),
    };
    let tag_len = args.tag_length.unwrap_or(suite.tag);
    // Before a key file is made: a key of zeros knows as well which lengths there are.
    suite
        .key(backend, &vec![0; suite.key])?
        .set_tag_len(tag_len)
        .map_err(|e| usage(format!("--tag-length {tag_len}: {e}")))?;
    let (job, secret) = Job::prepare(args, (&suite).into(), way)?;
    let mut key = suite.key(backend, &secret)?;
    drop(secret);
    key.set_tag_len(tag_len)?;
    let nonce = nonce.as_ref().map(|nonce| nonce.as_slice());
    let sealed = Sealed { key: &key, nonce, associated: &associated };
    job.run(
        |input, output, at| match way {
            Way::Encrypt => sealed.encrypt(input, output, at),
            Way::Decrypt => {
                let revocable = !output.is_stream();
                sealed.decrypt(input, output, revocable, at)
            }
        },
        |e: Error| e.into(),
    )
}
