//! A message in pieces.

use super::super::pieces::{Pieces, Piecewise, Tagged};
use super::job::{self, Begin, End, Job, STRIP};
use super::state::{RATE, Saved};
use super::{Aegis, bits, sum};
use crate::isa::{InOut, erase};
use crate::{Backend, Error};
use zeroize::ZeroizeOnDrop;

/// The states of a message between pieces, and what waits for the rest of a step.
#[derive(Clone)]
pub(super) struct Progress<const BITS: usize, const DEGREE: usize> {
    backend: Backend,
    saved: Saved,
    /// Bytes to absorb.
    part: [u8; RATE],
    filled: usize,
}

impl<const BITS: usize, const DEGREE: usize> Progress<BITS, DEGREE> {
    /// Bytes of data that a step takes.
    const RATE: usize = DEGREE * if BITS == 128 { 32 } else { 16 };

    /// The states that key and nonce lead to.
    pub(super) fn begin(backend: Backend, key: &[u8], nonce: &[u8]) -> Self {
        let mut new = Self { backend, saved: Saved::NEW, part: [0; RATE], filled: 0 };
        let (begin, saved, io) =
            (Begin::New(key, nonce), Some(&mut new.saved), InOut::in_place(&mut []));
        let job = Job { begin, saved, absorb: &[], io, seal: true, end: None };
        job::run::<BITS, DEGREE>(backend, job);
        new
    }

    /// Goes on with data to absorb, or with data to encrypt or decrypt. Either is whole steps, or the last data of its kind.
    pub(super) fn go_on(&mut self, absorb: &[u8], io: InOut<'_>, seal: bool) {
        let (mut absorb, mut io) = (absorb, io);
        while absorb.len() > STRIP {
            let (strip, rest) = absorb.split_at(STRIP);
            self.strip(strip, InOut::in_place(&mut []), seal);
            absorb = rest;
        }
        while io.len() > STRIP {
            let (strip, rest) = io.split_at(STRIP);
            self.strip(&[], strip, seal);
            io = rest;
        }
        self.strip(absorb, io, seal);
    }

    fn strip(&mut self, absorb: &[u8], io: InOut<'_>, seal: bool) {
        let job =
            Job { begin: Begin::Saved, saved: Some(&mut self.saved), absorb, io, seal, end: None };
        job::run::<BITS, DEGREE>(self.backend, job);
    }

    fn absorb_steps(&mut self, steps: &[u8]) {
        if !steps.is_empty() {
            self.go_on(steps, InOut::in_place(&mut []), true);
        }
    }

    /// Absorbs the step that waits, filled up with zeros.
    fn pad(&mut self) {
        let part = self.part;
        self.absorb_steps(&part[..self.filled]);
        self.filled = 0;
    }

    /// Puts bytes into the step that waits, and absorbs it if it is full.
    fn put(&mut self, bytes: &[u8]) {
        let end = self.filled + bytes.len();
        self.part[self.filled..end].copy_from_slice(bytes);
        self.filled = end;
        if end == Self::RATE {
            self.pad();
        }
    }

    /// Absorbs the next bytes.
    pub(super) fn absorb(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if self.filled > 0 {
            let (head, after) = rest.split_at((Self::RATE - self.filled).min(rest.len()));
            self.put(head);
            rest = after;
        }
        let (steps, tail) = rest.split_at(rest.len() / Self::RATE * Self::RATE);
        self.absorb_steps(steps);
        if !tail.is_empty() {
            self.put(tail);
        }
    }

    /// Ends the message; the result is the tags of all states.
    pub(super) fn end(&mut self, lengths: u128, short: bool) -> [u8; RATE] {
        let (part, filled) = (self.part, self.filled);
        self.end_with(&part[..filled], lengths, short)
    }

    /// Ends a message whose last data is `rest`, where nothing waits.
    pub(super) fn end_with(&mut self, rest: &[u8], lengths: u128, short: bool) -> [u8; RATE] {
        let mut rest = rest;
        while rest.len() > STRIP {
            let (strip, after) = rest.split_at(STRIP);
            self.strip(strip, InOut::in_place(&mut []), true);
            rest = after;
        }
        let saved = Some(&mut self.saved);
        finalize::<BITS, DEGREE>(self.backend, Begin::Saved, saved, rest, lengths, short)
    }

    /// The state where nothing waits, and its backend.
    pub(super) fn saved(&self) -> (Backend, &Saved) {
        (self.backend, &self.saved)
    }
}

/// Absorbs `rest`, and ends the message; the result is the tags of all states.
#[inline(always)]
pub(super) fn finalize<const BITS: usize, const DEGREE: usize>(
    backend: Backend,
    begin: Begin<'_>,
    saved: Option<&mut Saved>,
    rest: &[u8],
    lengths: u128,
    short: bool,
) -> [u8; RATE] {
    let mut tags = [0; RATE];
    let end = Some(End { lengths, short, tags: &mut tags });
    let io = InOut::in_place(&mut []);
    job::run::<BITS, DEGREE>(backend, Job { begin, saved, absorb: rest, io, seal: true, end });
    tags
}

impl<const BITS: usize, const DEGREE: usize> Drop for Progress<BITS, DEGREE> {
    fn drop(&mut self) {
        erase(&mut self.part);
    }
}

/// The state of a message of [`Aegis`] in pieces.
pub struct AegisPieces<'k, const BITS: usize, const DEGREE: usize> {
    aegis: &'k Aegis<BITS, DEGREE>,
    progress: Progress<BITS, DEGREE>,
    /// The keystream of the step that waits.
    pad: [u8; RATE],
    /// Bytes of associated data, and of data.
    lengths: [u64; 2],
}

impl<const BITS: usize, const DEGREE: usize> Piecewise for Aegis<BITS, DEGREE> {
    type Pieces<'k> = AegisPieces<'k, BITS, DEGREE>;

    fn begin(&self, nonce: &[u8]) -> Result<AegisPieces<'_, BITS, DEGREE>, Error> {
        let key = self.key_for(nonce)?;
        let progress = Progress::begin(self.backend, key, nonce);
        Ok(AegisPieces { aegis: self, progress, pad: [0; RATE], lengths: [0; 2] })
    }
}

impl<const BITS: usize, const DEGREE: usize> AegisPieces<'_, BITS, DEGREE> {
    fn crypt(&mut self, io: InOut<'_>, seal: bool) {
        if io.is_empty() {
            return;
        }
        if self.lengths[1] == 0 {
            // The associated data ends here.
            self.progress.pad();
        }
        self.lengths[1] += io.len() as u64;
        let rate = Progress::<BITS, DEGREE>::RATE;
        let filled = self.progress.filled;
        let head = if filled == 0 { 0 } else { (rate - filled).min(io.len()) };
        let (head, rest) = io.split_at(head);
        self.crypt_part(head, seal);
        let steps = rest.len() / rate * rate;
        let (steps, tail) = rest.split_at(steps);
        if !steps.is_empty() {
            self.progress.go_on(&[], steps, seal);
        }
        if !tail.is_empty() {
            self.pad = [0; RATE];
            // Of the state after that step, nothing is kept: its data is not known yet.
            let io = InOut::in_place(&mut self.pad[..rate]);
            self.progress.clone().go_on(&[], io, true);
            self.crypt_part(tail, seal);
        }
    }

    /// Data of the step that waits.
    fn crypt_part(&mut self, mut io: InOut<'_>, seal: bool) {
        let from = self.progress.filled;
        let pad = &self.pad[from..from + io.len()];
        if seal {
            self.progress.put(io.input());
            io.xor_bytes(0, pad);
        } else {
            io.xor_bytes(0, pad);
            self.progress.put(io.output());
        }
    }
}

impl<const BITS: usize, const DEGREE: usize> Pieces for AegisPieces<'_, BITS, DEGREE> {
    fn max_associated(&self) -> u64 {
        Aegis::<BITS, DEGREE>::MAX_DATA
    }
    fn max_data(&self) -> u64 {
        Aegis::<BITS, DEGREE>::MAX_DATA
    }
    fn tag_len(&self) -> usize {
        self.aegis.tag_len
    }
    fn whole_tag_len(&self) -> usize {
        32
    }
    fn associated(&mut self, bytes: &[u8]) {
        self.lengths[0] += bytes.len() as u64;
        self.progress.absorb(bytes);
    }
    fn seal(&mut self, io: InOut<'_>) {
        self.crypt(io, true);
    }
    fn open(&mut self, io: InOut<'_>) {
        self.crypt(io, false);
    }
    fn tag(&mut self, tag: &mut [u8]) {
        let short = self.aegis.tag_len == 16;
        let tags = self.progress.end(bits(self.lengths[0], self.lengths[1]), short);
        tag.copy_from_slice(&sum::<DEGREE>(&tags, short));
    }
}

impl<const BITS: usize, const DEGREE: usize> Tagged for AegisPieces<'_, BITS, DEGREE> {
    type Tag = [u8; 32];
}

impl<const BITS: usize, const DEGREE: usize> Drop for AegisPieces<'_, BITS, DEGREE> {
    fn drop(&mut self) {
        erase(&mut self.pad);
    }
}

impl<const BITS: usize, const DEGREE: usize> ZeroizeOnDrop for AegisPieces<'_, BITS, DEGREE> {}
