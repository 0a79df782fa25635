//! What can go wrong with files, a sentence a variant.

use std::io;

/// Why a file was not read, encrypted, decrypted or written. Every sentence names what was wrong and what is right.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be opened.
    #[error("cannot open {name}: {}", reason(source))]
    Open {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Input that cannot be read to its end.
    #[error("cannot read {name}: {}", reason(source))]
    Read {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// Output that cannot be written.
    #[error("cannot write {name}: {}", reason(source))]
    Write {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A complete file whose folder cannot be brought to the disk.
    #[error(
        "{name} is complete, but may be gone after a loss of power: cannot write its folder: {}",
        reason(source)
    )]
    Unsynced {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A file that cannot be made.
    #[error("cannot create {name}: {}", reason(source))]
    Create {
        /// The file.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// A folder where a file is needed.
    #[error("{name} is a directory, a file is needed")]
    Directory {
        /// The folder.
        name: String,
    },
    /// An output that cannot be a file.
    #[error("{name:?} cannot name a file")]
    NotAName {
        /// What was given as name.
        name: String,
    },
    /// An output that exists.
    #[error(
        "{name} exists already and is left as it is; choose another name, or --force to replace it"
    )]
    Exists {
        /// The file.
        name: String,
    },
    /// An output that is also something that is read.
    #[error("{name} is {role}, and would be overwritten while it is needed; choose another output")]
    SameFile {
        /// The output.
        name: String,
        /// What else it is.
        role: &'static str,
    },
    /// Encrypted data that ends before its initialization vector does.
    #[error(
        "the data has {got} bytes, too few for the IV of {need} that this format begins with; \
         if the IV is kept elsewhere, give it"
    )]
    MissingIv {
        /// Length of the data.
        got: u64,
        /// Length of the vector.
        need: usize,
    },
    /// Authenticated data that ends before its tag can.
    #[error(
        "the data has {got} bytes, and a nonce and tag alone have {need}: \
         cut short, or not of this cipher and mode"
    )]
    MissingTag {
        /// Length of the data.
        got: u64,
        /// Length of what surrounds a message.
        need: usize,
    },
    /// More data than is held in memory.
    #[error(
        "{name} has more than {most} bytes, the most of a message that is in memory until its tag is known; \
         from a file to a file, messages may be longer"
    )]
    TooLarge {
        /// The file.
        name: String,
        /// The largest length.
        most: u64,
    },
    /// Less memory than a message, or the derivation of a key, needs.
    #[error("there is not enough memory: {need} bytes are needed")]
    Memory {
        /// So many bytes.
        need: usize,
    },
    /// An input that others write to at the same time.
    #[error(
        "{name} was changed, or became longer or shorter, while it was read; \
         try again when nobody writes to it"
    )]
    Changed {
        /// The file.
        name: String,
    },
    /// A stream where a part of a file was asked for.
    #[error("a range needs a file, which can be read at any place, and {name} is a stream")]
    NotAPlace {
        /// The stream.
        name: String,
    },
    /// A part that goes beyond the plaintext.
    #[error("the range goes beyond the plaintext, which has {len} bytes")]
    Part {
        /// Length of the plaintext.
        len: u64,
    },
    /// A part that ends before it begins.
    #[error("the range ends before it begins, in a plaintext of {len} bytes")]
    Backwards {
        /// Length of the plaintext.
        len: u64,
    },
    /// Plaintext that must be whole blocks and is not.
    #[error(
        "the plaintext has {got} bytes, which is not a multiple of the block of {block}; \
         choose a padding or a mode that needs none"
    )]
    PartialPlaintext {
        /// Length of the plaintext.
        got: u64,
        /// Length of a block.
        block: usize,
    },
    /// Ciphertext that must be whole blocks and is not.
    #[error(
        "the ciphertext has {got} bytes, which is not one or more blocks of {block}: \
         cut short, or not of this cipher and mode"
    )]
    PartialCiphertext {
        /// Length of the ciphertext.
        got: u64,
        /// Length of a block.
        block: usize,
    },
    /// What `openssl enc` has not.
    #[error(
        "openssl enc has no {suite}; of our ciphers, it has aes-128, aes-192 and aes-256 with ecb, cbc, cfb, cfb8, ofb and ctr"
    )]
    NotOfOpenSsl {
        /// The cipher and mode.
        suite: String,
    },
    /// What does not begin as `openssl enc` begins a file.
    #[error(
        "{name} does not begin with Salted__: {}",
        if *.base64 { "it is base64 of such a file" } else { "not written by `openssl enc` with a salt" }
    )]
    NotSalted {
        /// The file.
        name: String,
        /// Whether it is base64 of what does.
        base64: bool,
    },
    /// What does not begin as a file that is sealed with a passphrase.
    #[error("{name} is not sealed with a passphrase: it does not begin with such a header")]
    NoPassphrase {
        /// The file.
        name: String,
        /// Whether it is what `openssl enc` writes.
        openssl: bool,
    },
    /// What is sealed with a passphrase, where a key is given.
    #[error("{name} is sealed with a passphrase, and a key was given")]
    NeedsPassphrase {
        /// The file.
        name: String,
    },
    /// A header that a later version made, or nobody.
    #[error("{name} has a header of version {got}; this program knows version 1")]
    HeaderVersion {
        /// The file.
        name: String,
        /// Its version.
        got: u8,
    },
    /// What Argon2 cannot do.
    #[error(
        "Argon2 takes no memory of {memory} KiB with {passes} passes and {lanes} lanes: \
          8 KiB or more for each lane, one pass or more, and 1 to 16777215 lanes"
    )]
    Cost {
        /// Memory in KiB.
        memory: u32,
        /// Passes.
        passes: u32,
        /// Lanes.
        lanes: u32,
    },
    /// A header that asks for what Argon2 cannot do.
    #[error("{name} has a damaged header: Argon2 takes no such memory, passes and lanes")]
    HeaderCost {
        /// The file.
        name: String,
    },
    /// A header that asks for more than is allowed.
    #[error(
        "{name} asks for {memory} MiB of memory and {passes} passes over it to try a passphrase; \
         allowed are {most} MiB, and 4 passes over that: {need} MiB would be enough"
    )]
    TooCostly {
        /// The file.
        name: String,
        /// Memory in MiB.
        memory: u32,
        /// Passes.
        passes: u32,
        /// The most memory in MiB.
        most: u64,
        /// The smallest limit in MiB that allows it.
        need: u64,
    },
    /// What does not decrypt to a message.
    #[error("this is not an encrypted net message of that key: its lengths do not add up")]
    NotAMessage,
    /// A message longer than its format allows.
    #[error("the message is longer than {most} bytes, the most of this format")]
    MessageLength {
        /// The largest length.
        most: usize,
    },
    /// A refusal of the library.
    #[error(transparent)]
    Crypt(#[from] icefish::Error),
    /// A format that does not exist.
    #[error("no format has this name; use {}", crate::Format::names())]
    UnknownFormat,
    /// The operating system has no random bytes.
    #[error("the operating system gave no random bytes: {0}")]
    Random(getrandom::Error),
    /// A thread that could not be started, or ended before its work did.
    #[error("a thread of the pipeline failed: {0}")]
    Thread(String),
}

impl Error {
    /// Whether the call was wrong, and not the data or the machine.
    pub fn is_usage(&self) -> bool {
        use icefish::Error as E;
        match self {
            Self::Exists { .. } | Self::SameFile { .. } | Self::NotAName { .. } => true,
            Self::UnknownFormat | Self::NotOfOpenSsl { .. } | Self::NotAPlace { .. } => true,
            Self::Part { .. } | Self::Backwards { .. } | Self::Cost { .. } => true,
            Self::Crypt(e) => !matches!(
                e,
                E::Padding
                    | E::PartialBlock { .. }
                    | E::CounterExhausted
                    | E::Forged
                    | E::ForgedChunk { .. }
                    | E::Commitment
                    | E::Truncated
                    | E::TooLong { .. }
            ),
            _ => false,
        }
    }

    /// Whether the sentence names the file that it is about. What is wrong with data does not say whose they are.
    pub fn names_a_file(&self) -> bool {
        !matches!(
            self,
            Self::MissingIv { .. }
                | Self::MissingTag { .. }
                | Self::Memory { .. }
                | Self::Part { .. }
                | Self::Backwards { .. }
                | Self::PartialPlaintext { .. }
                | Self::PartialCiphertext { .. }
                | Self::NotAMessage
                | Self::MessageLength { .. }
                | Self::Crypt(_)
                | Self::Random(_)
                | Self::Thread(_)
        )
    }

    /// Whether the reader of our output went away.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What the operating system says, without its number.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
