//! Words that are looked up.

use super::Lanes;

/// Words of 32 bits, at most sixteen, each of which can be the place of another in a table. **Not constant-time**.
///
/// What is provided goes through memory, a word at a time.
pub trait LookUp<S: Copy>: Lanes<S, u32> {
    /// Whether the set has an instruction for it that is faster than a word at a time.
    const FAST: bool = false;
    /// Lane `j` is word `self[j] % LEN` of `table`; `LEN` is a power of two.
    #[inline(always)]
    fn look_up<const LEN: usize>(self, isa: S, table: &[u32; LEN]) -> Self {
        const { assert!(LEN.is_power_of_two()) };
        let mut row = [0; 64];
        self.store(&mut row[..4 * Self::N]);
        for lane in row[..4 * Self::N].chunks_exact_mut(4) {
            let place = u32::from_le_bytes([lane[0], lane[1], lane[2], lane[3]]);
            lane.copy_from_slice(&table[place as usize & (LEN - 1)].to_le_bytes());
        }
        Self::load(isa, &row)
    }
}
