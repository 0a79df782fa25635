//! The two statistics of this crate, and what their distance says about noise.
//!
//! The minimum of many short samples is what the code costs when nothing disturbs it; the median shows how
//! typical that was. A mean would mostly measure the neighbours on the machine.

use serde::{Deserialize, Serialize};

/// Minimum and median of one quantity; the unit is the field's that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The smallest value.
    pub min: f64,
    /// The middle value.
    pub median: f64,
}

impl Spread {
    /// Minimum and median of `values`, which are sorted on the way; `None` if there are none.
    pub fn of(values: &mut [f64]) -> Option<Self> {
        let median = median(values)?;
        Some(Self { min: min(values)?, median })
    }

    /// `(median - min) / min`: 0.03 means that the typical sample took 3 % longer than the best.
    #[must_use]
    pub fn relative(&self) -> f64 {
        if self.min > 0.0 { (self.median - self.min) / self.min } else { 0.0 }
    }

    /// Both values divided by `divisor`.
    #[must_use]
    pub fn per(&self, divisor: f64) -> Self {
        Self { min: self.min / divisor, median: self.median / divisor }
    }
}

/// The smallest value, or `None` if there are none.
#[must_use]
pub fn min(values: &[f64]) -> Option<f64> {
    values.iter().copied().min_by(f64::total_cmp)
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
        assert_eq!(min(&[]), None);
        assert_eq!(median(&mut []), None);
        assert_eq!(Spread::of(&mut []), None);
    }

    #[test]
    fn minimum_and_median() {
        assert_eq!(Spread::of(&mut [3.0, 1.0, 2.0]), Some(Spread { min: 1.0, median: 2.0 }));
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&mut [7.0]), Some(7.0));
    }

    #[test]
    fn relative_spread_is_a_fraction_of_the_minimum() {
        let spread = Spread { min: 100.0, median: 103.0 };
        assert!((spread.relative() - 0.03).abs() < 1e-12);
        assert_eq!(Spread { min: 0.0, median: 1.0 }.relative(), 0.0);
        assert_eq!(spread.per(2.0), Spread { min: 50.0, median: 51.5 });
    }
}
