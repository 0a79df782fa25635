//! Errors as numbers and sentences.

use core::ffi::{CStr, c_char, c_int};
use core::fmt;
use icefish::Error as Crypt;
use std::cell::RefCell;

/// Why a call failed. Every call that can fail returns one of these; ICEFISH_ERROR_NONE means success.
///
/// A call that fails has written nothing, unless its description says otherwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Success.
    None = 0,
    /// A pointer is null where memory or a handle is needed.
    Null = 1,
    /// An output overlaps with an input or another output of the same call, and is not the same buffer as its input.
    Overlap = 2,
    /// A length that is larger than memory can be.
    Length = 3,
    /// A place for a result that is not aligned.
    Alignment = 4,
    /// A name that is not UTF-8.
    Text = 5,
    /// A message that was finished or has failed before.
    Finished = 6,
    /// A fault of the library.
    Internal = 7,

    /// A key whose length is not that of the cipher's keys.
    KeyLength = 16,
    /// A key that is too short to be safe.
    WeakKey = 17,
    /// A tweak of the wrong length.
    TweakLength = 18,
    /// An initialization vector or nonce of the wrong length.
    IvLength = 19,
    /// Data that must be whole blocks.
    PartialBlock = 20,
    /// An output of the wrong length.
    BufferLength = 21,
    /// An invalid padding.
    Padding = 22,
    /// A padding that cannot fill blocks of this length.
    PaddingBlock = 23,
    /// More data than there are values of the counter.
    CounterExhausted = 24,
    /// Data that is too short for the mode.
    TooShort = 25,
    /// Data that is too long for the mode.
    TooLong = 26,
    /// A tag whose length the key or the mode does not accept.
    TagLength = 27,
    /// Associated data after the data has begun.
    LateAssociated = 28,
    /// A message in pieces, for a mode that takes it in one call.
    WholeMessage = 29,
    /// A position in a message of a mode that cannot seek.
    NotSeekable = 30,
    /// A length of a digest that is not whole bytes, for a hash that has no other.
    DigestBits = 31,
    /// Another refusal of the library.
    Other = 32,

    /// A tag that is wrong for the message.
    Forged = 48,
    /// A key or context that is not that of the sealed message.
    Commitment = 49,
    /// A chunk of a sealed message that was damaged, changed or moved.
    ForgedChunk = 50,
    /// A sealed message that was cut short.
    Truncated = 51,
    /// A range that goes beyond the plaintext.
    Range = 52,

    /// A name of no cipher.
    UnknownCipher = 64,
    /// A name of no mode.
    UnknownMode = 65,
    /// A name of no hash.
    UnknownHash = 66,
    /// A name of no padding.
    UnknownPadding = 67,
    /// A name of no backend.
    UnknownBackend = 68,
    /// A backend whose instructions this CPU lacks.
    MissingBackend = 69,

    /// A file that cannot be opened, read or written.
    File = 80,
    /// An output file that exists already.
    FileExists = 81,
    /// An input file that changed while it was read.
    FileChanged = 82,
}

/// Why a call failed, with all that is known.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A refusal of the border.
    Null,
    Overlap,
    Length,
    Alignment,
    Text,
    Finished,
    Internal,
    /// The range ends behind a plaintext of so many bytes.
    Range(u64),
    /// A refusal of the library.
    Crypt(Crypt),
    /// A file.
    File(Box<icefish_files::Error>),
}

impl Failure {
    /// An output that is too short.
    #[cold]
    pub(crate) fn room(got: usize, need: usize) -> Self {
        Self::Crypt(Crypt::BufferLength { got, need })
    }

    fn code(&self) -> Error {
        match self {
            Self::Null => Error::Null,
            Self::Overlap => Error::Overlap,
            Self::Length => Error::Length,
            Self::Alignment => Error::Alignment,
            Self::Text => Error::Text,
            Self::Finished => Error::Finished,
            Self::Internal => Error::Internal,
            Self::Range(_) => Error::Range,
            Self::Crypt(error) => of_library(error),
            Self::File(error) => of_file(error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(len) => {
                write!(f, "the range goes beyond the plaintext, which has {len} bytes")
            }
            Self::Crypt(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
            plain => f.write_str(sentence(plain.code()).to_str().unwrap_or_default()),
        }
    }
}

impl From<Crypt> for Failure {
    #[cold]
    fn from(error: Crypt) -> Self {
        Self::Crypt(error)
    }
}

impl From<icefish_files::Error> for Failure {
    fn from(error: icefish_files::Error) -> Self {
        match error {
            icefish_files::Error::Crypt(error) => Self::Crypt(error),
            other => Self::File(Box::new(other)),
        }
    }
}

fn of_library(error: &Crypt) -> Error {
    match error {
        Crypt::KeyLength { .. } => Error::KeyLength,
        Crypt::WeakKey { .. } => Error::WeakKey,
        Crypt::TweakLength { .. } => Error::TweakLength,
        Crypt::IvLength { .. } => Error::IvLength,
        Crypt::PartialBlock { .. } => Error::PartialBlock,
        Crypt::BufferLength { .. } => Error::BufferLength,
        Crypt::Padding => Error::Padding,
        Crypt::PaddingBlock { .. } => Error::PaddingBlock,
        Crypt::CounterExhausted => Error::CounterExhausted,
        Crypt::TooShort { .. } => Error::TooShort,
        Crypt::TooLong { .. } => Error::TooLong,
        Crypt::TagLength { .. } | Crypt::TagLengths { .. } => Error::TagLength,
        Crypt::LateAssociated => Error::LateAssociated,
        Crypt::WholeMessage => Error::WholeMessage,
        Crypt::NotSeekable => Error::NotSeekable,
        Crypt::DigestBits => Error::DigestBits,
        Crypt::Forged => Error::Forged,
        Crypt::Commitment => Error::Commitment,
        Crypt::ForgedChunk { .. } => Error::ForgedChunk,
        Crypt::Truncated => Error::Truncated,
        Crypt::UnknownCipher => Error::UnknownCipher,
        Crypt::UnknownMode => Error::UnknownMode,
        Crypt::UnknownHash => Error::UnknownHash,
        Crypt::UnknownPadding => Error::UnknownPadding,
        Crypt::UnknownBackend { .. } => Error::UnknownBackend,
        Crypt::MissingBackend => Error::MissingBackend,
        _ => Error::Other,
    }
}

fn of_file(error: &icefish_files::Error) -> Error {
    match error {
        icefish_files::Error::Exists { .. } => Error::FileExists,
        icefish_files::Error::Changed { .. } => Error::FileChanged,
        icefish_files::Error::Part { .. } => Error::Range,
        _ => Error::File,
    }
}

thread_local! {
    /// The last failure of this thread.
    static LAST: RefCell<Option<Failure>> = const { RefCell::new(None) };
}

/// Remembers why a call failed.
#[cold]
pub(crate) fn failed(failure: Failure) -> Error {
    let code = failure.code();
    // A thread that is ending has no place for it any more: then there is only the number.
    let _ = LAST.try_with(|last| last.replace(Some(failure)));
    code
}

/// The sentence for an error, such as "a tag that is wrong for the message". It is static and never null. icefish_last_message has more.
#[unsafe(no_mangle)]
pub extern "C" fn icefish_error_message(error: c_int) -> *const c_char {
    let known = ALL.iter().find(|(code, _)| *code as c_int == error);
    known.map_or(c"a number of no error", |(_, sentence)| sentence).as_ptr()
}

/// The sentence for the last call that failed in this thread; before the first failure it is empty.
pub(crate) fn last_message() -> String {
    let text = LAST.with_borrow(|last| last.as_ref().map(Failure::to_string));
    text.unwrap_or_default()
}

fn sentence(code: Error) -> &'static CStr {
    ALL.iter().find(|(one, _)| *one == code).map_or(c"", |(_, sentence)| sentence)
}

/// All errors and their sentences.
static ALL: &[(Error, &CStr)] = &[
    (Error::None, c"no error"),
    (Error::Null, c"a pointer is null; only memory of length 0 and what is said to be optional may be"),
    (Error::Overlap, c"an output overlaps with other memory of the call; input and output may be the same buffer, or apart"),
    (Error::Length, c"a length is larger than memory can be"),
    (Error::Alignment, c"a place for a result is not aligned for its type"),
    (Error::Text, c"a name is not UTF-8"),
    (Error::Finished, c"the message was finished or has failed before; make a new one"),
    (Error::Internal, c"a fault of the library; please report it"),
    (Error::KeyLength, c"the key does not have the length of this cipher's keys"),
    (Error::WeakKey, c"the key is too short to be safe"),
    (Error::TweakLength, c"the tweak does not have the length of this cipher's tweaks"),
    (Error::IvLength, c"the IV or nonce does not have the length that this mode takes"),
    (Error::PartialBlock, c"the data is not whole blocks; use a padding or another mode"),
    (Error::BufferLength, c"the output does not have the length that this call needs"),
    (Error::Padding, c"the padding is not valid: wrong key, wrong padding or damaged data"),
    (Error::PaddingBlock, c"this padding cannot fill blocks of this length; use iso7816 or none"),
    (Error::CounterExhausted, c"the data is longer than this counter has blocks for; use a wider counter"),
    (Error::TooShort, c"the data is too short for this mode"),
    (Error::TooLong, c"the data is longer than this mode allows"),
    (Error::TagLength, c"the tag does not have a length that this key or mode takes"),
    (Error::LateAssociated, c"associated data after the first data; pass all associated data before the first data"),
    (Error::WholeMessage, c"this mode takes a message in one call; use that, or GCM, EAX, AEGIS or Xoodyak for pieces"),
    (Error::NotSeekable, c"this mode has to start at the beginning; only counter modes can seek"),
    (Error::DigestBits, c"this hash has digests of whole bytes, multiples of 8 bits"),
    (Error::Other, c"the library refused the call; icefish_last_message says why"),
    (Error::Forged, c"the tag does not match: wrong key, nonce or associated data, or damaged data"),
    (Error::Commitment, c"the message was sealed with another key or context, or its first 56 bytes are damaged"),
    (Error::ForgedChunk, c"a chunk of the message does not match its tag: it was damaged, changed, moved or cut short"),
    (Error::Truncated, c"the message ends where no message can end: it was cut short, or is not a sealed message"),
    (Error::Range, c"the range goes beyond the plaintext"),
    (Error::UnknownCipher, c"no cipher has this name"),
    (Error::UnknownMode, c"no mode has this name"),
    (Error::UnknownHash, c"no hash has this name"),
    (Error::UnknownPadding, c"no padding has this name; use pkcs7, x923, iso7816, zero or none"),
    (Error::UnknownBackend, c"no backend has this name; icefish_backend_name lists those of this CPU"),
    (Error::MissingBackend, c"this CPU lacks the instructions of that backend"),
    (Error::File, c"a file cannot be opened, read or written; icefish_last_message says which and why"),
    (Error::FileExists, c"the output file exists already and is left as it is"),
    (Error::FileChanged, c"the input file changed while it was read, and nothing is kept"),
];
