//! POLYVAL (RFC 8452, section 3) and GHASH (NIST SP 800-38D, section 6.4), which is POLYVAL with the
//! bytes of everything reversed and the key times x (RFC 8452, appendix A).

use crate::isa::{Isa, Polynomials};
use zeroize::Zeroize;

/// Most blocks that are summed before a reduction ([`Polynomials::SUM`] is not larger).
const MOST: usize = 32;
/// Zeros after the powers, so that a vector may reach over the end.
const SPARE: usize = 3;

/// The powers of a key, the highest first: H is the last of [`MOST`], zeros come after it.
pub(super) struct Powers {
    bytes: [u8; 16 * (MOST + SPARE)],
    /// How many there are.
    count: usize,
}

impl Drop for Powers {
    fn drop(&mut self) {
        self.bytes[16 * (MOST - self.count)..16 * MOST].zeroize();
    }
}

/// The order of bytes.
pub(super) trait Order {
    /// Whether the bytes of a block are reversed on their way in.
    const REVERSED: bool;
}

/// POLYVAL's order, as [`Powers`] has it.
pub(super) struct Polyval;
/// GHASH's order.
pub(super) struct Ghash;

impl Order for Polyval {
    const REVERSED: bool = false;
}
impl Order for Ghash {
    const REVERSED: bool = true;
}

/// Products that are not reduced yet.
#[derive(Clone, Copy)]
struct Sum<P> {
    low: P,
    cross: P,
    high: P,
}

impl<P> Sum<P> {
    #[inline(always)]
    fn product<S: Isa>(a: P, b: P) -> Self
    where
        P: Polynomials<S>,
    {
        Self { low: a.mul_low(b), cross: a.mul_cross(b), high: a.mul_high(b) }
    }

    #[inline(always)]
    fn xor<S: Isa>(self, other: Self) -> Self
    where
        P: Polynomials<S>,
    {
        Self {
            low: self.low.xor(other.low),
            cross: self.cross.xor(other.cross),
            high: self.high.xor(other.high),
        }
    }

    /// Divided by x^128 modulo x^128 + x^127 + x^126 + x^121 + 1: each half of what is below x^128 is
    /// added to what makes it vanish, 64 coefficients at a time (Gueron and Kounavis' reduction, in
    /// the order of bits that POLYVAL was made for).
    #[inline(always)]
    fn reduced<S: Isa>(self, isa: S) -> P
    where
        P: Polynomials<S>,
    {
        let mut constant = [0; 16];
        constant[7] = 0xc2;
        let constant = P::splat(isa, &constant);
        let middle = self.cross.xor(self.low.swap_halves()).xor(self.low.mul_low(constant));
        self.high.xor(middle.swap_halves()).xor(middle.mul_low(constant))
    }
}

/// x times an element.
#[inline(always)]
fn times_x(element: u128) -> u128 {
    let out = ((element as i128) >> 127) as u128;
    (element << 1) ^ (out & (0xc2 << 120 | 1))
}

impl Powers {
    /// Powers of POLYVAL's key `h`, as many as `blocks` blocks need.
    #[inline(always)]
    pub(super) fn polyval<S: Isa>(isa: S, h: &[u8; 16], blocks: usize) -> Self {
        let n = S::Poly::N;
        let count = blocks.clamp(1, S::Poly::SUM).next_multiple_of(n);
        let mut bytes = [0; 16 * (MOST + SPARE)];
        // The first vector by single steps: each power is the one before times H.
        let last = S::Poly::first(isa, h);
        let mut power = last;
        for i in 1..=n {
            let at = 16 * (MOST - i);
            bytes[at..at + 16].copy_from_slice(&power.sum());
            if i < n {
                power = Sum::product(power, last).reduced(isa);
            }
        }
        // Then a vector at a time: each is the one before times H^n.
        let step = S::Poly::splat(isa, &power.sum());
        let mut powers = S::Poly::load(isa, &bytes[16 * (MOST - n)..]);
        let mut done = n;
        while done < count {
            powers = Sum::product(powers, step).reduced(isa);
            done += n;
            powers.store(&mut bytes[16 * (MOST - done)..16 * (MOST - done + n)]);
        }
        Self { bytes, count }
    }

    /// Powers of GHASH's key `h`.
    #[inline(always)]
    pub(super) fn ghash<S: Isa>(isa: S, h: &[u8; 16]) -> Self {
        Self::polyval(isa, &times_x(u128::from_be_bytes(*h)).to_le_bytes(), MOST)
    }

    /// (..((`sum` + X1) H + X2) H ..) H for the blocks X1, X2, ... of `data`.
    #[inline(always)]
    pub(super) fn blocks<S: Isa, O: Order>(&self, isa: S, sum: &mut [u8; 16], data: &[u8]) {
        let mut data = data;
        // The length of whole groups is a constant, so that their loop has no others inside.
        while self.count == S::Poly::SUM && data.len() >= 16 * S::Poly::SUM {
            let (now, rest) = data.split_at(16 * S::Poly::SUM);
            self.group::<S, O>(isa, sum, now, S::Poly::SUM);
            data = rest;
        }
        while !data.is_empty() {
            let (now, rest) = data.split_at(data.len().min(16 * self.count));
            self.group::<S, O>(isa, sum, now, now.len() / 16);
            data = rest;
        }
    }

    /// [`Powers::blocks`] for `data` of any length, filled up with zeros.
    #[inline(always)]
    pub(super) fn padded<S: Isa, O: Order>(&self, isa: S, sum: &mut [u8; 16], data: &[u8]) {
        let (whole, part) = data.split_at(data.len() / 16 * 16);
        self.blocks::<S, O>(isa, sum, whole);
        if !part.is_empty() {
            let mut block = [0; 16];
            block[..part.len()].copy_from_slice(part);
            self.blocks::<S, O>(isa, sum, &block);
        }
    }

    /// The first `blocks` blocks of `data`, at most as many as there are powers, with one reduction.
    #[inline(always)]
    pub(super) fn group<S: Isa, O: Order>(
        &self,
        isa: S,
        sum: &mut [u8; 16],
        data: &[u8],
        blocks: usize,
    ) {
        let n = S::Poly::N;
        let powers = &self.bytes[16 * (MOST - blocks)..];
        let before = S::Poly::first(isa, sum);
        let zero = S::Poly::splat(isa, &[0; 16]);
        let mut total = Sum { low: zero, cross: zero, high: zero };
        let mut at = 0;
        while at < blocks {
            // Blocks after the last count nothing: their powers are zero.
            let mut room = [0; 16 * (SPARE + 1)];
            let now = &data[16 * at..];
            let now = if now.len() < 16 * n {
                room[..now.len()].copy_from_slice(now);
                &room[..16 * n]
            } else {
                &now[..16 * n]
            };
            let x = ordered::<S, O>(S::Poly::load(isa, now));
            let x = if at == 0 { x.xor(before) } else { x };
            let h = S::Poly::load(isa, &powers[16 * at..16 * (at + n)]);
            total = total.xor(Sum::product(x, h));
            at += n;
        }
        *sum = total.reduced(isa).sum();
    }
}

#[inline(always)]
fn ordered<S: Isa, O: Order>(x: S::Poly) -> S::Poly {
    if O::REVERSED { x.reverse_bytes() } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Backend, Task};

    struct Hash<'a, O>(&'a [u8; 16], &'a [u8], core::marker::PhantomData<O>);

    impl<O: Order> Task for Hash<'_, O> {
        type Out = [u8; 16];
        #[inline(always)]
        fn call<S: Isa>(self, isa: S) -> [u8; 16] {
            let powers = if O::REVERSED {
                Powers::ghash(isa, self.0)
            } else {
                Powers::polyval(isa, self.0, MOST)
            };
            let mut sum = [0; 16];
            powers.blocks::<S, O>(isa, &mut sum, self.1);
            if O::REVERSED {
                sum.reverse();
            }
            sum
        }
    }

    fn bytes(hex: u128) -> [u8; 16] {
        hex.to_be_bytes()
    }

    /// RFC 8452, appendix A.
    #[test]
    fn published_example() {
        let h = bytes(0x25629347589242761d31f826ba4b757b);
        let x =
            [bytes(0x4f4f95668c83dfb6401762bb2d01a262), bytes(0xd1a24ddd2721d006bbe45f20d3c9f362)];
        for backend in Backend::available() {
            let polyval = backend.run(Hash::<Polyval>(&h, x.as_flattened(), Default::default()));
            assert_eq!(polyval, bytes(0xf7a3b47b846119fae5b7866cf5e5b77e), "{backend}");
            let ghash = backend.run(Hash::<Ghash>(&h, x.as_flattened(), Default::default()));
            assert_eq!(ghash, bytes(0xbd9b3997046731fb96251b91f9c99d7a), "{backend}");
        }
    }

    /// SP 800-38D, algorithms 1 and 2, a bit at a time.
    fn naive(h: &[u8; 16], data: &[u8]) -> [u8; 16] {
        let h = u128::from_be_bytes(*h);
        let mut y = 0u128;
        for block in data.chunks(16) {
            y ^= u128::from_be_bytes(block.try_into().unwrap());
            let (mut z, mut v) = (0, h);
            for i in (0..128).rev() {
                if y >> i & 1 == 1 {
                    z ^= v;
                }
                v = (v >> 1) ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
            }
            y = z;
        }
        y.to_be_bytes()
    }

    #[test]
    fn every_number_of_blocks_agrees_with_the_definition() {
        let mut data = [0; 16 * 70];
        let mut x = 1u64;
        for byte in &mut data {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            *byte = (x >> 56) as u8;
        }
        let h = bytes(0x8000_0000_0123_4567_89ab_cdef_0000_ff01);
        for backend in Backend::available() {
            for blocks in 0..70 {
                let data = &data[..16 * blocks];
                let got = backend.run(Hash::<Ghash>(&h, data, Default::default()));
                assert_eq!(got, naive(&h, data), "{blocks} blocks on {backend}");
            }
        }
    }
}
