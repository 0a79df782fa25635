//! Sets of signals of a network, and random choices among them.

/// A set of signals, with room for `64 * W`.
pub type Set<const W: usize> = [u64; W];

/// Adds a signal to a set.
pub fn insert<const W: usize>(set: &mut Set<W>, signal: usize) {
    set[signal / 64] |= 1 << (signal % 64);
}

/// Whether a signal is in a set.
#[must_use]
pub fn contains<const W: usize>(set: &Set<W>, signal: usize) -> bool {
    set[signal / 64] >> (signal % 64) & 1 == 1
}

/// A small deterministic generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        (high as usize * bound) >> 32
    }
}
