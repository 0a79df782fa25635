//! Fuzzing of icefish, guided by coverage. README.md says how to run it.
//!
//! Each target is a function of bytes, which says nothing if all is well and panics if not.

mod arena;
mod border;
mod calls;
mod capi;
mod chunks;
mod data;
mod files;
mod headers;
#[cfg(feature = "openssl")]
mod libcrypto;
mod modes;
mod named;
mod open;
mod program;
mod scratch;
mod sessions;
mod stored;
mod texts;
mod traits;
mod valve;

// The program, whose modules expect to be at the root.
#[path = "../../crates/icefish-cli/src/cli.rs"]
mod cli;
#[path = "../../crates/icefish-cli/src/commands/mod.rs"]
mod commands;
#[path = "../../crates/icefish-cli/src/errors.rs"]
#[allow(dead_code, reason = "what only the main function calls")]
mod errors;
#[path = "../../crates/icefish-cli/src/hex.rs"]
mod hex;
#[path = "../../crates/icefish-cli/src/keys.rs"]
mod keys;
#[path = "../../crates/icefish-cli/src/names.rs"]
mod names;
#[path = "../../crates/icefish-cli/src/passphrases.rs"]
#[allow(unused_imports, reason = "what only signals call")]
mod passphrases;
#[path = "../../crates/icefish-cli/src/progress.rs"]
mod progress;
#[path = "../../crates/icefish-cli/src/ranges.rs"]
mod ranges;
mod selftest;
mod signals;
#[path = "../../crates/icefish-cli/src/stdio.rs"]
mod stdio;

use cap::Cap;
use icefish_spec as spec;
use std::alloc::System;

/// A function of the data of one execution.
pub type Target = fn(&[u8]);

/// With `ICEFISH_FUZZ=backends`, writes the names of the backends of this CPU, and ends the process.
pub fn list() {
    if std::env::var_os("ICEFISH_FUZZ").is_some_and(|what| what == "backends") {
        icefish::Backend::available().for_each(|backend| println!("{backend}"));
        std::process::exit(0);
    }
}

/// Every target by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("calls", calls),
    ("capi", capi),
    ("files", files),
    ("headers", headers),
    ("modes", modes),
    ("names", names),
    ("open", open),
    ("program", program),
    ("texts", texts),
];

/// The target `calls`.
pub fn calls(data: &[u8]) {
    calls::run(data);
}

/// The target `capi`.
pub fn capi(data: &[u8]) {
    capi::run(data);
}

/// The target `files`.
pub fn files(data: &[u8]) {
    files::run(data);
}

/// The target `headers`.
pub fn headers(data: &[u8]) {
    headers::run(data);
}

/// The target `modes`.
pub fn modes(data: &[u8]) {
    modes::run(data);
}

/// The target `names`.
pub fn names(data: &[u8]) {
    named::run(data);
}

/// The target `open`.
pub fn open(data: &[u8]) {
    open::run(data);
}

/// The target `program`.
pub fn program(data: &[u8]) {
    program::run(data);
}

/// The target `texts`.
pub fn texts(data: &[u8]) {
    texts::run(data);
}

/// Counts what is allocated.
#[global_allocator]
static MEMORY: Cap<System> = Cap::new(System, usize::MAX);

/// What `work` gives, which must not allocate more than `most` bytes in all.
fn within<T>(most: usize, work: impl FnOnce() -> T) -> T {
    let before = MEMORY.total_allocated();
    let out = work();
    let taken = MEMORY.total_allocated() - before;
    assert!(taken <= most, "{taken} bytes were allocated, which is more than {most}");
    out
}
