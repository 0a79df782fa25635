//! Message authentication: tags for data that stays unencrypted, or is encrypted elsewhere.
//!
//! [`Cmac`] takes any block cipher. The universal hashes GHASH and POLYVAL are parts of GCM and GCM-SIV ([`aead`](crate::aead)) and
//! are not public: by themselves they do not authenticate.

pub(crate) mod cmac;
mod many;
pub(crate) mod polyval;

pub use cmac::{Cmac, Mac};
