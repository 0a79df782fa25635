//! Buffers and streams that are accessed through pointers, erasing, and barriers against optimisations. They are here, and not
//! beside their users, because they need `unsafe`.

mod buffer;
mod erase;
mod frame;
mod lazy;
mod opaque;
mod room;
mod streams;

pub use buffer::{InOut, Sink};
pub(crate) use buffer::{fetch_input, fetch_line};
pub(crate) use erase::erase;
#[cfg(feature = "alloc")]
pub(crate) use erase::erase_stack;
pub(crate) use frame::aligned_frame;
pub(crate) use lazy::Lazy;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", feature = "ice"))]
pub(crate) use opaque::mixed;
pub(crate) use opaque::{barrier, opaque, opaque_count, opaque_option, public, whole_row};
#[cfg(feature = "aes")]
pub(crate) use room::Room;
pub(crate) use streams::MOST;
pub use streams::{OpenBlocks, Row, Streams};
