//! A result, and the two forms in which it leaves the benchmark.
//!
//! The JSON form ([`to_json`]) has the fields that [`icefish_measure::row`] names. The CSV form ([`read_csv`],
//! [`write_csv`]) adds whose code it was, the medians and cycles, the floor, and the circumstances.

use std::path::Path;

pub use icefish_measure::row::{Row, to_json};

use crate::Error;
use crate::measure::Metric;

mod flat;

/// Writes rows as CSV with a header line.
///
/// # Errors
/// If the file cannot be written.
pub fn write_csv(path: &Path, rows: &[Row]) -> Result<(), Error> {
    let mut writer = csv::Writer::from_path(path).map_err(Error::csv(path))?;
    for row in rows {
        writer.serialize(flat::CsvRow::from(row)).map_err(Error::csv(path))?;
    }
    writer.flush().map_err(Error::io(path))
}

/// Reads what [`write_csv`] wrote. Columns may be in any order; unknown ones are skipped.
///
/// # Errors
/// If the file cannot be read, or is something else; the message names the line.
pub fn read_csv(path: &Path) -> Result<Vec<Row>, Error> {
    let mut reader = csv::Reader::from_path(path).map_err(Error::csv(path))?;
    let rows = reader.deserialize::<flat::CsvRow>().map(|row| row.map(Row::from));
    rows.collect::<Result<_, _>>().map_err(Error::csv(path))
}

/// Puts rows of another pass of the same run beside `rows`: of each figure that both have, the one of
/// fewer cycles stays.
pub fn keep_faster(rows: &mut Vec<Row>, others: Vec<Row>) {
    let faster = |old: &mut Option<Metric>, new: Option<Metric>| match (&*old, &new) {
        (Some(a), Some(b)) if a.cycles.low <= b.cycles.low => {}
        (_, None) => {}
        _ => *old = new,
    };
    for other in others {
        match rows.iter_mut().find(|row| row.id == other.id) {
            None => rows.push(other),
            Some(row) => {
                faster(&mut row.latency, other.latency);
                faster(&mut row.throughput, other.throughput);
            }
        }
    }
}

#[cfg(test)]
#[path = "row/tests.rs"]
mod tests;
