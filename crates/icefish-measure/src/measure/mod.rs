//! Measures the entries of a group, taking turns.
//!
//! Ours and the peers it is held against belong to one [`Group`]. They run in slices of a few
//! milliseconds, A B C A B C ..., so that whatever happens to the machine happens to all of them. A slice
//!
//! 1. runs the entry untimed for a while: caches fill, and a core that changes its frequency for wide
//!    vector code has done so (that takes up to half a millisecond);
//! 2. takes samples of about 150 µs, with the core clock calibrated between them, so that each sample has
//!    a frequency before and one after it. If these two differ by more than 2 %, the frequency changed on
//!    the way and the sample is dropped. So it is if another thread of the core disturbed one of the two
//!    calibrations. Otherwise the sample's cycles are its time times the higher of the two frequencies, so
//!    that an interrupted calibration cannot make the code look better than it is.
//!
//! A sample so short seldom meets an interrupt; one that does moves the lower quartile and the median little.

mod entry;
mod turns;

pub use entry::{Entry, Group, Mismatch};
pub use turns::{Progress, measure};

use std::time::Duration;

use crate::stats::Spread;

/// How long and how carefully to measure. All the times are wall time.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time for each entry that is not far behind. Every entry gets [`rounds`](Self::rounds) slices in any case, and one
    /// short of good samples takes up to five times as long.
    pub budget: Duration,
    /// Slices that each entry gets at least.
    pub rounds: u32,
    /// Aim for the length of one sample.
    pub sample: Duration,
    /// Samples in a slice.
    pub slice_samples: u32,
    /// A slice takes no further sample after this time, however few it has: slow entries.
    pub slice: Duration,
    /// Untimed running at the start of a slice.
    pub warm_up: Duration,
    /// Largest relative change of the clock during a sample that is kept.
    pub tolerance: f64,
    /// Samples kept below which an entry goes on after its budget.
    pub enough: u32,
}

impl Settings {
    /// For figures that are published: 0.1 s an entry. With 0.12 s and with twice that, two runs agreed equally well.
    #[must_use]
    pub fn full() -> Self {
        Self {
            budget: Duration::from_millis(100),
            rounds: 3,
            sample: Duration::from_micros(150),
            slice_samples: 8,
            slice: Duration::from_millis(5),
            warm_up: Duration::from_micros(700),
            tolerance: 0.02,
            enough: 24,
        }
    }

    /// For a look: 8 ms an entry.
    #[must_use]
    pub fn quick() -> Self {
        Self { budget: Duration::from_millis(8), rounds: 2, enough: 6, ..Self::full() }
    }

    /// The same with another budget for an entry.
    #[must_use]
    pub fn with_budget(self, budget: Duration) -> Self {
        Self { budget, ..self }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::full()
    }
}

/// The result for one entry. All figures are for *one operation*.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Time of one operation, in ns.
    pub ns: Spread,
    /// Core cycles of one operation.
    pub cycles: Spread,
    /// Median core frequency during the samples, in GHz.
    pub clock_ghz: f64,
    /// Samples used.
    pub kept: u32,
    /// Samples dropped because the frequency changed during them, or was not found.
    pub dropped: u32,
}

impl Metric {
    /// The time of one operation in ns, at a clock of `ghz`: what ratios are made of. The smallest times by
    /// themselves belong to moments of a high clock, which are others in every run.
    #[must_use]
    pub fn ns_at(&self, ghz: f64) -> f64 {
        if ghz > 0.0 { self.cycles.low / ghz } else { self.ns.low }
    }
}

/// The clock changed during every sample of an entry, or was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the core's clock changed or was disturbed during all {dropped} samples")]
pub struct Unsteady {
    /// Samples taken, and dropped.
    pub dropped: u32,
}
