//! Measurement for icefish: how many core cycles a byte costs, believably, on this machine. What `icefish bench` and the
//! benchmark `icefish-bench` share.
//!
//! | module | what it does |
//! |---|---|
//! | [`clock`] | measures the core frequency, in windows of about 130 µs |
//! | [`measure`] | alternates the entries of a group, in short samples; lower quartile and median |
//! | [`identity`], [`row`] | what was measured, and the result; JSON |
//! | [`machine`] | CPU, compiler, date, command: what a figure means nothing without |
//! | [`table`] | rows for a terminal |
//! | `cases` | what there is of icefish to measure; all else knows nothing of any cipher |
//!
//! Times are in nanoseconds (ns), frequencies in GHz, so that ns × GHz is core cycles. `GB/s` is
//! 10⁹ bytes a second.

#[cfg(feature = "cases")]
pub mod cases;
pub mod clock;
pub mod format;
pub mod identity;
pub mod machine;
pub mod measure;
pub mod row;
#[doc(hidden)]
pub mod samples;
pub mod stats;
pub mod table;
