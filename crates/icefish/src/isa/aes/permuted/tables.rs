//! Derives the tables of AES by byte shuffles.
//!
//! Let F be the subfield of 16 elements of the field of AES, with elements written as four bits. Let a be an element of F such that
//! x^2 + a x + a has no root in F, and T a root of it. A byte is then k + i T, with k in its low and i in its high four bits. Let D
//! = k^2 + a i k + a i^2, which is k + i T times its conjugate k + a i + i T. Then
//!
//! ```text
//! u = D / (k + a i) = 1 / (1/i + a/k) + k + i     and     w = D / (k + i) = 1 / (1/i + 1/k) + k + a i,
//! ```
//!
//! so both take inversions in F and sums. (In the paper, w is u with i + k in the place of i. That sum adds one operation
//! to the dependency chain of a round.) The inverse of k + i T, its conjugate divided by D, is 1/u + T
//! (1/u + 1/w) / (a + 1). Infinity is 128: its sum with an element of F is not an index, and looks up zero. The sum of two
//! infinities is 0, whose inverse is infinity again.

/// A function of a byte that is the sum of a function of each half.
#[derive(Clone, Copy)]
pub(super) struct Pair(pub(super) [u8; 16], pub(super) [u8; 16]);

/// The same function, with the halves k and i of its result in bytes of their own.
pub(super) struct Split {
    pub(super) k: Pair,
    pub(super) i: Pair,
}

impl Pair {
    const fn split(&self) -> Split {
        let empty = Self([0; 16], [0; 16]);
        let (mut k, mut i) = (empty, empty);
        let mut n = 0;
        while n < 16 {
            let (low, high) = (self.0[n], self.1[n]);
            (k.0[n], k.1[n]) = (low & 15, high & 15);
            (i.0[n], i.1[n]) = (low >> 4, high >> 4);
            n += 1;
        }
        Split { k, i }
    }
}

pub(super) struct Tables {
    /// Converts bytes of FIPS 197 to k + i T.
    pub(super) enter: Pair,
    /// The same for bytes XORed with the constant of SubBytes.
    pub(super) enter_key: Pair,
    /// The constant of SubBytes as k + i T.
    pub(super) constant: u8,
    /// The inverse of `enter`.
    pub(super) leave: Pair,
    /// 1 / x in F.
    pub(super) invert: [u8; 16],
    /// a / x in F.
    pub(super) over: [u8; 16],
    /// a x in F.
    pub(super) scale: [u8; 16],
    /// SubBytes without its constant, from u and w.
    pub(super) sub: Pair,
    /// Two times that.
    pub(super) sub_twice: Pair,
    /// Undoes the affine part of SubBytes, with its constant.
    pub(super) unaffine: Split,
    /// The inverse of a byte, from u and w.
    pub(super) plain: Pair,
    /// 14, 11, 13 and 9 times that.
    pub(super) unmix: [Pair; 4],
}

pub(super) static TABLES: Tables = Tower::new().tables();

const INFINITY: u8 = 0x80;

/// The product in the field of AES (FIPS 197, section 4.2).
const fn times(a: u8, b: u8) -> u8 {
    let (mut product, mut i) = (0u8, 8);
    while i > 0 {
        i -= 1;
        product = (product << 1) ^ ((product >> 7) * 0x1b) ^ ((b >> i & 1) * a);
    }
    product
}

const fn power(a: u8, n: usize) -> u8 {
    let (mut product, mut i) = (1, 0);
    while i < n {
        product = times(product, a);
        i += 1;
    }
    product
}

/// The linear part of SubBytes (FIPS 197, section 5.1.1).
const fn affine(b: u8) -> u8 {
    b ^ b.rotate_left(1) ^ b.rotate_left(2) ^ b.rotate_left(3) ^ b.rotate_left(4)
}

const fn unaffine(b: u8) -> u8 {
    b.rotate_left(1) ^ b.rotate_left(3) ^ b.rotate_left(6)
}

/// The field of AES over F.
struct Tower {
    a: u8,
    t: u8,
    /// The elements of F by their four bits.
    small: [u8; 16],
    /// k + i T as a byte of FIPS 197, and back.
    leave: [u8; 256],
    enter: [u8; 256],
}

impl Tower {
    const fn new() -> Self {
        // 3 generates the field, and its 17th power generates F. Powers of the latter are a basis of F over bits.
        let g = power(3, 17);
        let mut small = [0; 16];
        let mut n = 0;
        while n < 16 {
            let mut bit = 0;
            while bit < 4 {
                if n >> bit & 1 == 1 {
                    small[n] ^= power(g, bit);
                }
                bit += 1;
            }
            n += 1;
        }
        // The first T outside F with T^2 = a (T + 1) for an a in F.
        let mut t = 2;
        let mut a = 0;
        while a < 2 || power(a, 16) != a || power(t, 16) == t {
            t += 1;
            a = times(times(t, t), power(t ^ 1, 254));
        }
        let (mut leave, mut enter) = ([0; 256], [0; 256]);
        let mut b = 0;
        while b < 256 {
            leave[b] = small[b & 15] ^ times(small[b >> 4], t);
            enter[leave[b] as usize] = b as u8;
            b += 1;
        }
        Self { a, t, small, leave, enter }
    }

    /// `factor` / x in F.
    const fn over(&self, factor: u8) -> [u8; 16] {
        let mut table = [INFINITY; 16];
        let mut n = 1;
        while n < 16 {
            table[n] = self.enter[times(factor, power(self.small[n], 254)) as usize];
            n += 1;
        }
        table
    }

    /// `factor` x in F.
    const fn scale(&self, factor: u8) -> [u8; 16] {
        let mut table = [0; 16];
        let mut n = 0;
        while n < 16 {
            table[n] = self.enter[times(factor, self.small[n]) as usize];
            n += 1;
        }
        table
    }

    /// The map from u and w to `factor` times the inverse; with `sub`, to `factor` times SubBytes without its constant.
    const fn inverse(&self, factor: u8, sub: bool) -> Pair {
        let of_w = times(self.t, power(self.a ^ 1, 254));
        let of_u = 1 ^ of_w;
        let mut pair = Pair([0; 16], [0; 16]);
        let mut n = 1;
        while n < 16 {
            let inverted = power(self.small[n], 254);
            let (mut u, mut w) = (times(inverted, of_u), times(inverted, of_w));
            if sub {
                (u, w) = (affine(u), affine(w));
            }
            pair.0[n] = self.enter[times(factor, u) as usize];
            pair.1[n] = self.enter[times(factor, w) as usize];
            n += 1;
        }
        pair
    }

    const fn tables(&self) -> Tables {
        let empty = Pair([0; 16], [0; 16]);
        let (mut enter, mut keyed, mut leave, mut unaffined) = (empty, empty, empty, empty);
        let mut n = 0;
        while n < 16 {
            (enter.0[n], enter.1[n]) = (self.enter[n], self.enter[n << 4]);
            (keyed.0[n], keyed.1[n]) = (self.enter[n ^ 0x63 & 0xff], self.enter[n << 4]);
            (leave.0[n], leave.1[n]) = (self.leave[n], self.leave[n << 4]);
            unaffined.0[n] = self.enter[unaffine(self.leave[n] ^ 0x63) as usize];
            unaffined.1[n] = self.enter[unaffine(self.leave[n << 4]) as usize];
            n += 1;
        }
        Tables {
            enter,
            enter_key: keyed,
            constant: self.enter[0x63],
            leave,
            invert: self.over(1),
            over: self.over(self.a),
            scale: self.scale(self.a),
            sub: self.inverse(1, true),
            sub_twice: self.inverse(2, true),
            unaffine: unaffined.split(),
            plain: self.inverse(1, false),
            unmix: [
                self.inverse(14, false),
                self.inverse(11, false),
                self.inverse(13, false),
                self.inverse(9, false),
            ],
        }
    }
}
