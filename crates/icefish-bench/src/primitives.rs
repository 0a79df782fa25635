//! What an operation computes: the primitive, as tables and suites call it, and the direction.

use crate::identity::Direction;
use crate::peers::{Mode, Operation, aegis_name};

/// The algorithm and mode of an operation, as suites are called.
pub(crate) fn primitive(operation: Operation) -> String {
    match operation {
        Operation::Aes { bits, mode: Mode::Cfb128, .. } => format!("aes-{bits}-cfb"),
        Operation::Aes { bits, mode, .. } => format!("aes-{bits}-{mode}"),
        Operation::AesKeySetup { bits, .. } => format!("aes-{bits}-cbc with key setup"),
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
        Operation::Skein { bits } => format!("skein-{bits}"),
        Operation::SkeinTree => "skein-512 tree".into(),
        Operation::XoodyakHash => "xoodyak hash".into(),
        Operation::Xoodyak { .. } => "xoodyak aead".into(),
        Operation::Aegis { bits, states, .. } => aegis_name(bits, states),
        Operation::AegisMac { bits, states } => format!("{} mac", aegis_name(bits, states)),
        Operation::XoofffCompress => "xoofff compress".into(),
        Operation::XoofffExpand => "xoofff expand".into(),
        other => other.to_string(),
    }
}

/// The direction of an operation; none where both ways are the same work.
pub(crate) fn direction(operation: Operation) -> Option<Direction> {
    match operation {
        Operation::Aes { mode: Mode::Ctr | Mode::Ofb, .. } => None,
        Operation::Aes { direction, .. }
        | Operation::AesKeySetup { direction, .. }
        | Operation::Ice { direction, .. }
        | Operation::Threefish { direction, .. }
        | Operation::ThreefishSector { direction }
        | Operation::Aegis { direction, .. }
        | Operation::Xoodyak { direction } => Some(direction),
        _ => None,
    }
}
