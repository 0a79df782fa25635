//! Message authentication codes of block ciphers, by name.

use crate::border::{Borrowing, In, Out, Text};
use crate::error::{Error, Failure};
use crate::{backend, call, handle, name, put};
use core::mem::MaybeUninit;
use icefish::suite::{AnyMac, AnyMacMessage, Named};
use std::sync::Arc;

/// A key of a message authentication code. Calls that take it may be made from several threads.
pub struct Mac(Arc<AnyMac>);

/// A message in pieces. One thread at a time may use it. The key may be freed before it.
pub struct MacMessage(Option<Borrowing<AnyMacMessage<'static>, AnyMac>>);

/// Makes a key of a code, such as "aes-256-cmac" or "threefish-512-cmac". Codes of hashes are made by icefish_hash_new.
///
/// `tag_len` is the length of all tags of this key; 0 means whole tags. `backend_name` may be null.
///
/// Errors: UNKNOWN_CIPHER, UNKNOWN_MODE, KEY_LENGTH, TAG_LENGTH, UNKNOWN_BACKEND, MISSING_BACKEND.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_new(
    suite: Text,
    key: In,
    key_len: usize,
    tag_len: usize,
    backend_name: Text,
    made: Option<&mut MaybeUninit<Option<Box<Mac>>>>,
) -> Error {
    call(|c| {
        let place = handle(c.place(made)?)?;
        let Named::Mac(suite) = name(c, suite)?.parse()? else {
            return Err(icefish::Error::UnknownMode.into());
        };
        let key = c.input(key, key_len)?;
        let mut key = suite.key(backend(c, backend_name)?, key)?;
        if tag_len != 0 {
            key.set_tag_len(tag_len)?;
        }
        put(place, Box::new(Mac(Arc::new(key))))
    })
}

/// The length of a tag; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_tag_len(key: Option<&Mac>) -> usize {
    key.map_or(0, |key| key.0.tag_len())
}

/// Writes the tag of `len` bytes of data.
///
/// Errors: TAG_LENGTH, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_tag(
    key: Option<&Mac>,
    data: In,
    len: usize,
    tag: Out,
    tag_len: usize,
) -> Error {
    call(|c| {
        let (data, tag) = (c.input(data, len)?, c.output(tag, tag_len)?);
        Ok(handle(key)?.0.tag(data, tag)?)
    })
}

/// Compares the tag of `len` bytes of data with `tag` in constant time.
///
/// Errors: FORGED, TAG_LENGTH, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_verify(
    key: Option<&Mac>,
    data: In,
    len: usize,
    tag: In,
    tag_len: usize,
) -> Error {
    call(|c| Ok(handle(key)?.0.verify(c.input(data, len)?, c.input(tag, tag_len)?)?))
}

/// Begins a message in pieces. This takes memory; the calls with the message take none.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_message_new(
    key: Option<&Mac>,
    made: Option<&mut MaybeUninit<Option<Box<MacMessage>>>>,
) -> Error {
    call(|c| {
        let place = handle(c.place(made)?)?;
        let message = Borrowing::new(&handle(key)?.0, |key| Ok(key.start()))?;
        put(place, Box::new(MacMessage(Some(message))))
    })
}

/// Takes the next bytes.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_message_update(
    message: Option<&mut MacMessage>,
    data: In,
    len: usize,
) -> Error {
    call(|c| {
        let message = handle(message)?.0.as_mut().ok_or(Failure::Finished)?;
        message.message.update(c.input(data, len)?);
        Ok(())
    })
}

/// Ends the message and writes its tag. The message must still be freed.
///
/// Errors: TAG_LENGTH, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_message_finish(
    message: Option<&mut MacMessage>,
    tag: Out,
    tag_len: usize,
) -> Error {
    call(|c| {
        let (message, tag) = (handle(message)?, c.output(tag, tag_len)?);
        let taken = message.0.take().ok_or(Failure::Finished)?;
        taken.finish(|message| Ok(message.finish(tag)?))
    })
}

/// Ends the message and compares its tag with `tag` in constant time. The message must still be freed.
///
/// Errors: FORGED, TAG_LENGTH, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_message_verify(
    message: Option<&mut MacMessage>,
    tag: In,
    tag_len: usize,
) -> Error {
    call(|c| {
        let (message, tag) = (handle(message)?, c.input(tag, tag_len)?);
        let taken = message.0.take().ok_or(Failure::Finished)?;
        taken.finish(|message| Ok(message.verify(tag)?))
    })
}

/// Erases and frees a message. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_message_free(message: Option<Box<MacMessage>>) {
    crate::free(message);
}

/// Frees a key, and erases it if no message uses it; otherwise the last message does. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_mac_free(key: Option<Box<Mac>>) {
    crate::free(key);
}
