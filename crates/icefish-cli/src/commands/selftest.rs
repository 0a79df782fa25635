//! `icefish selftest`.

use crate::errors::Failure;
use crate::{selftest, stdio};
use icefish::Backend;

/// Check known answers on every backend of this CPU
///
/// They are those of the ciphers and permutations, of Skein, Xoodyak, Xoofff, AEGIS and Cobblestone, and of AES in the modes ECB,
/// CBC, CFB, CFB8, OFB, CTR, XTS, CMAC, GCM, GCM-SIV and EAX.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  icefish selftest
prints one line for each backend, and ends with exit code 1 if an answer is wrong. With --backend, that one only.")]
pub(crate) struct Args {}

/// Checks one backend, or all.
pub(crate) fn run(_: &Args, chosen: Option<Backend>) -> Result<(), Failure> {
    let backends = match chosen {
        Some(backend) => vec![backend],
        None => Backend::available().collect(),
    };
    let mut wrong = Vec::new();
    for backend in backends {
        let name = backend.name();
        let outcome = selftest::run(backend);
        let verdict = if outcome.wrong.is_empty() { "ok" } else { "WRONG" };
        let all = outcome.right + outcome.wrong.len();
        stdio::print(&format!(
            "{name:<12}  {:>3} of {all} known answers  {verdict}\n",
            outcome.right
        ))?;
        wrong.extend(outcome.wrong.iter().map(|what| format!("{what} on {name}")));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(Failure::Data(format!("wrong answers: {}; do not use this build", wrong.join(", "))))
}
