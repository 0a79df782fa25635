//! What `encrypt` and `decrypt` have in common.

mod args;
mod chunked;
mod job;
mod jobs;
mod keystream;
mod many;
mod openssl;
mod openssl_args;
mod passphrase;
mod raw;
mod sealed;
mod valve;

pub(super) use args::CryptArgs;
pub(super) use passphrase::{cost, limit};

use crate::errors::{Failure, usage};
use crate::names::{self, Encrypts};
use crate::passphrases::PASSPHRASES;
use crate::signals;
use icefish::Backend;
use icefish_files::Format;
use icefish_files::formats::Way;

/// Encrypts or decrypts.
pub(super) fn run(mut args: CryptArgs, way: Way, backend: Backend) -> Result<(), Failure> {
    let format: Format = args.format.parse().map_err(|_| {
        let all = Format::ALL.map(Format::name).join(", ");
        usage(format!("no format is called {}; the formats are {all}", args.format))
    })?;
    let of = |_: &str| format!("--format {}", format.name());
    signals::clean_up_when_ended();
    match format {
        Format::Raw => {
            let allowed = [
                "--cipher",
                "--generate-key",
                "--iv",
                "--tweak",
                "--padding",
                "--associated",
                "--tag-length",
            ];
            let of_chunks = [
                "--context",
                "--range",
                "--threads",
                "--argon2",
                "--argon2-most",
                "--extension",
                "--match",
            ];
            args.allow(&[&allowed[..], &of_chunks, &PASSPHRASES].concat(), of)?;
            let chunked = match args.passphrase.is_given() {
                true => passphrase::run,
                false => chunked::run,
            };
            let Some(name) = args.cipher.as_deref() else {
                return chunked(&mut args, None, way, backend);
            };
            match names::encrypts(name)? {
                Encrypts::Chunked(suite) => chunked(&mut args, Some(suite), way, backend),
                Encrypts::Plain(suite) => raw::run(&mut args, &suite, way, backend),
                Encrypts::KeyStream => keystream::run(&mut args, way, backend),
                Encrypts::Sealed(suite) => sealed::run(&mut args, suite, way, backend),
            }
        }
        Format::OpenSsl => openssl::run(&mut args, way, backend),
        Format::Valve | Format::ValveNet => {
            args.allow(&["--key-text", "--level", "--extension", "--match", "--threads"], of)?;
            valve::run(&mut args, format, way, backend)
        }
        // The list of formats grows in another crate.
        _ => Err(usage(format!("this program does not know the format {}", args.format))),
    }
}
