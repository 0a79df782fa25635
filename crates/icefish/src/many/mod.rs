//! Many messages in one call: blocks of all of them share the registers.
//!
//! The calls are those of [`Key`](crate::Key), such as [`Key::cbc_encrypt_many`](crate::Key::cbc_encrypt_many), and
//! [`Cmac::tag_many`](crate::mac::Cmac::tag_many). A serial mode gives each message a lane; others take blocks of whichever
//! messages come next.

pub(crate) mod lanes;
mod messages;

/// A message of many: its initialization vector, and its data, in place.
///
/// `Debug` shows no data.
pub struct Message<'a> {
    /// Initialization vector, as long as a block; empty for ECB.
    pub iv: &'a [u8],
    /// Data; whole blocks for ECB and CBC. After a call it is the same slice as before, with other bytes in it.
    pub data: &'a mut [u8],
}

impl core::fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Message").field("bytes", &self.data.len()).finish_non_exhaustive()
    }
}
