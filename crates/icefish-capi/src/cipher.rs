//! Ciphers with raw modes, by name.

use crate::border::{Borrowing, In, Io, Out, Text};
use crate::error::{Error, Failure};
use crate::{backend, call, handle, name, put, utf8, written};
use core::mem::MaybeUninit;
use icefish::modes::Padding;
use icefish::suite::{AnyCrypter, AnyKey, AnyMode, Suite};
use std::sync::Arc;

/// A key with a raw mode and a padding. Calls that take it may be made from several threads.
///
/// **Raw modes detect no change of a message.** Prefer icefish_aead and icefish_chunked.
pub struct Cipher {
    key: Arc<AnyKey>,
    mode: AnyMode,
    padding: Padding,
}

/// A message in pieces, of a raw mode. One thread at a time may use it. The key may be freed before it.
pub struct Message(Option<Borrowing<AnyCrypter<'static>, AnyKey>>);

/// Makes a key of a cipher with a mode, such as "aes-256-ctr", "threefish-512-cbc" or "ice-2-ecb".
///
/// `tweak` may be null with length 0: zeros. `padding` is "pkcs7", "x923", "iso7816", "zero" or "none"; null means pkcs7. Modes that take
/// any length ignore it. `backend_name` may be null.
///
/// Errors: UNKNOWN_CIPHER, UNKNOWN_MODE, UNKNOWN_PADDING, KEY_LENGTH, TWEAK_LENGTH, UNKNOWN_BACKEND, MISSING_BACKEND.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_cipher_new(
    suite: Text,
    key: In,
    key_len: usize,
    tweak: In,
    tweak_len: usize,
    padding: Text,
    backend_name: Text,
    made: Option<&mut MaybeUninit<Option<Box<Cipher>>>>,
) -> Error {
    call(|c| {
        let place = handle(c.place(made)?)?;
        let suite: Suite = name(c, suite)?.parse()?;
        let padding = match c.text(padding)? {
            None => Padding::Pkcs7,
            Some(padding) => utf8(padding)?.parse()?,
        };
        let (key, tweak) = (c.input(key, key_len)?, c.input(tweak, tweak_len)?);
        let key = Arc::new(suite.cipher.key(backend(c, backend_name)?, key, tweak)?);
        put(place, Box::new(Cipher { key, mode: suite.mode, padding }))
    })
}

/// Encrypts a message from `input` to `output`, which are the same or do not overlap. `output_len` is the room for the result: with a
/// padding, up to a block more than the input. `written_len` gets the length of the result, and may be null.
///
/// Errors: IV_LENGTH, BUFFER_LENGTH, PARTIAL_BLOCK, PADDING_BLOCK, COUNTER_EXHAUSTED, OVERLAP, NULL. `output` is then unspecified.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_cipher_encrypt(
    cipher: Option<&Cipher>,
    iv: In,
    iv_len: usize,
    input: In,
    input_len: usize,
    output: Out,
    output_len: usize,
    written_len: Option<&mut MaybeUninit<usize>>,
) -> Error {
    call(|c| {
        let Cipher { key, mode, padding } = handle(cipher)?;
        let (iv, place) = (c.input(iv, iv_len)?, c.place(written_len)?);
        written(
            place,
            match c.io(input, input_len, output, output_len)? {
                Io::InPlace(data) => key.encrypt_in_place(*mode, iv, *padding, data, input_len)?,
                Io::Between(input, output) => {
                    key.encrypt_between(*mode, iv, *padding, input, output)?
                }
            },
        )
    })
}

/// Decrypts a message; as icefish_cipher_encrypt. With a padding, `output` needs room for the data alone, unless it is `input`.
///
/// Errors: PADDING too.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_cipher_decrypt(
    cipher: Option<&Cipher>,
    iv: In,
    iv_len: usize,
    input: In,
    input_len: usize,
    output: Out,
    output_len: usize,
    written_len: Option<&mut MaybeUninit<usize>>,
) -> Error {
    call(|c| {
        let Cipher { key, mode, padding } = handle(cipher)?;
        let (iv, place) = (c.input(iv, iv_len)?, c.place(written_len)?);
        written(
            place,
            match c.io(input, input_len, output, output_len)? {
                Io::InPlace(data) => key.decrypt_in_place(*mode, iv, *padding, data, input_len)?,
                Io::Between(input, output) => {
                    key.decrypt_between(*mode, iv, *padding, input, output)?
                }
            },
        )
    })
}

/// Begins a message to encrypt in pieces. This takes memory; the calls with the message take none.
///
/// Errors: IV_LENGTH, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_encryptor_new(
    cipher: Option<&Cipher>,
    iv: In,
    iv_len: usize,
    made: Option<&mut MaybeUninit<Option<Box<Message>>>>,
) -> Error {
    call(|c| {
        let (cipher, place) = (handle(cipher)?, handle(c.place(made)?)?);
        let iv = c.input(iv, iv_len)?;
        let make = |key: &'static AnyKey| Ok(key.encryptor(cipher.mode, iv, cipher.padding)?);
        put(place, Box::new(Message(Some(Borrowing::new(&cipher.key, make)?))))
    })
}

/// Begins a message to decrypt in pieces; as icefish_encryptor_new.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_decryptor_new(
    cipher: Option<&Cipher>,
    iv: In,
    iv_len: usize,
    made: Option<&mut MaybeUninit<Option<Box<Message>>>>,
) -> Error {
    call(|c| {
        let (cipher, place) = (handle(cipher)?, handle(c.place(made)?)?);
        let iv = c.input(iv, iv_len)?;
        let make = |key: &'static AnyKey| Ok(key.decryptor(cipher.mode, iv, cipher.padding)?);
        put(place, Box::new(Message(Some(Borrowing::new(&cipher.key, make)?))))
    })
}

/// The most that icefish_message_update with `input_len` more bytes and icefish_message_finish write together; 0 after the end.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_message_output_len(message: Option<&Message>, input_len: usize) -> usize {
    let message = message.and_then(|message| message.0.as_ref());
    message.map_or(0, |message| message.message.output_len(input_len))
}

/// Encrypts or decrypts the next bytes. `written_len` gets the length of the result, and may be null. Input and output may be
/// the same buffer; then block modes take whole blocks only.
///
/// Errors: BUFFER_LENGTH, PARTIAL_BLOCK, COUNTER_EXHAUSTED, FINISHED, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_message_update(
    message: Option<&mut Message>,
    input: In,
    input_len: usize,
    output: Out,
    output_len: usize,
    written_len: Option<&mut MaybeUninit<usize>>,
) -> Error {
    call(|c| {
        let message = handle(message)?.0.as_mut().ok_or(Failure::Finished)?;
        let place = c.place(written_len)?;
        written(
            place,
            match c.io(input, input_len, output, output_len)? {
                Io::InPlace(data) => {
                    message.message.update_in_place(&mut data[..input_len])?;
                    input_len
                }
                Io::Between(input, output) => message.message.update(input, output)?,
            },
        )
    })
}

/// Moves to byte `position` of the message. Only counter modes can.
///
/// Errors: NOT_SEEKABLE, COUNTER_EXHAUSTED, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_message_seek(message: Option<&mut Message>, position: u64) -> Error {
    call(|_| {
        let message = handle(message)?.0.as_mut().ok_or(Failure::Finished)?;
        Ok(message.message.seek(position.into())?)
    })
}

/// Ends the message: writes what is pending, at most one block. The message must still be freed.
///
/// Errors: BUFFER_LENGTH, PARTIAL_BLOCK, PADDING, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_message_finish(
    message: Option<&mut Message>,
    output: Out,
    output_len: usize,
    written_len: Option<&mut MaybeUninit<usize>>,
) -> Error {
    call(|c| {
        let message = handle(message)?;
        let (place, output) = (c.place(written_len)?, c.output(output, output_len)?);
        let taken = message.0.take().ok_or(Failure::Finished)?;
        written(place, taken.finish(|message| Ok(message.finish(output)?))?)
    })
}

/// Erases and frees a message. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_message_free(message: Option<Box<Message>>) {
    crate::free(message);
}

/// Frees a key, and erases it if no message uses it; otherwise the last message does. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_cipher_free(cipher: Option<Box<Cipher>>) {
    crate::free(cipher);
}
