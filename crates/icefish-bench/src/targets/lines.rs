//! The goals, a line each; those of AES are in `aes`.

use super::Unit::{
    Cycles, CyclesBeyond, CyclesPerByte, GbPerS, Ns, NsBeyond, TimesKind, TimesPeer, TimesSlower,
};
use super::select::{DEC, ENC, Select, against, built, bulk, chained, of, on, sized};
use super::{Line, Unit};
use crate::identity::Kind;

const CRATES: &[&str] = &["rustcrypto", "threefish-cipher"];
const SEED: &[&str] = &["avxfish form"];

pub(super) const FILE: Select = sized("thin-ice-ecb", ENC, 80_000);
pub(super) const LARGE: Select = sized("thin-ice-ecb", ENC, 16 << 20);
const ALL_SIZES: Select = Select { bytes: None, ..FILE };

pub(super) const fn line(
    area: &'static str,
    (id, description): (&'static str, &'static str),
    unit: Unit,
    goal: f64,
    selects: &'static [Select],
) -> Line {
    Line { id, area, description, unit, goal, selects }
}

pub(super) const LINES: &[Line] = &[
    line("ICE", ("ice-file", "Thin-ICE, 80,000 B, one thread"), TimesPeer, 7.0, &[FILE]),
    line("ICE", ("ice-large", "Thin-ICE, 16 MiB, one thread"), GbPerS, 2.0, &[LARGE]),
    line(
        "ICE",
        ("ice-avx2", "Thin-ICE, 80,000 B, AVX2"),
        TimesPeer,
        3.0,
        &[built(&["", "x86-64-v3"], on("avx2", FILE))],
    ),
    line(
        "ICE",
        ("ice-scalar", "Thin-ICE, 80,000 B, no SIMD"),
        TimesPeer,
        1.0,
        &[built(&[""], on("scalar", FILE))],
    ),
    line("ICE", ("ice-sizes", "Thin-ICE, the worst size"), TimesPeer, 1.0 / 1.15, &[ALL_SIZES]),
    line(
        "ICE",
        ("ice-threads", "Thin-ICE, 16 MiB, two threads"),
        TimesKind(Kind::Sizes, "x one thread"),
        1.85,
        &[of(Kind::Threads, LARGE)],
    ),
    line(
        "ICE",
        ("ice-many", "5,000 messages of 100 B to 4 KiB, one call"),
        TimesPeer,
        3.0,
        &[of(Kind::Many, FILE)],
    ),
    line(
        "ICE",
        ("ice-one-0", "one block, chained, Thin-ICE"),
        TimesPeer,
        1.0 / 1.05,
        &[chained("thin-ice-ecb", ENC)],
    ),
    line(
        "ICE",
        ("ice-one-1", "one block, chained, level 1"),
        TimesPeer,
        1.0 / 1.05,
        &[chained("ice-1-ecb", ENC)],
    ),
    line(
        "ICE",
        ("ice-one-2", "one block, chained, level 2"),
        TimesPeer,
        1.0 / 1.05,
        &[chained("ice-2-ecb", ENC)],
    ),
    line(
        "ICE",
        ("ice-key", "key schedule, Thin-ICE"),
        NsBeyond("thin-ice-ecb", "ns more than a block"),
        600.0,
        &[chained("thin-ice-ecb with key setup", None)],
    ),
    line(
        "Threefish",
        ("threefish-1024-enc", "1024, bulk, encryption"),
        CyclesPerByte,
        1.20,
        &[bulk("threefish-1024-ecb", ENC)],
    ),
    line(
        "Threefish",
        ("threefish-1024-dec", "1024, bulk, decryption"),
        CyclesPerByte,
        1.22,
        &[bulk("threefish-1024-ecb", DEC)],
    ),
    line(
        "Threefish",
        ("threefish-1024-ctr", "1024, bulk, CTR"),
        CyclesPerByte,
        1.17,
        &[bulk("threefish-1024-ctr", None)],
    ),
    line(
        "Threefish",
        ("threefish-512-enc", "512, bulk, encryption"),
        CyclesPerByte,
        1.10,
        &[bulk("threefish-512-ecb", ENC)],
    ),
    line(
        "Threefish",
        ("threefish-256-enc", "256, bulk, encryption"),
        CyclesPerByte,
        1.10,
        &[bulk("threefish-256-ecb", ENC)],
    ),
    line(
        "Threefish",
        ("threefish-memory", "1024, 1 GiB from memory, one thread"),
        TimesPeer,
        2.8,
        &[against(SEED, of(Kind::Memory, bulk("threefish-1024-ecb", ENC)))],
    ),
    line(
        "Threefish",
        ("threefish-one-enc", "1024, one block, chained, encryption"),
        Cycles,
        335.0,
        &[chained("threefish-1024-ecb", ENC)],
    ),
    line(
        "Threefish",
        ("threefish-one-dec", "1024, one block, chained, decryption"),
        Cycles,
        440.0,
        &[chained("threefish-1024-ecb", DEC)],
    ),
    line(
        "Threefish",
        ("threefish-avx2", "1024, bulk, AVX2"),
        CyclesPerByte,
        2.4,
        &[on("avx2", bulk("threefish-1024-ecb", ENC))],
    ),
    line(
        "Threefish",
        ("threefish-crates", "the worst variant and direction, bulk, against the crates"),
        TimesPeer,
        2.5,
        &[
            against(CRATES, bulk("threefish-256-ecb", ENC)),
            against(CRATES, bulk("threefish-256-ecb", DEC)),
            against(CRATES, bulk("threefish-512-ecb", ENC)),
            against(CRATES, bulk("threefish-512-ecb", DEC)),
            against(CRATES, bulk("threefish-1024-ecb", ENC)),
            against(CRATES, bulk("threefish-1024-ecb", DEC)),
        ],
    ),
    line(
        "Threefish",
        ("threefish-tweaks", "1024, bulk, a tweak for each block"),
        TimesSlower("threefish-1024-ecb", "x one tweak"),
        1.08,
        &[bulk("threefish-1024 sector", ENC)],
    ),
    line(
        "Threefish",
        ("threefish-key", "key schedule, 1024"),
        CyclesBeyond("threefish-1024-ecb"),
        512.0,
        &[chained("threefish-1024-ecb with key setup", None)],
    ),
    line(
        "Xoodoo",
        ("xoodoo-sliced", "16 states at once, sliced, AVX-512"),
        CyclesPerByte,
        0.43,
        &[on("avx512", bulk("xoodoo sliced", None))],
    ),
    line(
        "Xoodoo",
        ("xoodoo-bulk", "16 states at once, contiguous, AVX-512"),
        CyclesPerByte,
        0.57,
        &[on("avx512", bulk("xoodoo", None))],
    ),
    line(
        "Xoodoo",
        ("xoodoo-avx2", "8 states at once, AVX2"),
        CyclesPerByte,
        1.15,
        &[on("avx2", bulk("xoodoo sliced", None))],
    ),
    line(
        "Xoodoo",
        ("xoodoo-one", "one permutation, chained"),
        Ns,
        38.0,
        &[chained("xoodoo", None)],
    ),
    line(
        "Xoodoo",
        ("xoodoo-one-scalar", "one permutation, chained, no SIMD"),
        Ns,
        98.0,
        &[on("scalar", chained("xoodoo", None))],
    ),
    line(
        "Xoodoo",
        ("xoodoo64-bulk", "Xoodoo64, 2 x 8 states, AVX-512"),
        CyclesPerByte,
        0.42,
        &[on("avx512", bulk("xoodoo64 sliced", None))],
    ),
    line(
        "Xoodoo",
        ("xoodoo64-avx2", "Xoodoo64, 4 states, AVX2"),
        CyclesPerByte,
        1.48,
        &[on("avx2", bulk("xoodoo64 sliced", None))],
    ),
    line(
        "Xoodoo",
        ("xoofff-expand", "Xoofff expansion, 64 KiB, AVX-512"),
        CyclesPerByte,
        0.32,
        &[on("avx512", bulk("xoofff expand", None))],
    ),
    line(
        "Xoodoo",
        ("xoofff-compress", "Xoofff compression, 64 KiB, AVX-512"),
        CyclesPerByte,
        0.32,
        &[on("avx512", bulk("xoofff compress", None))],
    ),
    line(
        "Xoodoo",
        ("xoodyak-hash", "Xoodyak hash, 16 KiB"),
        CyclesPerByte,
        7.2,
        &[bulk("xoodyak hash", None)],
    ),
    line(
        "Xoodoo",
        ("xoodyak-aead", "Xoodyak AEAD, 16 KiB"),
        CyclesPerByte,
        5.0,
        &[bulk("xoodyak aead", ENC)],
    ),
    line(
        "Xoodoo",
        ("xoodyak-many", "Xoodyak hash, 16 messages at once"),
        TimesKind(Kind::Throughput, "x one message"),
        6.0,
        &[of(Kind::Many, bulk("xoodyak hash", None))],
    ),
];
