//! A buffer in parts of one length.
#![allow(unsafe_code)]

use super::{InOut, Sink};
use core::marker::PhantomData;

impl<'a> InOut<'a> {
    /// The whole parts of `len` bytes, one after the other, if there is one; see [`Parts`].
    ///
    /// # Panics
    /// If `len` is zero.
    #[inline(always)]
    pub(crate) fn parts(self, len: usize) -> Option<Parts<'a>> {
        assert!(len > 0, "parts of no bytes");
        let last = (self.len / len * len).checked_sub(len)?;
        Some(Parts { len, at: 0, last, io: self })
    }
}

/// The whole parts of a buffer. A loop over them has no checks, which are three instructions a turn and count for short messages.
pub(crate) struct Parts<'a> {
    io: InOut<'a>,
    /// Bytes of a part.
    len: usize,
    /// Where this part begins, and where the last one does: multiples of `len`.
    at: usize,
    last: usize,
}

impl Parts<'_> {
    /// The input of the first part.
    #[inline(always)]
    pub(crate) fn first(&self) -> &[u8] {
        // SAFETY: the buffers have `last + len` bytes or more.
        unsafe { core::slice::from_raw_parts(self.io.input, self.len) }
    }

    /// The input of the next part, and where the output of the part before it goes. The first call returns the input of the second
    /// part.
    #[inline(always)]
    pub(crate) fn next_with_before(&mut self) -> Option<(&[u8], Sink<'_>)> {
        let (len, at) = (self.len, self.at);
        if at >= self.last {
            return None;
        }
        self.at += len;
        // SAFETY: the buffers have `last + len` bytes or more, and both numbers are multiples of len: both parts lie in them. They do
        // not overlap, not even in place.
        let (input, output) = unsafe {
            let input = core::slice::from_raw_parts(self.io.input.add(at + len), len);
            (input, self.io.output.add(at))
        };
        Some((input, Sink { output, xor: None, ascends: true, len, lifetime: PhantomData }))
    }

    /// Where the output of the last part goes.
    #[inline(always)]
    pub(crate) fn last(&mut self) -> Sink<'_> {
        // SAFETY: as above.
        let output = unsafe { self.io.output.add(self.last) };
        Sink { output, xor: None, ascends: true, len: self.len, lifetime: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes into each part the one after it, and 100 into the last.
    fn add(io: InOut<'_>) {
        let Some(mut parts) = io.parts(3) else { return };
        assert_eq!(parts.first().len(), 3);
        while let Some((next, mut sink)) = parts.next_with_before() {
            let next: [u8; 3] = next.try_into().unwrap();
            sink.put(0, next);
        }
        parts.last().put(0, [100u8; 3]);
    }

    #[test]
    fn each_part_is_written_once_the_next_is_read() {
        for len in 0..14 {
            let input: [u8; 14] = core::array::from_fn(|i| i as u8);
            let whole = len / 3 * 3;
            let mut expected = input;
            for i in 0..whole {
                expected[i] = if i + 3 < whole { input[i + 3] } else { 100 };
            }
            let mut in_place = input;
            add(InOut::in_place(&mut in_place[..len]));
            assert_eq!(in_place, expected, "{len} bytes in place");
            let mut output = input;
            add(InOut::between(&input[..len], &mut output[..len]).unwrap());
            assert_eq!(output, expected, "{len} bytes between");
        }
    }
}
