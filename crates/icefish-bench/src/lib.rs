//! Measurement for icefish: how many core cycles a byte costs, believably, on this machine.
//!
//! All but [`ours`], [`peers`], [`contest`] and [`goals`] know nothing of any cipher: they take closures
//! that run something `n` times and give back numbers, tables, files and a page:
//!
//! | module | what it does |
//! |---|---|
//! | [`clock`] | measures the core frequency, in windows of about 130 µs |
//! | [`measure`] | alternates the entries of a group, in short samples; minimum and median |
//! | [`identity`], [`row`] | what was measured, and the result; JSON and CSV |
//! | [`machine`] | CPU, compiler, date, command: what a figure means nothing without |
//! | `ours` | what there is of icefish to measure; behind a feature, because compiling it takes long |
//! | [`peers`] | other people's code, each library behind a feature |
//! | [`contest`] | ours beside the peers at the same work: what `run` measures |
//! | [`limits`] | no more instructions than one backend has |
//! | [`floor`] | what the core cannot get below |
//! | [`table`] | rows for a terminal |
//! | [`compare`] | two runs: what became slower beyond noise |
//! | [`agreement`] | two runs: whether the ratios to the peers stayed |
//! | [`duel`] | ours beside the best peer |
//! | [`goals`] | what a run must reach, and what it does not |
//! | [`opinion`] | what `openssl speed` says of what was measured of OpenSSL |
//! | [`code`] | how much machine code the program has, and what for |
//! | [`report`] | one self-contained HTML page |
//! | [`results`] | runs that are kept |
//! | [`readme`] | their tables in Markdown, put between markers |
//!
//! Times are in nanoseconds (ns), frequencies in GHz, so that ns × GHz is core cycles. `GB/s` is
//! 10⁹ bytes a second.

#![warn(missing_docs)]

pub mod agreement;
pub mod clock;
pub mod code;
pub mod compare;
pub mod contest;
pub mod duel;
mod error;
pub mod floor;
pub mod format;
pub mod goals;
pub mod identity;
pub mod limits;
pub mod machine;
pub mod measure;
pub mod opinion;
#[cfg(feature = "ours")]
pub mod ours;
pub mod peers;
pub mod readme;
pub mod report;
pub mod results;
pub mod row;
pub mod stats;
pub mod table;

#[cfg(test)]
mod samples;

pub use error::Error;
