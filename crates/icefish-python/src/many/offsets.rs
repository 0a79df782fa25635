//! Where each of many values begins in one buffer.

use crate::border::{Input, new_bytes};
use crate::error::Failure;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

/// Where each value begins, and the end of the last: 32 or 64 bits each.
pub(super) struct Offsets {
    at: Vec<usize>,
    wide: bool,
}

impl Offsets {
    /// Of an array of signed or unsigned integers with 32 or 64 bits. They lie within `len` bytes, one behind the other.
    pub(super) fn of(object: &Bound<'_, PyAny>, len: usize) -> PyResult<Self> {
        let view = PyMemoryView::from(object)?;
        let format: String = view.getattr("format")?.extract()?;
        let size: usize = view.getattr("itemsize")?.extract()?;
        let integers = matches!(
            format.trim_start_matches(['@', '=', '<']),
            "i" | "l" | "q" | "I" | "L" | "Q" | "n" | "N"
        );
        if !integers || !matches!(size, 4 | 8) {
            return Err(PyTypeError::new_err(format!(
                "the offsets are items of format {format:?} with {size} bytes; give an array of int32 or int64"
            )));
        }
        let bytes: Input<'_> = object.extract()?;
        let bytes = bytes.bytes();
        // A negative one becomes more than any length.
        let at: Vec<usize> = match size {
            4 => {
                bytes.as_chunks().0.iter().map(|item| i32::from_ne_bytes(*item) as usize).collect()
            }
            _ => {
                bytes.as_chunks().0.iter().map(|item| i64::from_ne_bytes(*item) as usize).collect()
            }
        };
        check(&at, len)?;
        Ok(Self { at, wide: size == 8 })
    }

    /// The places; there is one at least.
    pub(super) fn places(&self) -> &[usize] {
        &self.at
    }

    /// Offsets of as many values, each longer by `tag` bytes or, if `shorter`, shorter by as many, as a memoryview of items of
    /// the same width.
    pub(super) fn of_results<'py>(
        &self,
        py: Python<'py>,
        tag: usize,
        shorter: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (width, step) =
            (if self.wide { 8 } else { 4 }, if shorter { tag.wrapping_neg() } else { tag });
        let ends = self.at.iter().enumerate();
        let ends = ends.map(|(i, at)| (at - self.at[0]).wrapping_add(i.wrapping_mul(step)));
        // They only grow: the last says whether all fit.
        if !self.wide && ends.clone().next_back().is_some_and(|end| i32::try_from(end).is_err()) {
            return Err(Failure::wrong(
                "the result has more bytes than offsets of 32 bits can say; give int64",
            )
            .into());
        }
        let bytes = new_bytes(py, self.at.len() * width, |bytes| {
            if self.wide {
                for (place, end) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(ends) {
                    *place = (end as u64).to_ne_bytes();
                }
            } else {
                for (place, end) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(ends) {
                    *place = (end as u32).to_ne_bytes();
                }
            }
            Ok(())
        })?;
        let view = PyMemoryView::from(bytes.as_any())?;
        view.call_method1("cast", (if self.wide { "q" } else { "i" },))
    }
}

/// Refuses what does not lie within `len` bytes, one behind the other. One core does this before all others can begin: without
/// a branch for each.
fn check(at: &[usize], len: usize) -> Result<(), Failure> {
    let Some(&end) = at.last() else {
        return Err(Failure::wrong("there are no offsets; n values have n + 1"));
    };
    let ordered = at.windows(2).fold(true, |ordered, pair| ordered & (pair[0] <= pair[1]));
    if ordered && end <= len {
        return Ok(());
    }
    if at.iter().any(|&at| isize::try_from(at).is_err()) {
        return Err(Failure::wrong("an offset is negative; offsets begin at 0"));
    }
    if !ordered {
        return Err(Failure::wrong("an offset is smaller than the one before it"));
    }
    Err(Failure::wrong(format!("the last offset is {end}, and the data has {len} bytes")))
}
