//! icefish beside its peers: contests, goals, and what became of them.
//!
//! Built on [`icefish_measure`], which has the clock, the samples and the table. All but [`ours`], [`peers`],
//! [`contest`] and [`goals`] know nothing of any cipher:
//!
//! | module | what it does |
//! |---|---|
//! | [`row`] | a result; JSON and CSV |
//! | `ours` | our side of the contests; behind a feature, because compiling it takes long |
//! | [`peers`] | other people's code, each library behind a feature |
//! | [`contest`] | ours beside the peers at the same work: what `run` measures |
//! | [`limits`] | no more instructions than one backend has |
//! | [`floor`] | what the core cannot get below |
//! | [`compare`] | two runs: what became slower beyond noise |
//! | [`agreement`] | two runs: whether the ratios to the peers stayed |
//! | [`clocks`] | the usual clock of each side |
//! | [`duel`] | ours beside the best peer |
//! | [`goals`] | what a run must reach, and what it does not |
//! | [`opinion`] | what `openssl speed` says of what was measured of OpenSSL |
//! | [`code`] | how much machine code the program has, and what for |
//! | [`report`] | one self-contained HTML page |
//! | [`results`] | runs that are kept |
//! | [`pages`] | their tables in Markdown, put between markers, and their pictures |

#![warn(missing_docs)]

pub mod agreement;
pub mod clocks;
pub mod code;
pub mod compare;
pub mod contest;
pub mod duel;
mod error;
pub mod floor;
pub mod goals;
pub mod limits;
pub mod opinion;
#[cfg(feature = "ours")]
pub mod ours;
mod paged;
pub mod pages;
pub mod peers;
mod primitives;
pub mod report;
pub mod results;
pub mod row;

#[cfg(test)]
use icefish_measure::samples;

pub use error::Error;
pub use icefish_measure::{clock, format, identity, machine, measure, stats, table};
