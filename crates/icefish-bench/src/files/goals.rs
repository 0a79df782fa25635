//! What hashing of files must reach.

use std::fmt::Write as _;

use icefish_bench::format::number;
use icefish_bench::row::Row;

/// A side of ours, whose time may be at most so much of another's.
struct Goal {
    many: bool,
    /// The hash and the program.
    ours: (&'static str, &'static str),
    other: &'static str,
    most: f64,
}

/// Those for this CPU: BLAKE3 has lanes of 32 bits, twice as many as Skein has, and AVX2 has no rotations.
fn goals() -> [Goal; 3] {
    let beside_blake3 = if is_wide() { 1.0 } else { 2.0 };
    [
        Goal { many: true, ours: ("skein-512", "icefish"), other: "sha512sum", most: 1.0 / 3.0 },
        Goal {
            many: true,
            ours: ("skein-512", "icefish on one core"),
            other: "b3sum --num-threads 1",
            most: beside_blake3,
        },
        Goal {
            many: false,
            ours: ("skein-512-tree", "icefish"),
            other: "cp to /dev/null",
            most: 1.1,
        },
    ]
}

/// Whether this CPU has AVX-512.
#[cfg(feature = "ours")]
fn is_wide() -> bool {
    icefish::Backend::best().name().starts_with("avx512")
}

#[cfg(not(feature = "ours"))]
fn is_wide() -> bool {
    false
}

/// A line for each goal whose sides were measured; empty if there is none.
pub(super) fn table(rows: &[Row]) -> String {
    let find = |many: bool, by: &str, what: Option<&str>| {
        let fits = |row: &&Row| {
            (row.id.parallelism > 1) == many
                && row.id.peer == by
                && row.id.direction.is_none()
                && what.is_none_or(|what| row.id.primitive == what)
        };
        rows.iter().find(fits)?.throughput_ns()
    };
    let mut text = String::new();
    for Goal { many, ours: (what, by), other, most } in goals() {
        let (Some(ours), Some(beside)) = (find(many, by, Some(what)), find(many, other, None))
        else {
            continue;
        };
        let (reached, met) = (ours / beside, if ours / beside <= most { "yes" } else { "no" });
        let data = if many { "many files" } else { "one file" };
        let (reached, most) = (number(reached), number(most));
        let _ =
            writeln!(text, "| {what}, {data} | {by} | {other} | {reached}x | {most}x | {met} |");
    }
    if text.is_empty() {
        return text;
    }
    format!("\n| hash | program | beside | time | goal | met |\n|---|---|---|--:|--:|---|\n{text}")
}
