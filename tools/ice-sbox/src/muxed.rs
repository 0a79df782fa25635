//! The maps into and out of the tower, as linear forms that depend on the row.
//!
//! A row's map is given by where its field's x goes (a root of its modulus in the tower) and by a factor:
//! c is sent to y = scale * phi(c + offset). Then y^56 = scale^56 phi((c + offset)^7)^8, so that the S-box is
//! phi^-1((scale^-56 y^56)^32), which is linear in y^56 again. Neither the root nor the factor changes the
//! S-box: 8 * 255 choices a row.

use crate::field::{MODULUS, OFFSET};
use crate::tower::Tower;

/// One row's way into the tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Embedding {
    pub root: u8,
    pub scale: u8,
}

/// The linear forms of one output bit in the four rows: bit `i` is the coefficient of variable `i`, bit 8 a constant.
pub type Form = [u16; 4];

/// The forms of eight bits.
pub type Forms = [Form; 8];

/// phi as the images of x^0 .. x^7.
fn powers(root: u8, tower: Tower) -> [u8; 8] {
    let mut power = 0xff;
    std::array::from_fn(|_| {
        let current = power;
        power = tower.mul(power, root);
        current
    })
}

/// The value of the linear map that sends bit `i` to `images[i]`.
fn apply(images: &[u8; 8], x: u8) -> u8 {
    (0..8).filter(|i| x >> i & 1 == 1).fold(0, |sum, i| sum ^ images[i])
}

/// The inverse of an invertible linear map.
fn invert(images: &[u8; 8]) -> [u8; 8] {
    let mut inverse = [0; 8];
    for x in 0..=255u8 {
        let y = apply(images, x);
        if y.is_power_of_two() {
            inverse[y.trailing_zeros() as usize] = x;
        }
    }
    inverse
}

/// Column to tower: the images of the eight column bits, and that of zero.
#[must_use]
pub fn into_tower(tower: Tower, sbox: usize, row: usize, embedding: Embedding) -> ([u8; 8], u8) {
    let images = powers(embedding.root, tower).map(|p| tower.mul(embedding.scale, p));
    (images, apply(&images, OFFSET[sbox][row]))
}

/// Power in the tower to output: the images of its eight bits.
#[must_use]
pub fn out_of_tower(tower: Tower, embedding: Embedding) -> [u8; 8] {
    let inverse = invert(&powers(embedding.root, tower));
    // scale^255 = 1
    let factor = tower.pow(embedding.scale, 255 - 56);
    std::array::from_fn(|bit| {
        let product = tower.mul(factor, 1 << bit);
        let root8 = (0..5).fold(product, |x, _| tower.mul(x, x));
        apply(&inverse, root8)
    })
}

/// Adds one row's map to the forms.
pub fn set_row(forms: &mut Forms, row: usize, images: &[u8; 8], constant: u8) {
    for (bit, form) in forms.iter_mut().enumerate() {
        let coefficient = |x: u8| u16::from(x >> bit & 1);
        let linear = (0..8).map(|i| coefficient(images[i]) << i).sum::<u16>();
        form[row] = linear | coefficient(constant) << 8;
    }
}

/// The forms into and out of the tower.
#[must_use]
pub fn forms(tower: Tower, sbox: usize, embeddings: &[Embedding; 4]) -> (Forms, Forms) {
    let mut inward = [[0; 4]; 8];
    let mut outward = [[0; 4]; 8];
    for (row, &embedding) in embeddings.iter().enumerate() {
        let (images, constant) = into_tower(tower, sbox, row, embedding);
        set_row(&mut inward, row, &images, constant);
        set_row(&mut outward, row, &out_of_tower(tower, embedding), 0);
    }
    (inward, outward)
}

/// All embeddings of one row.
#[must_use]
pub fn embeddings(tower: Tower, sbox: usize, row: usize) -> Vec<Embedding> {
    let roots = tower.roots(MODULUS[sbox][row]);
    let with_root = |&root: &u8| (1..=255).map(move |scale| Embedding { root, scale });
    roots.iter().flat_map(with_root).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field;

    #[test]
    fn a_row_is_map_power_map() {
        let tower = Tower::all()[3];
        let power: Vec<u8> = (0..=255).map(|y| tower.pow(y, 56)).collect();
        for sbox in 0..4 {
            for row in 0..4u16 {
                let all = embeddings(tower, sbox, usize::from(row));
                assert_eq!(all.len(), 2040);
                for &embedding in all.iter().step_by(97) {
                    let (images, zero) = into_tower(tower, sbox, usize::from(row), embedding);
                    let out = out_of_tower(tower, embedding);
                    for column in 0..=255 {
                        let y = apply(&images, column) ^ zero;
                        let x = (row >> 1) << 9 | u16::from(column) << 1 | (row & 1);
                        assert_eq!(apply(&out, power[usize::from(y)]), field::sbox(sbox, x));
                    }
                }
            }
        }
    }
}
