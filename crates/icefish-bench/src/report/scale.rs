//! From values to places on a plot.

/// A logarithmic axis: equal ratios are equal lengths.
pub(super) struct Log {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Log {
    /// Puts `low` at `from` and `high` at `to`; all are positive, and `low < high`.
    pub(super) fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        Self { low: low.ln(), high: high.ln(), from, to }
    }

    /// The place of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        self.from + (value.ln() - self.low) / (self.high - self.low) * (self.to - self.from)
    }
}

/// The largest number 1, 2 or 5 times a power of ten that is at most `value`.
pub(super) fn below(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    // 1.000001: a value that is such a number itself must not fall through rounding.
    let factor = [5.0, 2.0, 1.0].into_iter().find(|f| f * decade <= value * 1.000_001);
    factor.unwrap_or(1.0) * decade
}

/// The smallest such number that is at least `value`.
pub(super) fn above(value: f64) -> f64 {
    let low = below(value);
    if low >= value / 1.000_001 { low } else { next(low) }
}

fn next(tick: f64) -> f64 {
    let decade = 10_f64.powf((tick * 1.000_001).log10().floor());
    let factor = if (tick / decade).round() == 2.0 { 2.5 } else { 2.0 };
    tick * factor
}

/// Ticks from `low` to `high`, both of the form 1, 2, 5; only powers of ten if the others are too many.
pub(super) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let mut all = vec![low];
    let mut tick = low;
    while tick < high * 0.999 {
        tick = next(tick);
        all.push(tick);
    }
    if all.len() > 8 {
        let tens: Vec<f64> =
            all.iter().copied().filter(|t| (t.log10() - t.log10().round()).abs() < 1e-6).collect();
        if tens.len() >= 2 {
            return tens;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a / b - 1.0).abs() < 1e-9
    }

    #[test]
    fn equal_ratios_are_equal_lengths() {
        let axis = Log::new((1.0, 100.0), (0.0, 200.0));
        assert!(axis.place(1.0).abs() < 1e-9);
        assert!(close(axis.place(10.0), 100.0));
        assert!(close(axis.place(100.0), 200.0));
    }

    #[test]
    fn round_numbers_around_a_value() {
        for (value, low, high) in [
            (0.37, 0.2, 0.5),
            (1.0, 1.0, 1.0),
            (6.85, 5.0, 10.0),
            (0.02, 0.02, 0.02),
            (1300.0, 1000.0, 2000.0),
        ] {
            assert!(close(below(value), low), "{value}: {}", below(value));
            assert!(close(above(value), high), "{value}: {}", above(value));
        }
    }

    #[test]
    fn ticks_are_one_two_five_or_decades() {
        let near = |got: Vec<f64>, expected: &[f64]| {
            assert_eq!(got.len(), expected.len(), "{got:?}");
            assert!(got.iter().zip(expected).all(|(a, b)| close(*a, *b)), "{got:?}");
        };
        near(ticks(0.2, 5.0), &[0.2, 0.5, 1.0, 2.0, 5.0]);
        near(ticks(0.02, 20.0), &[0.1, 1.0, 10.0]);
        near(ticks(1.0, 2.0), &[1.0, 2.0]);
    }
}
