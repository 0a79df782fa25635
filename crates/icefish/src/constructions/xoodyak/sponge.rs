//! Cyclist with its state in registers: the operations of algorithm 1 of the specification, for one message.

use super::CyclistMode;
use crate::isa::{InOut, Isa, Rows, Sink};
use crate::permutations::xoodoo::plane::{Plane, PlaneRow};
use crate::permutations::xoodoo::rounds::{CONSTANTS, permute};
use core::marker::PhantomData;

/// A state between calls.
#[derive(Clone)]
pub(crate) struct SavedSponge {
    pub(crate) bytes: [u8; 48],
    /// Whether the last operation was the permutation (phase "up"), or there was none.
    pub(super) up: bool,
}

impl SavedSponge {
    pub(crate) const NEW: Self = Self { bytes: [0; 48], up: true };
}

/// A state in registers, each with one plane.
pub(crate) struct Sponge<S, R, M> {
    isa: S,
    a: [PlaneRow<R>; 3],
    up: bool,
    mode: PhantomData<M>,
}

impl<S: Isa, R: Rows<S, u32>, M: CyclistMode> Sponge<S, R, M> {
    #[inline(always)]
    pub(crate) fn open(isa: S, saved: &SavedSponge) -> Self {
        let [p, q, r] = R::gather::<3>(isa, &saved.bytes);
        Self { isa, a: [PlaneRow(p), PlaneRow(q), PlaneRow(r)], up: saved.up, mode: PhantomData }
    }

    #[inline(always)]
    pub(super) fn close(self, saved: &mut SavedSponge) {
        saved.bytes = self.bytes();
        saved.up = self.up;
    }

    /// The barriers are for general registers: the compiler may otherwise keep the bytes of the state apart in all rounds, and a
    /// message takes twice as long.
    #[inline(always)]
    fn bytes(&self) -> [u8; 48] {
        let mut bytes = [0; 48];
        let [p, q, r] = self.a;
        R::scatter::<3>([p.0.opaque(), q.0.opaque(), r.0.opaque()], Sink::new(&mut bytes));
        bytes
    }

    /// The plane of these 16 bytes.
    #[inline(always)]
    fn row(&self, bytes: &[u8]) -> PlaneRow<R> {
        PlaneRow(R::gather::<1>(self.isa, bytes)[0])
    }

    /// The plane of 16 bytes; byte 0 is in the lowest bits.
    #[inline(always)]
    fn constant(&self, bytes: u128) -> PlaneRow<R> {
        self.row(&bytes.to_le_bytes())
    }

    #[inline(always)]
    fn add(&mut self, y: usize, row: PlaneRow<R>) {
        self.a[y] = self.a[y].xor(row);
    }

    /// Up: adds `colour` to the last byte of a keyed state, then permutes.
    #[inline(always)]
    fn up(&mut self, colour: u8) {
        if M::KEYED {
            self.add(2, self.constant(u128::from(colour) << 120));
        }
        permute(self.isa, &mut self.a, &CONSTANTS);
        self.up = true;
    }

    /// Down: adds a block of at most 44 bytes, the 1 of the padding after it, and `colour` in the last byte.
    #[inline(always)]
    fn down(&mut self, block: &[u8], colour: u8) {
        let mut padded = [0; 48];
        padded[..block.len()].copy_from_slice(block);
        padded[block.len()] = 1;
        padded[47] = if M::KEYED { colour } else { colour & 1 };
        for y in 0..3 {
            self.add(y, self.row(&padded[16 * y..]));
        }
        self.up = false;
    }

    /// Down with a whole block of [`CyclistMode::ABSORB`] bytes, loaded directly into registers.
    #[inline(always)]
    fn down_whole(&mut self, block: &[u8], colour: u8) {
        let colour = u128::from(if M::KEYED { colour } else { colour & 1 }) << 120;
        self.add(0, self.row(block));
        if M::KEYED {
            self.add(1, self.row(&block[16..]));
            let low = word(&block[32..]);
            let high = u32::from_le_bytes([block[40], block[41], block[42], block[43]]);
            let last = u128::from(low) | u128::from(high) << 64 | 1 << 96 | colour;
            self.add(2, self.constant(last));
        } else {
            self.add(1, self.constant(1));
            self.add(2, self.constant(colour));
        }
        self.up = false;
    }

    /// AbsorbAny at the rate of the mode.
    #[inline(always)]
    pub(crate) fn absorb(&mut self, data: &[u8], colour: u8) {
        let mut colour = colour;
        let mut rest = data;
        while rest.len() >= M::ABSORB {
            if !self.up {
                self.up(0);
            }
            let (block, after) = rest.split_at(M::ABSORB);
            self.down_whole(block, colour);
            (rest, colour) = (after, 0);
        }
        if !rest.is_empty() || data.is_empty() {
            if !self.up {
                self.up(0);
            }
            self.down(rest, colour);
        }
    }

    /// AbsorbAny at a rate of one byte, which absorbs a counter.
    #[inline(always)]
    pub(super) fn absorb_bytes(&mut self, data: &[u8]) {
        for byte in data.chunks(1) {
            if !self.up {
                self.up(0);
            }
            self.down(byte, 0);
        }
    }

    /// SqueezeAny.
    #[inline(always)]
    pub(crate) fn squeeze(&mut self, output: &mut [u8], colour: u8) {
        self.up(colour);
        let (now, rest) = output.split_at_mut(M::SQUEEZE.min(output.len()));
        now.copy_from_slice(&self.bytes()[..now.len()]);
        self.squeeze_on(rest);
    }

    /// Continues the same output, from its next block on.
    #[inline(always)]
    pub(super) fn squeeze_on(&mut self, output: &mut [u8]) {
        for block in output.chunks_mut(M::SQUEEZE) {
            self.add(0, self.constant(1));
            self.up(0);
            block.copy_from_slice(&self.bytes()[..block.len()]);
        }
    }

    /// Crypt: encrypts or decrypts 24 bytes per permutation. `colour` is that of the first block.
    #[inline(always)]
    pub(crate) fn crypt<const DECRYPT: bool>(&mut self, io: &mut InOut<'_>, mut colour: u8) {
        let mut at = 0;
        loop {
            self.up(colour);
            let left = io.len() - at;
            if left < 24 {
                self.crypt_part::<DECRYPT>(io, at);
            } else {
                self.crypt_whole::<DECRYPT>(io, at);
            }
            if left <= 24 {
                return;
            }
            (at, colour) = (at + 24, 0);
        }
    }

    #[inline(always)]
    fn crypt_whole<const DECRYPT: bool>(&mut self, io: &mut InOut<'_>, at: usize) {
        let input = &io.input()[at..at + 24];
        let (first, second) = (self.row(input), self.constant(word(&input[16..]).into()));
        let (p, q) = (self.a[0].xor(first), self.a[1].xor(second));
        let mut last = [0; 16];
        R::scatter::<1>([q.0.opaque()], Sink::new(&mut last));
        R::scatter::<1>([p.0.opaque()], io.sink(at, 16));
        io.output()[at + 16..at + 24].copy_from_slice(&last[..8]);
        // The state absorbs the plaintext, so its outer part becomes the ciphertext.
        (self.a[0], self.a[1]) = if DECRYPT {
            let plain = PlaneRow(q.0 & self.constant(u64::MAX.into()).0);
            (first, self.a[1].xor(plain))
        } else {
            (p, q)
        };
        self.add(1, self.constant(1 << 64));
        self.up = false;
    }

    #[inline(always)]
    fn crypt_part<const DECRYPT: bool>(&mut self, io: &mut InOut<'_>, at: usize) {
        let stream = self.bytes();
        let count = io.len() - at;
        let mut plain = [0; 24];
        plain[..count].copy_from_slice(&io.input()[at..]);
        let mut out = plain;
        for (o, s) in out.iter_mut().zip(stream) {
            *o ^= s;
        }
        io.output()[at..].copy_from_slice(&out[..count]);
        self.down(if DECRYPT { &out[..count] } else { &plain[..count] }, 0);
    }
}

#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
}
