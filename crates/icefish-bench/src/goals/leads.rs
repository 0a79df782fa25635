//! What holds on every CPU with the same instructions: how far ahead one backend is of peers that were compiled for no more
//! than it has.

use super::{Against, Goal};
use crate::identity::{Direction, Kind};
use crate::row::Row;

pub(super) fn goals(rows: &[Row]) -> impl Iterator<Item = Goal> {
    LEADS.iter().filter_map(|lead| lead.goal(rows))
}

struct Lead {
    primitive: &'static str,
    kind: Kind,
    bytes: Option<u64>,
    backend: &'static str,
    /// The CPUs that peers were compiled for: `""` is the compiler's usual one.
    builds: &'static [&'static str],
    least: f64,
}

const fn thin_ice(backend: &'static str, builds: &'static [&'static str], least: f64) -> Lead {
    let (primitive, bytes) = ("thin-ice-ecb", Some(80_000));
    Lead { primitive, kind: Kind::Sizes, bytes, backend, builds, least }
}

const fn threefish(backend: &'static str, builds: &'static [&'static str], least: f64) -> Lead {
    let (primitive, bytes) = ("threefish-1024-ecb", None);
    Lead { primitive, kind: Kind::Throughput, bytes, backend, builds, least }
}

const LEADS: [Lead; 5] = [
    thin_ice("scalar", &[""], 1.0),
    thin_ice("avx2", &["", "x86-64-v3"], 3.0),
    thin_ice("avx512_vaes", &["", "x86-64-v3", "native"], 7.0),
    threefish("avx2", &["", "x86-64-v3"], 2.0),
    threefish("avx512", &["", "x86-64-v3", "native"], 5.0),
];

impl Lead {
    fn goal(&self, rows: &[Row]) -> Option<Goal> {
        let mut ours = None;
        let mut peer: Option<&Row> = None;
        let cost = |row: &Row| row.throughput.as_ref().map(|m| m.steady_ns() / row.id.bytes as f64);
        for row in rows.iter().filter(|row| self.is_about(row)) {
            if row.id.is_ours() {
                ours = ours.or(Some(row).filter(|row| row.id.backend == self.backend));
            } else if self.builds.contains(&row.id.backend.as_str())
                && peer.is_none_or(|best| cost(row) < cost(best))
            {
                peer = Some(row);
            }
        }
        let (ours, peer) = (ours?, peer?);
        Some(Goal {
            contest: format!("{} ({}, {})", self.primitive, self.kind, self.backend),
            against: Against::Lead,
            least: self.least,
            reached: vec![cost(peer)? / cost(ours)?],
            other: peer.id.whose(),
        })
    }

    fn is_about(&self, row: &Row) -> bool {
        row.id.primitive == self.primitive
            && row.id.kind == self.kind
            && row.id.direction == Some(Direction::Encrypt)
            && self.bytes.is_none_or(|bytes| bytes == row.id.bytes)
    }
}
