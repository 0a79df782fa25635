//! Words that change places between the lanes of a vector: how one large block is as fast as its words allow.

use super::Lanes;

/// Words of 64 bits, at most eight, that can change places.
///
/// What is provided goes through memory: right, and slow. A set whose vectors are in use for one block has
/// instructions for it.
pub trait Places<S: Copy>: Lanes<S, u64> {
    /// Lane `j` is `words[j]`.
    ///
    /// # Panics
    /// If there are fewer words than lanes.
    #[inline(always)]
    fn of(isa: S, words: &[u64]) -> Self {
        let mut row = [0; 64];
        for j in 0..Self::N {
            row[8 * j..8 * j + 8].copy_from_slice(&words[j].to_le_bytes());
        }
        Self::load(isa, &row)
    }
    /// Lane `j` is lane `from[j]` of `low` and `high`, one after the other.
    ///
    /// # Panics
    /// If `from` names a lane that is not there.
    #[inline(always)]
    fn pick(isa: S, low: Self, high: Self, from: &[usize; 8]) -> Self {
        let (mut both, mut row) = ([0; 128], [0; 64]);
        low.store(&mut both[..8 * Self::N]);
        high.store(&mut both[8 * Self::N..16 * Self::N]);
        for j in 0..Self::N {
            let word = &both[..16 * Self::N][8 * from[j]..8 * from[j] + 8];
            row[8 * j..8 * j + 8].copy_from_slice(word);
        }
        Self::load(isa, &row)
    }
    /// Lane `j` is lane `j ^ mask`, `mask` less than the number of lanes.
    #[inline(always)]
    fn swap(self, isa: S, mask: usize) -> Self {
        let mut from = [0; 8];
        for j in 0..8 {
            from[j] = j ^ mask;
        }
        Self::pick(isa, self, self, &from)
    }
    /// Rotates lane `j` left by `bits[j]`, less than 64.
    #[inline(always)]
    fn rotl_each(self, isa: S, bits: &[u32; 8]) -> Self {
        let mut row = [0; 64];
        self.store(&mut row[..8 * Self::N]);
        for j in 0..Self::N {
            let mut word = [0; 8];
            word.copy_from_slice(&row[8 * j..8 * j + 8]);
            let word = u64::from_le_bytes(word).rotate_left(bits[j]);
            row[8 * j..8 * j + 8].copy_from_slice(&word.to_le_bytes());
        }
        Self::load(isa, &row)
    }
}
