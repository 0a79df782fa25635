//! Ciphers and modes by name, chosen at run time.
//!
//! A [`Suite`] such as `aes-256-cbc` is a cipher and a mode. An [`AnyKey`] is a key of any cipher. A message costs one indirect
//! call, and then runs the same code as with its types written in the source.
//!
//! ```
//! use icefish::{Backend, suite::Suite, modes::Padding};
//! let suite: Suite = "aes-256-cbc".parse()?;
//! let key = suite.cipher.key(Backend::best(), &[7; 32], &[])?;
//! let mut buffer = *b"sixteen and some................";
//! let len = key.encrypt_in_place(suite.mode, &[1; 16], Padding::Pkcs7, &mut buffer, 16)?;
//! assert_eq!(len, 32);
//! let len = key.decrypt_in_place(suite.mode, &[1; 16], Padding::Pkcs7, &mut buffer, len)?;
//! assert_eq!(&buffer[..len], b"sixteen and some");
//! # Ok::<(), icefish::Error>(())
//! ```

mod aead;
mod any_mode;
#[cfg(feature = "cobblestone")]
mod chunked;
mod cipher;
mod crypter;
mod erased;
mod hash;
mod mac;
mod many;
mod named;
mod pieces;
mod stored;

pub use aead::{AEADS, AeadSuite, AnyAead};
pub use any_mode::AnyMode;
#[cfg(feature = "cobblestone")]
pub use chunked::{AnyChunkOpener, AnyChunkSealer, AnyChunked, CHUNKED, ChunkedSuite};
pub use cipher::{AnyKey, CIPHERS, CipherInfo};
pub use crypter::AnyCrypter;
pub use hash::{AnyHash, AnyHasher, HASHES, HashSuite};
pub use mac::{AnyMac, AnyMacMessage, MACS, MacSuite};
pub use named::Named;
pub use pieces::AnyPieces;
pub use stored::{AnyStealing, AnyUnits, StealingSuite, UNITS, UnitSuite};

use crate::Error;
use core::fmt;
use core::str::FromStr;

/// Refuses a key that does not have `need` bytes. Each name has keys of one length, even if its cipher has keys of several.
fn key_has_len(key: &[u8], need: usize) -> Result<(), Error> {
    if key.len() == need { Ok(()) } else { Err(Error::KeyLength { got: key.len(), need }) }
}

/// A cipher and a mode: `aes-256-cbc`, `thin-ice-ecb`, `ice-2-cfb8`, `threefish-1024-ctr`.
///
/// ```
/// use icefish::suite::Suite;
/// let suite: Suite = "ice-2-cbc".parse()?;
/// assert_eq!((suite.cipher.name, suite.mode.name()), ("ice-2", "cbc"));
/// assert_eq!(suite.to_string(), "ice-2-cbc");
/// # Ok::<(), icefish::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// The cipher.
    pub cipher: &'static CipherInfo,
    /// The mode.
    pub mode: AnyMode,
}

impl FromStr for Suite {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let fits = |c: &&CipherInfo| name.strip_prefix(c.name).is_some_and(|r| r.starts_with('-'));
        let cipher = CIPHERS.iter().find(fits).ok_or(Error::UnknownCipher)?;
        Ok(Self { cipher, mode: name[cipher.name.len() + 1..].parse()? })
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.cipher.name, self.mode.name())
    }
}
