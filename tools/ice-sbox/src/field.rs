//! ICE's S-boxes as the specification defines them: a seventh power in GF(2^8).

/// Reduction polynomials, `MODULUS[sbox][row]`, x^8 included.
pub const MODULUS: [[u16; 4]; 4] =
    [[333, 313, 505, 369], [379, 375, 319, 391], [361, 445, 451, 397], [397, 425, 395, 505]];

/// What is added to the column before the power, `OFFSET[sbox][row]`.
pub const OFFSET: [[u8; 4]; 4] = [
    [0x83, 0x85, 0x9b, 0xcd],
    [0xcc, 0xa7, 0xad, 0x41],
    [0x4b, 0x2e, 0xd4, 0x33],
    [0xea, 0xcb, 0x2e, 0x04],
];

/// Product of two polynomials over GF(2) modulo a polynomial of degree 8.
#[must_use]
pub fn mul(a: u8, b: u8, modulus: u16) -> u8 {
    let mut product = 0;
    let mut shifted = u16::from(a);
    for bit in 0..8 {
        if b >> bit & 1 == 1 {
            product ^= shifted;
        }
        shifted <<= 1;
        if shifted & 0x100 != 0 {
            shifted ^= modulus;
        }
    }
    u8::try_from(product).expect("reduced to eight bits")
}

/// `base` to the power of `exponent`.
#[must_use]
pub fn pow(base: u8, exponent: u32, modulus: u16) -> u8 {
    (0..exponent).fold(1, |power, _| mul(power, base, modulus))
}

/// The row of a ten-bit input: its outer bits.
#[must_use]
pub const fn row(x: u16) -> usize {
    ((x >> 9 & 1) * 2 + (x & 1)) as usize
}

/// The column of a ten-bit input: its inner bits.
#[must_use]
pub const fn column(x: u16) -> u8 {
    (x >> 1 & 0xff) as u8
}

/// S-box number `sbox` of ICE on a ten-bit input.
#[must_use]
pub fn sbox(sbox: usize, x: u16) -> u8 {
    let row = row(x);
    pow(column(x) ^ OFFSET[sbox][row], 7, MODULUS[sbox][row])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moduli_are_irreducible() {
        for modulus in MODULUS.as_flattened() {
            for a in 1..=255 {
                assert_eq!(pow(a, 255, *modulus), 1, "{a} modulo {modulus}");
            }
        }
    }

    #[test]
    fn seven_may_be_replaced_by_fifty_six() {
        for modulus in MODULUS.as_flattened() {
            for a in 0..=255 {
                let seventh = pow(a, 7, *modulus);
                assert_eq!(pow(a, 56, *modulus), pow(seventh, 8, *modulus));
                assert_eq!(pow(pow(a, 56, *modulus), 32, *modulus), seventh);
            }
        }
    }

    #[test]
    fn each_row_sends_its_offset_to_zero() {
        for (number, offsets) in OFFSET.iter().enumerate() {
            for (row, &offset) in (0u16..).zip(offsets) {
                let x = (row >> 1) << 9 | u16::from(offset) << 1 | (row & 1);
                assert_eq!(sbox(number, x), 0);
            }
        }
    }
}
