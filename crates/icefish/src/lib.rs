//! icefish
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod block;
pub mod cipher;
pub mod ciphers;
mod error;
pub mod isa;
pub mod modes;
pub mod permutations;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
#[cfg(feature = "alloc")]
pub mod suite;
pub use block::Block;
pub use cipher::Key;
pub use error::Error;
pub use isa::Backend;
