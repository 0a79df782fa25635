//! Many messages in one call.

use crate::aead::Aead;
use crate::border::{AeadMessage, AeadMessages, Call, Inputs, Io, Out};
use crate::error::{Error, Failure};
use crate::hash::Hash;
use crate::{call, error, handle};
use core::ffi::c_int;
use icefish::suite::AnyAead;

/// Seals messages in the order of the array. The buffers of a message must not overlap with each other, but for input and output, nor
/// with the array.
///
/// Sets `error` of each, and returns that of the first that failed; those after it are sealed too.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_seal_many(
    key: Option<&Aead>,
    messages: AeadMessages,
    count: usize,
) -> Error {
    many(key, messages, count, seal)
}

/// Opens messages in the order of the array; as icefish_aead_seal_many. The output of a message that is forged becomes zeros.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_aead_open_many(
    key: Option<&Aead>,
    messages: AeadMessages,
    count: usize,
) -> Error {
    many(key, messages, count, open)
}

/// Writes the digests of `count` messages to `digests`, one after the other: `count` times icefish_hash_len bytes. They share the
/// registers of the CPU, and take a fraction of the time that they take one after the other.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_hash_many(
    hash: Option<&Hash>,
    messages: Inputs,
    count: usize,
    digests: Out,
    digests_len: usize,
) -> Error {
    call(|c| {
        let hash = &handle(hash)?.0;
        let len = hash.digest_len();
        let digests = c.output(digests, digests_len)?;
        if count.checked_mul(len) != Some(digests.len()) {
            return Err(Failure::room(digests.len(), count.saturating_mul(len)));
        }
        let messages = c.inputs(messages, count)?;
        // All are looked at before any digest is written.
        for message in messages {
            c.one(|c| c.input(message.data, message.len))?;
        }
        let mut batch: [&[u8]; BATCH] = [&[]; BATCH];
        for (messages, digests) in
            messages.chunks(BATCH).zip(digests.chunks_mut((BATCH * len).max(1)))
        {
            for (place, message) in batch.iter_mut().zip(messages) {
                *place = c.one(|c| c.input(message.data, message.len))?;
            }
            hash.hash_many(&batch[..messages.len()], digests)?;
        }
        Ok(())
    })
}

/// Messages that are hashed side by side: more than there are lanes, in little memory of the stack.
const BATCH: usize = 64;

type One = fn(&AnyAead, &mut Call<'_>, &AeadMessage) -> Result<(), Failure>;

fn many(key: Option<&Aead>, messages: AeadMessages, count: usize, one: One) -> Error {
    let mut first = Error::None;
    let all = call(|c| {
        let key = &*handle(key)?.0;
        c.for_each(messages, count, |c, mut message| {
            let error = one(key, c, &message).map_or_else(error::failed, |()| Error::None);
            if first == Error::None {
                first = error;
            }
            message.error = error as c_int;
            message
        })
    });
    if all == Error::None { first } else { all }
}

fn seal(key: &AnyAead, c: &mut Call<'_>, message: &AeadMessage) -> Result<(), Failure> {
    let nonce = c.input(message.nonce, message.nonce_len)?;
    let associated = c.input(message.associated, message.associated_len)?;
    let tag = c.output(message.tag, key.tag_len())?;
    match c.io(message.input, message.len, message.output, message.len)? {
        Io::InPlace(data) => key.seal_in_place(nonce, associated, data, tag)?,
        Io::Between(input, output) => key.seal_between(nonce, associated, input, output, tag)?,
    }
    Ok(())
}

fn open(key: &AnyAead, c: &mut Call<'_>, message: &AeadMessage) -> Result<(), Failure> {
    let nonce = c.input(message.nonce, message.nonce_len)?;
    let associated = c.input(message.associated, message.associated_len)?;
    let tag = c.input(message.tag.as_in(), key.tag_len())?;
    match c.io(message.input, message.len, message.output, message.len)? {
        Io::InPlace(data) => key.open_in_place(nonce, associated, data, tag)?,
        Io::Between(input, output) => key.open_between(nonce, associated, input, output, tag)?,
    }
    Ok(())
}
