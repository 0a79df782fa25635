//! The goals of AES and its modes.

use super::Unit::{CyclesPerByte, Ns, NsBeyond, TimesPeer, TimesSlower};
use super::lines::line;
use super::select::{DEC, ENC, against, bulk, call, chained, of, on, sized};
use super::{Line, Unit};
use crate::identity::Kind;

const C_LIBRARIES: &[&str] = &["openssl", "libgcrypt"];

const CALL: Unit = TimesSlower("aes-128-cbc kernel", "x kernel");

pub(super) const LINES: &[Line] = &[
    line(
        "AES",
        ("aes-cbc-enc", "AES-128-CBC encryption, 16 KiB"),
        CyclesPerByte,
        2.58,
        &[sized("aes-128-cbc", ENC, 16_384)],
    ),
    line(
        "AES",
        ("aes-cbc-enc-16", "AES-128-CBC encryption, 16 B"),
        Ns,
        21.0,
        &[sized("aes-128-cbc", ENC, 16)],
    ),
    line(
        "AES",
        ("aes-cbc-enc-many", "AES-128-CBC encryption, 8 messages of 16 KiB"),
        CyclesPerByte,
        0.66,
        &[of(Kind::Many, bulk("aes-128-cbc", ENC))],
    ),
    line(
        "AES",
        ("aes-cbc-dec", "AES-128-CBC decryption, 16 KiB"),
        CyclesPerByte,
        0.645,
        &[sized("aes-128-cbc", DEC, 16_384)],
    ),
    line(
        "AES",
        ("aes-ctr", "AES-128-CTR, 16 KiB"),
        CyclesPerByte,
        0.645,
        &[sized("aes-128-ctr", None, 16_384)],
    ),
    line(
        "AES",
        ("aes-ecb", "AES-128-ECB, 16 KiB"),
        CyclesPerByte,
        0.645,
        &[sized("aes-128-ecb", ENC, 16_384)],
    ),
    line(
        "AES",
        ("aes-cbc-dec-16", "AES-128-CBC decryption, 16 B"),
        Ns,
        16.0,
        &[sized("aes-128-cbc", DEC, 16)],
    ),
    line(
        "AES",
        ("aes-serial-sizes", "CBC, CFB, OFB encryption, the worst size, by OpenSSL and libgcrypt"),
        TimesPeer,
        1.0,
        &[
            against(C_LIBRARIES, of(Kind::Sizes, bulk("aes-128-cbc", ENC))),
            against(C_LIBRARIES, of(Kind::Sizes, bulk("aes-128-cfb", ENC))),
            against(C_LIBRARIES, of(Kind::Sizes, bulk("aes-128-ofb", None))),
        ],
    ),
    line(
        "AES",
        ("aes-parallel-16", "ECB, CTR, CBC decryption, 16 B, the worst, by RustCrypto"),
        TimesPeer,
        1.0,
        &[
            against(&["rustcrypto"], sized("aes-128-ecb", ENC, 16)),
            against(&["rustcrypto"], sized("aes-128-ctr", None, 16)),
            against(&["rustcrypto"], sized("aes-128-cbc", DEC, 16)),
        ],
    ),
    line("AES", ("aes-ctr-16", "AES-128-CTR, 16 B"), Ns, 24.0, &[sized("aes-128-ctr", None, 16)]),
    line("AES", ("aes-ecb-16", "AES-128-ECB, 16 B"), Ns, 16.0, &[sized("aes-128-ecb", ENC, 16)]),
    line(
        "AES",
        ("aes-call-1", "call over kernel, CBC encryption, 1 block"),
        CALL,
        1.15,
        &[call("aes-128-cbc", 16)],
    ),
    line(
        "AES",
        ("aes-call", "the same, the worst of 2, 4 and 8 blocks"),
        CALL,
        1.05,
        &[call("aes-128-cbc", 32), call("aes-128-cbc", 64), call("aes-128-cbc", 128)],
    ),
    line(
        "AES",
        ("aes-call-name-1", "call by name over kernel, 1 block"),
        CALL,
        1.15,
        &[call("aes-128-cbc by name", 16)],
    ),
    line(
        "AES",
        ("aes-call-name", "the same, the worst of 2, 4 and 8 blocks"),
        CALL,
        1.05,
        &[
            call("aes-128-cbc by name", 32),
            call("aes-128-cbc by name", 64),
            call("aes-128-cbc by name", 128),
        ],
    ),
    line(
        "AES",
        ("aes-key-setup", "key setup and AES-128-CBC encryption, 16 B"),
        Ns,
        60.0,
        &[chained("aes-128-cbc with key setup", None)],
    ),
    line(
        "AES",
        ("aes-gcm", "AES-256-GCM, 16 KiB"),
        CyclesPerByte,
        1.5,
        &[bulk("aes-256-gcm", ENC)],
    ),
    line(
        "AES",
        ("aes-gcm-name", "AES-256-GCM by name, 16 B, over the static type"),
        NsBeyond("aes-256-gcm", "ns more than the static type"),
        3.0,
        &[call("aes-256-gcm by name", 16)],
    ),
    line(
        "AES",
        ("aes-avx2-noaes", "AES-128-CTR without AES instructions, AVX2"),
        CyclesPerByte,
        2.6,
        &[on("avx2_noaes", sized("aes-128-ctr", None, 16_384))],
    ),
    line(
        "AES",
        ("aes-avx512-noaes", "AES-128-CTR without AES instructions, AVX-512"),
        CyclesPerByte,
        1.7,
        &[on("avx512_noaes", sized("aes-128-ctr", None, 16_384))],
    ),
    line(
        "AES",
        ("aes-serial-avx2-noaes", "AES-128-CBC encryption without AES instructions, AVX2"),
        CyclesPerByte,
        13.0,
        &[on("avx2_noaes", sized("aes-128-cbc", ENC, 16_384))],
    ),
    line(
        "AES",
        ("aes-serial-avx512-noaes", "AES-128-CBC encryption without AES instructions, AVX-512"),
        CyclesPerByte,
        13.0,
        &[on("avx512_noaes", sized("aes-128-cbc", ENC, 16_384))],
    ),
];
