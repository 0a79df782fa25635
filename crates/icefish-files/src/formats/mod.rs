//! Formats of encrypted files. A new format is a module here and a line in [`Format`].

mod chunked;
mod crypted;
mod keystream;
pub mod openssl;
pub mod passphrase;
mod raw;
mod sealed;
pub mod valve;
pub mod valve_net;

pub use chunked::{Chunked, Part, Place};
pub use crypted::Crypted;
pub use keystream::KeyStream;
pub use openssl::OpenSsl;
pub use raw::Raw;
pub use sealed::Sealed;

pub use crate::input::Contents;
pub use icefish::cipher::Way;

use crate::Error;
use std::str::FromStr;

/// A format as a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Ciphertext as the mode gives it, after its initialization vector if that was drawn: [`Raw`].
    #[default]
    Raw,
    /// What `openssl enc` writes with a passphrase: [`openssl`].
    OpenSsl,
    /// A script of a Source-engine game: [`valve`].
    Valve,
    /// An encrypted message of such a game's network protocol: [`valve_net`].
    ValveNet,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Raw, Self::OpenSsl, Self::Valve, Self::ValveNet];

    /// Its name: `raw`, `openssl`, `valve`, `valve-net`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::OpenSsl => "openssl",
            Self::Valve => "valve",
            Self::ValveNet => "valve-net",
        }
    }

    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|f| f.name() == name).ok_or(Error::UnknownFormat)
    }
}

/// The error of `got` bytes that are no whole blocks.
fn partial(way: Way, got: u64, block: usize) -> Error {
    match way {
        Way::Encrypt => Error::PartialPlaintext { got, block },
        Way::Decrypt => Error::PartialCiphertext { got, block },
    }
}
