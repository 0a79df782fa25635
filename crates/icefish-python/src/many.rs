//! Many values in one call: a list of buffers, or one buffer with offsets, as Arrow has strings.

use crate::aead::{Aead, exactly};
use crate::border::{Input, Output, Room, new_bytes};
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
        let bytes = bytes.bytes();
        let at: Result<Vec<_>, _> = match size {
            4 => bytes
                .as_chunks()
                .0
                .iter()
                .map(|item| i32::from_ne_bytes(*item).try_into())
                .collect(),
            _ => bytes
                .as_chunks()
                .0
                .iter()
                .map(|item| i64::from_ne_bytes(*item).try_into())
                .collect(),
        };
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

    /// The bytes of those from number `first` to `end`.
    fn len(&self, first: usize, end: usize) -> usize {
        match self {
            Self::List(list) => list[first..end].iter().map(|slice| slice.len()).sum(),
            Self::Between(_, places) => places[end] - places[first],
            Self::Even(_, len, _) => (end - first) * len,
        }
    }

    /// The length of the shortest; without any, more than all lengths.
    fn shortest(&self) -> usize {
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

/// Parts of the work for each thread: the caller's goes on while others start.
const PARTS: usize = 4;

impl Work<'_> {
    /// The length of the result of a value of `len` bytes.
    fn len(&self, len: usize) -> usize {
        let tag = self.key.tag_len();
        if self.way == Way::Encrypt { len + tag } else { len - tag }
    }

    /// The length of the results of the values from number `first` to `end`.
    fn lens(&self, first: usize, end: usize) -> usize {
        let (len, tags) = (self.values.len(first, end), (end - first) * self.key.tag_len());
        if self.way == Way::Encrypt { len + tags } else { len - tags }
    }

    /// How many of the values from number `first` on have results of at most `most` bytes, but one at least.
    fn fitting(&self, first: usize, most: usize) -> usize {
        if let Slices::List(list) = &self.values {
            let mut left = most;
            let fits = |slice: &&&[u8]| {
                let rest = left.checked_sub(self.len(slice.len()));
                left = rest.unwrap_or(0);
                rest.is_some()
            };
            return list[first..].iter().take_while(fits).count().max(1);
        }
        let (mut end, mut after) = (first + 1, self.values.count() + 1);
        while end + 1 < after {
            let middle = end.midpoint(after);
            match self.lens(first, middle) <= most {
                true => end = middle,
                false => after = middle,
            }
        }
        end - first
    }

    /// The results of all, one behind the other, on all cores.
    fn run(&self, output: impl Room) -> Result<(), Failure> {
        let threads = count(output.len());
        let share = match threads {
            1 => usize::MAX,
            _ => output.len().div_ceil(PARTS * threads),
        };
        let (mut first, mut rest) = (0, Some(output));
        let parts = std::iter::from_fn(|| {
            let room = rest.take().filter(|_| first < self.values.count())?;
            let range = first..first + self.fitting(first, share);
            let (part, after) = room.split(self.lens(range.start, range.end));
            (first, rest) = (range.end, Some(after));
            Some((range, part))
        });
        each(
            threads,
            parts,
            || (),
            |(), (range, part)| {
                let mut part = part.ready();
                for i in range {
                    let value = self.values.at(i);
                    let output = part.split_off_mut(..self.len(value.len())).unwrap_or_default();
                    self.one(i, value, output).map_err(|error| Failure::Value(i, error))?;
                }
                Ok(())
            },
        )
    }

    #[inline(always)]
    fn one(&self, i: usize, value: &[u8], output: &mut [u8]) -> Result<(), Error> {
        let nonce = self.nonces.at(i);
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
            self.without_tag(slices.shortest())?;
        }
        let work = Work {
            key: &self.0,
            way,
            nonces: nonces.slices(slices.count(), self.0.suite().nonce)?,
            values: slices,
            associated: associated.map_or(&[][..], Input::bytes),
        };
        let lens = (0..work.values.count()).map(|i| work.lens(i, i + 1));
        let total = work.lens(0, work.values.count());
        let Values::Buffer(_, offsets) = &values else {
            if out.is_some() {
                return Err(PyTypeError::new_err("out=... goes with one buffer and offsets=..."));
            }
            let mut output = Zeroizing::new(vec![0; total]);
            py.detach(|| work.run(&mut output[..]))?;
            return Ok(split(py, &output, lens)?.into_any());
        };
        let new_offsets = offsets_of(py, lens, offsets.wide)?;
        let made = match out {
            None => new_bytes(py, total, |room| py.detach(|| work.run(room)))?.into_any(),
            Some(out) => {
                let mut inputs = nonces.inputs();
                inputs.extend(values.inputs().into_iter().chain(associated));
                let mut output = Output::beside(out, &inputs)?;
                let output = exactly(output.bytes(), total)?;
                let done = py.detach(|| work.run(&mut *output));
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
        let mut end = 0_usize;
        let ends = lens.map(|len| {
            end += len;
            end
        });
        let places = &mut bytes[width..];
        if wide {
            for (place, end) in places.as_chunks_mut::<8>().0.iter_mut().zip(ends) {
                *place = (end as u64).to_ne_bytes();
            }
        } else {
            for (place, end) in places.as_chunks_mut::<4>().0.iter_mut().zip(ends) {
                *place = (end as u32).to_ne_bytes();
            }
        }
        // They only grow: the last says whether all fit.
        match !wide && i32::try_from(end).is_err() {
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
