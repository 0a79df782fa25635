//! Numbers as people read them.

/// What stands where nothing was measured.
pub const NOTHING: &str = "-";

/// About three significant digits: `0.394`, `1.18`, `31.3`, `438`, `12034`.
#[must_use]
pub fn number(value: f64) -> String {
    let size = value.abs();
    // The limits are where rounding would carry into another digit.
    let decimals = match size {
        s if s >= 99.95 => 0,
        s if s >= 9.995 => 1,
        s if s >= 0.9995 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// [`number`], or [`NOTHING`].
#[must_use]
pub fn maybe(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), number)
}

/// `93 %`, or [`NOTHING`].
#[must_use]
pub fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value:.0} %"))
}

/// A number of bytes: `16 B`, `4 KiB`, `1.5 KiB`, `16 MiB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let tenths = (value * 10.0).round();
    if tenths % 10.0 == 0.0 {
        format!("{:.0} {}", tenths / 10.0, UNITS[unit])
    } else {
        format!("{:.1} {}", tenths / 10.0, UNITS[unit])
    }
}

/// The number of bytes that a user writes: `80000`, `16K`, `1M`, `2G`, in powers of 1024.
#[must_use]
pub fn parse_size(text: &str) -> Option<u64> {
    let (digits, shift) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 10),
        (at, 'm' | 'M') => (&text[..at], 20),
        (at, 'g' | 'G') => (&text[..at], 30),
        _ => (text, 0),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// So many messages of so many bytes, or of that many on average: `8 x 16 KiB`.
#[must_use]
pub fn messages(count: u64, bytes: u64) -> String {
    format!("{count} x {}", size(bytes))
}

/// A change as a percentage with its sign: `+12.3 %` for 1.123.
#[must_use]
pub fn change(ratio: f64) -> String {
    format!("{:+.1} %", (ratio - 1.0) * 100.0)
}

/// Rounds to six significant digits, which is more than any of our measurements knows. Files hold these.
#[must_use]
pub fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_about_three_digits() {
        let cases = [
            (0.0, "0.000"),
            (0.3941, "0.394"),
            (0.99951, "1.00"),
            (1.184, "1.18"),
            (9.996, "10.0"),
            (31.27, "31.3"),
            (99.96, "100"),
            (438.2, "438"),
            (12034.4, "12034"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(maybe(None), "-");
        assert_eq!((percent(Some(92.6)).as_str(), percent(None).as_str()), ("93 %", "-"));
    }

    #[test]
    fn sizes_use_binary_units() {
        let cases = [
            (0, "0 B"),
            (48, "48 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (16 << 20, "16 MiB"),
            (5 << 40, "5120 GiB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn sizes_are_written_with_suffixes() {
        let cases = [
            ("16", Some(16)),
            ("0", Some(0)),
            ("80000", Some(80_000)),
            ("16K", Some(16 << 10)),
            ("3m", Some(3 << 20)),
            ("2G", Some(2 << 30)),
            ("17179869183G", Some(17_179_869_183 << 30)),
            ("17179869184G", None),
            ("99999999999999999999", None),
        ];
        for (text, bytes) in cases {
            assert_eq!(parse_size(text), bytes, "{text}");
        }
        for text in ["", "K", "-1", "+1", "1.5K", "16 K", "16KB", "16T", "0x10", "1\u{fc}", "K16"] {
            assert_eq!(parse_size(text), None, "{text:?}");
        }
    }

    #[test]
    fn changes_carry_their_sign() {
        assert_eq!(change(1.123), "+12.3 %");
        assert_eq!(change(0.9), "-10.0 %");
    }

    #[test]
    fn rounding_keeps_six_digits_and_happens_once() {
        assert_eq!(rounded(31.299_999_237), 31.3);
        assert_eq!(rounded(0.000_123_456_789), 0.000_123_457);
        assert_eq!(rounded(123_456_789.0), 123_457_000.0);
        assert_eq!(rounded(0.0), 0.0);
        assert_eq!(rounded(rounded(1.0 / 3.0)), rounded(1.0 / 3.0));
    }
}
