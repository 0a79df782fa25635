//! The expansion E (Kwan, section 2), and the layout of an expanded half in a word.

/// The number of the bit of the half that is bit `b` of the left (0) or the right (1) half of its expansion E.
pub(super) const fn expansion(side: usize, b: usize) -> usize {
    match (side, b < 10) {
        (0, true) => 16 + b,
        (0, false) => (b + 14) % 32,
        (_, true) => b,
        (_, false) => b - 2,
    }
}

/// The positions of the S-boxes' inputs, 10 bits each, in an expanded half. The first is at the end of the word, so that a shift
/// alone extracts it.
pub(super) const PLACES: [u32; 4] = [54, 32, 22, 0];

/// The left 20 and the right 20 bits of a subkey, in the layout of an expanded half.
pub(super) const fn in_place(left: u64, right: u64) -> u64 {
    (left >> 10) << PLACES[0]
        | (left & 0x3ff) << PLACES[1]
        | (right >> 10) << PLACES[2]
        | (right & 0x3ff) << PLACES[3]
}
