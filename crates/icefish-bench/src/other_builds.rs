//! `icefish-bench run --builds` and `--as`: peers that choose their instructions when they are compiled, compiled again for
//! other CPUs and run in processes of their own. With `--as`, icefish is compiled in the same way, too.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use icefish_bench::Error;
use icefish_bench::contest::{self, Outputs};
use icefish_bench::limits::Limit;
use icefish_bench::row::{self, Row};

/// The features that have such peers, of those of this build.
const FEATURES: &[(&str, bool)] = &[
    ("peer-rustcrypto", cfg!(feature = "peer-rustcrypto")),
    ("peer-icefast", cfg!(feature = "peer-icefast")),
    ("peer-threefish-cipher", cfg!(feature = "peer-threefish-cipher")),
    ("peer-xoodyak", cfg!(feature = "peer-xoodyak")),
    ("peer-xoodoo", cfg!(feature = "peer-xoodoo")),
    ("peer-xoofff", cfg!(feature = "peer-xoofff")),
    ("parallel", cfg!(feature = "parallel")),
];

/// Another build of this program.
pub(crate) struct Build {
    /// Of its folder, and in messages.
    name: String,
    /// For the compiler.
    environment: Vec<(&'static str, String)>,
    /// Whether icefish is in it. It chooses at run time, but inlines single blocks of AES where it is compiled for their instructions.
    ours: bool,
}

impl Build {
    /// With `-C target-cpu=<cpu>`.
    pub(crate) fn for_cpu(cpu: &str) -> Self {
        let flags = format!("-C target-cpu={cpu}");
        Self { name: cpu.to_owned(), environment: vec![("RUSTFLAGS", flags)], ours: false }
    }

    /// With no more instructions than this.
    pub(crate) fn held_to(limit: &Limit) -> Self {
        let name = format!("as-{}", limit.name);
        Self { name, environment: limit.build_environment().to_vec(), ours: true }
    }
}

/// The rows that a build makes, which must compute these outputs. `measurement` says what is measured, as arguments of
/// `icefish-bench run`.
pub(crate) fn rows(
    build: &Build,
    filters: &[String],
    measurement: &[String],
    outputs: &Outputs,
) -> Result<Vec<Row>, Error> {
    if !contest::contests(filters).iter().any(contest::may_have_compiled_peers) {
        return Ok(Vec::new());
    }
    let folder = folder(build)?;
    compile(build, &folder)?;
    let (expected, csv) = (folder.join("outputs.csv"), folder.join("peers.csv"));
    outputs.write_csv(&expected)?;
    let mut run = Command::new(folder.join("release").join("icefish-bench"));
    run.arg("run").args(measurement).arg("--peers-only").arg(&expected);
    run.arg("-o").arg(&csv);
    run.stdout(Stdio::null());
    finished(run.status(), build, "run")?;
    row::read_csv(&csv)
}

/// Beside the folder of this build.
fn folder(build: &Build) -> Result<PathBuf, Error> {
    let program = env::current_exe().ok();
    let target = program.as_deref().and_then(Path::parent).and_then(Path::parent);
    let target = target.ok_or_else(|| failure(build, "find the folder for"))?;
    Ok(target.join(format!("peers-{}", build.name)))
}

fn compile(build: &Build, folder: &Path) -> Result<(), Error> {
    // Cargo sets both for what it runs.
    let (Some(cargo), Some(manifest)) = (env::var_os("CARGO"), env::var_os("CARGO_MANIFEST_DIR"))
    else {
        return Err(Error::NoCargo);
    };
    let ours = [("ours", build.ours)];
    let features = FEATURES.iter().chain(&ours).filter(|(_, on)| *on);
    let features: Vec<&str> = features.map(|(name, _)| *name).collect();
    let mut command = Command::new(cargo);
    command
        .args(["build", "--release", "--package", "icefish-bench"])
        .args(["--no-default-features", "--features"])
        .arg(features.join(","))
        .current_dir(manifest)
        .env("CARGO_TARGET_DIR", folder)
        .envs(build.environment.iter().map(|(name, value)| (name, value)));
    finished(command.status(), build, "build")
}

fn finished(status: std::io::Result<ExitStatus>, build: &Build, what: &str) -> Result<(), Error> {
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(failure(build, what)),
    }
}

fn failure(build: &Build, what: &str) -> Error {
    Error::OtherBuild { what: what.to_owned(), name: build.name.clone() }
}
