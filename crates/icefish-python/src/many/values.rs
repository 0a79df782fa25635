//! Values and nonces, as the caller gave them, and their memory for any thread.

use super::offsets::Offsets;
use crate::border::Input;
use crate::error::Failure;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// Values, as the caller gave them.
pub(super) enum Values<'py> {
    List(Vec<Input<'py>>),
    Buffer(Input<'py>, Offsets),
}

impl<'py> Values<'py> {
    pub(super) fn of(
        data: &Bound<'py, PyAny>,
        offsets: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let Some(offsets) = offsets else {
            if data.is_instance_of::<PyList>() || data.is_instance_of::<PyTuple>() {
                return Ok(Self::List(data.extract()?));
            }
            return Err(PyTypeError::new_err(
                "the values are not a list; give a list of buffers, or one buffer and offsets=...",
            ));
        };
        let data: Input<'_> = data.extract()?;
        let offsets = Offsets::of(offsets, data.len())?;
        Ok(Self::Buffer(data, offsets))
    }

    pub(super) fn slices(&self) -> Slices<'_> {
        match self {
            Self::List(list) => Slices::List(list.iter().map(Input::bytes).collect()),
            Self::Buffer(data, offsets) => Slices::Between(data.bytes(), offsets.places()),
        }
    }

    pub(super) fn inputs(&self) -> Vec<&Input<'py>> {
        match self {
            Self::List(list) => list.iter().collect(),
            Self::Buffer(data, _) => vec![data],
        }
    }
}

/// The memory of values or nonces, for any thread.
pub(super) enum Slices<'a> {
    List(Vec<&'a [u8]>),
    /// Between these places of a buffer.
    Between(&'a [u8], &'a [usize]),
    /// So many bytes each, and how many there are.
    Even(&'a [u8], usize, usize),
}

impl Slices<'_> {
    pub(super) fn count(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Between(_, places) => places.len() - 1,
            Self::Even(_, _, count) => *count,
        }
    }

    /// The bytes of those from number `first` to `end`.
    pub(super) fn len(&self, first: usize, end: usize) -> usize {
        match self {
            Self::List(list) => list[first..end].iter().map(|slice| slice.len()).sum(),
            Self::Between(_, places) => places[end] - places[first],
            Self::Even(_, len, _) => (end - first) * len,
        }
    }

    /// The length of the shortest; without any, more than all lengths.
    pub(super) fn shortest(&self) -> usize {
        let most = usize::MAX;
        match self {
            Self::List(list) => list.iter().map(|slice| slice.len()).min().unwrap_or(most),
            Self::Between(_, places) => {
                places.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(most)
            }
            Self::Even(_, len, count) => {
                if *count == 0 {
                    most
                } else {
                    *len
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, i: usize) -> &[u8] {
        match self {
            Self::List(list) => list[i],
            Self::Between(data, places) => &data[places[i]..places[i + 1]],
            Self::Even(data, len, _) => &data[i * len..(i + 1) * len],
        }
    }
}

/// One nonce for each value: a list, or one behind the other in a buffer.
pub(super) enum Nonces<'py> {
    List(Vec<Input<'py>>),
    Buffer(Input<'py>),
}

impl<'py> Nonces<'py> {
    pub(super) fn of(nonces: &Bound<'py, PyAny>) -> PyResult<Self> {
        if nonces.is_instance_of::<PyList>() || nonces.is_instance_of::<PyTuple>() {
            return Ok(Self::List(nonces.extract()?));
        }
        Ok(Self::Buffer(nonces.extract()?))
    }

    /// `count` of them, each of `len` bytes if they are in a buffer.
    pub(super) fn slices(&self, count: usize, len: usize) -> Result<Slices<'_>, Failure> {
        match self {
            Self::List(list) if list.len() == count => {
                Ok(Slices::List(list.iter().map(Input::bytes).collect()))
            }
            Self::List(list) => Err(Failure::wrong(format!(
                "there are {} nonces for {count} values; give one for each",
                list.len()
            ))),
            Self::Buffer(all) if Some(all.len()) == count.checked_mul(len) => {
                Ok(Slices::Even(all.bytes(), len, count))
            }
            Self::Buffer(all) => Err(Failure::wrong(format!(
                "the nonces have {} bytes, {count} values take {len} each",
                all.len()
            ))),
        }
    }

    pub(super) fn inputs(&self) -> Vec<&Input<'py>> {
        match self {
            Self::List(list) => list.iter().collect(),
            Self::Buffer(all) => vec![all],
        }
    }
}
