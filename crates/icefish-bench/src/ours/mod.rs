//! Our side of the contests: the library's calls, by type and by name, and the kernels behind them.

mod constructions;
#[cfg(target_arch = "x86_64")]
pub mod forms;
mod kernel;
mod work;

pub(crate) use icefish_measure::cases::gains;
pub use kernel::{kernel, named};
pub use work::{many, one, threads};
