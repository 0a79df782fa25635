//! The states of a message: rings, one for each register that a block of all states takes.

use super::ring::{Ring, load, times};
use crate::isa::{AesRounds, InOut, Isa, Sink, erase};

/// Bytes of the largest state, that of AEGIS-128X4.
const STATE: usize = 512;
/// Bytes of the largest step, that of AEGIS-128X4.
pub(super) const RATE: usize = 128;
/// Bytes that one ring takes before the next does: they stay in the first cache.
const STRIP: usize = 4096;

/// A state between calls: the first block of every state, the second of every state, and so on.
#[derive(Clone)]
pub(super) struct Saved([u8; STATE]);

impl Saved {
    /// Room for a state.
    pub(super) const NEW: Self = Self([0; STATE]);

    /// The first of `degree` states.
    pub(super) fn first(&self, degree: usize) -> Self {
        let mut first = Self::NEW;
        let blocks = self.0.chunks(16 * degree);
        for (to, from) in first.0.chunks_mut(16).zip(blocks) {
            to.copy_from_slice(&from[..16]);
        }
        first
    }

    #[cfg(all(test, feature = "std"))]
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Drop for Saved {
    fn drop(&mut self) {
        erase(&mut self.0);
    }
}

/// `R` rings. They are independent between the first and the last step. One after the other takes the data, because the registers
/// of many CPUs hold one of them.
pub(super) struct State<S, A, const B: usize, const M: usize, const R: usize> {
    isa: S,
    rings: [Ring<S, A, B, M>; R],
}

impl<S: Isa, A: AesRounds<S>, const B: usize, const M: usize, const R: usize> State<S, A, B, M, R> {
    /// Bytes of a block of all states.
    const ROW: usize = 16 * A::N * R;
    /// Bytes of data that a step takes.
    const RATE: usize = Self::ROW * M;
    /// Bytes from the first to the last that one ring takes of a step.
    const SPAN: usize = Self::ROW * (M - 1) + 16 * A::N;

    /// The number of rings, for loops that are compiled once and not for each ring.
    #[inline(always)]
    fn rings() -> usize {
        if R == 1 { 1 } else { times(R).min(R) }
    }

    /// Init (sections 3.4, 4.4, 5.4.2 and 5.5.2).
    #[inline(always)]
    pub(super) fn begin(isa: S, key: &[u8], nonce: &[u8]) -> Self {
        if A::N * R == 1 {
            return Self { isa, rings: [Ring::begin(isa, key, nonce, None); R] };
        }
        let mut contexts = [0; 64];
        for (i, context) in contexts.chunks_exact_mut(16).enumerate() {
            (context[0], context[1]) = (i as u8, (A::N * R - 1) as u8);
        }
        let mut rings = [Ring { isa, s: [load(isa, &contexts); B] }; R];
        for (r, ring) in rings[..Self::rings()].iter_mut().enumerate() {
            let context = load(isa, &contexts[16 * A::N * r..]);
            *ring = Ring::begin(isa, key, nonce, Some(context));
        }
        Self { isa, rings }
    }

    #[inline(always)]
    pub(super) fn load(isa: S, saved: &Saved) -> Self {
        let mut rings = [Ring { isa, s: [load(isa, &saved.0); B] }; R];
        for (r, ring) in rings[..Self::rings()].iter_mut().enumerate() {
            ring.s = Ring::<S, A, B, M>::blocks(isa, &saved.0[16 * A::N * r..], Self::ROW);
        }
        Self { isa, rings }
    }

    #[inline(always)]
    pub(super) fn store(&self, saved: &mut Saved) {
        let mut sink = Sink::new(&mut saved.0);
        for (r, ring) in self.rings[..Self::rings()].iter().enumerate() {
            Ring::<S, A, B, M>::put(self.isa, ring.s, &mut sink, 16 * A::N * r, Self::ROW);
        }
    }

    /// Absorb (sections 3.5 and 4.5). Zeros fill up the last step.
    #[inline(always)]
    pub(super) fn absorb(&mut self, data: &[u8]) {
        let (mut rest, mut last) = (data, [0; RATE]);
        while !rest.is_empty() {
            let steps = rest.len() / Self::RATE * Self::RATE;
            let (strip, after) = if steps > 0 {
                rest.split_at(steps.min(STRIP))
            } else {
                last[..rest.len()].copy_from_slice(rest);
                (&last[..Self::RATE], &[][..])
            };
            self.absorb_strip(strip);
            rest = after;
        }
    }

    #[inline(always)]
    fn absorb_strip(&mut self, strip: &[u8]) {
        for r in 0..Self::rings() {
            let (mut ring, part) = (self.rings[r], &strip[16 * A::N * r..]);
            let mut at = 0;
            while at + Self::SPAN <= part.len() {
                let step = &part[at..at + Self::SPAN];
                ring.step(Ring::<S, A, B, M>::blocks(self.isa, step, Self::ROW));
                at += Self::RATE;
            }
            self.rings[r] = ring;
        }
    }

    /// Enc, or Dec and DecPartial (sections 3.6 to 3.8 and 4.6 to 4.8). Zeros fill up the last step.
    #[inline(always)]
    pub(super) fn crypt(&mut self, io: InOut<'_>, seal: bool) {
        let steps = io.len() / Self::RATE * Self::RATE;
        let (steps, rest) = io.split_at(steps);
        if seal {
            self.crypt_steps::<true>(steps);
        } else {
            self.crypt_steps::<false>(steps);
        }
        if !rest.is_empty() {
            self.crypt_last(rest, seal);
        }
    }

    #[inline(always)]
    fn crypt_steps<const SEAL: bool>(&mut self, mut steps: InOut<'_>) {
        while !steps.is_empty() {
            let len = if R == 1 { steps.len() } else { steps.len().min(STRIP) };
            let (strip, after) = steps.split_at(len);
            self.crypt_strip::<SEAL>(strip);
            steps = after;
        }
    }

    #[inline(always)]
    fn crypt_strip<const SEAL: bool>(&mut self, mut strip: InOut<'_>) {
        for r in 0..Self::rings() {
            let (mut ring, mut at) = (self.rings[r], 0);
            let (_, mut part) = strip.reborrow().split_at(16 * A::N * r);
            while at + Self::SPAN <= part.len() {
                let step = &part.input()[at..at + Self::SPAN];
                let m = Ring::<S, A, B, M>::blocks(self.isa, step, Self::ROW);
                let z = ring.keystream();
                let (out, mut sink) = (xor(m, z), part.sink(at, Self::SPAN));
                Ring::<S, A, B, M>::put(self.isa, out, &mut sink, 0, Self::ROW);
                if SEAL {
                    ring.step(m);
                } else if S::Aes::SLICED {
                    ring.step(out);
                } else {
                    ring.step_xor(m, Some(z));
                }
                at += Self::RATE;
            }
            self.rings[r] = ring;
        }
    }

    /// The last bytes, fewer than a step takes. The plaintext is filled up with zeros.
    #[inline(always)]
    fn crypt_last(&mut self, mut io: InOut<'_>, seal: bool) {
        let (mut last, mut keystream) = ([0; RATE], [0; RATE]);
        let len = io.len();
        let mut sink = Sink::new(&mut keystream);
        for (r, ring) in self.rings[..Self::rings()].iter().enumerate() {
            Ring::<S, A, B, M>::put(
                self.isa,
                ring.keystream(),
                &mut sink,
                16 * A::N * r,
                Self::ROW,
            );
        }
        last[..len].copy_from_slice(io.input());
        io.xor_bytes(0, &keystream[..len]);
        if !seal {
            last[..len].copy_from_slice(io.output());
        }
        self.absorb_strip(&last[..Self::RATE]);
        erase(&mut last);
        erase(&mut keystream);
    }

    /// The steps of Finalize (sections 3.9 and 4.9), with the two lengths, and the tags of all states: the first halves of tags of
    /// 32 bytes, and from byte 64 on the second halves. A `short` tag is in the place of the first half.
    #[inline(always)]
    pub(super) fn end(&mut self, lengths: u128, short: bool, tags: &mut [u8; RATE]) {
        let mut sink = Sink::new(tags);
        for r in 0..Self::rings() {
            let mut ring = self.rings[r];
            ring.end(lengths);
            Ring::<S, A, B, M>::put(self.isa, ring.tags(short), &mut sink, 16 * A::N * r, 64);
            self.rings[r] = ring;
        }
    }
}

#[inline(always)]
fn xor<S: Isa, A: AesRounds<S>, const M: usize>(a: [A; M], b: [A; M]) -> [A; M] {
    let mut sum = a;
    for i in 0..M {
        sum[i] = a[i].xor(b[i]);
    }
    sum
}
