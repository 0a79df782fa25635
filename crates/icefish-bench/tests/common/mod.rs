//! Made-up results, and the program as a process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use icefish_bench::identity::{Direction, Identity, Kind};
use icefish_bench::machine::Machine;
use icefish_bench::measure::Metric;
use icefish_bench::row::Row;
use icefish_bench::stats::Spread;

/// Core frequency of the made-up machine, in GHz.
const GHZ: f64 = 3.0;

pub(crate) fn metric(ns: f64) -> Metric {
    let spread = |low: f64| Spread { low, median: low * 1.01 };
    Metric { ns: spread(ns), cycles: spread(ns * GHZ), clock_ghz: GHZ, kept: 100, dropped: 1 }
}

pub(crate) fn machine() -> Machine {
    Machine {
        name: "made-up".into(),
        cpu: "Made-up CPU @ 3 GHz (family 6, model 85, stepping 7)".into(),
        cores: 2,
        clock_ghz: GHZ,
        os: "Linux".into(),
        compiler: "rustc 1.95.0".into(),
        date: "2026-11-21".into(),
        command: "icefish-bench run --full".into(),
    }
}

pub(crate) fn identity(
    primitive: &str,
    (peer, version): (&str, &str),
    backend: &str,
    kind: Kind,
) -> Identity {
    Identity {
        name: format!("{}_{backend}", primitive.replace('-', "")).trim_end_matches('_').into(),
        primitive: primitive.into(),
        backend: backend.into(),
        direction: None,
        bytes: 16,
        parallelism: 1,
        peer: peer.into(),
        version: version.into(),
        kind,
    }
}

const OURS: (&str, &str) = ("icefish", "0.1.0");

/// Rows of every kind, with peers: enough for a page that looks like a real one.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (backend, lanes, latency, bulk, floor) in [
        ("scalar", 1, 98.0, 98.0, None),
        ("avx2", 8, 70.0, 18.4, Some(1.05)),
        ("avx512", 16, 31.3, 6.7, Some(0.383)),
    ] {
        let id = Identity {
            bytes: 48,
            parallelism: lanes,
            ..identity("xoodoo", OURS, backend, Kind::Core)
        };
        let row = Row::new(id, machine()).with_latency(Some(metric(latency)));
        rows.push(row.with_throughput(Some(metric(bulk))).with_floor(floor));
    }
    let id = Identity { bytes: 48, ..identity("xoodoo", ("xoodoo", "0.1.0"), "", Kind::Core) };
    rows.push(
        Row::new(id, machine())
            .with_latency(Some(metric(103.0)))
            .with_throughput(Some(metric(101.0))),
    );

    let codes = [
        (OURS, "avx512", 15.0, 0.21),
        (OURS, "avx2", 17.0, 0.31),
        (OURS, "scalar", 90.0, 5.1),
        (("OpenSSL", "4.0.0"), "", 72.0, 0.214),
        (("aws-lc-rs", "1.15.0"), "", 32.0, 0.212),
        (("RustCrypto aes", "0.9.4"), "", 12.0, 0.222),
        (("Botan", "3.13.0"), "", 46.0, 0.35),
        (("libgcrypt", "1.10.1"), "", 24.0, 0.215),
    ];
    for (peer, backend, fixed, per_byte) in codes {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            for exponent in (4..=24).step_by(2) {
                let mut id = identity("aes-128-ctr", peer, backend, Kind::Sizes);
                (id.bytes, id.direction) = (1 << exponent, Some(direction));
                let ns = fixed + per_byte * id.bytes as f64;
                rows.push(Row::new(id, machine()).with_throughput(Some(metric(ns))));
            }
        }
        for (kind, bytes) in [(Kind::Throughput, 16384), (Kind::Memory, 256 << 20)] {
            let id = Identity {
                bytes,
                direction: Some(Direction::Decrypt),
                ..identity("aes-128-cbc", peer, backend, kind)
            };
            let metric = metric(fixed + per_byte * bytes as f64);
            rows.push(
                Row::new(id, machine()).with_throughput(Some(metric)).with_floor(Some(0.625)),
            );
        }
    }
    rows
}

/// A fresh folder for one test, below the target folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

pub(crate) fn program(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_icefish-bench"))
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
