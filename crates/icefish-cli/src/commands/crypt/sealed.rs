//! Authenticated modes: a message and its tag.

use super::args::CryptArgs;
use super::job::Job;
use crate::errors::Failure;
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
    args.allow(&["--cipher", "--generate-key", "--iv", "--associated"], |_| suite.to_string())?;
    let nonce = args.iv.as_ref().map(|iv| iv.decode("--iv")).transpose()?;
    if let Some(nonce) = &nonce {
        check_len(nonce.len(), suite.nonce, "--iv", suite.name)?;
    }
    let associated = match &args.associated {
        Some(associated) => associated.decode("--associated")?,
        None => Zeroizing::new(Vec::new()),
    };
    let (job, secret) = Job::prepare(args, (&suite).into(), way)?;
    let key = suite.key(&secret, backend)?;
    drop(secret);
    let nonce = nonce.as_ref().map(|nonce| nonce.as_slice());
    let sealed = Sealed { key: &key, nonce, associated: &associated };
    job.run(
        |input, output, at| match way {
            Way::Encrypt => sealed.encrypt(input, output, at),
            Way::Decrypt => sealed.decrypt(input, output, at),
        },
        |e: Error| e.into(),
    )
}
