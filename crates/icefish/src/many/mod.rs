//! Many messages in one call: blocks of all of them share the registers.
//!
//! [`Key`](crate::Key) has the calls, such as [`Key::cbc_encrypt_many`](crate::Key::cbc_encrypt_many), and [`Cmac`](crate::mac::Cmac)
//! `tag_many`. A serial mode gives each message a lane; others take blocks of whichever messages come next.

pub(crate) mod lanes;
mod messages;

pub use messages::Message;
