//! Operations, by specification and instruction set. The tests count them.

use crate::peers::Operation;

/// Operations on registers for one word of each lane's data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Count {
    /// Additions and logic.
    pub(super) plain: f64,
    /// Rotations, shifts and shuffles.
    pub(super) shifts: f64,
    /// Bytes that a lane of `lane` bits holds the words of.
    pub(super) lane_bytes: f64,
    /// Width of a lane in bits.
    pub(super) lane: usize,
}

impl Count {
    pub(super) fn all(&self) -> f64 {
        self.plain + self.shifts
    }

    /// Bytes of a batch in registers of so many bits.
    pub(super) fn bytes(&self, bits: usize) -> f64 {
        (bits / self.lane) as f64 * self.lane_bytes
    }
}

/// FIPS 197, section 5.
pub(super) fn aes_rounds(bits: u16) -> f64 {
    f64::from(bits) / 32.0 + 6.0
}

/// `None` where nobody has counted.
pub(super) fn of(operation: Operation, ternary: bool, fields: bool) -> Option<Count> {
    match operation {
        Operation::Threefish { bits, .. } | Operation::ThreefishCtr { bits } => {
            Some(threefish(usize::from(bits) / 64, ternary))
        }
        Operation::Ice { level, .. } if fields => Some(ice_in_fields(level, ternary)),
        Operation::Ice { level, .. } => Some(ice(level, ternary)),
        Operation::Xoodoo { rounds } | Operation::XoodooSliced { rounds } => {
            Some(xoodoo(rounds, 32, ternary))
        }
        Operation::Xoodoo64 { rounds } | Operation::Xoodoo64Sliced { rounds } => {
            Some(xoodoo(rounds, 64, ternary))
        }
        _ => None,
    }
}

/// A mix is an addition, a rotation and an XOR; a subkey is added every four rounds and at the end. Without
/// rotations, a rotation by whole bytes is a shuffle, and any other two shifts and an OR.
pub(super) fn threefish(words: usize, ternary: bool) -> Count {
    let rounds = if words == 16 { 80 } else { 72 };
    let mixes = rounds * words / 2;
    let subkeys = (rounds / 4 + 1) * words;
    // Rotations by whole bytes in eight rounds (Skein 1.3, table 4).
    let of_bytes = if words == 16 { rounds } else { rounds / 2 };
    let (shifts, ors) =
        if ternary { (mixes, 0) } else { (2 * (mixes - of_bytes) + of_bytes, mixes - of_bytes) };
    Count {
        plain: (2 * mixes + subkeys + ors) as f64,
        shifts: shifts as f64,
        lane_bytes: 8.0 * words as f64,
        lane: 64,
    }
}

/// For each column and round: theta is the parity, two rotations and three XORs with both; rho west one rotation, chi
/// three functions, rho east two rotations; and a constant for each round. Of the five rotations one is by whole bytes.
pub(super) fn xoodoo(rounds: u8, lane: usize, ternary: bool) -> Count {
    let columns = 128.0 / lane as f64;
    let (plain, shifts) = if ternary {
        (1.0 + 3.0 + 3.0, 5.0)
    } else {
        (2.0 + 1.0 + 3.0 + 6.0 + 4.0, 2.0 * 4.0 + 1.0)
    };
    let rounds = f64::from(rounds);
    Count {
        plain: rounds * (columns * plain + 1.0),
        shifts: rounds * columns * shifts,
        lane_bytes: 48.0,
        lane,
    }
}

/// Blocks are bits of a plane, so that a lane of 64 bits holds 64 blocks. The networks of the four S-boxes, XORs
/// with the other half included, and the salted key.
pub(super) fn ice(level: u8, ternary: bool) -> Count {
    let rounds = ice_rounds(level);
    let round = if ternary { ICE_TERNARY } else { ICE_PLAIN };
    Count { plain: rounds * round, shifts: 0.0, lane_bytes: 64.0 * 8.0, lane: 64 }
}

/// Kwan, section 2.
fn ice_rounds(level: u8) -> f64 {
    if level == 0 { 8.0 } else { 16.0 * f64::from(level) }
}

/// Eight blocks a lane of 64 bits, whose bytes are columns of S-boxes. What half of the ports start is counted
/// with the shifts.
fn ice_in_fields(level: u8, ternary: bool) -> Count {
    let rounds = ice_rounds(level);
    let round = if ternary { ICE_FIELDS } else { ICE_FIELDS_PLAIN };
    let [plain, scarce] = round.map(|n| n * rounds);
    Count { plain, shifts: scarce, lane_bytes: 64.0, lane: 64 }
}

/// Operations of a round of ICE in GF(2^8): logic and choices, and arithmetic and tests.
pub(super) const ICE_FIELDS: [f64; 2] = [34.0, 48.0];
/// The same with functions of two operands, and sums where there are no choices.
pub(super) const ICE_FIELDS_PLAIN: [f64; 2] = [82.0, 48.0];

/// Operations of a round of ICE with functions of three operands, and without.
pub(super) const ICE_TERNARY: f64 = 742.0;
pub(super) const ICE_PLAIN: f64 = 1137.0;
