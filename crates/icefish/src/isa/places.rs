//! Vectors whose words can change places between lanes: they make one large block as fast as its words allow.

use super::Lanes;

/// At most eight words of 64 bits that can change places.
///
/// The default methods go through memory: correct and slow. A set that uses its vectors for single blocks overrides them with its
/// instructions.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{Isa, Lanes, Places, Task};
///
/// struct Example;
/// impl Task for Example {
///     type Out = bool;
///     #[inline(always)]
///     fn call<S: Isa>(self, isa: S) -> bool {
///         let words = S::U64::of(isa, &[0, 1, 2, 3, 4, 5, 6, 7]);
///         let mut bytes = [0; 64];
///         words.store(&mut bytes[..8 * S::U64::N]);
///         bytes[8 * (S::U64::N - 1)] == S::U64::N as u8 - 1
///     }
/// }
///
/// assert!(Backend::best().run(Example));
/// ```
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
    /// Lane `j` is lane `from[j]` of the concatenation of `low` and `high`.
    ///
    /// # Panics
    /// If `from` has the number of a lane that does not exist.
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
    /// Lane `j` is lane `j ^ mask`; `mask` must be less than the number of lanes.
    #[inline(always)]
    fn swap(self, isa: S, mask: usize) -> Self {
        let mut from = [0; 8];
        for j in 0..8 {
            from[j] = j ^ mask;
        }
        Self::pick(isa, self, self, &from)
    }
    /// Rotates lane `j` left by `bits[j]`, which must be less than 64.
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
