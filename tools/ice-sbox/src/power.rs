//! x^56 in the tower field, as a network: norm(x)^3 x^5.
//!
//! Write x = (a, b) over GF(16), s = a + b, and a = (a1, a0), b = (b1, b0) over GF(4). Raising to the fourth power
//! is the conjugation of GF(16) over GF(4). Then (`Tower` explains the bases)
//!
//! - norm(x) = ab + nu s^2;
//! - Y^4 = Y + t with t = nu + nu^2, Y being the upper basis element, so that x^5 = x x^4 has the two halves
//!   (1 + t) a^5 + t z + nu s^5 and (1 + t) b^5 + t z^4 + nu s^5, where z = a b^4;
//! - a^5 = a a^4 is the norm of a to GF(4), a1 a0 + mu (a1 + a0)^2; b^5 likewise; s^5 = a^5 + b^5 + z + z^4;
//! - ab = (a1 b1 + k, a0 b0 + k) and z = (a1 b0 + k, a0 b1 + k), with the same k = mu (a1 + a0)(b1 + b0).
//!
//! Five products in GF(4) thus serve both the norm and the fifth power.

use crate::builder::{Builder, Wire, ZERO};
use crate::tower::{Tower, mul4};

/// Bit `i` of a field element, least significant first.
type Element = Vec<Wire>;

fn add(net: &mut Builder, a: &[Wire], b: &[Wire]) -> Element {
    a.iter().zip(b).map(|(&a, &b)| net.xor(a, b)).collect()
}

/// A linear map, given as a function on numbers.
fn linear(net: &mut Builder, x: &[Wire], map: impl Fn(u8) -> u8) -> Element {
    (0..x.len())
        .map(|bit| {
            let used = (0..x.len()).filter(|&i| map(1 << i) >> bit & 1 == 1);
            net.sum(used.map(|i| x[i]))
        })
        .collect()
}

/// The product in the normal basis of a quadratic step whose constant multiplies as `scale`.
fn step(
    net: &mut Builder,
    a: &[Wire],
    b: &[Wire],
    product: impl Fn(&mut Builder, &[Wire], &[Wire]) -> Element,
    scale: impl Fn(u8) -> u8,
) -> Element {
    let half = a.len() / 2;
    let (a0, a1) = a.split_at(half);
    let (b0, b1) = b.split_at(half);
    let sum_a = add(net, a0, a1);
    let sum_b = add(net, b0, b1);
    let cross = product(net, &sum_a, &sum_b);
    let cross = linear(net, &cross, scale);
    let low = product(net, a0, b0);
    let high = product(net, a1, b1);
    let mut result = add(net, &low, &cross);
    result.extend(add(net, &high, &cross));
    result
}

fn product4(net: &mut Builder, a: &[Wire], b: &[Wire]) -> Element {
    let bit = |net: &mut Builder, a: &[Wire], b: &[Wire]| vec![net.and(a[0], b[0])];
    step(net, a, b, bit, |x| x)
}

fn product16(net: &mut Builder, a: &[Wire], b: &[Wire], tower: Tower) -> Element {
    step(net, a, b, product4, |x| mul4(x, tower.mu))
}

/// norm(x) and x^5.
fn norm_and_fifth(net: &mut Builder, x: &[Wire], tower: Tower) -> (Element, Element) {
    let (b, a) = x.split_at(4);
    let (a0, a1) = a.split_at(2);
    let (b0, b1) = b.split_at(2);
    let mu = |x| mul4(x, tower.mu);
    let s = add(net, a, b);
    let sum_a = add(net, a0, a1);
    let sum_b = add(net, b0, b1);
    let cross = product4(net, &sum_a, &sum_b);
    let cross = linear(net, &cross, mu);

    let p0 = product4(net, a0, b0);
    let p1 = product4(net, a1, b1);
    let mut ab = add(net, &p0, &cross);
    ab.extend(add(net, &p1, &cross));
    let square = linear(net, &s, |s| tower.mul16(tower.nu, tower.mul16(s, s)));
    let norm = add(net, &ab, &square);

    let q0 = product4(net, a0, b1);
    let q1 = product4(net, a1, b0);
    let mut z = add(net, &q0, &cross);
    z.extend(add(net, &q1, &cross));
    let conjugate = [&z[2..], &z[..2]].concat();
    let mut norm4 = |high: &[Wire], low: &[Wire], sum: &[Wire]| {
        let product = product4(net, high, low);
        let square = linear(net, sum, |x| mu(mul4(x, x)));
        add(net, &product, &square).repeat(2)
    };
    let a5 = norm4(a1, a0, &sum_a);
    let b5 = norm4(b1, b0, &sum_b);
    let trace = add(net, &z, &conjugate);
    let s5 = add(net, &a5, &b5);
    let s5 = add(net, &s5, &trace);

    let t = tower.nu ^ tower.mul16(tower.nu, tower.nu);
    let shared = linear(net, &s5, |x| tower.mul16(tower.nu, x));
    let mut fifth = Vec::new();
    for (own, z) in [(&b5, &conjugate), (&a5, &z)] {
        let own = linear(net, own, |x| x ^ tower.mul16(t, x));
        let z = linear(net, z, |x| tower.mul16(t, x));
        let sum = add(net, &own, &z);
        fifth.extend(add(net, &sum, &shared));
    }
    (norm, fifth)
}

/// The eight bits of x^56, least significant first.
#[must_use]
pub fn fifty_sixth(net: &mut Builder, x: &[Wire; 8], tower: Tower) -> [Wire; 8] {
    let (norm, fifth) = norm_and_fifth(net, x, tower);
    let square = linear(net, &norm, |x| tower.mul16(x, x));
    let cube = product16(net, &norm, &square, tower);
    let mut result = [ZERO; 8];
    for half in [0, 4] {
        let product = product16(net, &cube, &fifth[half..half + 4], tower);
        result[half..half + 4].copy_from_slice(&product);
    }
    result
}

/// The power alone, as a network of eight inputs; input 0 and output 0 are the least significant bits.
#[must_use]
pub fn power_network(tower: Tower) -> crate::network::Network {
    let mut net = Builder::new(8);
    let x = std::array::from_fn(|bit| net.input(bit as u16));
    let y = fifty_sixth(&mut net, &x, tower);
    net.finish(&y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::truth_of;

    #[test]
    fn network_computes_the_power() {
        for tower in Tower::all() {
            let mut net = Builder::new(10);
            // Input plane 9 is the least significant bit of the input number.
            let x = std::array::from_fn(|bit| net.input(9 - bit as u16));
            let y = fifty_sixth(&mut net, &x, tower);
            let outputs = net.finish(&y).output_truth();
            for (bit, output) in outputs.iter().enumerate() {
                let expected = truth_of(|x| tower.pow((x & 255) as u8, 56) >> bit & 1 == 1);
                assert_eq!(*output, expected);
            }
        }
    }
}
