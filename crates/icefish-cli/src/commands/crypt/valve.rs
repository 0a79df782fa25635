//! Files of Source-engine games, many at once.

use super::args::CryptArgs;
use super::jobs::Jobs;
use super::many::{self, Common, Task};
use crate::errors::{Failure, usage};
use crate::keys;
use icefish::Backend;
use icefish::suite::AnyKey;
use icefish_files::formats::{Contents, Way, valve, valve_net};
use icefish_files::{Error, Format, Input, Output};
use std::num::NonZero;

/// Encrypts or decrypts files and folders.
pub(super) fn run(
    args: &mut CryptArgs,
    format: Format,
    way: Way,
    backend: Backend,
) -> Result<(), Failure> {
    let level = args.level.unwrap_or(match format {
        Format::ValveNet => valve_net::LEVEL,
        _ => valve::LEVEL,
    });
    let cipher = valve::cipher(level)?;
    let secret = match args.key_text.take() {
        Some(text) => Some(keys::from_text(&text, cipher.into())?),
        None => args.key.take(cipher.into())?,
    };
    let secret = secret.ok_or_else(|| usage("a key is needed: --key-text or --key"))?;
    let key = cipher.key(backend, &secret, &[])?;
    drop(secret);
    let jobs = Jobs::new(args, format, way)?;
    many::run(&Files { format, way, key }, jobs, Common::new(args, None))
}

struct Files {
    format: Format,
    way: Way,
    key: AnyKey,
}

impl Files {
    fn script(&self, mut file: Contents) -> Result<Contents, Error> {
        valve::crypt_in_place(&self.key, self.way, &mut file)?;
        Ok(file)
    }
}

impl Task for Files {
    fn one(
        &self,
        input: Input,
        output: &mut Output,
        _: Option<NonZero<usize>>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        match (self.format, self.way) {
            (Format::ValveNet, Way::Encrypt) => valve_net::encrypt(&self.key, input, output),
            (Format::ValveNet, Way::Decrypt) => valve_net::decrypt(&self.key, input, output),
            _ => valve::crypt(&self.key, self.way, input, output, progress),
        }
    }

    fn together(&self, mut files: Vec<Contents>) -> Vec<Result<Contents, Error>> {
        match (self.format, self.way) {
            (Format::ValveNet, Way::Encrypt) => valve_net::seal_many(&self.key, &files),
            (Format::ValveNet, Way::Decrypt) => valve_net::open_many(&self.key, files),
            _ => match valve::crypt_many(&self.key, self.way, &mut files) {
                Ok(()) => files.into_iter().map(Ok).collect(),
                // Nothing is changed yet: each has an error of its own.
                Err(_) => files.into_iter().map(|file| self.script(file)).collect(),
            },
        }
    }

    fn shares(&self) -> bool {
        true
    }

    fn alone(&self) -> bool {
        false
    }
}
