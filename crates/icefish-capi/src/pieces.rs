//! Authenticated messages in pieces.

use crate::aead::Aead;
use crate::border::{Borrowing, In, Io, Out};
use crate::error::{Error, Failure};
use crate::{call, handle, put, written};
use core::mem::MaybeUninit;
use core::ops::Range;
use icefish::aead;
use icefish::suite::{AnyAead, AnyPieces};

/// A message that is sealed in pieces. One thread at a time may use it. The key may be freed before it.
pub struct Sealer(Option<Borrowing<aead::Sealer<AnyPieces<'static>>, AnyAead>>);

/// A message that is opened in pieces. One thread at a time may use it. The key may be freed before it.
pub struct Opener {
    message: Option<Borrowing<aead::Opener<'static, AnyPieces<'static>>, AnyAead>>,
    /// Where the room is.
    room: Range<usize>,
}

/// Begins a message to seal in pieces. This takes memory; the calls with the message take none.
///
/// Errors: IV_LENGTH; WHOLE_MESSAGE for GCM-SIV; NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_sealer_new(
    key: Option<&Aead>,
    nonce: In,
    nonce_len: usize,
    made: Option<&mut MaybeUninit<Option<Box<Sealer>>>>,
) -> Error {
    call(|c| {
        let (key, place) = (handle(key)?, handle(c.place(made)?)?);
        let nonce = c.input(nonce, nonce_len)?;
        let message = Borrowing::new(&key.0, |key| Ok(key.sealer(nonce)?))?;
        put(place, Box::new(Sealer(Some(message))))
    })
}

/// Takes the next bytes of the associated data, all of which come before the first data.
///
/// Errors: LATE_ASSOCIATED, TOO_LONG, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_sealer_associated(
    sealer: Option<&mut Sealer>,
    data: In,
    len: usize,
) -> Error {
    call(|c| {
        let sealer = handle(sealer)?.0.as_mut().ok_or(Failure::Finished)?;
        Ok(sealer.message.associated(c.input(data, len)?)?)
    })
}

/// Encrypts the next `len` bytes from `input` to `output`, which are the same or do not overlap.
///
/// Errors: TOO_LONG, FINISHED, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_sealer_update(
    sealer: Option<&mut Sealer>,
    input: In,
    output: Out,
    len: usize,
) -> Error {
    call(|c| {
        let sealer = handle(sealer)?.0.as_mut().ok_or(Failure::Finished)?;
        match c.io(input, len, output, len)? {
            Io::InPlace(data) => sealer.message.update_in_place(data)?,
            Io::Between(input, output) => {
                sealer.message.update(input, output)?;
            }
        }
        Ok(())
    })
}

/// Ends the message and writes its tag. The message must still be freed.
///
/// Errors: TAG_LENGTH, FINISHED, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_sealer_finish(
    sealer: Option<&mut Sealer>,
    tag: Out,
    tag_len: usize,
) -> Error {
    call(|c| {
        let sealer = handle(sealer)?;
        let tag = c.output(tag, tag_len)?;
        let taken = sealer.0.take().ok_or(Failure::Finished)?;
        taken.finish(|message| Ok(message.finish_to(tag)?))
    })
}

/// Erases and frees a message. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_sealer_free(sealer: Option<Box<Sealer>>) {
    crate::free(sealer);
}

/// Begins a message to open in pieces, into `room`, which has at least the length of the message.
///
/// The room belongs to the message: **do not read or write it until icefish_opener_finish or icefish_opener_free returns**, and free the
/// message before the room. What was written there becomes zeros if the message is forged or is freed before its end.
///
/// Errors: IV_LENGTH; WHOLE_MESSAGE for GCM-SIV; OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_opener_new(
    key: Option<&Aead>,
    nonce: In,
    nonce_len: usize,
    room: Out,
    room_len: usize,
    made: Option<&mut MaybeUninit<Option<Box<Opener>>>>,
) -> Error {
    call(|c| {
        let (key, place) = (handle(key)?, handle(c.place(made)?)?);
        let nonce = c.input(nonce, nonce_len)?;
        let room = c.output(room, room_len)?;
        let at = room.as_ptr().addr();
        let taken = at..at + room.len();
        let message = Borrowing::new(&key.0, |key| Ok(key.opener(nonce, room)?))?;
        put(place, Box::new(Opener { message: Some(message), room: taken }))
    })
}

/// Takes the next bytes of the associated data, all of which come before the first data.
///
/// Errors: LATE_ASSOCIATED, TOO_LONG, FINISHED, OVERLAP, NULL. The message is lost.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_opener_associated(
    opener: Option<&mut Opener>,
    data: In,
    len: usize,
) -> Error {
    call(|c| {
        let opener = handle(opener)?;
        let message = opener.message.as_mut().ok_or(Failure::Finished)?;
        c.lent(&opener.room)?;
        Ok(message.message.associated(c.input(data, len)?)?)
    })
}

/// Decrypts the next `len` bytes into the room, with which `input` must not overlap.
///
/// Errors: BUFFER_LENGTH if the room is too small, TOO_LONG: the message is lost. FINISHED, OVERLAP, NULL.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_opener_update(
    opener: Option<&mut Opener>,
    input: In,
    len: usize,
) -> Error {
    call(|c| {
        let opener = handle(opener)?;
        let message = opener.message.as_mut().ok_or(Failure::Finished)?;
        c.lent(&opener.room)?;
        Ok(message.message.update(c.input(input, len)?)?)
    })
}

/// Ends the message: if the tag is right, the plaintext is at the beginning of the room, and `written_len` gets its length.
/// If not, the room holds zeros. `written_len` may be null. The message must still be freed.
///
/// Errors: FORGED, TAG_LENGTH, FINISHED, OVERLAP, NULL; that of an earlier call.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_opener_finish(
    opener: Option<&mut Opener>,
    tag: In,
    tag_len: usize,
    written_len: Option<&mut MaybeUninit<usize>>,
) -> Error {
    call(|c| {
        let opener = handle(opener)?;
        c.lent(&opener.room)?;
        let (tag, place) = (c.input(tag, tag_len)?, c.place(written_len)?);
        let taken = opener.message.take().ok_or(Failure::Finished)?;
        written(place, taken.finish(|message| Ok(message.finish(tag)?.len()))?)
    })
}

/// Erases and frees a message. Null is nothing.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_opener_free(opener: Option<Box<Opener>>) {
    crate::free(opener);
}
