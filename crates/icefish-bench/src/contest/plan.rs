//! Which contests there are.

use std::fmt;

use crate::format::size;
use crate::identity::{Direction as Way, Kind};
use crate::peers::{Direction, Dispatch, Mode, Operation, Peer};

/// Lengths of a message in [`Kind::Sizes`].
pub const SIZES: [usize; 8] = [16, 64, 256, 1024, 4096, 16_384, 65_536, 1 << 20];
/// Lengths at which Thin-ICE is measured besides: a file of the size that its users have, and a large one.
const ICE_SIZES: [usize; 2] = [80_000, 16 << 20];
/// Bytes of data in the first cache.
const CACHED: usize = 16 * 1024;
/// Sixteen states of 48 bytes fill the widest registers.
const STATES: usize = 16 * 48;
/// Bytes of data in main memory.
const LARGE: usize = 1 << 30;

const DIRECTIONS: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];

/// An operation, a kind of measurement, and the lengths of the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contest {
    /// What is computed.
    pub operation: Operation,
    /// How it is measured.
    pub kind: Kind,
    /// Length of each message; a single one but for [`Kind::Many`].
    pub messages: Vec<usize>,
}

impl Contest {
    fn new(operation: Operation, kind: Kind, bytes: usize) -> Self {
        Self { operation, kind, messages: vec![bytes] }
    }

    /// Bytes of the buffer that one call handles.
    #[must_use]
    pub fn buffer(&self) -> usize {
        self.messages.iter().sum()
    }

    /// Operations of one call: the results are divided by it.
    #[must_use]
    pub fn operations(&self) -> u64 {
        (self.buffer() / self.bytes().max(1)) as u64
    }

    /// Bytes of one operation: a state, or a message, the mean of many.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self.operation {
            Operation::Xoodoo { .. }
            | Operation::Xoodoo64 { .. }
            | Operation::XoodooSliced { .. }
            | Operation::Xoodoo64Sliced { .. } => 48,
            _ => self.buffer() / self.messages.len().max(1),
        }
    }

    /// Whether a peer takes part: of the same operation, with threads only where we have ours. Data in memory is for
    /// those that are not much slower than it.
    pub(super) fn admits(&self, peer: &Peer) -> bool {
        let fits = match self.kind {
            Kind::Memory => peer.dispatch == Dispatch::RunTime,
            kind => kind != Kind::Calls,
        };
        fits && peer.operation == self.operation && peer.threads == (self.kind == Kind::Threads)
    }

    /// Whether one of the filters is a part of the operation's name, the primitive's or the kind's; case,
    /// `-` and `_` do not matter. No filter at all wants everything.
    #[must_use]
    pub fn is_wanted(&self, filters: &[String]) -> bool {
        let plain = |name: &str| name.to_lowercase().replace(['-', '_'], "");
        let names = [self.operation.to_string(), primitive(self.operation), self.kind.to_string()]
            .map(|n| plain(&n));
        filters.is_empty() || filters.iter().any(|f| names.iter().any(|n| n.contains(&plain(f))))
    }
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {})", self.operation, self.kind, size(self.bytes() as u64))
    }
}

/// The algorithm and mode of an operation, as suites are called.
pub(crate) fn primitive(operation: Operation) -> String {
    match operation {
        Operation::Aes { bits, mode: Mode::Cfb128, .. } => format!("aes-{bits}-cfb"),
        Operation::Aes { bits, mode, .. } => format!("aes-{bits}-{mode}"),
        Operation::AesNamed { bits, mode, .. } => format!("aes-{bits}-{mode} by name"),
        Operation::AesKernel { bits } => format!("aes-{bits}-cbc kernel"),
        Operation::AesKeySetup { bits } => format!("aes-{bits}-cbc with key setup"),
        Operation::Ice { level: 0, .. } => "thin-ice-ecb".into(),
        Operation::Ice { level, .. } => format!("ice-{level}-ecb"),
        Operation::IceKeySetup { level: 0 } => "thin-ice-ecb with key setup".into(),
        Operation::IceKeySetup { level } => format!("ice-{level}-ecb with key setup"),
        Operation::ThreefishKeySetup { bits } => format!("threefish-{bits}-ecb with key setup"),
        Operation::ThreefishSector { .. } => "threefish-1024 sector".into(),
        Operation::Threefish { bits, .. } => format!("threefish-{bits}-ecb"),
        Operation::ThreefishCtr { bits } => format!("threefish-{bits}-ctr"),
        Operation::Xoodoo { rounds: 12 } => "xoodoo".into(),
        Operation::Xoodoo64 { rounds: 12 } => "xoodoo64".into(),
        Operation::XoodooSliced { .. } => "xoodoo sliced".into(),
        Operation::Xoodoo64Sliced { .. } => "xoodoo64 sliced".into(),
        Operation::XoodyakHash => "xoodyak hash".into(),
        Operation::Xoodyak { .. } => "xoodyak aead".into(),
        Operation::XoofffCompress => "xoofff compress".into(),
        Operation::XoofffExpand => "xoofff expand".into(),
        other => other.to_string(),
    }
}

/// The direction of an operation; none where both ways are the same work.
pub(crate) fn direction(operation: Operation) -> Option<Way> {
    match operation {
        Operation::Aes { mode: Mode::Ctr | Mode::Ofb, .. } => None,
        Operation::Aes { direction, .. }
        | Operation::AesNamed { direction, .. }
        | Operation::Ice { direction, .. }
        | Operation::Threefish { direction, .. }
        | Operation::ThreefishSector { direction }
        | Operation::Xoodyak { direction } => Some(direction.into()),
        Operation::AesKernel { .. } => Some(Way::Encrypt),
        _ => None,
    }
}

/// Everything that is measured and wanted, by kind.
#[must_use]
pub fn contests(filters: &[String]) -> Vec<Contest> {
    let mut all = throughput();
    all.extend(sizes());
    all.extend(latency());
    all.extend(many());
    let cbc = aes(128, Mode::Cbc, Direction::Encrypt);
    all.extend([1, 2, 4, 8].map(|blocks| Contest::new(cbc, Kind::Calls, 16 * blocks)));
    all.push(Contest::new(aes(256, Mode::Gcm, Direction::Encrypt), Kind::Calls, 16));
    let threefish = Operation::Threefish { bits: 1024, direction: Direction::Encrypt };
    all.push(Contest::new(threefish, Kind::Memory, LARGE));
    if cfg!(feature = "parallel") {
        let operation = Operation::Ice { level: 0, direction: Direction::Encrypt };
        all.push(Contest::new(operation, Kind::Threads, 16 << 20));
    }
    all.retain(|contest| contest.is_wanted(filters));
    all
}

fn aes(bits: u16, mode: Mode, direction: Direction) -> Operation {
    Operation::Aes { bits, mode, direction }
}

fn throughput() -> Vec<Contest> {
    let mut operations = Vec::new();
    for bits in [128, 256] {
        for mode in [Mode::Ecb, Mode::Cbc, Mode::Cfb128, Mode::Xts] {
            operations.extend(DIRECTIONS.map(|direction| aes(bits, mode, direction)));
        }
        let one_way = [Mode::Ctr, Mode::Ofb, Mode::Gcm];
        operations.extend(one_way.map(|mode| aes(bits, mode, Direction::Encrypt)));
    }
    for level in [0, 1, 2] {
        operations.extend(DIRECTIONS.map(|direction| Operation::Ice { level, direction }));
    }
    for bits in [256, 512, 1024] {
        operations.extend(DIRECTIONS.map(|direction| Operation::Threefish { bits, direction }));
        operations.push(Operation::ThreefishCtr { bits });
    }
    operations.extend(DIRECTIONS.map(|direction| Operation::ThreefishSector { direction }));
    operations.extend([Operation::Xoodoo { rounds: 12 }, Operation::Xoodoo64 { rounds: 12 }]);
    operations
        .extend([Operation::XoodooSliced { rounds: 12 }, Operation::Xoodoo64Sliced { rounds: 12 }]);
    operations.push(Operation::XoodyakHash);
    operations.push(Operation::Xoodyak { direction: Direction::Encrypt });
    operations.extend([Operation::XoofffCompress, Operation::XoofffExpand]);
    let bytes = |operation: &Operation| match operation.lengths().granule {
        _ if matches!(operation, Operation::XoofffCompress | Operation::XoofffExpand) => 64 * 1024,
        48 => CACHED / STATES * STATES,
        granule => CACHED / granule * granule,
    };
    operations.iter().map(|o| Contest::new(*o, Kind::Throughput, bytes(o))).collect()
}

fn sizes() -> Vec<Contest> {
    let operations = [
        aes(128, Mode::Cbc, Direction::Encrypt),
        aes(128, Mode::Cbc, Direction::Decrypt),
        aes(128, Mode::Cfb128, Direction::Encrypt),
        aes(128, Mode::Ofb, Direction::Encrypt),
        aes(128, Mode::Ctr, Direction::Encrypt),
        aes(128, Mode::Ecb, Direction::Encrypt),
        Operation::Ice { level: 0, direction: Direction::Encrypt },
        Operation::Threefish { bits: 1024, direction: Direction::Encrypt },
    ];
    let mut all = Vec::new();
    for operation in operations {
        let besides: &[usize] =
            if matches!(operation, Operation::Ice { .. }) { &ICE_SIZES } else { &[] };
        let mut sizes: Vec<usize> = SIZES.iter().chain(besides).copied().collect();
        sizes.retain(|bytes| bytes % operation.lengths().granule == 0);
        sizes.sort_unstable();
        all.extend(sizes.into_iter().map(|bytes| Contest::new(operation, Kind::Sizes, bytes)));
    }
    all
}

fn latency() -> Vec<Contest> {
    let mut operations = Vec::new();
    for direction in DIRECTIONS {
        operations.extend([128, 256].map(|bits| aes(bits, Mode::Ecb, direction)));
        operations.extend([0, 1, 2].map(|level| Operation::Ice { level, direction }));
        operations.extend([256, 512, 1024].map(|bits| Operation::Threefish { bits, direction }));
    }
    operations.extend([128, 256].map(|bits| Operation::AesKeySetup { bits }));
    operations.push(Operation::IceKeySetup { level: 0 });
    operations.push(Operation::ThreefishKeySetup { bits: 1024 });
    operations.extend([Operation::Xoodoo { rounds: 12 }, Operation::Xoodoo64 { rounds: 12 }]);
    operations.iter().map(|o| Contest::new(*o, Kind::Latency, o.lengths().granule)).collect()
}

fn many() -> Vec<Contest> {
    let cbc = aes(128, Mode::Cbc, Direction::Encrypt);
    let ice = Operation::Ice { level: 0, direction: Direction::Encrypt };
    vec![
        Contest { operation: cbc, kind: Kind::Many, messages: vec![CACHED; 8] },
        Contest { operation: Operation::XoodyakHash, kind: Kind::Many, messages: vec![CACHED; 16] },
        // Five thousand files of 104 bytes to 4 KiB, in whole blocks.
        Contest {
            operation: ice,
            kind: Kind::Many,
            messages: (0..5000).map(|i| 8 * (13 + i * 211 % 500)).collect(),
        },
    ]
}
