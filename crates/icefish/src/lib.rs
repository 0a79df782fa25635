//! icefish
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod error;
pub mod isa;
mod block;
pub mod cipher;
pub mod ciphers;
pub mod modes;
#[cfg(feature = "alloc")]
pub mod suite;
pub use block::Block;
pub use cipher::Key;
pub use error::Error;
pub use isa::Backend;
