use super::lines::{FILE, LARGE};
use super::select::{ENC, bulk, of, on};
use super::*;
use crate::identity::Identity;
use crate::samples::{machine, metric};

fn row(select: Select, peer: &str, bytes: u64, ns: f64) -> Row {
    let id = Identity {
        primitive: select.primitive.into(),
        direction: select.direction,
        kind: select.kind,
        bytes,
        backend: if peer == "icefish" { select.backend.unwrap_or("avx512") } else { "" }.into(),
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
    assert_eq!(ids.len(), lines().count());
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
    assert_eq!(named("threefish-crates", &rows).reached, None);
}

/// Ratios of times are divided once more or less, depending on the compiler.
fn near(reached: Option<f64>, expected: f64) -> bool {
    reached.is_some_and(|r| (r / expected - 1.0).abs() < 1e-9)
}

#[test]
fn of_several_rows_the_worst_counts() {
    let mut rows = Vec::new();
    let line = lines().find(|line| line.id == "threefish-crates").unwrap();
    for (i, &select) in line.selects.iter().enumerate() {
        rows.push(row(select, "icefish", 128, 10.0));
        rows.push(row(select, "rustcrypto", 128, 40.0 - 2.0 * i as f64));
        // Not one of the crates.
        rows.push(row(select, "avxfish form", 128, 1.0));
    }
    let target = named("threefish-crates", &rows);
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

#[test]
fn no_simd_is_held_against_builds_without() {
    let mut native = row(FILE, "icefast", 80_000, 10.0);
    native.id.backend = "native".into();
    let usual = row(FILE, "icefast", 80_000, 40.0);
    let rows = [row(on("scalar", FILE), "icefish", 80_000, 20.0), native, usual];
    assert!(near(named("ice-scalar", &rows).reached, 2.0));
    let target = named("ice-file", &rows);
    assert!(near(target.reached, 0.5) && target.best_peer_name == "icefast 0.1.0 (native)");
}

#[test]
fn calls_are_held_against_their_kernel_and_key_schedules_against_a_block() {
    let of_calls = |primitive| Select { primitive, ..of(Kind::Calls, bulk("", ENC)) };
    let mut rows = vec![row(of_calls("aes-128-cbc kernel"), "icefish", 16, 10.0)];
    rows.push(row(of_calls("aes-128-cbc"), "icefish", 16, 11.0));
    let target = named("aes-call-1", &rows);
    assert!(near(target.reached, 1.1) && target.met == Some(true));
    assert_eq!(named("aes-call-name-1", &rows).reached, None);
    rows = vec![row(of_calls("aes-256-gcm"), "icefish", 16, 40.0)];
    assert_eq!(named("aes-gcm-name", &rows).reached, None);
    rows.push(row(of_calls("aes-256-gcm by name"), "icefish", 16, 43.5));
    let target = named("aes-gcm-name", &rows);
    assert!(near(target.reached, 3.5) && target.met == Some(false));
    assert_eq!(target.metric, "ns more than the static type");
    let chained = |primitive, direction| of(Kind::Latency, bulk(primitive, direction));
    let (block, setup) = (chained("thin-ice-ecb", ENC), "thin-ice-ecb with key setup");
    let rows = [
        row(block, "icefish", 8, 40.0),
        row(block, "icefast", 8, 50.0),
        row(chained(setup, None), "icefish", 8, 300.0),
        row(chained(setup, None), "icefast", 8, 750.0),
    ];
    let target = named("ice-key", &rows);
    assert!(near(target.reached, 260.0) && near(target.best_peer, 700.0));
}

/// A goal about rows that no run has would never be reached, and nobody would know why.
#[cfg(feature = "ours")]
#[test]
fn every_goal_has_its_contest() {
    use crate::contest::{contests, group};
    let backends: Vec<_> = icefish::Backend::available().collect();
    let ids: Vec<Identity> = contests(&[])
        .iter()
        .flat_map(|c| group(c, &backends, &[]).entries.into_iter().map(|e| e.id))
        .collect();
    for Line { id, selects, .. } in lines() {
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
