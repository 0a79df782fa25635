//! Messages in chunks (Cobblestone), opened by the library. The target `files` opens them as files.

use crate::data::Data;
use crate::within;
use icefish::Error;
use icefish::storage::cobblestone::{
    CHUNK, Cobblestone, HEADER, Instance, Reader, SEALED_CHUNK, TAG,
};
use icefish::storage::{Cobblestone128, Cobblestone256};
use icefish::suite::{AnyChunkOpener, CHUNKED, ChunkedSuite};
use std::io::{Cursor, Read, Seek, SeekFrom};

/// A sealed message, and what it was sealed with.
pub(crate) struct Message {
    pub(crate) suite: &'static ChunkedSuite,
    pub(crate) key: Vec<u8>,
    pub(crate) context: Vec<u8>,
    pub(crate) plain: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// A message of up to three chunks.
pub(crate) fn message(data: &mut Data<'_>) -> Message {
    let suite = data.pick(CHUNKED);
    let key = data.text(suite.key);
    let len = data.below(40);
    let context = data.text(len);
    let len = data.len(300, 2 * CHUNK + 200);
    // At the edges of chunks.
    let len = if data.bit() { len / CHUNK * CHUNK } else { len };
    let plain = data.text(len);
    let made = suite.key(data.backend(), &key).expect("a key of the right length");
    let salt = data.text(24).try_into().expect("24 bytes");
    let sealer = made.sealer(&salt, &context);
    let mut sealed = sealer.header().to_vec();
    sealed.resize(HEADER + len + TAG * (len / CHUNK + 1), 0);
    sealer.seal_between(0, true, &plain, &mut sealed[HEADER..]).expect("the right lengths");
    Message { suite, key, context, plain, sealed }
}

/// Opens a message that may have been changed, as a whole, in part, chunk by chunk, or as a stream.
pub(crate) fn run(data: &mut Data<'_>) {
    let message = message(data);
    let (mut context, mut given) = (message.context.clone(), message.sealed.clone());
    let other = if data.bit() { data.change(&mut context) } else { data.change(&mut given) };
    if data.byte() == 1 {
        given = data.rest();
    }
    let changed = other || given != message.sealed;
    let key = message.suite.key(data.backend(), &message.key).expect("a key of the right length");
    let header = &given[..given.len().min(HEADER)];
    let opened = key.opener(header, &context);
    let right = context == message.context && message.sealed.starts_with(header);
    assert_eq!(opened.is_ok(), right && header.len() == HEADER, "{opened:?}");
    if data.bit() {
        let given = (&context[..], given, changed);
        let (short, long) = (Cobblestone128::new(&message.key), Cobblestone256::new(&message.key));
        return match (short, long) {
            (Ok(key), _) => stream(data, &key, given, &message),
            (_, key) => stream(data, &key.expect("a key of 32 bytes"), given, &message),
        };
    }
    let Ok(opener) = opened else { return };
    match data.bit() {
        true => chunks(data, &opener, &given[HEADER..], &message),
        false => chunk(data, &opener, &given[HEADER..], &message),
    }
}

/// Consecutive chunks.
fn chunks(data: &mut Data<'_>, opener: &AnyChunkOpener, given: &[u8], message: &Message) {
    let honest = &message.sealed[HEADER..];
    let (first, count) = (data.below(4), data.below(4));
    let last = data.bit();
    let start = (first * SEALED_CHUNK).min(given.len());
    let end = if last { given.len() } else { (start + count * SEALED_CHUNK).min(given.len()) };
    let part = &given[start..end];
    let number = if data.byte() == 1 { data.word() } else { first as u64 };
    let chunks = part.len() / SEALED_CHUNK + usize::from(last);
    let len = part.len().saturating_sub(TAG * chunks) + usize::from(data.byte() == 1);
    let mut plain = vec![0x5a; len];
    let opened = within(0, || opener.open_between(number, last, part, &mut plain));
    match opened {
        // No chunks: their number does not matter.
        Ok(()) if part.is_empty() => {}
        Ok(()) => {
            assert!(number == first as u64 && honest[start.min(honest.len())..].starts_with(part));
            assert!(!last || start + part.len() == honest.len(), "an end that is not the end");
            assert!(message.plain[first * CHUNK..].starts_with(&plain));
        }
        Err(Error::ForgedChunk { number: wrong }) => {
            let (before, after) = plain.split_at((wrong - number) as usize * CHUNK);
            assert!(before.is_empty() || message.plain[first * CHUNK..].starts_with(before));
            assert!(after.iter().all(|&byte| byte == 0), "something was released");
        }
        Err(_) => assert!(plain.iter().all(|&byte| byte == 0x5a), "it was refused and changed"),
    }
    // What was not changed opens.
    let there = honest.get(start..end) == Some(part) && number == first as u64;
    let whole = part.len().is_multiple_of(SEALED_CHUNK);
    let ends = if last { end == honest.len() && start + TAG <= end } else { whole };
    let starts = start == first * SEALED_CHUNK && len + TAG * chunks == part.len();
    if there && ends && starts {
        assert_eq!(opened, Ok(()), "chunks {first} of {} bytes, last: {last}", part.len());
    }
}

/// One chunk in place.
fn chunk(data: &mut Data<'_>, opener: &AnyChunkOpener, given: &[u8], message: &Message) {
    let number = data.below(4);
    let start = (number * SEALED_CHUNK).min(given.len());
    let part = &given[start..given.len().min(start + SEALED_CHUNK)];
    let (bytes, tag) = part.split_at(part.len().saturating_sub(TAG));
    let (last, mut bytes) = (data.bit(), bytes.to_vec());
    let number = if data.byte() == 1 { data.word() } else { number as u64 };
    let before = bytes.clone();
    match within(0, || opener.open_in_place(number, last, &mut bytes, tag)) {
        Ok(()) => {
            let from = number as usize * CHUNK;
            let ends = from + bytes.len() == message.plain.len() && bytes.len() < CHUNK;
            assert!(last == ends && message.plain[from..].starts_with(&bytes));
        }
        Err(Error::ForgedChunk { .. }) => assert!(bytes.iter().all(|&byte| byte == 0)),
        Err(_) => assert!(bytes == before, "it was refused and changed"),
    }
}

/// A stream that is read at any place.
fn stream<C: Instance>(
    data: &mut Data<'_>,
    key: &Cobblestone<C>,
    (context, given, changed): (&[u8], Vec<u8>, bool),
    message: &Message,
) {
    let most = SEALED_CHUNK + 200;
    let mut reader = match within(most, || Reader::new(key, context, Cursor::new(given))) {
        Ok(reader) => reader,
        Err(error) => return assert!(changed, "{error}"),
    };
    // The last chunk tells the length.
    assert_eq!(reader.plain_len(), message.plain.len() as u64);
    for _ in 0..data.below(6) {
        let to = match data.below(3) {
            0 => SeekFrom::Start(data.below(3 * CHUNK) as u64),
            1 => SeekFrom::End(-(data.below(3 * CHUNK) as i64)),
            _ => SeekFrom::Current(data.word() as i64),
        };
        let Ok(at) = reader.seek(to) else { continue };
        let mut output = vec![0x5a; data.below(300)];
        match reader.read(&mut output) {
            Ok(len) => {
                let from = usize::try_from(at)
                    .map_or(message.plain.len(), |at| at.min(message.plain.len()));
                assert!(message.plain[from..].starts_with(&output[..len]));
                assert!(len > 0 || output.is_empty() || from == message.plain.len());
            }
            Err(error) => assert!(changed && output.iter().all(|&b| b == 0x5a), "{error}"),
        }
    }
}
