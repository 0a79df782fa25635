//! Authenticated modes: a message and its tag.

use super::crypt::CryptArgs;
use super::raw;
use crate::errors::{Failure, usage};
use crate::hex::check_len;
use crate::names;
use icefish::Backend;
use icefish::suite::AeadSuite;
use icefish_files::Error;
use icefish_files::formats::{Sealed, Way};
use std::path::Path;
use zeroize::Zeroizing;

/// Encrypts or decrypts one file or stream.
pub(super) fn run(
    args: &CryptArgs,
    suite: AeadSuite,
    way: Way,
    generate_key: Option<&Path>,
    backend: Backend,
) -> Result<(), Failure> {
    for (name, given) in [("--padding", args.padding.is_some()), ("--tweak", args.tweak.is_some())]
    {
        if given {
            return Err(usage(format!("{name} has no meaning with {suite}; leave it out")));
        }
    }
    let nonce = args.iv.as_ref().map(|iv| iv.decode("--iv")).transpose()?;
    if let Some(nonce) = &nonce {
        check_len(nonce.len(), suite.nonce, "--iv", suite.name)?;
    }
    let associated = match &args.associated {
        Some(associated) => associated.decode("--associated")?,
        None => Zeroizing::new(Vec::new()),
    };
    let job = raw::Job::prepare(args, names::cipher_of(&suite)?, way, generate_key)?;
    let key = suite.key(&job.key, backend)?;
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
