//! What `encrypt` and `decrypt` have in common.

mod args;
mod job;
mod raw;
mod sealed;
mod valve;

pub(super) use args::CryptArgs;

use crate::errors::{Failure, usage};
use crate::names::{self, Encrypts};
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
            args.allow(&allowed, of)?;
            let name = args.cipher.as_deref().ok_or_else(|| {
                usage("a cipher and mode is needed, as in --cipher aes-256-gcm-siv; `icefish info` lists them")
            })?;
            match names::encrypts(name)? {
                Encrypts::Plain(suite) => raw::run(&mut args, &suite, way, backend),
                Encrypts::Sealed(suite) => sealed::run(&mut args, suite, way, backend),
            }
        }
        Format::Valve | Format::ValveNet => {
            args.allow(&["--key-text", "--level", "--extension", "--match"], of)?;
            valve::run(&mut args, format, way, backend)
        }
        // The list of formats grows in another crate.
        _ => Err(usage(format!("this program does not know the format {}", args.format))),
    }
}
