//! Which rows a goal is about.

use crate::identity::{Direction, Kind};

/// Which rows a goal is about.
#[derive(Clone, Copy)]
pub(super) struct Select {
    pub(super) primitive: &'static str,
    pub(super) direction: Option<Direction>,
    pub(super) kind: Kind,
    /// `None`: every length that was measured, and the worst of them counts.
    pub(super) bytes: Option<u64>,
    /// `None`: whichever of ours is best. Peers are taken as they are.
    pub(super) backend: Option<&'static str>,
    /// The peers that count; none for all of them.
    pub(super) against: &'static [&'static str],
    /// The CPUs of the builds of peers that count, `""` for the compiler's usual one; none for all of them.
    pub(super) builds: &'static [&'static str],
}

pub(super) const ENC: Option<Direction> = Some(Direction::Encrypt);
pub(super) const DEC: Option<Direction> = Some(Direction::Decrypt);

pub(super) const fn bulk(primitive: &'static str, direction: Option<Direction>) -> Select {
    let kind = Kind::Throughput;
    Select { primitive, direction, kind, bytes: None, backend: None, against: &[], builds: &[] }
}

pub(super) const fn sized(
    primitive: &'static str,
    direction: Option<Direction>,
    bytes: u64,
) -> Select {
    Select { kind: Kind::Sizes, bytes: Some(bytes), ..bulk(primitive, direction) }
}

pub(super) const fn call(primitive: &'static str, bytes: u64) -> Select {
    Select { kind: Kind::Calls, ..sized(primitive, ENC, bytes) }
}

pub(super) const fn chained(primitive: &'static str, direction: Option<Direction>) -> Select {
    Select { kind: Kind::Latency, ..bulk(primitive, direction) }
}

pub(super) const fn on(backend: &'static str, select: Select) -> Select {
    Select { backend: Some(backend), ..select }
}

pub(super) const fn of(kind: Kind, select: Select) -> Select {
    Select { kind, bytes: None, ..select }
}

pub(super) const fn against(peers: &'static [&'static str], select: Select) -> Select {
    Select { against: peers, ..select }
}

/// Peers with no more instructions than we have there.
pub(super) const fn built(builds: &'static [&'static str], select: Select) -> Select {
    Select { builds, ..select }
}
