//! Hashes, with and without a key, by name.

use crate::border::{In, Out, Text};
use crate::error::{Error, Failure};
use crate::{backend, call, handle, name, put};
use core::mem::MaybeUninit;
use icefish::suite::{AnyHash, AnyHasher, HashSuite};

/// A hash, ready for messages. Calls that take it may be made from several threads.
pub struct Hash(pub(crate) AnyHash);

/// A message in pieces. One thread at a time may use it. The hash may be freed before it.
pub struct Hasher(Option<AnyHasher>);

/// Makes a hash, such as "skein-512", "skein-256", "skein-512-tree" or "xoodyak".
///
/// With a key of at least one byte, which only Skein takes, it is a message authentication code. `bits` is the length of a digest in
/// bits; 0 means the usual. `backend_name` may be null.
///
/// Errors: UNKNOWN_HASH, KEY_LENGTH, DIGEST_BITS, UNKNOWN_BACKEND, MISSING_BACKEND.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hash_new(
    suite: Text,
    key: In,
    key_len: usize,
    bits: u64,
    backend_name: Text,
    made: Option<&mut MaybeUninit<Option<Box<Hash>>>>,
) -> Error {
    call(|c| {
        let place = handle(c.place(made)?)?;
        let suite: HashSuite = name(c, suite)?.parse()?;
        let key = c.input(key, key_len)?;
        let on = backend(c, backend_name)?;
        let bits = if bits == 0 { suite.bits } else { bits };
        let made = if key.is_empty() { suite.hash(on, bits)? } else { suite.mac(on, key, bits)? };
        put(place, Box::new(Hash(made)))
    })
}

/// The length of a digest in bytes; 0 for null.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hash_len(hash: Option<&Hash>) -> usize {
    hash.map_or(0, |hash| hash.0.digest_len())
}

/// Writes the digest of `len` bytes of data.
///
/// Errors: BUFFER_LENGTH, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hash_digest(
    hash: Option<&Hash>,
    data: In,
    len: usize,
    digest: Out,
    digest_len: usize,
) -> Error {
    call(|c| {
        let (data, digest) = (c.input(data, len)?, c.output(digest, digest_len)?);
        Ok(handle(hash)?.0.hash(data, digest)?)
    })
}

/// Compares the digest of `len` bytes of data with `digest` in constant time. This takes memory.
///
/// Errors: FORGED, TAG_LENGTH, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hash_verify(
    hash: Option<&Hash>,
    data: In,
    len: usize,
    digest: In,
    digest_len: usize,
) -> Error {
    call(|c| Ok(handle(hash)?.0.verify(c.input(data, len)?, c.input(digest, digest_len)?)?))
}

/// Begins a message in pieces. This takes memory; the calls with the message take none, but for those with trees.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hasher_new(
    hash: Option<&Hash>,
    made: Option<&mut MaybeUninit<Option<Box<Hasher>>>>,
) -> Error {
    call(|c| {
        let place = handle(c.place(made)?)?;
        put(place, Box::new(Hasher(Some(handle(hash)?.0.start()))))
    })
}

/// Takes the next bytes.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hasher_update(
    hasher: Option<&mut Hasher>,
    data: In,
    len: usize,
) -> Error {
    call(|c| {
        let hasher = handle(hasher)?.0.as_mut().ok_or(Failure::Finished)?;
        hasher.update(c.input(data, len)?);
        Ok(())
    })
}

/// Ends the message and writes its digest. The message must still be freed.
///
/// Errors: BUFFER_LENGTH, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hasher_finish(
    hasher: Option<&mut Hasher>,
    digest: Out,
    digest_len: usize,
) -> Error {
    call(|c| {
        let (hasher, digest) = (handle(hasher)?, c.output(digest, digest_len)?);
        Ok(hasher.0.take().ok_or(Failure::Finished)?.finish(digest)?)
    })
}

/// Ends the message and compares its digest with `digest` in constant time. This takes memory. The message must still be freed.
///
/// Errors: FORGED, TAG_LENGTH, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hasher_verify(
    hasher: Option<&mut Hasher>,
    digest: In,
    digest_len: usize,
) -> Error {
    call(|c| {
        let (hasher, digest) = (handle(hasher)?, c.input(digest, digest_len)?);
        Ok(hasher.0.take().ok_or(Failure::Finished)?.verify(digest)?)
    })
}

/// Erases and frees a message. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hasher_free(hasher: Option<Box<Hasher>>) {
    crate::free(hasher);
}

/// Erases and frees a hash. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hash_free(hash: Option<Box<Hash>>) {
    crate::free(hash);
}
