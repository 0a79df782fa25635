//! Many values in one call: a list of buffers, or one buffer with offsets, as Arrow has strings.

use crate::aead::{Aead, exactly};
use crate::border::{Input, Output};
use crate::error::Failure;
use crate::hash::Digests;
use crate::threads::{count, each};
use icefish::Error;
use icefish::suite::AnyAead;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyTuple};
use zeroize::Zeroizing;

/// Values, as the caller gave them.
enum Values<'py> {
    List(Vec<Input<'py>>),
    Buffer(Input<'py>, Offsets),
}

/// Where each value begins, and the end of the last: 32 or 64 bits each.
struct Offsets {
    at: Vec<usize>,
    wide: bool,
}

impl Offsets {
    /// Of an array of signed or unsigned integers with 32 or 64 bits.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
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
        let read = |item: &[u8]| match *item {
            [a, b, c, d] => usize::try_from(i32::from_ne_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => {
                usize::try_from(i64::from_ne_bytes([a, b, c, d, e, f, g, h]))
            }
            _ => Ok(0),
        };
        let at: Result<Vec<_>, _> = bytes.bytes().chunks_exact(size).map(read).collect();
        let at = at.map_err(|_| Failure::wrong("an offset is negative; offsets begin at 0"))?;
        Ok(Self { at, wide: size == 8 })
    }

    /// Refuses what does not lie within `len` bytes, one behind the other.
    fn check(&self, len: usize) -> Result<(), Failure> {
        if self.at.is_empty() {
            return Err(Failure::wrong("there are no offsets; n values have n + 1"));
        }
        if self.at.windows(2).any(|pair| pair[0] > pair[1]) {
            return Err(Failure::wrong("an offset is smaller than the one before it"));
        }
        match self.at.last() {
            Some(&end) if end > len => Err(Failure::wrong(format!(
                "the last offset is {end}, and the data has {len} bytes"
            ))),
            _ => Ok(()),
        }
    }
}

impl<'py> Values<'py> {
    fn of(data: &Bound<'py, PyAny>, offsets: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let Some(offsets) = offsets else {
            if data.is_instance_of::<PyList>() || data.is_instance_of::<PyTuple>() {
                return Ok(Self::List(data.extract()?));
            }
            return Err(PyTypeError::new_err(
                "the values are not a list; give a list of buffers, or one buffer and offsets=...",
            ));
        };
        let (data, offsets): (Input<'_>, _) = (data.extract()?, Offsets::of(offsets)?);
        offsets.check(data.len())?;
        Ok(Self::Buffer(data, offsets))
    }

    fn slices(&self) -> Slices<'_> {
        match self {
            Self::List(list) => Slices::List(list.iter().map(Input::bytes).collect()),
            Self::Buffer(data, offsets) => Slices::Between(data.bytes(), &offsets.at),
        }
    }

    fn inputs(&self) -> Vec<&Input<'py>> {
        match self {
            Self::List(list) => list.iter().collect(),
            Self::Buffer(data, _) => vec![data],
        }
    }
}

/// The memory of values or nonces, for any thread.
enum Slices<'a> {
    List(Vec<&'a [u8]>),
    /// Between these places of a buffer.
    Between(&'a [u8], &'a [usize]),
    /// So many bytes each, and how many there are.
    Even(&'a [u8], usize, usize),
}

impl Slices<'_> {
    fn count(&self) -> usize {
        match self {
            Self::List(list) => list.len(),
            Self::Between(_, places) => places.len() - 1,
            Self::Even(_, _, count) => *count,
        }
    }

    #[inline(always)]
    fn at(&self, i: usize) -> &[u8] {
        match self {
            Self::List(list) => list[i],
            Self::Between(data, places) => &data[places[i]..places[i + 1]],
            Self::Even(data, len, _) => &data[i * len..(i + 1) * len],
        }
    }
}

/// One nonce for each value: a list, or one behind the other in a buffer.
enum Nonces<'py> {
    List(Vec<Input<'py>>),
    Buffer(Input<'py>),
}

impl<'py> Nonces<'py> {
    fn of(nonces: &Bound<'py, PyAny>) -> PyResult<Self> {
        if nonces.is_instance_of::<PyList>() || nonces.is_instance_of::<PyTuple>() {
            return Ok(Self::List(nonces.extract()?));
        }
        Ok(Self::Buffer(nonces.extract()?))
    }

    /// `count` of them, each of `len` bytes if they are in a buffer.
    fn slices(&self, count: usize, len: usize) -> Result<Slices<'_>, Failure> {
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

    fn inputs(&self) -> Vec<&Input<'py>> {
        match self {
            Self::List(list) => list.iter().collect(),
            Self::Buffer(all) => vec![all],
        }
    }
}

/// Which way.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Encrypt,
    Decrypt,
}

/// What is done with each value.
struct Work<'a> {
    key: &'a AnyAead,
    way: Way,
    nonces: Slices<'a>,
    values: Slices<'a>,
    associated: &'a [u8],
}

impl Work<'_> {
    /// The length of the result of value `i`.
    fn len(&self, i: usize) -> usize {
        let (len, tag) = (self.values.at(i).len(), self.key.tag_len());
        if self.way == Way::Encrypt { len + tag } else { len - tag }
    }

    /// The results of all, one behind the other, on all cores.
    fn run(&self, output: &mut [u8]) -> Result<(), Failure> {
        let threads = count(output.len());
        let share = output.len().div_ceil(threads).max(1);
        let mut parts = Vec::with_capacity(threads);
        let (mut first, mut rest) = (0, output);
        while first < self.values.count() {
            let (mut end, mut len) = (first, 0);
            while end < self.values.count() && (len < share || parts.len() + 1 == threads) {
                len += self.len(end);
                end += 1;
            }
            let (part, after) = rest.split_at_mut(len);
            parts.push((first..end, part));
            (first, rest) = (end, after);
        }
        each(
            threads,
            parts.into_iter(),
            || (),
            |(), (range, mut part)| {
                for i in range {
                    let output = part.split_off_mut(..self.len(i)).unwrap_or_default();
                    self.one(i, output).map_err(|error| Failure::Value(i, error))?;
                }
                Ok(())
            },
        )
    }

    fn one(&self, i: usize, output: &mut [u8]) -> Result<(), Error> {
        let (nonce, value) = (self.nonces.at(i), self.values.at(i));
        match self.way {
            Way::Encrypt => {
                let (output, tag) = output.split_at_mut(value.len());
                self.key.seal_between(nonce, self.associated, value, output, tag)
            }
            Way::Decrypt => {
                let (value, tag) = value.split_at(output.len());
                self.key.open_between(nonce, self.associated, value, output, tag)
            }
        }
    }
}

impl Aead {
    /// What `encrypt_many` and `decrypt_many` do.
    pub(crate) fn many<'py>(
        &self,
        way: Way,
        nonces: &Bound<'py, PyAny>,
        data: &Bound<'py, PyAny>,
        associated: Option<&Input<'py>>,
        offsets: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = data.py();
        let (values, nonces) = (Values::of(data, offsets)?, Nonces::of(nonces)?);
        let slices = values.slices();
        if way == Way::Decrypt {
            for i in 0..slices.count() {
                self.without_tag(slices.at(i).len())?;
            }
        }
        let work = Work {
            key: &self.0,
            way,
            nonces: nonces.slices(slices.count(), self.0.suite().nonce)?,
            values: slices,
            associated: associated.map_or(&[][..], Input::bytes),
        };
        let lens = (0..work.values.count()).map(|i| work.len(i));
        let total = lens.clone().sum();
        let run = |output: &mut [u8]| py.detach(|| work.run(output));
        let Values::Buffer(_, offsets) = &values else {
            if out.is_some() {
                return Err(PyTypeError::new_err("out=... goes with one buffer and offsets=..."));
            }
            let mut output = Zeroizing::new(vec![0; total]);
            run(&mut output)?;
            return Ok(split(py, &output, lens)?.into_any());
        };
        let new_offsets = offsets_of(py, lens, offsets.wide)?;
        let made = match out {
            None => PyBytes::new_with(py, total, |output| Ok(run(output)?))?.into_any(),
            Some(out) => {
                let mut inputs = nonces.inputs();
                inputs.extend(values.inputs().into_iter().chain(associated));
                let mut output = Output::beside(out, &inputs)?;
                let output = exactly(output.bytes(), total)?;
                let done = run(output);
                if done.is_err() {
                    output.fill(0);
                }
                done?;
                out.clone()
            }
        };
        Ok(PyTuple::new(py, [made, new_offsets])?.into_any())
    }
}

/// Parts of a buffer, as `bytes`.
fn split<'py>(
    py: Python<'py>,
    all: &[u8],
    lens: impl ExactSizeIterator<Item = usize>,
) -> PyResult<Bound<'py, PyList>> {
    let mut rest = all;
    PyList::new(
        py,
        lens.map(|len| {
            let (value, after) = rest.split_at(len);
            rest = after;
            PyBytes::new(py, value)
        }),
    )
}

/// Offsets of values of these lengths, as a memoryview.
fn offsets_of<'py>(
    py: Python<'py>,
    lens: impl ExactSizeIterator<Item = usize>,
    wide: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let width = if wide { 8 } else { 4 };
    let bytes = PyBytes::new_with(py, (lens.len() + 1) * width, |bytes| {
        let (mut end, mut too_long) = (0_usize, false);
        for (place, len) in bytes[width..].chunks_exact_mut(width).zip(lens) {
            end += len;
            match wide {
                true => place.copy_from_slice(&(end as u64).to_ne_bytes()),
                false => place.copy_from_slice(&(end as u32).to_ne_bytes()),
            }
            too_long |= !wide && i32::try_from(end).is_err();
        }
        match too_long {
            true => Err(Failure::wrong(
                "the result has more bytes than offsets of 32 bits can say; give int64",
            )
            .into()),
            false => Ok(()),
        }
    })?;
    let view = PyMemoryView::from(bytes.as_any())?;
    view.call_method1("cast", (if wide { "q" } else { "i" },))
}

/// The digests of many messages in one call, side by side in the registers and on all cores.
///
/// `data` is a list of buffers, and the result a list of `bytes`. Or it is one buffer and `offsets` as in `Aead.encrypt_many`;
/// the result is then n times the length of a digest, in `out` if that is given. Names and other arguments are those of `new`.
#[pyfunction]
#[pyo3(signature = (name, data, *, offsets=None, key=None, digest_size=None, out=None, backend=None))]
#[allow(clippy::too_many_arguments, reason = "arguments with names")]
pub(crate) fn digest_many<'py>(
    py: Python<'py>,
    name: &str,
    data: &Bound<'py, PyAny>,
    offsets: Option<&Bound<'py, PyAny>>,
    key: Option<Input<'py>>,
    digest_size: Option<usize>,
    out: Option<&Bound<'py, PyAny>>,
    backend: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let digests = Digests::new(name, key.as_ref(), digest_size, backend)?;
    let values = Values::of(data, offsets)?;
    let slices = values.slices();
    let slices: Vec<&[u8]> = (0..slices.count()).map(|i| slices.at(i)).collect();
    let size = digests.len();
    let total = slices.len().checked_mul(size).ok_or_else(|| Failure::wrong("too many digests"))?;
    let run = |output: &mut [u8]| {
        let work = slices.iter().map(|slice| slice.len() + 64).sum();
        let threads = count(work);
        let share = slices.len().div_ceil(threads).max(1);
        let parts = slices.chunks(share).zip(output.chunks_mut((share * size).max(1)));
        py.detach(|| {
            each(threads, parts, || (), |(), (part, output)| Ok(digests.many(part, output)?))
        })
    };
    if let (Values::Buffer(..), Some(out)) = (&values, out) {
        let mut output = Output::beside(out, &values.inputs())?;
        run(exactly(output.bytes(), total)?)?;
        return Ok(out.clone());
    }
    if out.is_some() {
        return Err(PyTypeError::new_err("out=... goes with one buffer and offsets=..."));
    }
    let made = PyBytes::new_with(py, total, |output| Ok(run(output)?))?;
    match values {
        Values::Buffer(..) => Ok(made.into_any()),
        Values::List(list) => Ok(split(py, made.as_bytes(), list.iter().map(|_| size))?.into_any()),
    }
}
