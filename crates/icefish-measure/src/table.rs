//! Rows for a terminal.

use std::fmt::Write as _;

use crate::format::{maybe, percent, size};
use crate::row::Row;

/// Headings and smallest widths of the columns of numbers; the last two only if some row has a floor.
const COLUMNS: [(&str, usize); 8] = [
    ("bytes", 8),
    ("latency ns", 10),
    ("parallel", 8),
    ("throughput ns", 13),
    ("cycles/byte", 11),
    ("GB/s", 6),
    ("floor", 6),
    ("reached", 7),
];

/// The table: name, bytes of one operation, latency in ns, parallelism, throughput in ns for one operation,
/// core cycles a byte, 10⁹ bytes a second; the floor in cycles a byte and how much of it is reached, if known. `-`
/// where nothing was measured. Without floors it fits 100 columns with names of up to 31 characters; peers are
/// named in brackets.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let names: Vec<String> = rows.iter().map(name).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max("name".len());
    let floors = rows.iter().any(|row| row.floor_cpb.is_some());
    let columns = if floors { &COLUMNS[..] } else { &COLUMNS[..COLUMNS.len() - 2] };
    let mut text = format!("{:width$}", "name");
    for (heading, column) in columns {
        let _ = write!(text, "  {heading:>column$}");
    }
    text.push('\n');
    for (row, name) in rows.iter().zip(&names) {
        let _ = write!(text, "{name:width$}");
        for (value, (_, column)) in cells(row).iter().zip(columns) {
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
        let (id, gap) = (&row.id, if row.id.backend.is_empty() { "" } else { ", " });
        format!("{} [{}{gap}{}]", id.name, id.peer, id.backend)
    }
}

fn cells(row: &Row) -> [String; 8] {
    [
        size(row.id.bytes),
        maybe(row.latency_ns()),
        row.id.parallelism.to_string(),
        maybe(row.throughput_ns()),
        maybe(row.cycles_per_byte()),
        maybe(row.gb_per_s()),
        maybe(row.floor_cpb),
        percent(row.percent_of_floor()),
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
    fn floors_have_columns_where_there_are_some() {
        let mut rows = vec![samples::row("a", "icefish", 128, 146.2, 50.4).with_floor(Some(0.59))];
        rows.push(samples::row("b", "icefish", 128, 146.2, 50.4));
        let text = table(&rows);
        let last = |line: usize| text.lines().nth(line).unwrap().split_whitespace().next_back();
        // 50.4 ns at 3 GHz are 1.18 cycles a byte.
        assert_eq!((last(0), last(2)), (Some("reached"), Some("-")));
        assert!(text.lines().nth(1).unwrap().ends_with("0.590     50 %"), "{text}");
    }

    #[test]
    fn a_table_of_nothing_is_its_heading() {
        assert_eq!(table(&[]).lines().count(), 1);
    }
}
