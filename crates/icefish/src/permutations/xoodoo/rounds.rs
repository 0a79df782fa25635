//! The rounds ("The design of Xoodoo and Xoofff", ToSC 2018-4, section 2) and their inverses, over any [`Plane`].

use super::Word;
use super::plane::Plane;
use crate::isa::{Isa, aligned_frame, forms, opaque_count};

/// The constants of iota, from the first round on. Fewer rounds use the last constants.
pub(crate) const CONSTANTS: [u32; 12] =
    [0x058, 0x038, 0x3c0, 0x0d0, 0x120, 0x014, 0x060, 0x02c, 0x380, 0x0f0, 0x1a0, 0x012];

/// Aligns the stack frame where the registers have no room for a second copy of the planes. Eight states with AVX2 take 53
/// cycles each if no spilled register crosses a cache line, 74 if some do, and 134 if some cross a page. Without the
/// alignment, the address of the stack decides between the three (Zen 4).
#[inline(always)]
fn align_spills<S: Isa, W: Word, P: Plane<S, W>>() {
    if !P::ROOM {
        aligned_frame::<P>();
    }
}

/// Rounds with the given constants.
#[inline(always)]
pub(crate) fn permute<S: Isa, W: Word, P: Plane<S, W>>(isa: S, a: &mut [P; 3], constants: &[u32]) {
    if P::COMPLEMENTS {
        return complemented(isa, a, constants);
    }
    align_spills::<S, W, P>();
    let (mut count, mut short) = (constants.len(), false);
    if P::MAY_SHORTEN {
        // The barrier keeps the compiler from unrolling the loops of both forms.
        (count, short) = (opaque_count(count), forms().xoodoo_short_chain);
    }
    for &constant in &constants[..count] {
        let [p, q, r] = chi(before_chi(isa, *a, constant, short));
        *a = rho_east([p.opaque(), q.opaque(), r.opaque()]);
    }
}

/// [`permute`] with plane 1 complemented between rounds, and plane 2 between the first and the second round of a pair. A column of
/// chi then takes one NOT instead of three. Theta does not change: both rotations of a complemented parity are complemented, so
/// their sum is not. Twelve rounds on twelve words in general registers take 300 cycles instead of 365 (Zen 3). Without barriers
/// the compiler may vectorise a state across its words: 584 to 690 cycles.
#[inline(always)]
fn complemented<S: Isa, W: Word, P: Plane<S, W>>(isa: S, a: &mut [P; 3], constants: &[u32]) {
    let [p, q, r] = *a;
    *a = [p, q.not(), r];
    for pair in constants.chunks(2) {
        let [p, q, r] = before_chi(isa, *a, pair[0], false);
        let p = p.ternary::<ADD_AND>(q, r);
        let q = q.ternary::<CHI>(r, p);
        let r = r.ternary::<ADD_OR>(p, q);
        *a = rho_east([p.opaque(), q.opaque(), r.opaque()]);
        let Some(&constant) = pair.get(1) else {
            a[2] = a[2].not();
            break;
        };
        let [p, q, r] = before_chi(isa, *a, constant, false);
        let p = p.ternary::<CHI>(r, q);
        let q = q.ternary::<ADD_AND>(r, p);
        let r = r.ternary::<ADD_OR>(p, q);
        *a = rho_east([p.opaque(), q.opaque(), r.opaque()]);
    }
    a[1] = a[1].not();
}

/// Theta, rho west and iota. Iota is moved before theta's additions: it commutes with them and with rho west. The parity is that of
/// the planes before iota, so iota is not in the dependency chain.
#[inline(always)]
fn before_chi<S: Isa, W: Word, P: Plane<S, W>>(
    isa: S,
    [p, q, r]: [P; 3],
    constant: u32,
    short: bool,
) -> [P; 3] {
    let parity = p.xor3(q, r);
    let p = p.add_first(isa, W::from(constant));
    theta_and_rho_west([p, q, r], parity, short)
}

/// Adds two rotations of lane `x - 1` of `parity` to lane `x` of every plane. Then moves the lanes of plane 1 by one place, and
/// rotates those of plane 2. If `short`, both are done to the operands of the addition and not to the sum: the dependency chain of
/// the round is one step shorter, and the round has more instructions.
#[inline(always)]
fn theta_and_rho_west<S: Isa, W: Word, P: Plane<S, W>>(
    [p, q, r]: [P; 3],
    parity: P,
    short: bool,
) -> [P; 3] {
    let (e, f) = (parity.turn(1, W::THETA[0]), parity.turn(1, W::THETA[1]));
    if short {
        let (g, h) = (parity.turn(2, W::THETA[0]), parity.turn(2, W::THETA[1]));
        let west = |bits: u32| parity.turn(1, (bits + W::WEST) % W::BITS);
        let (i, j) = (west(W::THETA[0]), west(W::THETA[1]));
        return [p.xor3(e, f), q.turn(1, 0).xor3(g, h), r.turn(0, W::WEST).xor3(i, j)];
    }
    [p.xor3(e, f), q.xor3(e, f).turn(1, 0), r.xor3(e, f).turn(0, W::WEST)]
}

/// Tables of [`Plane::ternary`]: `a ^ (!b & c)`, `a ^ (b & c)` and `a ^ (b | c)`.
const CHI: i32 = 0xd2;
const ADD_AND: i32 = 0x78;
const ADD_OR: i32 = 0x1e;

/// The only non-linear step, on columns of three bits. It is its own inverse.
#[inline(always)]
fn chi<S: Isa, W: Word, P: Plane<S, W>>([p, q, r]: [P; 3]) -> [P; 3] {
    if P::ROOM {
        return [p.ternary::<CHI>(q, r), q.ternary::<CHI>(r, p), r.ternary::<CHI>(p, q)];
    }
    // Updating one plane after the other gives the same result, and needs no copy of the old planes. p changes only where q is 0
    // and r is 1. There the terms of the next two updates, !r & p for q and !p & q for r, are 0 whatever p is. q changes only where
    // r is 0 and p is 1. There the term !p & q for r is 0 whatever q is.
    let p = p.ternary::<CHI>(q, r);
    let q = q.ternary::<CHI>(r, p);
    [p, q, r.ternary::<CHI>(p, q)]
}

/// Rotates the lanes of plane 1. Moves and rotates those of plane 2.
#[inline(always)]
fn rho_east<S: Isa, W: Word, P: Plane<S, W>>([p, q, r]: [P; 3]) -> [P; 3] {
    [p, q.turn(0, 1), r.turn(W::EAST_LANES, W::EAST)]
}

/// The inverse of [`permute`] with the same constants.
#[inline(always)]
pub(crate) fn invert<S: Isa, W: Word, P: Plane<S, W>>(isa: S, a: &mut [P; 3], constants: &[u32]) {
    align_spills::<S, W, P>();
    for &constant in constants.iter().rev() {
        let [p, q, r] = *a;
        let east = [p, q.turn(0, W::BITS - 1), r.turn(W::EAST_LANES, W::BITS - W::EAST)];
        let [p, q, r] = chi(east);
        // Every plane has two or four lanes, so moving by three is moving back by one.
        let (p, q) = (p.add_first(isa, W::from(constant)), q.turn(3, 0));
        let r = r.turn(0, W::BITS - W::WEST);
        let parity = parity_before_theta(p.xor3(q, r));
        let (e, f) = (parity.turn(1, W::THETA[0]), parity.turn(1, W::THETA[1]));
        *a = [p.xor3(e, f), q.xor3(e, f), r.xor3(e, f)];
    }
}

/// The inverse of theta on the parity plane.
///
/// Theta multiplies the parity by 1 + t, where t is the sum of two [`Plane::turn`]s. Squaring t doubles both. In t^BITS both are
/// the identity, so their sum is 0. Hence (1 + t)^BITS = 1, and the inverse is (1 + t)^(BITS - 1) = (1 + t)(1 + t^2)(1 + t^4)...
#[inline(always)]
fn parity_before_theta<S: Isa, W: Word, P: Plane<S, W>>(mut parity: P) -> P {
    let mut power = 1;
    while power < W::BITS {
        let bits = |r: u32| r * power % W::BITS;
        let (e, f) = (bits(W::THETA[0]), bits(W::THETA[1]));
        let lanes = power as usize % 4;
        parity = parity.xor3(parity.turn(lanes, e), parity.turn(lanes, f));
        power *= 2;
    }
    parity
}

/// The rounds of [`permute`], or of [`invert`].
#[inline(always)]
pub(super) fn permute_or_invert<S: Isa, W: Word, P: Plane<S, W>, const INVERSE: bool>(
    isa: S,
    a: &mut [P; 3],
    constants: &[u32],
) {
    if INVERSE {
        invert(isa, a, constants);
    } else {
        permute(isa, a, constants);
    }
}
