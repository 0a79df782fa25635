//! Message authentication: tags for data that stays unencrypted, or is encrypted elsewhere.
//!
//! [`Cmac`] takes any block cipher. `AegisMac` (with the feature `aes`) is many times as fast, and takes a nonce. The universal
//! hashes GHASH and POLYVAL are parts of GCM and GCM-SIV ([`aead`](crate::aead)) and are not public: by themselves they do not
//! authenticate.

#[cfg(feature = "aes")]
mod aegis;
pub(crate) mod cmac;
pub(crate) mod ghash;
mod many;

#[cfg(feature = "aes")]
pub use aegis::{
    AegisMac, AegisMac128L, AegisMac128X2, AegisMac128X4, AegisMac256, AegisMac256X2,
    AegisMac256X4, AegisMacMessage,
};
pub use cmac::{Cmac, Mac};
