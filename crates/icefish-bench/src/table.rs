//! Rows for a terminal.

use std::fmt::Write as _;

use crate::format::{maybe, size};
use crate::row::Row;

/// Headings and smallest widths of the columns of numbers.
const COLUMNS: [(&str, usize); 6] = [
    ("bytes", 8),
    ("latency ns", 10),
    ("parallel", 8),
    ("throughput ns", 13),
    ("cycles/byte", 11),
    ("GB/s", 6),
];

/// The table: name, bytes of one operation, latency in ns, parallelism, throughput in ns for one operation,
/// core cycles a byte, 10⁹ bytes a second. `-` where nothing was measured. Fits 100 columns with names of
/// up to 31 characters; peers are named in brackets.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let names: Vec<String> = rows.iter().map(name).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("name".len());
    let mut text = format!("{:width$}", "name");
    for (heading, column) in COLUMNS {
        let _ = write!(text, "  {heading:>column$}");
    }
    text.push('\n');
    for (row, name) in rows.iter().zip(&names) {
        let _ = write!(text, "{name:width$}");
        for (value, (_, column)) in cells(row).iter().zip(COLUMNS) {
            let _ = write!(text, "  {value:>column$}");
        }
        text.push('\n');
    }
    text
}

fn name(row: &Row) -> String {
    if row.id.is_ours() {
        row.id.name.clone()
    } else {
        format!("{} [{}]", row.id.name, row.id.peer)
    }
}

fn cells(row: &Row) -> [String; 6] {
    [
        size(row.id.bytes),
        maybe(row.latency_ns()),
        row.id.parallelism.to_string(),
        maybe(row.throughput_ns()),
        maybe(row.cycles_per_byte()),
        maybe(row.gb_per_s()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn columns_line_up() {
        let rows = [
            samples::row("threefish1024_avx512_x8_dec", "icefish", 128, 146.2, 50.4),
            samples::row("aes", "openssl", 16384, 1.0, 12_034.0).with_latency(None),
        ];
        let expected = "\
name                            bytes  latency ns  parallel  throughput ns  cycles/byte    GB/s
threefish1024_avx512_x8_dec     128 B         146         8           50.4         1.18    2.54
aes [openssl]                  16 KiB           -         8          12034         2.20    1.36
";
        assert_eq!(table(&rows), expected);
    }

    #[test]
    fn long_names_fit_a_hundred_columns() {
        let row = samples::row(&"n".repeat(31), "icefish", 128, 146.2, 50.4);
        assert!(table(&[row]).lines().all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn a_table_of_nothing_is_its_heading() {
        assert_eq!(table(&[]).lines().count(), 1);
    }
}
