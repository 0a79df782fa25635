//! `icefish-bench size` without a program: builds it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use icefish_bench::{Error, code};

/// The program in this build's own target folder, up to date, with its symbols.
pub(crate) fn build() -> Result<PathBuf, Error> {
    // Cargo sets both for what it runs.
    let (Some(cargo), Some(manifest)) = (env::var_os("CARGO"), env::var_os("CARGO_MANIFEST_DIR"))
    else {
        return Err(Error::NoCargo);
    };
    let mut build = Command::new(cargo);
    build.args(["build", "--profile", code::PROFILE]).args(["--package", "icefish-cli"]);
    build.args(["--bin", "icefish"]);
    let done = build.current_dir(manifest).status().is_ok_and(|status| status.success());
    done.then(code::program).flatten().ok_or(Error::Build)
}
