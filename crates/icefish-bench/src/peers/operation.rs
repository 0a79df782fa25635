//! What can be compared: the operations, and the lengths that each asks for.

use super::Setup;
use crate::identity::Direction;
use std::fmt;

/// A mode of AES.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Each block alone.
    Ecb,
    /// No padding.
    Cbc,
    /// A 128-bit big-endian counter.
    Ctr,
    /// Feedback of whole blocks.
    Cfb128,
    /// A keystream, block after block.
    Ofb,
    /// The tag goes to [`Work::tag`](super::Work::tag), the tweak of the set-up is the associated data. Decryption opens zeros that
    /// were sealed: it copies them into the buffer first.
    Gcm,
    /// The whole buffer is one data unit, the IV is its number; at most 2^20 blocks (IEEE 1619).
    Xts,
}

/// One operation on a buffer. Two implementations of an operation leave the same bytes in the buffer and in the tag.
#[allow(
    missing_docs,
    reason = "the fields say what they are: key or state bits, level, rounds, mode, direction"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// AES in a mode.
    Aes { bits: u16, mode: Mode, direction: Direction },
    /// Set an AES key, then take the buffer through CBC: what a protocol with a key for each message pays.
    AesKeySetup { bits: u16, direction: Direction },
    /// ICE in ECB. Level 0 is Thin-ICE.
    Ice { level: u8, direction: Direction },
    /// Set an ICE key, then encrypt the buffer.
    IceKeySetup { level: u8 },
    /// Threefish in ECB, one tweak for all blocks.
    Threefish { bits: u16, direction: Direction },
    /// Set a Threefish key and tweak, then encrypt the buffer.
    ThreefishKeySetup { bits: u16 },
    /// Threefish-1024 as a sector of a disk: each block has its own tweak. No peer has it.
    ThreefishSector { direction: Direction },
    /// Skein-`bits`-`bits` of the buffer; the digest goes to the tag.
    Skein { bits: u16 },
    /// Skein-512-512 of the buffer as a tree of the usual shape; the digest goes to the tag. No peer has it.
    SkeinTree,
    /// The permutation of every 48-byte state in the buffer.
    Xoodoo { rounds: u8 },
    /// Xoodyak's hash of the buffer; 32 bytes to the tag.
    XoodyakHash,
    /// Xoodyak's AEAD as in NIST's final version: the nonce belongs to the key's identifier; the tweak of the set-up is
    /// the associated data. Decryption leaves the tag that it computed and compares nothing.
    Xoodyak { direction: Direction },
    /// AEGIS with keys of 128 or 256 bits and 1, 2 or 4 states; the tag of 32 bytes goes to the tag, the tweak of the set-up is the
    /// associated data. Decryption opens zeros that were sealed: it copies them into the buffer first.
    Aegis { bits: u16, states: u8, direction: Direction },
    /// AEGISMAC of the buffer in the same variants; a tag of 32 bytes. The pair of key and nonce is ready.
    AegisMac { bits: u16, states: u8 },
    /// Xoofff of the buffer; 32 bytes to the tag.
    XoofffCompress,
    /// Xoofff of the IV, as many bytes as the buffer has.
    XoofffExpand,
    /// Threefish in counter mode, the counter a whole big-endian block. No peer has it.
    ThreefishCtr { bits: u16 },
    /// As `Xoodoo`, with lanes of 64 bits. No peer has it.
    Xoodoo64 { rounds: u8 },
    /// As `Xoodoo`, the equal words of as many states as fill the registers side by side: nothing is transposed.
    XoodooSliced { rounds: u8 },
    /// The same with lanes of 64 bits.
    Xoodoo64Sliced { rounds: u8 },
}

/// The bytes that a [`Setup`] and a buffer must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// Of the key; both keys of XTS.
    pub key: usize,
    /// Of the IV or nonce.
    pub iv: usize,
    /// Of the tweak; `None`: any length will do.
    pub tweak: Option<usize>,
    /// The buffer is a positive multiple of this.
    pub granule: usize,
}

/// The variants of AEGIS: bits of a key, and states.
pub(crate) const AEGIS: [(u16, u8); 6] =
    [(128, 1), (128, 2), (128, 4), (256, 1), (256, 2), (256, 4)];
const DIRECTIONS: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];
const MODES: [Mode; 7] =
    [Mode::Ecb, Mode::Cbc, Mode::Ctr, Mode::Cfb128, Mode::Ofb, Mode::Gcm, Mode::Xts];

impl Operation {
    /// Every operation that has a peer, in the order of the tables.
    pub fn all() -> Vec<Operation> {
        let mut all = Vec::new();
        for direction in DIRECTIONS {
            for mode in MODES {
                for bits in [128, 192, 256] {
                    // IEEE 1619 has no XTS with 192-bit keys.
                    if mode != Mode::Xts || bits != 192 {
                        all.push(Operation::Aes { bits, mode, direction });
                    }
                }
            }
            all.extend([128, 192, 256].map(|bits| Operation::AesKeySetup { bits, direction }));
            all.extend([0, 1, 2].map(|level| Operation::Ice { level, direction }));
            all.extend([256, 512, 1024].map(|bits| Operation::Threefish { bits, direction }));
            all.push(Operation::Xoodyak { direction });
            all.extend(AEGIS.map(|(bits, states)| Operation::Aegis { bits, states, direction }));
        }
        all.extend([0, 1, 2].map(|level| Operation::IceKeySetup { level }));
        all.extend([256, 512, 1024].map(|bits| Operation::ThreefishKeySetup { bits }));
        all.extend([256, 512, 1024].map(|bits| Operation::Skein { bits }));
        all.extend([6, 12].map(|rounds| Operation::Xoodoo { rounds }));
        all.extend(AEGIS.map(|(bits, states)| Operation::AegisMac { bits, states }));
        all.extend([Operation::XoodyakHash, Operation::XoofffCompress, Operation::XoofffExpand]);
        all
    }

    /// What it asks of a set-up and of a buffer.
    pub fn lengths(self) -> Lengths {
        let (key, iv, tweak, granule) = match self {
            Operation::Aes { bits, mode, .. } => aes_lengths(bits, mode),
            Operation::AesKeySetup { bits, .. } => aes_lengths(bits, Mode::Cbc),
            Operation::Ice { level, .. } | Operation::IceKeySetup { level } => {
                (8 * usize::from(level.max(1)), 0, Some(0), 8)
            }
            Operation::ThreefishSector { .. } => (128, 0, Some(16), 128),
            Operation::Threefish { bits, .. } | Operation::ThreefishKeySetup { bits } => {
                let block = usize::from(bits) / 8;
                (block, 0, Some(16), block)
            }
            Operation::Skein { .. } | Operation::SkeinTree | Operation::XoodyakHash => {
                (0, 0, Some(0), 1)
            }
            Operation::ThreefishCtr { bits } => {
                let block = usize::from(bits) / 8;
                (block, block, Some(16), 1)
            }
            Operation::Xoodoo { .. }
            | Operation::Xoodoo64 { .. }
            | Operation::XoodooSliced { .. }
            | Operation::Xoodoo64Sliced { .. } => (0, 0, Some(0), 48),
            Operation::Xoodyak { .. } => (16, 16, None, 1),
            Operation::Aegis { bits, .. } => {
                let key = usize::from(bits) / 8;
                (key, key, None, 1)
            }
            Operation::AegisMac { bits, .. } => {
                let key = usize::from(bits) / 8;
                (key, key, Some(0), 1)
            }
            Operation::XoofffCompress => (32, 0, Some(0), 1),
            Operation::XoofffExpand => (32, 16, Some(0), 1),
        };
        Lengths { key, iv, tweak, granule }
    }

    /// Does this set-up have the lengths that the operation asks for?
    pub fn accepts(self, setup: &Setup<'_>) -> bool {
        let lengths = self.lengths();
        setup.key.len() == lengths.key
            && setup.iv.len() == lengths.iv
            && lengths.tweak.is_none_or(|tweak| setup.tweak.len() == tweak)
    }
}

fn aes_lengths(bits: u16, mode: Mode) -> (usize, usize, Option<usize>, usize) {
    let key = usize::from(bits) / 8;
    match mode {
        Mode::Ecb => (key, 0, Some(0), 16),
        Mode::Cbc => (key, 16, Some(0), 16),
        Mode::Ctr | Mode::Cfb128 | Mode::Ofb => (key, 16, Some(0), 1),
        Mode::Gcm => (key, 12, None, 1),
        // Ciphertext stealing exists, but not every peer has it.
        Mode::Xts => (2 * key, 16, Some(0), 16),
    }
}

/// The name of a variant of AEGIS.
pub(crate) fn aegis(bits: u16, states: u8) -> String {
    match (bits, states) {
        (128, 1) => "aegis-128l".to_owned(),
        (_, 1) => format!("aegis-{bits}"),
        _ => format!("aegis-{bits}x{states}"),
    }
}

/// The names of the tables: `aes256_cbc_enc`, `ice0_dec`, `xoodoo12`.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Operation::Aes { bits, mode, direction } => {
                write!(f, "aes{bits}_{mode}_{}", direction.short())
            }
            Operation::AesKeySetup { bits, direction } => {
                write!(f, "aes{bits}_setup_cbc_{}", direction.short())
            }
            Operation::Ice { level, direction } => write!(f, "ice{level}_{}", direction.short()),
            Operation::IceKeySetup { level } => write!(f, "ice{level}_setup_enc"),
            Operation::Threefish { bits, direction } => {
                write!(f, "threefish{bits}_{}", direction.short())
            }
            Operation::ThreefishKeySetup { bits } => write!(f, "threefish{bits}_setup_enc"),
            Operation::ThreefishSector { direction } => {
                write!(f, "threefish1024_sector_{}", direction.short())
            }
            Operation::Skein { bits } => write!(f, "skein{bits}"),
            Operation::SkeinTree => f.write_str("skein512_tree"),
            Operation::Xoodoo { rounds } => write!(f, "xoodoo{rounds}"),
            Operation::XoodyakHash => f.write_str("xoodyak_hash"),
            Operation::Xoodyak { direction } => write!(f, "xoodyak_{}", direction.short()),
            Operation::Aegis { bits, states, direction } => {
                write!(f, "{}_{}", aegis(bits, states).replace('-', ""), direction.short())
            }
            Operation::AegisMac { bits, states } => {
                write!(f, "{}_mac", aegis(bits, states).replace('-', ""))
            }
            Operation::XoofffCompress => f.write_str("xoofff_compress"),
            Operation::XoofffExpand => f.write_str("xoofff_expand"),
            Operation::ThreefishCtr { bits } => write!(f, "threefish{bits}_ctr"),
            Operation::Xoodoo64 { rounds } => write!(f, "xoodoo64_{rounds}"),
            Operation::XoodooSliced { rounds } => write!(f, "xoodoo{rounds}_sliced"),
            Operation::Xoodoo64Sliced { rounds } => write!(f, "xoodoo64_{rounds}_sliced"),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Ecb => "ecb",
            Mode::Cbc => "cbc",
            Mode::Ctr => "ctr",
            Mode::Cfb128 => "cfb128",
            Mode::Ofb => "ofb",
            Mode::Gcm => "gcm",
            Mode::Xts => "xts",
        })
    }
}
