//! The encryption or decryption of many values, on all cores.

use super::values::Slices;
use crate::error::Failure;
use crate::threads::{count, each};
use icefish::Error;
use icefish::suite::AnyAead;
use icefish_files::formats::Way;

/// What is done with each value.
pub(super) struct Work<'a> {
    key: &'a AnyAead,
    /// Length of its tags, so that not every value asks for it.
    tag: usize,
    way: Way,
    nonces: Slices<'a>,
    values: Slices<'a>,
    associated: &'a [u8],
}

/// Parts of the work for each thread: the caller's goes on while others start, and at the end none waits long for another.
const PARTS: usize = 16;

impl<'a> Work<'a> {
    /// `values` that are decrypted have a tag each; there are as many `nonces`.
    pub(super) fn new(
        key: &'a AnyAead,
        way: Way,
        nonces: Slices<'a>,
        values: Slices<'a>,
        associated: &'a [u8],
    ) -> Self {
        Self { key, tag: key.tag_len(), way, nonces, values, associated }
    }

    /// The length of the result of a value of `len` bytes.
    fn len(&self, len: usize) -> usize {
        if self.way == Way::Encrypt { len + self.tag } else { len - self.tag }
    }

    /// The length of the results of the values from number `first` to `end`.
    pub(super) fn lens(&self, first: usize, end: usize) -> usize {
        let (len, tags) = (self.values.len(first, end), (end - first) * self.tag);
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
    pub(super) fn run(&self, output: &mut [u8]) -> Result<(), Failure> {
        let threads = count(output.len());
        let share = match threads {
            1 => usize::MAX,
            _ => output.len().div_ceil(PARTS * threads),
        };
        let (mut first, mut rest) = (0, Some(output));
        let parts = std::iter::from_fn(|| {
            let room = rest.take().filter(|_| first < self.values.count())?;
            let range = first..first + self.fitting(first, share);
            let (part, after) = room.split_at_mut(self.lens(range.start, range.end));
            (first, rest) = (range.end, Some(after));
            Some((range, part))
        });
        each(
            threads,
            parts,
            || (),
            |(), (range, mut part)| {
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
