//! Many messages in one call: blocks of all of them share the registers.
//!
//! The calls are those of [`Key`](crate::Key), such as [`Key::cbc_encrypt_many`](crate::Key::cbc_encrypt_many), and
//! [`Cmac::tag_many`](crate::mac::Cmac::tag_many). A serial mode gives each message a lane (`lanes.rs`). Parallel modes fill
//! the registers with blocks of consecutive messages (`messages.rs`).
//!
//! ```
//! use icefish::{Key, ciphers::Aes128, many::Message};
//! let key = Key::<Aes128>::new(&[7; 16])?;
//! let (mut one, mut two) = ([1; 32], [2; 48]);
//! key.cbc_encrypt_many(&mut [
//!     Message { iv: &[3; 16], data: &mut one },
//!     Message { iv: &[4; 16], data: &mut two },
//! ])?;
//! # assert_ne!(one, [1; 32]);
//! # Ok::<(), icefish::Error>(())
//! ```

pub(crate) mod lanes;
mod messages;

/// One of many messages: its initialization vector, and its data, in place.
///
/// `Debug` shows no data.
///
/// ```
/// use icefish::many::Message;
/// let mut data = *b"a message";
/// let message = Message { iv: &[1; 16], data: &mut data };
/// assert!(!format!("{message:?}").contains("a message"));
/// ```
pub struct Message<'a> {
    /// Initialization vector, of one block; empty for ECB.
    pub iv: &'a [u8],
    /// Data: whole blocks for ECB and CBC. A call replaces the bytes, not the slice.
    pub data: &'a mut [u8],
}

impl core::fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Message").field("bytes", &self.data.len()).finish_non_exhaustive()
    }
}
