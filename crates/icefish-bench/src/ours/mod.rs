//! Our side of the contests: the library's calls, by type and by name, and the kernels behind them.

mod constructions;
#[cfg(target_arch = "x86_64")]
pub mod forms;
mod kernel;
mod work;

use icefish::Backend;

pub(crate) use icefish_measure::cases::gains;
pub use kernel::{kernel, named};
pub use work::{many, one, threads};

/// Whether `backend` has AES instructions.
pub(crate) fn has_aes(backend: Backend) -> bool {
    let name = backend.name();
    name != "scalar" && !name.ends_with("_noaes")
}
