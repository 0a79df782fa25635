//! Errors: a variant and a sentence for each.

use core::fmt;

/// The reason why a call failed. Every sentence says what was wrong and what is right.
///
/// ```
/// use icefish::{Error, Key, ciphers::Aes128};
/// let error = Key::<Aes128>::new(&[7; 15]).err();
/// assert_eq!(error, Some(Error::KeyLength { got: 15, need: 16 }));
/// assert_eq!(error.unwrap().to_string(), "the key has 15 bytes, this cipher takes 16");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A key whose length is not that of the cipher's keys, in bytes.
    KeyLength {
        /// Length of the key given.
        got: usize,
        /// Length that the cipher takes.
        need: usize,
    },
    /// A key that is too short to be safe, in bytes.
    WeakKey {
        /// Length of the key given.
        got: usize,
        /// Length of the shortest key.
        least: usize,
    },
    /// A tweak of the wrong length, in bytes.
    TweakLength {
        /// Length of the tweak given.
        got: usize,
        /// Length that the cipher takes; 0 if it has no tweak.
        need: usize,
    },
    /// An initialization vector of the wrong length, in bytes.
    IvLength {
        /// Length of the vector given.
        got: usize,
        /// Length that the mode takes.
        need: usize,
    },
    /// A block or state of the wrong length, in bytes.
    BlockLength {
        /// Length of the block given.
        got: usize,
        /// Length that the primitive takes.
        need: usize,
    },
    /// Data, in bytes, that must be whole blocks.
    PartialBlock {
        /// Length of the data.
        got: usize,
        /// Length of a block.
        block: usize,
    },
    /// An output buffer of the wrong length, in bytes.
    BufferLength {
        /// Length of the output buffer.
        got: usize,
        /// Length needed.
        need: usize,
    },
    /// An invalid padding. The position is not disclosed.
    Padding,
    /// A padding that cannot fill blocks of this length, in bytes.
    PaddingBlock {
        /// Length of the block.
        got: usize,
        /// Length of the longest block that it can fill.
        most: usize,
    },
    /// More data than there are values of the counter.
    CounterExhausted,
    /// Data that is too short for the mode, in bytes.
    TooShort {
        /// Length of the data.
        got: usize,
        /// The smallest length.
        least: usize,
    },
    /// Data that is too long for the mode, in bytes.
    TooLong {
        /// The largest length.
        most: u64,
    },
    /// A tag whose length the key or the mode does not accept, in bytes.
    TagLength {
        /// Length of the tag given.
        got: usize,
        /// Length of the shortest tag.
        least: usize,
        /// Length of the longest tag.
        most: usize,
    },
    /// A tag whose length is none of the two that the mode has, in bytes.
    TagLengths {
        /// Length of the tag given.
        got: usize,
        /// The lengths of the mode.
        both: [usize; 2],
    },
    /// Associated data after the data has begun.
    LateAssociated,
    /// A message in pieces, for a mode that takes it in one call.
    WholeMessage,
    /// The first of two passes over a message, for a mode that takes one.
    OnePass,
    /// A tag that is wrong for the message. The reason is not disclosed.
    Forged,
    /// A key or context that is not that of the message.
    Commitment,
    /// A chunk that was changed, or that has another place in the message.
    ForgedChunk {
        /// Its number, from 0.
        number: u64,
    },
    /// A chunk of the wrong length, in bytes.
    ChunkLength {
        /// Length of the chunk given.
        got: usize,
    },
    /// A message in chunks of a length that no such message has: it was cut short.
    Truncated,
    /// Two keys that must differ and are equal.
    EqualKeys,
    /// A serial mode in a call that uses several threads.
    Serial,
    /// A position in a message of a mode that cannot seek.
    NotSeekable,
    /// A number of rounds that the permutation does not have.
    Rounds {
        /// The number given.
        got: usize,
        /// The largest number.
        most: usize,
    },
    /// A level of ICE above the largest that there is.
    Level {
        /// The level given.
        got: usize,
        /// The largest level.
        most: usize,
    },
    /// A shape that a tree of Skein cannot have.
    Tree,
    /// Leaves of a Skein tree that are incomplete or out of order, or leaves for a hash that is no tree.
    Leaves,
    /// A digest length that is not a whole number of bytes, for a hash that takes whole bytes only.
    DigestBits,
    /// A name that no hash has.
    UnknownHash,
    /// A name that no cipher has.
    UnknownCipher,
    /// A name that no mode has.
    UnknownMode,
    /// A name that no padding has.
    UnknownPadding,
    /// A name that no backend has.
    UnknownBackend {
        /// The names of all backends of this architecture.
        names: &'static [&'static str],
    },
    /// A backend whose instructions this CPU lacks.
    MissingBackend,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::KeyLength { got, need: 0 } => {
                write!(f, "a key of {got} bytes was given, this hash takes none")
            }
            Self::KeyLength { got, need } => {
                write!(f, "the key has {got} bytes, this cipher takes {need}")
            }
            Self::WeakKey { got, least } => {
                write!(f, "the key has {got} bytes, at least {least} are needed")
            }
            Self::TweakLength { got, need: 0 } => {
                write!(f, "the tweak has {got} bytes, this cipher takes none")
            }
            Self::TweakLength { got, need } => {
                write!(f, "the tweak has {got} bytes, this cipher takes {need}")
            }
            Self::IvLength { got, need: 0 } => {
                write!(f, "the IV has {got} bytes, this mode takes none")
            }
            Self::IvLength { got, need } => {
                write!(f, "the IV has {got} bytes, this mode takes {need}")
            }
            Self::BlockLength { got, need } => {
                write!(f, "the block has {got} bytes, this primitive takes {need}")
            }
            Self::PartialBlock { got, block } => {
                write!(
                    f,
                    "the data has {got} bytes, which is not a multiple of the block of {block}; use a padding or another mode"
                )
            }
            Self::BufferLength { got, need } => {
                write!(f, "the output buffer has {got} bytes, this call needs {need}")
            }
            Self::Padding => {
                f.write_str("the padding is not valid: wrong key, wrong padding or damaged data")
            }
            Self::PaddingBlock { got, most } => {
                write!(f, "the block has {got} bytes, this padding fills blocks of 1 to {most}; use iso7816 or none")
            }
            Self::CounterExhausted => f.write_str(
                "the data is longer than this counter has blocks for; use a wider counter",
            ),
            Self::TooShort { got, least } => {
                write!(f, "the data has {got} bytes, this mode needs at least {least}")
            }
            Self::TooLong { most } => {
                write!(f, "the data is longer than the {most} bytes that this mode allows")
            }
            Self::TagLength { got, least, most } if least == most => {
                write!(f, "the tag has {got} bytes, this key takes {most}")
            }
            Self::TagLength { got, least, most } => {
                write!(f, "the tag has {got} bytes, this mode takes {least} to {most}")
            }
            Self::TagLengths { got, both: [short, whole] } => {
                write!(f, "the tag has {got} bytes, this mode takes {short} or {whole}")
            }
            Self::Forged => f.write_str(
                "the tag does not match: wrong key, nonce or associated data, or damaged data",
            ),
            Self::Commitment => f.write_str(
                "the message was sealed with another key or context, or its first 56 bytes are damaged",
            ),
            Self::ForgedChunk { number } => write!(
                f,
                "chunk {number} of the message does not match its tag: it was damaged, changed, moved or cut short"
            ),
            Self::ChunkLength { got } => write!(
                f,
                "the chunk has {got} bytes; the last chunk has fewer than 16384, and each before it 16384"
            ),
            Self::Truncated => f.write_str(
                "the message ends where no message can end: it was cut short, or is not a sealed message",
            ),
            Self::LateAssociated => f.write_str(
                "associated data after the first data; pass all associated data before the first data",
            ),
            Self::WholeMessage => f.write_str(
                "this mode takes a message in one call; use that, or GCM, EAX, AEGIS or Xoodyak for pieces",
            ),
            Self::OnePass => f.write_str(
                "this mode takes a message in pieces in one pass; use a sealer, and for two passes GCM-SIV",
            ),
            Self::EqualKeys => {
                f.write_str("the two halves of the key are the same; XTS needs two keys")
            }
            Self::Serial => f.write_str("this mode works on one block after the other; ECB, counter modes and the decryption of CBC and CFB can use several threads"),
            Self::NotSeekable => {
                f.write_str("this mode has to start at the beginning; only counter modes can seek")
            }
            Self::Rounds { got, most } => {
                write!(f, "{got} rounds were requested, this permutation has 0 to {most}")
            }
            Self::Level { got, most } => {
                write!(f, "level {got} was requested, ICE has levels 0 to {most}")
            }
            Self::Tree => f.write_str("a tree of Skein has leaves and nodes of 2^1 blocks or more and a height of 2 or more"),
            Self::Leaves => f.write_str("leaves are of a hash that is a tree, whole, and added in the order of their message"),
            Self::DigestBits => f.write_str("this hash has digests of whole bytes, multiples of 8 bits"),
            Self::UnknownHash => f.write_str("no hash has this name"),
            Self::UnknownCipher => f.write_str("no cipher has this name"),
            Self::UnknownMode => f.write_str("no mode has this name"),
            Self::UnknownPadding => {
                f.write_str("no padding has this name; use pkcs7, x923, iso7816, zero or none")
            }
            Self::UnknownBackend { names } => {
                write!(f, "no backend has this name; use {}", Names(names))
            }
            Self::MissingBackend => f.write_str("this CPU lacks the instructions of that backend"),
        }
    }
}

impl core::error::Error for Error {}

/// A list in words.
struct Names(&'static [&'static str]);

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, name) in self.0.iter().enumerate() {
            let gap = match i {
                0 => "",
                _ if i + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{gap}{name}")?;
        }
        Ok(())
    }
}
