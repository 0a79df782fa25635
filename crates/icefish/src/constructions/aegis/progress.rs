//! A message in pieces.

use super::job::{self, Job, STRIP};
use super::steps::{Begin, End, RATE, Saved, Tags};
use super::variant::{KeyNonce, Variant};
use super::{MAX_DATA, bits};
use crate::isa::{InOut, erase};
use crate::{Backend, Error};

/// The states of a message between pieces, and the bytes of an incomplete step. It is compiled once for all variants.
#[derive(Clone)]
pub(crate) struct AegisProgress {
    backend: Backend,
    variant: Variant,
    saved: Saved,
    /// Bytes to absorb.
    part: [u8; RATE],
    pub(crate) filled: usize,
}

impl AegisProgress {
    /// Bytes of data that a step takes.
    pub(crate) fn rate(&self) -> usize {
        self.variant.rate()
    }

    /// The states after Init, from key and nonce.
    #[inline(never)]
    pub(crate) fn begin(backend: Backend, variant: Variant, new: KeyNonce<'_>) -> Self {
        let mut begun = Self { backend, variant, saved: <Saved>::NEW, part: [0; RATE], filled: 0 };
        let (begin, saved, io) =
            (Begin::New(new), Some(begun.saved.bytes_mut()), InOut::in_place(&mut []));
        let job = Job { begin, saved, absorb: &[], io, seal: true, end: None };
        job::run_any(backend, variant, job);
        begun
    }

    /// Takes more data to absorb, or to encrypt or decrypt: whole steps, or the last data of its kind.
    pub(crate) fn go_on(&mut self, absorb: &[u8], io: InOut<'_>, seal: bool) {
        let (mut absorb, mut io) = (absorb, io);
        let most = self.longest(absorb.len().max(io.len()));
        while absorb.len() > most {
            let (strip, rest) = absorb.split_at(most);
            self.strip(strip, InOut::in_place(&mut []), seal);
            absorb = rest;
        }
        while io.len() > most {
            let (strip, rest) = io.split_at(most);
            self.strip(&[], strip, seal);
            io = rest;
        }
        self.strip(absorb, io, seal);
    }

    /// The most bytes of each input in a job. For a short input, the backend is not asked.
    fn longest(&self, len: usize) -> usize {
        if len <= STRIP { STRIP } else { job::longest(self.backend, self.variant.degree) }
    }

    fn strip(&mut self, absorb: &[u8], io: InOut<'_>, seal: bool) {
        let job = Job {
            begin: Begin::Saved,
            saved: Some(self.saved.bytes_mut()),
            absorb,
            io,
            seal,
            end: None,
        };
        job::run_any(self.backend, self.variant, job);
    }

    fn absorb_steps(&mut self, steps: &[u8]) {
        if !steps.is_empty() {
            self.go_on(steps, InOut::in_place(&mut []), true);
        }
    }

    /// Absorbs the incomplete step, filled up with zeros.
    pub(crate) fn pad(&mut self) {
        let part = self.part;
        self.absorb_steps(&part[..self.filled]);
        self.filled = 0;
    }

    /// Adds bytes to the incomplete step, and absorbs it if it is full.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        let end = self.filled + bytes.len();
        self.part[self.filled..end].copy_from_slice(bytes);
        self.filled = end;
        if end == self.rate() {
            self.pad();
        }
    }

    /// Absorbs the next bytes.
    pub(crate) fn absorb(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if self.filled > 0 {
            let (head, after) = rest.split_at((self.rate() - self.filled).min(rest.len()));
            self.put(head);
            rest = after;
        }
        let (steps, tail) = rest.split_at(rest.len() / self.rate() * self.rate());
        self.absorb_steps(steps);
        if !tail.is_empty() {
            self.put(tail);
        }
    }

    /// Ends the message.
    pub(crate) fn end(&mut self, end: End<'_>) {
        let (part, filled) = (self.part, self.filled);
        self.end_with(&part[..filled], end);
    }

    /// Ends the message; the result is its tag.
    pub(crate) fn tag(&mut self, lengths: [u64; 2], short: bool) -> [u8; 32] {
        let mut tag = [0; 32];
        self.end(End { lengths, short, tags: Tags::Sum(&mut tag) });
        tag
    }

    /// Ends a message whose last data is `rest`. There must be no incomplete step.
    pub(crate) fn end_with(&mut self, rest: &[u8], end: End<'_>) {
        let mut rest = rest;
        let most = self.longest(rest.len());
        while rest.len() > most {
            let (strip, after) = rest.split_at(most);
            self.strip(strip, InOut::in_place(&mut []), true);
            rest = after;
        }
        let saved = Some(self.saved.bytes_mut());
        job::run_any(self.backend, self.variant, last_job(Begin::Saved, saved, rest, end));
    }

    /// Encrypts or decrypts the message whose states after Init these are; the result is its tag.
    ///
    /// # Errors
    /// [`Error::TooLong`].
    pub(crate) fn whole(
        &mut self,
        absorb: &[u8],
        io: InOut<'_>,
        seal: bool,
        short: bool,
    ) -> Result<[u8; 32], Error> {
        let lengths = [absorb.len(), io.len()].map(|len| len as u64);
        if lengths[0].max(lengths[1]) > MAX_DATA {
            return Err(Error::TooLong { most: MAX_DATA });
        }
        self.go_on(absorb, InOut::in_place(&mut []), seal);
        self.go_on(&[], io, seal);
        Ok(self.tag(bits(lengths[0], lengths[1]), short))
    }

    /// The state and its backend. There must be no incomplete step.
    pub(crate) fn saved(&self) -> (Backend, &[u8]) {
        (self.backend, self.saved.bytes())
    }
}

/// The job that absorbs `rest` and ends the message.
#[inline(always)]
fn last_job<'a>(
    begin: Begin<'a>,
    saved: Option<&'a mut [u8]>,
    rest: &'a [u8],
    end: End<'a>,
) -> Job<'a> {
    let io = InOut::in_place(&mut []);
    Job { begin, saved, absorb: rest, io, seal: true, end: Some(end) }
}

/// Does that job for the variant with keys of `BITS` bits and `DEGREE` states, compiled into its caller.
#[inline(always)]
pub(crate) fn finalize<const BITS: usize, const DEGREE: usize>(
    backend: Backend,
    begin: Begin<'_>,
    saved: Option<&mut [u8]>,
    rest: &[u8],
    end: End<'_>,
) {
    job::run::<BITS, DEGREE>(backend, last_job(begin, saved, rest, end));
}

impl Drop for AegisProgress {
    fn drop(&mut self) {
        erase(&mut self.part);
    }
}
