//! The interface between the networks of the S-boxes and a round.

/// The inputs and outputs of S-boxes.
pub(super) trait Terminals<V> {
    /// Bit `I` of the inputs of S-boxes `BOX` and `BOX + 2`, counted from the most significant: a bit of the expanded half after
    /// the keyed permutation and the XOR of the subkey.
    fn inputs<const BOX: usize, const I: usize>(&self) -> (V, V);
    /// XORs bit `I` of the output of S-box `BOX`, counted from the most significant, into the other half at the position that P
    /// gives it.
    fn output<const BOX: usize, const I: usize>(&mut self, bit: V);
}
