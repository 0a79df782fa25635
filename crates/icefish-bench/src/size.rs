//! `icefish-bench size` without a program: builds it.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use icefish_bench::Error;

/// The program in this build's own target folder, up to date.
pub(crate) fn build() -> Result<PathBuf, Error> {
    // Cargo sets both for what it runs.
    let (Some(cargo), Some(manifest)) = (env::var_os("CARGO"), env::var_os("CARGO_MANIFEST_DIR"))
    else {
        return Err(Error::NoCargo);
    };
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--package", "icefish-cli", "--bin", "icefish"]);
    let done = build.current_dir(manifest).status().is_ok_and(|status| status.success());
    // This program may be of another profile.
    let target = env::current_exe().ok().and_then(|path| Some(path.parent()?.parent()?.to_owned()));
    let program = done.then_some(target).flatten().ok_or(Error::Build)?;
    Ok(program.join("release").join(format!("icefish{}", env::consts::EXE_SUFFIX)))
}
