//! One list of all names except those of hashes.

use super::{
    AEADS, AeadSuite, AnyMode, CIPHERS, MACS, MacSuite, StealingSuite, Suite, UNITS, UnitSuite,
};
#[cfg(feature = "cobblestone")]
use super::{CHUNKED, ChunkedSuite};
use crate::Error;
use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

/// Everything that has a name, except hashes ([`HASHES`](super::HASHES)): a cipher with a mode, a message authentication code, or
/// a construction.
///
/// ```
/// use icefish::suite::Named;
/// assert!(matches!("aes-256-gcm".parse()?, Named::Aead(_)));
/// assert!(matches!("cobblestone-256".parse()?, Named::Chunked(_)));
/// assert!(matches!("aes-256-ctr".parse()?, Named::Raw(_)));
/// assert!(matches!("aes-256-cmac".parse()?, Named::Mac(_)));
/// assert!(matches!("aes-256-xts".parse()?, Named::Units(_)));
/// assert!(matches!("aes-256-cbc-cs3".parse()?, Named::Stealing(_)));
/// assert!(Named::all().any(|named| named.to_string() == "threefish-512-eax"));
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Named {
    /// Encrypts a message and authenticates it.
    Aead(AeadSuite),
    /// The same in chunks, for files and streams of any length.
    #[cfg(feature = "cobblestone")]
    Chunked(ChunkedSuite),
    /// Encrypts a message, and does not detect changes of it.
    Raw(Suite),
    /// The same, for messages of at least one block, whose length does not change.
    Stealing(StealingSuite),
    /// The same, for data units such as sectors.
    Units(UnitSuite),
    /// Authenticates a message and does not encrypt it.
    Mac(MacSuite),
}

impl Named {
    /// Everything that has a name, except hashes.
    pub fn all() -> impl Iterator<Item = Self> {
        let raw = CIPHERS.iter().flat_map(|cipher| {
            AnyMode::ALL.iter().map(move |&(_, mode)| Self::Raw(Suite { cipher, mode }))
        });
        let aeads = AEADS.iter().copied().map(Self::Aead);
        let stealing = StealingSuite::all().map(Self::Stealing);
        let units = UNITS.iter().copied().map(Self::Units);
        #[cfg(feature = "cobblestone")]
        let aeads = aeads.chain(CHUNKED.iter().copied().map(Self::Chunked));
        aeads.chain(raw).chain(stealing).chain(units).chain(MACS.iter().copied().map(Self::Mac))
    }

    /// The name of its cipher; `None` if it is not part of the name, as with Xoodyak.
    pub fn cipher(&self) -> Option<&'static str> {
        match self {
            Self::Aead(suite) => suite.cipher,
            #[cfg(feature = "cobblestone")]
            Self::Chunked(_) => None,
            Self::Raw(suite) => Some(suite.cipher.name),
            Self::Stealing(suite) => Some(suite.cipher()),
            Self::Units(suite) => Some(suite.cipher),
            Self::Mac(suite) => Some(suite.cipher),
        }
    }
}

impl FromStr for Named {
    type Err = Error;

    /// Fails with [`Error::UnknownCipher`]; with [`Error::UnknownMode`] if the first part of the name is a cipher.
    fn from_str(name: &str) -> Result<Self, Error> {
        if let Some(suite) = AEADS.iter().find(|suite| suite.name == name) {
            return Ok(Self::Aead(*suite));
        }
        #[cfg(feature = "cobblestone")]
        if let Ok(suite) = name.parse() {
            return Ok(Self::Chunked(suite));
        }
        if let Some(suite) = MACS.iter().find(|suite| suite.name == name) {
            return Ok(Self::Mac(*suite));
        }
        if let Some(suite) = UNITS.iter().find(|suite| suite.name == name) {
            return Ok(Self::Units(*suite));
        }
        if let Some(suite) = StealingSuite::all().find(|suite| suite.to_string() == name) {
            return Ok(Self::Stealing(suite));
        }
        name.parse().map(Self::Raw)
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aead(suite) => suite.fmt(f),
            #[cfg(feature = "cobblestone")]
            Self::Chunked(suite) => suite.fmt(f),
            Self::Raw(suite) => suite.fmt(f),
            Self::Stealing(suite) => fmt::Display::fmt(suite, f),
            Self::Units(suite) => f.write_str(suite.name),
            Self::Mac(suite) => f.write_str(suite.name),
        }
    }
}
