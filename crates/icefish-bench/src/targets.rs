//! The goals of this project's ciphers, as far as a run can tell, filled from its rows.

use crate::identity::{Direction, Kind};
use crate::measure::Metric;
use crate::row::Row;
use crate::target::{Goal, Target};

/// Which rows a goal is about.
#[derive(Clone, Copy)]
struct Select {
    primitive: &'static str,
    direction: Option<Direction>,
    kind: Kind,
    /// `None`: every length that was measured, and the worst of them counts.
    bytes: Option<u64>,
    /// `None`: whichever of ours is best. Peers are taken as they are.
    backend: Option<&'static str>,
}

/// What is compared with the goal.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    CyclesPerByte,
    Cycles,
    Ns,
    GbPerS,
    /// How many times faster than the best peer.
    TimesPeer,
    /// How many times faster than our own [`Kind::Sizes`] row of the same length: what the kind adds.
    TimesOneCall,
}

impl Unit {
    fn text(self) -> &'static str {
        match self {
            Self::CyclesPerByte => "cycles/byte",
            Self::Cycles => "cycles",
            Self::Ns => "ns",
            Self::GbPerS => "GB/s",
            Self::TimesPeer => "x best peer",
            Self::TimesOneCall => "x one thread",
        }
    }

    fn goal(self) -> Goal {
        match self {
            Self::CyclesPerByte | Self::Cycles | Self::Ns => Goal::AtMost,
            Self::GbPerS | Self::TimesPeer | Self::TimesOneCall => Goal::AtLeast,
        }
    }

    fn value(self, row: &Row, metric: &Metric) -> f64 {
        let bytes = row.id.bytes.max(1) as f64;
        match self {
            Self::CyclesPerByte => metric.cycles.min / bytes,
            Self::Cycles => metric.cycles.min,
            Self::Ns => metric.ns.min,
            Self::GbPerS | Self::TimesPeer | Self::TimesOneCall => bytes / metric.ns.min,
        }
    }
}

const ENC: Option<Direction> = Some(Direction::Encrypt);
const DEC: Option<Direction> = Some(Direction::Decrypt);

const fn bulk(primitive: &'static str, direction: Option<Direction>) -> Select {
    Select { primitive, direction, kind: Kind::Throughput, bytes: None, backend: None }
}

const fn sized(primitive: &'static str, direction: Option<Direction>, bytes: u64) -> Select {
    Select { kind: Kind::Sizes, bytes: Some(bytes), ..bulk(primitive, direction) }
}

const fn chained(primitive: &'static str, direction: Option<Direction>) -> Select {
    Select { kind: Kind::Latency, ..bulk(primitive, direction) }
}

const fn on(backend: &'static str, select: Select) -> Select {
    Select { backend: Some(backend), ..select }
}

const fn of(kind: Kind, select: Select) -> Select {
    Select { kind, bytes: None, ..select }
}

const THREEFISH: [Select; 6] = [
    bulk("threefish-256-ecb", ENC),
    bulk("threefish-256-ecb", DEC),
    bulk("threefish-512-ecb", ENC),
    bulk("threefish-512-ecb", DEC),
    bulk("threefish-1024-ecb", ENC),
    bulk("threefish-1024-ecb", DEC),
];

const FILE: Select = sized("thin-ice-ecb", ENC, 80_000);
const LARGE: Select = sized("thin-ice-ecb", ENC, 16 << 20);
const ALL_SIZES: Select = Select { bytes: None, ..FILE };

type Line = (&'static str, &'static str, &'static str, Unit, f64, &'static [Select]);

use Unit::{Cycles, CyclesPerByte, GbPerS, Ns, TimesOneCall, TimesPeer};

/// Identifier, area, description, unit, goal, rows.
const LINES: &[Line] = &[
    ("ice-file", "ICE", "Thin-ICE, 80,000 B, one thread", TimesPeer, 7.0, &[FILE]),
    ("ice-large", "ICE", "Thin-ICE, 16 MiB, one thread", GbPerS, 2.0, &[LARGE]),
    ("ice-avx2", "ICE", "Thin-ICE, 80,000 B, AVX2", TimesPeer, 3.0, &[on("avx2", FILE)]),
    ("ice-scalar", "ICE", "Thin-ICE, 80,000 B, no SIMD", TimesPeer, 1.0, &[on("scalar", FILE)]),
    ("ice-sizes", "ICE", "Thin-ICE, the worst size", TimesPeer, 1.0 / 1.15, &[ALL_SIZES]),
    (
        "ice-threads",
        "ICE",
        "Thin-ICE, 16 MiB, two threads",
        TimesOneCall,
        1.85,
        &[of(Kind::Threads, LARGE)],
    ),
    (
        "ice-many",
        "ICE",
        "5,000 messages of 100 B to 4 KiB, one call",
        TimesPeer,
        3.0,
        &[of(Kind::Many, FILE)],
    ),
    (
        "ice-one-0",
        "ICE",
        "one block, chained, Thin-ICE",
        TimesPeer,
        1.0 / 1.05,
        &[chained("thin-ice-ecb", ENC)],
    ),
    (
        "ice-one-1",
        "ICE",
        "one block, chained, level 1",
        TimesPeer,
        1.0 / 1.05,
        &[chained("ice-1-ecb", ENC)],
    ),
    (
        "ice-one-2",
        "ICE",
        "one block, chained, level 2",
        TimesPeer,
        1.0 / 1.05,
        &[chained("ice-2-ecb", ENC)],
    ),
    (
        "threefish-1024-enc",
        "Threefish",
        "1024, bulk, encryption",
        CyclesPerByte,
        1.20,
        &[bulk("threefish-1024-ecb", ENC)],
    ),
    (
        "threefish-1024-dec",
        "Threefish",
        "1024, bulk, decryption",
        CyclesPerByte,
        1.22,
        &[bulk("threefish-1024-ecb", DEC)],
    ),
    (
        "threefish-1024-ctr",
        "Threefish",
        "1024, bulk, CTR",
        CyclesPerByte,
        1.17,
        &[bulk("threefish-1024-ctr", None)],
    ),
    (
        "threefish-512-enc",
        "Threefish",
        "512, bulk, encryption",
        CyclesPerByte,
        1.10,
        &[bulk("threefish-512-ecb", ENC)],
    ),
    (
        "threefish-256-enc",
        "Threefish",
        "256, bulk, encryption",
        CyclesPerByte,
        1.10,
        &[bulk("threefish-256-ecb", ENC)],
    ),
    (
        "threefish-one-enc",
        "Threefish",
        "1024, one block, chained, encryption",
        Cycles,
        335.0,
        &[chained("threefish-1024-ecb", ENC)],
    ),
    (
        "threefish-one-dec",
        "Threefish",
        "1024, one block, chained, decryption",
        Cycles,
        440.0,
        &[chained("threefish-1024-ecb", DEC)],
    ),
    (
        "threefish-avx2",
        "Threefish",
        "1024, bulk, AVX2",
        CyclesPerByte,
        2.4,
        &[on("avx2", bulk("threefish-1024-ecb", ENC))],
    ),
    (
        "threefish-peers",
        "Threefish",
        "the worst variant and direction, bulk",
        TimesPeer,
        2.5,
        &THREEFISH,
    ),
    (
        "xoodoo-bulk",
        "Xoodoo",
        "16 states at once, contiguous, AVX-512",
        CyclesPerByte,
        0.43,
        &[on("avx512", bulk("xoodoo", None))],
    ),
    (
        "xoodoo-avx2",
        "Xoodoo",
        "8 states at once, contiguous, AVX2",
        CyclesPerByte,
        1.15,
        &[on("avx2", bulk("xoodoo", None))],
    ),
    ("xoodoo-one", "Xoodoo", "one permutation, chained", Ns, 38.0, &[chained("xoodoo", None)]),
    (
        "xoodoo-one-scalar",
        "Xoodoo",
        "one permutation, chained, no SIMD",
        Ns,
        98.0,
        &[on("scalar", chained("xoodoo", None))],
    ),
    (
        "xoodoo64-bulk",
        "Xoodoo",
        "Xoodoo64, 8 states, contiguous, AVX-512",
        CyclesPerByte,
        0.42,
        &[on("avx512", bulk("xoodoo64", None))],
    ),
    (
        "xoodoo64-avx2",
        "Xoodoo",
        "Xoodoo64, 4 states, contiguous, AVX2",
        CyclesPerByte,
        1.48,
        &[on("avx2", bulk("xoodoo64", None))],
    ),
    (
        "aes-cbc-enc",
        "AES",
        "AES-128-CBC encryption, 16 KiB",
        CyclesPerByte,
        2.58,
        &[sized("aes-128-cbc", ENC, 16_384)],
    ),
    (
        "aes-cbc-enc-16",
        "AES",
        "AES-128-CBC encryption, 16 B",
        Ns,
        21.0,
        &[sized("aes-128-cbc", ENC, 16)],
    ),
    (
        "aes-cbc-enc-many",
        "AES",
        "AES-128-CBC encryption, 8 messages of 16 KiB",
        CyclesPerByte,
        0.66,
        &[of(Kind::Many, bulk("aes-128-cbc", ENC))],
    ),
    (
        "aes-cbc-dec",
        "AES",
        "AES-128-CBC decryption, 16 KiB",
        CyclesPerByte,
        0.645,
        &[sized("aes-128-cbc", DEC, 16_384)],
    ),
    (
        "aes-ctr",
        "AES",
        "AES-128-CTR, 16 KiB",
        CyclesPerByte,
        0.645,
        &[sized("aes-128-ctr", None, 16_384)],
    ),
    (
        "aes-ecb",
        "AES",
        "AES-128-ECB, 16 KiB",
        CyclesPerByte,
        0.645,
        &[sized("aes-128-ecb", ENC, 16_384)],
    ),
    (
        "aes-cbc-dec-16",
        "AES",
        "AES-128-CBC decryption, 16 B",
        Ns,
        16.0,
        &[sized("aes-128-cbc", DEC, 16)],
    ),
    ("aes-ctr-16", "AES", "AES-128-CTR, 16 B", Ns, 24.0, &[sized("aes-128-ctr", None, 16)]),
    ("aes-ecb-16", "AES", "AES-128-ECB, 16 B", Ns, 16.0, &[sized("aes-128-ecb", ENC, 16)]),
    (
        "aes-key-setup",
        "AES",
        "key setup and AES-128-CBC encryption, 16 B",
        Ns,
        60.0,
        &[chained("aes-128-cbc with key setup", None)],
    ),
    ("aes-gcm", "AES", "AES-256-GCM, 16 KiB", CyclesPerByte, 1.5, &[bulk("aes-256-gcm", ENC)]),
];

/// The goals, with what these rows reach. Goals without rows say so by having nothing reached.
#[must_use]
pub fn targets(rows: &[Row]) -> Vec<Target> {
    LINES.iter().map(|line| target(line, rows)).collect()
}

/// Ours and the best peer, both in the goal's unit, and the peer's name.
type Reached = (f64, Option<(f64, String)>);

fn target(&(id, area, description, unit, goal, selects): &Line, rows: &[Row]) -> Target {
    let target = Target::new(id, area, description, unit.text(), unit.goal(), goal);
    let results: Vec<Option<Reached>> =
        selects.iter().flat_map(|select| reached(unit, select, rows)).collect();
    // The worst counts, and it is known only if all of them are.
    let Some(results) = results.into_iter().collect::<Option<Vec<_>>>() else { return target };
    let worst = results.into_iter().reduce(|a, b| {
        let first = match unit.goal() {
            Goal::AtMost => a.0 >= b.0,
            Goal::AtLeast => a.0 <= b.0,
        };
        if first { a } else { b }
    });
    let Some((ours, peer)) = worst else { return target };
    let (value, name) = peer.unzip();
    target.with_reached(Some(ours)).with_best_peer(name.unwrap_or_default(), value)
}

/// One result for each length that `select` means; `None` if our row, or the other side of a ratio, is
/// missing.
fn reached(unit: Unit, select: &Select, rows: &[Row]) -> Vec<Option<Reached>> {
    let mut lengths: Vec<u64> = matching(select, rows).map(|(row, _)| row.id.bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    if lengths.is_empty() {
        return vec![None];
    }
    let at = |bytes| {
        let here = Select { bytes: Some(bytes), ..*select };
        let (ours, _) = best(unit, &here, rows, true)?;
        let peer = best(unit, &here, rows, false);
        match unit {
            Unit::TimesPeer => peer.map(|(rate, name)| (ours / rate, Some((1.0, name)))),
            Unit::TimesOneCall => {
                let alone = Select { kind: Kind::Sizes, ..here };
                let (rate, _) = best(unit, &alone, rows, true)?;
                let peer = peer.map(|(peer, name)| (peer / rate, name));
                Some((ours / rate, peer))
            }
            _ => Some((ours, peer)),
        }
    };
    lengths.into_iter().map(at).collect()
}

fn matching<'a>(
    select: &'a Select,
    rows: &'a [Row],
) -> impl Iterator<Item = (&'a Row, &'a Metric)> {
    let rows = rows.iter().filter(|row| {
        row.id.primitive == select.primitive
            && row.id.direction == select.direction
            && row.id.kind == select.kind
            && select.bytes.is_none_or(|bytes| bytes == row.id.bytes)
            && (!row.id.is_ours() || select.backend.is_none_or(|name| name == row.id.backend))
    });
    rows.filter_map(|row| Some((row, row.throughput.as_ref().or(row.latency.as_ref())?)))
}

fn best(unit: Unit, select: &Select, rows: &[Row], ours: bool) -> Option<(f64, String)> {
    let side = matching(select, rows).filter(|(row, _)| row.id.is_ours() == ours);
    // Wall time decides, as in a duel.
    let (row, metric) = side.min_by(|a, b| a.1.ns.min.total_cmp(&b.1.ns.min))?;
    Some((unit.value(row, metric), format!("{} {}", row.id.peer, row.id.version)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;
    use crate::samples::{machine, metric};

    fn row(select: Select, peer: &str, bytes: u64, ns: f64) -> Row {
        let id = Identity {
            primitive: select.primitive.into(),
            direction: select.direction,
            kind: select.kind,
            bytes,
            backend: select.backend.unwrap_or("avx512").into(),
            peer: peer.into(),
            ..crate::samples::identity("n")
        };
        match select.kind {
            Kind::Latency => Row::new(id, machine()).with_latency(Some(metric(ns))),
            _ => Row::new(id, machine()).with_throughput(Some(metric(ns))),
        }
    }

    fn named(id: &str, rows: &[Row]) -> Target {
        targets(rows).into_iter().find(|target| target.id == id).unwrap()
    }

    #[test]
    fn without_rows_nothing_is_reached() {
        assert!(targets(&[]).iter().all(|t| t.met.is_none() && t.reached.is_none()));
        let mut ids: Vec<_> = targets(&[]).into_iter().map(|t| t.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), LINES.len());
    }

    #[test]
    fn the_best_of_ours_stands_beside_the_best_peer() {
        let select = bulk("threefish-1024-ecb", ENC);
        let rows = [
            row(on("avx2", select), "icefish", 128, 100.0),
            row(select, "icefish", 128, 50.0),
            row(select, "crate", 128, 200.0),
            row(select, "slow", 128, 300.0),
        ];
        let target = named("threefish-1024-enc", &rows);
        // 50 ns at 3 GHz are 150 cycles for 128 bytes.
        assert_eq!((target.reached, target.met), (Some(150.0 / 128.0), Some(true)));
        assert_eq!(target.best_peer, Some(600.0 / 128.0));
        assert_eq!(target.best_peer_name, "crate 0.1.0");
        assert_eq!(named("threefish-avx2", &rows).reached, Some(300.0 / 128.0));
        // Five of the six variants are missing.
        assert_eq!(named("threefish-peers", &rows).reached, None);
    }

    /// Ratios of times are divided once more or less, depending on the compiler.
    fn near(reached: Option<f64>, expected: f64) -> bool {
        reached.is_some_and(|r| (r / expected - 1.0).abs() < 1e-9)
    }

    #[test]
    fn of_several_rows_the_worst_counts() {
        let mut rows = Vec::new();
        for (i, select) in THREEFISH.into_iter().enumerate() {
            rows.push(row(select, "icefish", 128, 10.0));
            rows.push(row(select, "crate", 128, 40.0 - 2.0 * i as f64));
        }
        let target = named("threefish-peers", &rows);
        assert!(near(target.reached, 3.0) && target.met == Some(true));
        let rows = [
            row(FILE, "icefish", 16, 10.0),
            row(FILE, "icefast", 16, 9.0),
            row(FILE, "icefish", 80_000, 10.0),
            row(FILE, "icefast", 80_000, 80.0),
        ];
        assert!(near(named("ice-sizes", &rows).reached, 0.9));
        assert!(near(named("ice-file", &rows).reached, 8.0));
    }

    #[test]
    fn threads_are_held_against_one() {
        let threads = of(Kind::Threads, LARGE);
        let rows = [row(LARGE, "icefish", 1 << 24, 19.0), row(threads, "icefish", 1 << 24, 10.0)];
        assert!(near(named("ice-threads", &rows).reached, 1.9));
        assert_eq!(named("ice-threads", &rows[1..]).reached, None);
    }

    /// A goal about rows that no run has would never be reached, and nobody would know why.
    #[test]
    fn every_goal_has_its_contest() {
        use crate::contest::{contests, group};
        let backends: Vec<_> = icefish::Backend::available().collect();
        let ids: Vec<Identity> = contests(&[])
            .iter()
            .flat_map(|c| group(c, &backends, &[]).entries.into_iter().map(|e| e.id))
            .collect();
        for (id, .., selects) in LINES {
            for select in *selects {
                let fits = |id: &Identity| {
                    id.primitive == select.primitive
                        && id.direction == select.direction
                        && id.kind == select.kind
                        && select.bytes.is_none_or(|bytes| bytes == id.bytes)
                };
                let threads = select.kind == Kind::Threads && !cfg!(feature = "parallel");
                assert!(threads || ids.iter().any(fits), "{id}");
            }
        }
    }
}
