//! Message authentication: tags for data that is not encrypted, or not here.
//!
//! [`Cmac`] takes any block cipher. The universal hashes below it, GHASH and POLYVAL, are parts of GCM and GCM-SIV
//! ([`aead`](crate::aead)): by themselves they authenticate nothing.

pub(crate) mod cmac;
mod many;
pub(crate) mod polyval;

pub use cmac::{Cmac, Mac};
