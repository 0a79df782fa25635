//! Encrypted messages of the network protocol of Source-engine games.
//!
//! ICE in ECB mode, level 2 with a key of 16 bytes, over: the number of random bytes (one byte), that
//! many random bytes, the length of the payload (32 bits, big-endian), the payload. The random bytes
//! fill the last block, so that everything is whole blocks.
//!
//! The lengths are the only check: of the wrong keys, about one in 2^32 goes unnoticed.

use super::valve::BLOCK;
use super::{Contents, Way, valve};
use crate::pipeline::fill;
use crate::{Error, Input, random};
use icefish::suite::AnyKey;
use std::io::Write;
use zeroize::Zeroizing;

/// The level of messages.
pub const LEVEL: usize = 2;

/// The longest message, far more than games send. It is held in memory.
pub const MAX_LEN: usize = 16 << 20;

/// Bytes before the payload, without the random ones.
const HEADER: usize = 5;

/// The games draw a number of random bytes, and add more up to a whole block: the smallest such number, and how many there are.
const RANDOM: (usize, usize) = (16, 57);

/// Decrypts a message; returns its payload.
///
/// # Errors
/// [`Error::NotAMessage`] if the lengths do not add up: a wrong key, or not a message.
pub fn open(key: &AnyKey, message: &[u8]) -> Result<Zeroizing<Vec<u8>>, Error> {
    is_whole(message)?;
    let mut plain = Zeroizing::new(message.to_vec());
    valve::crypt_in_place(key, Way::Decrypt, &mut plain)?;
    opened(plain)
}

/// Decrypts messages, which share registers; returns their payloads.
///
/// # Errors
/// For each message as [`open`].
pub fn open_many(key: &AnyKey, mut messages: Vec<Contents>) -> Vec<Result<Contents, Error>> {
    let refused: Vec<_> = messages.iter().map(|message| is_whole(message).err()).collect();
    if valve::crypt_many(key, Way::Decrypt, &mut messages).is_err() {
        return messages.iter().map(|message| open(key, message)).collect();
    }
    let plain = messages.into_iter().zip(refused);
    plain.map(|(plain, refused)| refused.map_or_else(|| opened(plain), Err)).collect()
}

fn is_whole(message: &[u8]) -> Result<(), Error> {
    let got = message.len();
    if got == 0 || !got.is_multiple_of(BLOCK) {
        return Err(Error::PartialCiphertext { got: got as u64, block: BLOCK });
    }
    Ok(())
}

/// The payload of a decrypted message.
fn opened(mut plain: Contents) -> Result<Contents, Error> {
    let start = payload(&plain).ok_or(Error::NotAMessage)?;
    plain.drain(..start);
    Ok(plain)
}

/// Where the payload starts, if all lengths are right.
fn payload(plain: &[u8]) -> Option<usize> {
    let (&random, rest) = plain.split_first()?;
    let (len, payload) = rest.get(usize::from(random)..)?.split_first_chunk()?;
    let len = usize::try_from(u32::from_be_bytes(*len)).ok()?;
    (len == payload.len()).then(|| plain.len() - len)
}

/// Encrypts a payload, with `random` before it. Together with the header they are whole blocks:
/// [`random_len`] says how many random bytes that takes.
///
/// # Errors
/// [`icefish::Error::PartialBlock`] for another number of random bytes, [`Error::MessageLength`].
pub fn seal(key: &AnyKey, payload: &[u8], random: &[u8]) -> Result<Vec<u8>, Error> {
    let mut message = message(payload, random)?;
    valve::crypt_in_place(key, Way::Encrypt, &mut message)?;
    Ok(message)
}

/// Encrypts payloads, each with random bytes that are drawn; the messages share registers.
///
/// # Errors
/// For each payload as [`encrypt`].
pub fn seal_many(key: &AnyKey, payloads: &[Contents]) -> Vec<Result<Contents, Error>> {
    let drawn: Result<Vec<_>, _> = payloads.iter().map(|p| draw(p).map(Zeroizing::new)).collect();
    let sealed = drawn.and_then(|mut messages| {
        valve::crypt_many(key, Way::Encrypt, &mut messages)?;
        Ok(messages)
    });
    match sealed {
        Ok(messages) => messages.into_iter().map(Ok).collect(),
        // One by one: each has an error of its own.
        Err(_) => payloads.iter().map(|p| seal_drawn(key, p).map(Zeroizing::new)).collect(),
    }
}

/// The plaintext of a message.
fn message(payload: &[u8], random: &[u8]) -> Result<Vec<u8>, Error> {
    let (Ok(len), Ok(count)) = (u32::try_from(payload.len()), u8::try_from(random.len())) else {
        return Err(Error::MessageLength { most: MAX_LEN });
    };
    let total = HEADER + random.len() + payload.len();
    if !total.is_multiple_of(BLOCK) {
        return Err(icefish::Error::PartialBlock { got: total, block: BLOCK }.into());
    }
    let mut message = Vec::with_capacity(total);
    message.push(count);
    message.extend_from_slice(random);
    message.extend_from_slice(&len.to_be_bytes());
    message.extend_from_slice(payload);
    Ok(message)
}

/// The same with random bytes of the operating system.
fn draw(payload: &[u8]) -> Result<Vec<u8>, Error> {
    let mut bytes = [0; 1 + u8::MAX as usize];
    random::fill(&mut bytes)?;
    message(payload, &bytes[1..=random_len(payload.len(), bytes[0])])
}

fn seal_drawn(key: &AnyKey, payload: &[u8]) -> Result<Vec<u8>, Error> {
    let mut message = draw(payload)?;
    valve::crypt_in_place(key, Way::Encrypt, &mut message)?;
    Ok(message)
}

/// How many random bytes go before a payload of `len` bytes, by the random number `choice`: 17 to 80.
pub fn random_len(len: usize, choice: u8) -> usize {
    let few = RANDOM.0 + usize::from(choice) % RANDOM.1;
    // The games add a whole block where nothing is missing.
    few + BLOCK - (HEADER + few + len) % BLOCK
}

/// Decrypts the message that is all of `input`; returns the length of its payload.
///
/// # Errors
/// As [`open`]; [`Error::MessageLength`]; whatever reading and writing give. Nothing is written then.
pub fn decrypt(key: &AnyKey, input: Input, output: &mut dyn Write) -> Result<u64, Error> {
    let message = read(input)?;
    write(output, &open(key, &message)?)
}

/// Encrypts the payload that is all of `input`; returns the length of the message.
///
/// # Errors
/// [`Error::MessageLength`]; whatever reading and writing give.
pub fn encrypt(key: &AnyKey, input: Input, output: &mut dyn Write) -> Result<u64, Error> {
    let payload = read(input)?;
    write(output, &seal_drawn(key, &payload)?)
}

/// All of `input`, unless it is too long.
fn read(input: Input) -> Result<Zeroizing<Vec<u8>>, Error> {
    let hint = input.len_hint().and_then(|len| usize::try_from(len).ok());
    if hint.is_some_and(|len| len > MAX_LEN) {
        return Err(Error::MessageLength { most: MAX_LEN });
    }
    // One byte more than there should be, to see the end.
    let mut bytes = Zeroizing::new(vec![0; hint.unwrap_or(MAX_LEN) + 1]);
    let (name, mut file) = input.into_parts();
    let read = fill(&mut file, &mut bytes);
    let len = read.map_err(|source| Error::Read { name: name.clone(), source })?;
    if len == bytes.len() {
        // A file that is longer than it said, or a stream that is too long.
        return match hint {
            Some(_) => Err(Error::Read { name, source: std::io::Error::other("it grew") }),
            None => Err(Error::MessageLength { most: MAX_LEN }),
        };
    }
    bytes.truncate(len);
    Ok(bytes)
}

fn write(output: &mut dyn Write, bytes: &[u8]) -> Result<u64, Error> {
    let name = || "the output".to_owned();
    output.write_all(bytes).map_err(|source| Error::Write { name: name(), source })?;
    Ok(bytes.len() as u64)
}
