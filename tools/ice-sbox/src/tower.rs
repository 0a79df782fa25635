//! The one field in which all four rows are computed: GF(((2^2)^2)^2).
//!
//! Every step adjoins a root of X^2 + X + p, and an element is written in the normal basis of its two roots:
//! `(high, low)` stands for `high * root + low * (root + 1)`. In such a basis
//!
//! - the product of (a, b) and (c, d) is (ac + pk, bd + pk) with k = (a + b)(c + d);
//! - 1 is (1, 1), and the norm of (a, b) to the field below is ab + p(a + b)^2;
//! - the conjugate of (a, b) is (b, a).

/// The constants `p` of the upper two steps. The lowest step, GF(4) over GF(2), has no choice: p = 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tower {
    /// In GF(4): GF(16) = GF(4)\[X\] / (X^2 + X + mu).
    pub mu: u8,
    /// In GF(16): GF(256) = GF(16)\[X\] / (X^2 + X + nu).
    pub nu: u8,
}

/// One product in the normal basis of a quadratic step, given the product of the field below.
fn step(bits: u32, a: u8, b: u8, p: u8, below: impl Fn(u8, u8) -> u8) -> u8 {
    let mask = (1u8 << bits) - 1;
    let (a1, a0, b1, b0) = (a >> bits, a & mask, b >> bits, b & mask);
    let cross = below(p, below(a1 ^ a0, b1 ^ b0));
    (below(a1, b1) ^ cross) << bits | (below(a0, b0) ^ cross)
}

/// Product in GF(4).
#[must_use]
pub fn mul4(a: u8, b: u8) -> u8 {
    step(1, a, b, 1, |a, b| a & b)
}

impl Tower {
    /// All towers of this shape: the constants for which both polynomials are irreducible.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut towers = Vec::new();
        for (mu, nu) in (1..4).flat_map(|mu| (1..16).map(move |nu| (mu, nu))) {
            let tower = Self { mu, nu };
            let no_root4 = (0..4).all(|x| mul4(x, x) ^ x ^ mu != 0);
            let no_root16 = (0..16).all(|x| tower.mul16(x, x) ^ x ^ nu != 0);
            if no_root4 && no_root16 {
                towers.push(tower);
            }
        }
        towers
    }

    /// Product in GF(16).
    #[must_use]
    pub fn mul16(self, a: u8, b: u8) -> u8 {
        step(2, a, b, self.mu, mul4)
    }

    /// Product in GF(256).
    #[must_use]
    pub fn mul(self, a: u8, b: u8) -> u8 {
        step(4, a, b, self.nu, |a, b| self.mul16(a, b))
    }

    /// `base` to the power of `exponent` in GF(256); 1 is the all-ones byte.
    #[must_use]
    pub fn pow(self, base: u8, exponent: u32) -> u8 {
        (0..exponent).fold(0xff, |power, _| self.mul(power, base))
    }

    /// The eight elements that satisfy a polynomial of degree 8: where its field's x may go. They are the
    /// powers `root^(2^k)` of any one of them, so choosing a root is choosing a Frobenius power.
    #[must_use]
    pub fn roots(self, modulus: u16) -> Vec<u8> {
        let value_at = |x| {
            (0..9).filter(|bit| modulus >> bit & 1 == 1).fold(0, |sum, bit| sum ^ self.pow(x, bit))
        };
        (0..=255).filter(|&x| value_at(x) == 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field;

    #[test]
    fn there_are_sixteen_towers() {
        assert_eq!(Tower::all().len(), 16);
    }

    #[test]
    fn every_row_is_isomorphic_to_every_tower() {
        for tower in Tower::all() {
            for &modulus in field::MODULUS.as_flattened() {
                let roots = tower.roots(modulus);
                assert_eq!(roots.len(), 8);
                for bits in 0..8 {
                    assert!(roots.contains(&tower.pow(roots[0], 1 << bits)));
                }
            }
        }
    }

    #[test]
    fn tower_is_a_field() {
        for tower in Tower::all() {
            for a in 1..=255 {
                assert_eq!(tower.pow(a, 255), 0xff);
            }
        }
    }

    #[test]
    fn fifty_six_is_norm_cubed_times_the_fifth_power() {
        for tower in Tower::all() {
            for x in 0..=255 {
                let norm = tower.pow(x, 17);
                assert_eq!(norm >> 4, norm & 15, "the norm lies in GF(16)");
                let product = tower.mul(tower.pow(norm, 3), tower.pow(x, 5));
                assert_eq!(product, tower.pow(x, 56));
            }
        }
    }
}
