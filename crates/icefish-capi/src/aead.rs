//! Authenticated encryption, by name.

use crate::border::{In, Io, Out, Text};
use crate::error::Error;
use crate::{backend, call, handle, name, put};
use core::mem::MaybeUninit;
use icefish::suite::{AeadSuite, AnyAead};
use std::sync::Arc;

/// A key of an authenticated mode. Calls that take it may be made from several threads.
pub struct Aead(pub(crate) Arc<AnyAead>);

/// Makes a key of an authenticated mode, such as "aes-256-gcm", "aes-256-gcm-siv", "aegis-128x2", "threefish-512-eax" or "xoodyak".
///
/// `tag_len` is the length of all tags of this key; 0 means whole tags. `backend_name` may be null.
///
/// Errors: UNKNOWN_CIPHER, UNKNOWN_MODE, KEY_LENGTH, TAG_LENGTH, UNKNOWN_BACKEND, MISSING_BACKEND.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_new(
    suite: Text,
    key: In,
    key_len: usize,
    tag_len: usize,
    backend_name: Text,
    made: Option<&mut MaybeUninit<Option<Box<Aead>>>>,
) -> Error {
    call(|c| {
        let place = handle(c.place(made)?)?;
        let suite: AeadSuite = name(c, suite)?.parse()?;
        let key = c.input(key, key_len)?;
        let mut key = suite.key(backend(c, backend_name)?, key)?;
        if tag_len != 0 {
            key.set_tag_len(tag_len)?;
        }
        put(place, Box::new(Aead(Arc::new(key))))
    })
}

/// The usual length of a nonce; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_nonce_len(key: Option<&Aead>) -> usize {
    key.map_or(0, |key| key.0.suite().nonce)
}

/// The length of a tag; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_tag_len(key: Option<&Aead>) -> usize {
    key.map_or(0, |key| key.0.tag_len())
}

/// Encrypts `len` bytes from `input` to `output`, which are the same or do not overlap, and writes the tag.
///
/// **A nonce must not be used twice under one key.**
///
/// Errors: IV_LENGTH, TAG_LENGTH, TOO_LONG, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_seal(
    key: Option<&Aead>,
    nonce: In,
    nonce_len: usize,
    associated: In,
    associated_len: usize,
    input: In,
    output: Out,
    len: usize,
    tag: Out,
    tag_len: usize,
) -> Error {
    call(|c| {
        let key = &handle(key)?.0;
        let nonce = c.input(nonce, nonce_len)?;
        let associated = c.input(associated, associated_len)?;
        let tag = c.output(tag, tag_len)?;
        match c.io(input, len, output, len)? {
            Io::InPlace(data) => key.seal_in_place(nonce, associated, data, tag)?,
            Io::Between(input, output) => {
                key.seal_between(nonce, associated, input, output, tag)?
            }
        }
        Ok(())
    })
}

/// Decrypts `len` bytes from `input` to `output`, which are the same or do not overlap, if the tag is right. If not, `output` becomes
/// zeros.
///
/// Errors: FORGED, IV_LENGTH, TAG_LENGTH, TOO_LONG, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_open(
    key: Option<&Aead>,
    nonce: In,
    nonce_len: usize,
    associated: In,
    associated_len: usize,
    input: In,
    output: Out,
    len: usize,
    tag: In,
    tag_len: usize,
) -> Error {
    call(|c| {
        let key = &handle(key)?.0;
        let nonce = c.input(nonce, nonce_len)?;
        let associated = c.input(associated, associated_len)?;
        let tag = c.input(tag, tag_len)?;
        match c.io(input, len, output, len)? {
            Io::InPlace(data) => key.open_in_place(nonce, associated, data, tag)?,
            Io::Between(input, output) => {
                key.open_between(nonce, associated, input, output, tag)?
            }
        }
        Ok(())
    })
}

/// Frees a key, and erases it if no message uses it; otherwise the last message does. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_free(key: Option<Box<Aead>>) {
    crate::free(key);
}
