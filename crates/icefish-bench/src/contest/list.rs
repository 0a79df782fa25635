//! Which contests there are.

use super::Contest;
use crate::identity::Kind;
use crate::peers::{AEGIS, Direction, Mode, Operation};

/// Lengths of a message in [`Kind::Sizes`].
pub const SIZES: [usize; 9] = [16, 64, 256, 1024, 4096, 8192, 16_384, 65_536, 1 << 20];
/// Fewer of them, for what behaves as something that has all.
const FEW_SIZES: [usize; 4] = [16, 1024, 8192, 1 << 20];
/// Those at which AEGIS is compared with GCM.
const AEGIS_SIZES: [usize; 6] = [16, 64, 256, 1024, 4096, 1 << 20];
/// Those of sectors.
const SECTORS: [usize; 2] = [512, 4096];
/// Lengths at which Thin-ICE is measured besides: a file of the size that its users have, and a large one.
const ICE_SIZES: [usize; 2] = [80_000, 16 << 20];
/// Lengths of a message that is spread over all cores.
const SPREAD: [usize; 4] = [80_000, 160_000, 1 << 20, 16 << 20];
/// Bytes of data in the first cache.
const CACHED: usize = 16 * 1024;
/// Sixteen states of 48 bytes fill the widest registers.
const STATES: usize = 16 * 48;
/// Bytes of data in main memory.
const LARGE: usize = 1 << 30;

const DIRECTIONS: [Direction; 2] = [Direction::Encrypt, Direction::Decrypt];

/// Everything that is measured and wanted, by kind.
#[must_use]
pub fn contests(filters: &[String]) -> Vec<Contest> {
    let mut all = throughput();
    all.extend(sizes());
    all.extend(latency());
    all.extend(many());
    all.extend(calls());
    all.extend(memory());
    if cfg!(feature = "parallel") {
        all.extend(SPREAD.map(|bytes| Contest::new(ice(0), Kind::Threads, bytes)));
    }
    all.retain(|contest| contest.is_wanted(filters));
    all
}

fn aes(bits: u16, mode: Mode, direction: Direction) -> Operation {
    Operation::Aes { bits, mode, direction }
}

/// Of this level, encryption.
fn ice(level: u8) -> Operation {
    Operation::Ice { level, direction: Direction::Encrypt }
}

/// AEGISMAC in every variant.
fn aegis_mac() -> impl Iterator<Item = Operation> {
    AEGIS.into_iter().map(|(bits, states)| Operation::AegisMac { bits, states })
}

/// Every variant of AEGIS, both ways.
fn aegis() -> impl Iterator<Item = Operation> {
    let both = AEGIS.into_iter().flat_map(|variant| DIRECTIONS.map(|way| (variant, way)));
    both.map(|((bits, states), direction)| Operation::Aegis { bits, states, direction })
}

fn throughput() -> Vec<Contest> {
    let mut operations = Vec::new();
    for bits in [128, 192, 256] {
        for mode in [Mode::Ecb, Mode::Cbc, Mode::Cfb128, Mode::Gcm, Mode::Xts] {
            // IEEE 1619 has no XTS with 192-bit keys.
            if (mode, bits) != (Mode::Xts, 192) {
                operations.extend(DIRECTIONS.map(|direction| aes(bits, mode, direction)));
            }
        }
        operations.extend([Mode::Ctr, Mode::Ofb].map(|mode| aes(bits, mode, Direction::Encrypt)));
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
    operations.extend([256, 512, 1024].map(|bits| Operation::Skein { bits }));
    operations.push(Operation::XoodyakHash);
    operations.push(Operation::Xoodyak { direction: Direction::Encrypt });
    operations.extend(aegis());
    operations.extend(aegis_mac());
    operations.extend([Operation::XoofffCompress, Operation::XoofffExpand]);
    let bytes = |operation: &Operation| match operation.lengths().granule {
        _ if matches!(operation, Operation::XoofffCompress | Operation::XoofffExpand) => 64 * 1024,
        48 => CACHED / STATES * STATES,
        granule => CACHED / granule * granule,
    };
    operations.iter().map(|o| Contest::new(*o, Kind::Throughput, bytes(o))).collect()
}

fn sizes() -> Vec<Contest> {
    use Direction::{Decrypt, Encrypt};
    let modes = [
        (Mode::Cbc, Encrypt),
        (Mode::Cbc, Decrypt),
        (Mode::Cfb128, Encrypt),
        (Mode::Ofb, Encrypt),
        (Mode::Ctr, Encrypt),
        (Mode::Ecb, Encrypt),
        (Mode::Gcm, Encrypt),
        (Mode::Gcm, Decrypt),
    ];
    let mut all: Vec<(Operation, Vec<usize>)> = Vec::new();
    for (bits, lengths) in [(128, &SIZES[..]), (256, &FEW_SIZES)] {
        all.extend(modes.map(|(mode, direction)| (aes(bits, mode, direction), lengths.to_vec())));
        all.push((aes(bits, Mode::Xts, Encrypt), SECTORS.to_vec()));
    }
    let family = aegis().chain(aegis_mac());
    all.extend(family.map(|operation| (operation, AEGIS_SIZES.to_vec())));
    let mut of_ice = [&SIZES[..], &ICE_SIZES].concat();
    of_ice.sort_unstable();
    all.push((ice(0), of_ice));
    let threefish = SIZES.into_iter().filter(|bytes| bytes % 128 == 0).collect();
    all.push((Operation::Threefish { bits: 1024, direction: Encrypt }, threefish));
    for bits in [256, 512, 1024] {
        all.push((Operation::Skein { bits }, SIZES[1..].to_vec()));
    }
    all.push((Operation::SkeinTree, vec![1 << 20, 16 << 20]));
    let contests = all.into_iter().flat_map(|(operation, lengths)| {
        lengths.into_iter().map(move |bytes| Contest::new(operation, Kind::Sizes, bytes))
    });
    contests.collect()
}

fn latency() -> Vec<Contest> {
    let mut operations = Vec::new();
    for direction in DIRECTIONS {
        operations.extend([128, 192, 256].map(|bits| aes(bits, Mode::Ecb, direction)));
        operations.extend([0, 1, 2].map(|level| Operation::Ice { level, direction }));
        operations.extend([256, 512, 1024].map(|bits| Operation::Threefish { bits, direction }));
    }
    for bits in [128, 192, 256] {
        operations.extend(DIRECTIONS.map(|direction| Operation::AesKeySetup { bits, direction }));
    }
    operations.push(Operation::IceKeySetup { level: 0 });
    operations.push(Operation::ThreefishKeySetup { bits: 1024 });
    operations.extend([Operation::Xoodoo { rounds: 12 }, Operation::Xoodoo64 { rounds: 12 }]);
    operations.iter().map(|o| Contest::new(*o, Kind::Latency, o.lengths().granule)).collect()
}

/// Many messages of one length, and of 16 bytes to 16 KiB, each length about as often.
fn many() -> Vec<Contest> {
    let mut all = Vec::new();
    for (bits, mode) in
        [(128, Mode::Cbc), (128, Mode::Cfb128), (256, Mode::Cbc), (256, Mode::Cfb128)]
    {
        let operation = aes(bits, mode, Direction::Encrypt);
        for count in [8, 32, 1000] {
            let alike = [16, 64, 256, 1024, 4096, 16_384].map(|bytes| vec![bytes; count]);
            let mixed = (0..count).map(|i| 16 << (i * 7 % 11)).collect();
            all.extend(alike.into_iter().chain([mixed]).map(|messages| (operation, messages)));
        }
    }
    all.push((Operation::XoodyakHash, vec![CACHED; 16]));
    for (count, most) in [(8, 65_536), (1000, 16_384)] {
        let lengths = [64, 1024, 16_384, 65_536].into_iter().filter(|&bytes| bytes <= most);
        let messages = lengths.map(|bytes| vec![bytes; count]);
        all.extend(messages.map(|messages| (Operation::Skein { bits: 512 }, messages)));
    }
    all.extend([256, 1024].map(|bits| (Operation::Skein { bits }, vec![CACHED; 8])));
    // Five thousand files of 104 bytes to 4 KiB, in whole blocks.
    all.push((ice(0), (0..5000).map(|i| 8 * (13 + i * 211 % 500)).collect()));
    let contest =
        |(operation, messages)| Contest { messages, ..Contest::new(operation, Kind::Many, 0) };
    all.into_iter().map(contest).collect()
}

fn calls() -> Vec<Contest> {
    let cbc = DIRECTIONS.map(|direction| aes(128, Mode::Cbc, direction));
    let ctr = aes(128, Mode::Ctr, Direction::Encrypt);
    let mut all = vec![(cbc[0], 16), (cbc[0], 32), (cbc[0], 64), (cbc[0], 128)];
    all.extend([(cbc[1], 16), (cbc[1], 128), (ctr, 16), (ctr, 128)]);
    all.extend([128, 256].map(|bits| (aes(bits, Mode::Gcm, Direction::Encrypt), 16)));
    for direction in DIRECTIONS {
        all.push((Operation::Threefish { bits: 1024, direction }, 128));
        all.push((Operation::Ice { level: 0, direction }, 8));
    }
    all.push((Operation::ThreefishCtr { bits: 512 }, 64));
    all.into_iter().map(|(operation, bytes)| Contest::new(operation, Kind::Calls, bytes)).collect()
}

/// What is slower than memory, and what should be as fast as memory.
fn memory() -> Vec<Contest> {
    let threefish = [256, 512, 1024];
    let direction = Direction::Encrypt;
    let mut all: Vec<Operation> =
        threefish.map(|bits| Operation::Threefish { bits, direction }).to_vec();
    all.extend([ice(0), Operation::XoofffCompress, Operation::XoofffExpand]);
    all.push(aes(256, Mode::Ctr, direction));
    all.push(aes(256, Mode::Gcm, direction));
    let contest = |operation: Operation| {
        let granule = operation.lengths().granule;
        Contest::new(operation, Kind::Memory, LARGE / granule * granule)
    };
    let mut all: Vec<Contest> = all.into_iter().map(contest).collect();
    all.push(Contest { software: true, ..contest(aes(128, Mode::Ctr, direction)) });
    all
}
