//! What was measured: the part of a row that is known before the clock runs.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The peer name of our own rows.
pub const OURS: &str = "icefish";

/// Names one measurement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// `<primitive>_<backend>[_x<parallel instances>]`, such as `threefish1024_avx512_x8_dec`.
    pub name: String,
    /// The algorithm, mode included: `xoodoo`, `threefish-1024`, `aes-256-cbc`.
    pub primitive: String,
    /// The instruction set, as its backend is called; for a peer the CPU that it was compiled for, if that is not the
    /// compiler's usual one.
    pub backend: String,
    /// Encryption or decryption, where the difference exists.
    pub direction: Option<Direction>,
    /// Bytes that *one operation* handles: a block, a state, a message.
    pub bytes: u64,
    /// Operations that one call handles side by side.
    pub parallelism: u32,
    /// Whose code: [`OURS`], or the name of a peer.
    pub peer: String,
    /// The version of that code.
    pub version: String,
    /// Which of the kinds of measurement.
    pub kind: Kind,
}

impl Identity {
    /// Whether this is our own code.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        self.peer == OURS
    }

    /// Whose code, its version, and the CPU that a peer was compiled for.
    #[must_use]
    pub fn whose(&self) -> String {
        let whose = format!("{} {}", self.peer, self.version);
        if self.is_ours() || self.backend.is_empty() {
            return whose;
        }
        format!("{whose} ({})", self.backend)
    }

    /// The direction as one word, `-` if there is none.
    #[must_use]
    pub fn direction_word(&self) -> &'static str {
        self.direction.map_or("-", Direction::word)
    }
}

/// Which way a cipher runs. The type of the library is not used: builds that measure peers alone are without the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From plaintext to ciphertext.
    Encrypt,
    /// From ciphertext to plaintext.
    Decrypt,
}

impl Direction {
    /// `encrypt` or `decrypt`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
        }
    }

    /// `enc` or `dec`, as in the names of operations.
    #[must_use]
    pub fn short(self) -> &'static str {
        &self.word()[..3]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The kinds of measurement. Rows are compared with rows of the same kind only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// Both views of one primitive in one row: latency and throughput.
    Core,
    /// One operation after the other, each on the result of the one before.
    Latency,
    /// As many operations as the backend takes at once, on data in the first cache.
    Throughput,
    /// One message; a row for each of the sizes.
    Sizes,
    /// Many independent messages in one call.
    Many,
    /// Short messages by our own calls and by the kernel that they end in: what a call costs.
    Calls,
    /// One large message over several threads.
    Threads,
    /// Data far larger than the caches.
    Memory,
    /// What a peer's own program says of it: no contest, and not by our clock.
    Check,
    /// Whole programs on files.
    Files,
    /// Hash functions, each another: what a user chooses between.
    Hashes,
    /// Skein beside the Threefish that it is made of, and beside other code for it: rows with goals of their own.
    Bounds,
    /// Bytes of machine code; such rows have no figures.
    Code,
}

impl Kind {
    /// All kinds, in the order in which reports show them.
    pub const ALL: [Self; 13] = [
        Self::Core,
        Self::Latency,
        Self::Throughput,
        Self::Sizes,
        Self::Many,
        Self::Calls,
        Self::Threads,
        Self::Memory,
        Self::Check,
        Self::Files,
        Self::Hashes,
        Self::Bounds,
        Self::Code,
    ];

    /// Whether rows of this kind are held against each other.
    #[must_use]
    pub fn is_contest(self) -> bool {
        !matches!(self, Self::Check | Self::Files | Self::Hashes | Self::Bounds | Self::Code)
    }

    /// The kind as the CSV files spell it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Latency => "latency",
            Self::Throughput => "throughput",
            Self::Sizes => "sizes",
            Self::Many => "many",
            Self::Calls => "calls",
            Self::Threads => "threads",
            Self::Memory => "memory",
            Self::Check => "check",
            Self::Files => "files",
            Self::Hashes => "hashes",
            Self::Bounds => "bounds",
            Self::Code => "code",
        }
    }

    /// The kind as a reader wants it explained.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Core => "Latency and throughput",
            Self::Latency => "Latency, one at a time",
            Self::Throughput => "Throughput, data in cache",
            Self::Sizes => "Throughput over message size",
            Self::Many => "Many messages at once",
            Self::Calls => "What a call costs",
            Self::Threads => "Several threads",
            Self::Memory => "Data in main memory",
            Self::Check => "A second opinion",
            Self::Files => "Files",
            Self::Hashes => "Hash functions",
            Self::Bounds => "Skein beside Threefish",
            Self::Code => "Machine code",
        }
    }

    /// The kind that `word` spells, if any.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_spelling() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_word(kind.word()), Some(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
        assert_eq!(Kind::from_word("speed"), None);
    }

    #[test]
    fn directions_are_spelled_as_in_json() {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            assert_eq!(serde_json::to_string(&direction).unwrap(), format!("\"{direction}\""));
        }
    }
}
