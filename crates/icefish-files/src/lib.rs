//! Files through icefish: formats, a streaming pipeline of bounded memory, and output that is there
//! whole or not at all.
//!
//! ```
//! use icefish::{Backend, modes::Padding, suite::Suite};
//! use icefish_files::{Input, Target, formats::Raw};
//! use std::sync::Arc;
//! # let folder = std::env::temp_dir().join(format!("icefish-files-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let (plain, out) = (folder.join("plain"), folder.join("out"));
//! # std::fs::write(&plain, b"some bytes")?;
//! let suite: Suite = "aes-256-cbc".parse()?;
//! let key = Arc::new(suite.cipher.key(Backend::best(), &[7; 32], &[])?);
//! let raw = Raw { key: &key, mode: suite.mode, padding: Padding::Pkcs7, iv: None, threads: None };
//!
//! let mut output = Target::file(&out, false)?.create()?;
//! raw.encrypt(Input::open(&plain)?, &mut output, &mut |_| {})?;
//! output.commit()?; // until here there is no file of that name
//!
//! let mut back = Vec::new();
//! raw.decrypt(Input::open(&out)?, &mut back, &mut |_| {})?;
//! assert_eq!(back, b"some bytes");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aligned;
mod error;
pub mod formats;
mod identity;
mod input;
mod ordered;
pub mod output;
pub mod pipeline;
pub mod random;
#[cfg(test)]
mod test_streams;
mod tree;
mod workers;

pub use aligned::Aligned;
pub use error::{Error, reason};
pub use formats::Format;
pub use identity::{Identity, same_place};
pub use input::Input;
pub use output::{Output, SecretFile, Target};
pub use tree::tree_digest;
