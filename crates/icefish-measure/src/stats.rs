//! The two statistics of this crate, and what their distance says about noise.
//!
//! The lower quartile of many short samples is what the code costs when nothing disturbs it; the median shows how typical that was.
//! A mean would mostly measure the neighbours on the machine. A minimum would be the sample with the largest error: cycles are
//! time, multiplied by a clock that is measured before and after.

use serde::{Deserialize, Serialize};

/// Lower quartile and median of one quantity; the unit is the field's that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// A quarter of the values are at most this.
    pub low: f64,
    /// The middle value.
    pub median: f64,
}

impl Spread {
    /// Lower quartile and median of `values`, which are sorted on the way; `None` if there are none. Of up to four values, the lower
    /// quartile is the smallest.
    pub fn of(values: &mut [f64]) -> Option<Self> {
        let median = median(values)?;
        Some(Self { low: values[(values.len() - 1) / 4], median })
    }

    /// `(median - low) / low`: 0.03 means that the typical sample took 3 % longer than a good one.
    #[must_use]
    pub fn relative(&self) -> f64 {
        if self.low > 0.0 { (self.median - self.low) / self.low } else { 0.0 }
    }

    /// Both values divided by `divisor`.
    #[must_use]
    pub fn per(&self, divisor: f64) -> Self {
        Self { low: self.low / divisor, median: self.median / divisor }
    }
}

/// The middle value (the mean of the two middle ones if their number is even); sorts `values`.
pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.is_empty() {
        None
    } else if values.len() % 2 == 1 {
        Some(values[middle])
    } else {
        Some((values[middle - 1] + values[middle]) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nothing_there_is_nothing() {
        assert_eq!(median(&mut []), None);
        assert_eq!(Spread::of(&mut []), None);
    }

    #[test]
    fn lower_quartile_and_median() {
        assert_eq!(Spread::of(&mut [3.0, 1.0, 2.0]), Some(Spread { low: 1.0, median: 2.0 }));
        let mut values: Vec<f64> = (0..=100).rev().map(f64::from).collect();
        assert_eq!(Spread::of(&mut values), Some(Spread { low: 25.0, median: 50.0 }));
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&mut [7.0]), Some(7.0));
    }

    #[test]
    fn relative_spread_is_a_fraction_of_the_lower_quartile() {
        let spread = Spread { low: 100.0, median: 103.0 };
        assert!((spread.relative() - 0.03).abs() < 1e-12);
        assert_eq!(Spread { low: 0.0, median: 1.0 }.relative(), 0.0);
        assert_eq!(spread.per(2.0), Spread { low: 50.0, median: 51.5 });
    }
}
