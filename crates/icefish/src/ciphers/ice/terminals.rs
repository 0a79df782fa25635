//! What the networks of the S-boxes ask of a round.

/// Where S-boxes take their inputs from, and leave their outputs.
pub(super) trait Terminals<V> {
    /// Bit `I` of the input of S-boxes `BOX` and `BOX + 2`, the most significant first: of the expanded
    /// half, permuted and XORed with the subkey.
    fn inputs<const BOX: usize, const I: usize>(&self) -> (V, V);
    /// XORs bit `I` of the output of S-box `BOX`, the most significant first, through P into the other
    /// half.
    fn output<const BOX: usize, const I: usize>(&mut self, bit: V);
}
