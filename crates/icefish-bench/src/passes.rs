//! Several processes instead of one. Where the loader puts code, stack and data differs from process to process, and with it the
//! speed of some kernels, by a third at worst; and a disturbance lasts longer than a contest. So a run is several passes, each in
//! a process of its own, and the best of them counts. All but one measure all of our backends.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::process::{Command, Stdio};

use icefish_bench::row::{self, Row, keep_faster};
use icefish_bench::{Error, clocks};

/// The rows of `passes` runs of this program with these arguments, and whether all of them computed the same.
pub(crate) fn rows(passes: u32, arguments: &[OsString]) -> Result<(Vec<Row>, bool), Error> {
    let (mut measured, mut right) = (Vec::new(), true);
    let program = env::current_exe().map_err(|_| Error::Pass)?;
    for pass in 1..=passes {
        let csv = env::temp_dir().join(format!("icefish-bench-{}-{pass}.csv", std::process::id()));
        let mut child = Command::new(&program);
        child.args(["run", "--passes", "1"]).args(arguments).arg("-o").arg(&csv);
        // The last one is for what programs do, with one backend.
        child.args((pass == passes).then_some("--usual"));
        let status = child.stdout(Stdio::null()).status().map_err(|_| Error::Pass)?;
        // 1: something was measured, and something was wrong.
        if !matches!(status.code(), Some(0 | 1)) {
            return Err(Error::Pass);
        }
        right &= status.success();
        measured.push(row::read_csv(&csv)?);
        // Nobody looks for it there; what cannot be removed is lost in a folder for such files.
        let _ = fs::remove_file(&csv);
    }
    let mut rows = Vec::new();
    measured.iter().for_each(|pass| keep_faster(&mut rows, pass.clone()));
    clocks::level(&mut rows, &measured);
    Ok((rows, right))
}
