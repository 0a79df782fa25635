//! Bytes as elements of GF(2^8).

use super::{Isa, Lanes};
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// Elements of GF(2^8) modulo x^8 + x^4 + x^3 + x + 1, the field of AES, one per byte, on the instruction set `S`.
///
/// Where the set has instructions for it, [`Gf256::test`], selections by masks and affine maps are executed in source order: a
/// kernel interleaves them better than the compiler does.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{Gf256, Isa, Lanes, Task};
///
/// struct Example;
/// impl Task for Example {
///     type Out = u8;
///     #[inline(always)]
///     fn call<S: Isa>(self, isa: S) -> u8 {
///         // Three times two, in every byte.
///         let product = S::Gf256::splat(isa, 3).multiply(S::Gf256::splat(isa, 2));
///         let words = S::Gf256::to_words(isa, [product; 8]);
///         let mut bytes = [0; 64];
///         words[0].store(&mut bytes[..8 * S::U64::N]);
///         bytes[0]
///     }
/// }
///
/// assert_eq!(Backend::best().run(Example), 6);
/// ```
pub trait Gf256<S: Isa>: Copy + BitXor<Output = Self> + BitAnd<Output = Self> {
    /// Whether the set has instructions for this. If not, the results are correct, but slow and **not constant-time**.
    const FAST: bool;
    /// Whether selection by a mask costs no instruction of its own. If it does, sums of masked values are cheaper
    /// ([`Gf256::only`]).
    const MASKS: bool;
    /// A Boolean for each byte.
    type Mask: Copy;
    /// `byte` in all places.
    fn splat(isa: S, byte: u8) -> Self;
    /// The byte of which `bytes` has four copies, in all places. This is cheaper than loading a single byte.
    fn repeat(isa: S, bytes: u32) -> Self;
    /// Vector `i` holds byte `i` of all lanes of all words, in an unspecified order.
    fn of_words(isa: S, words: [S::U64; 8]) -> [Self; 8];
    /// The inverse of [`Gf256::of_words`].
    fn to_words(isa: S, bytes: [Self; 8]) -> [S::U64; 8];
    /// For each bit of `a`, `b` and `c`: bit `4 a + 2 b + c` of `TABLE` (0 to 255).
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self;
    /// The mask of the bytes that have bit `BIT` (0 to 7) set.
    fn test<const BIT: usize>(self, isa: S) -> Self::Mask;
    /// The bytes where the mask is set; zero elsewhere.
    fn only(self, mask: Self::Mask) -> Self;
    /// The bytes of `a` where the mask is set, and of `b` elsewhere.
    fn choose(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// The product of `matrices[AT]` and each byte, plus `ADD` (0 to 255).
    ///
    /// # Panics
    /// If there is no such matrix. The next two methods panic likewise.
    fn affine<const AT: usize, const ADD: i32>(self, isa: S, matrices: &[Matrix]) -> Self;
    /// The same where the mask is set, and `other` elsewhere.
    fn affine_where<const AT: usize, const ADD: i32>(
        self,
        isa: S,
        mask: Self::Mask,
        matrices: &[Matrix],
        other: Self,
    ) -> Self;
    /// The product of `matrices[AT]` and the inverse of each element. The inverse of zero is zero.
    fn inverse<const AT: usize>(self, isa: S, matrices: &[Matrix]) -> Self;
    /// The products of elements.
    fn multiply(self, other: Self) -> Self;
}

/// A matrix of an affine map: eight rows of eight bits, the row for bit 0 of the result in the most significant byte. There are
/// four copies, because memory operands of AVX2 have 256 bits.
///
/// ```
/// use icefish::isa::Matrix;
/// let identity = Matrix::new(0x0102_0408_1020_4080);
/// assert_eq!(identity.rows() >> 56, 1); // bit 0 of the result is bit 0
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Matrix([u64; 4]);

impl Matrix {
    /// The matrix with these rows.
    pub const fn new(rows: u64) -> Self {
        Self([rows; 4])
    }

    /// Its rows.
    #[inline(always)]
    pub const fn rows(self) -> u64 {
        self.0[0]
    }
}

/// The product of two elements, modulo x^8 + x^4 + x^3 + x + 1.
pub(crate) const fn product(a: u8, b: u8) -> u8 {
    let (mut product, mut power, mut i) = (0, a, 0);
    while i < 8 {
        if b >> i & 1 != 0 {
            product ^= power;
        }
        power = power << 1 ^ if power & 0x80 != 0 { 0x1b } else { 0 };
        i += 1;
    }
    product
}

/// Elements on sets that have no instructions for them: eight for each lane of a vector of 64-bit words. [`Gf256::MASKS`] is a
/// parameter, so that kernels of both kinds can be tested.
///
/// ```
/// use icefish::isa::{Gf256, Octets, Scalar};
/// let two = <Octets as Gf256<Scalar>>::splat(Scalar, 2);
/// let four = Gf256::<Scalar>::multiply(two, two);
/// # let _ = four;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Octets<const MASKS: bool = false>([u8; 64]);

impl<const M: bool> Octets<M> {
    #[inline(always)]
    fn map(self, f: impl Fn(u8) -> u8) -> Self {
        Self(self.0.map(f))
    }
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(u8, u8) -> u8) -> Self {
        for i in 0..64 {
            self.0[i] = f(self.0[i], other.0[i]);
        }
        self
    }
}

impl<const M: bool> BitXor for Octets<M> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}
impl<const M: bool> BitAnd for Octets<M> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}
impl<const M: bool> BitOr for Octets<M> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}
impl<const M: bool> Not for Octets<M> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        self.map(|a| !a)
    }
}

/// The product of a matrix and a vector.
fn image(matrix: u64, x: u8) -> u8 {
    (0..8).fold(0, |image, i| {
        let row = (matrix >> (8 * (7 - i))) as u8;
        image | ((row & x).count_ones() as u8 & 1) << i
    })
}

impl<S: Isa, const M: bool> Gf256<S> for Octets<M> {
    const FAST: bool = false;
    const MASKS: bool = M;
    type Mask = u64;
    #[inline(always)]
    fn splat(_: S, byte: u8) -> Self {
        Self([byte; 64])
    }
    #[inline(always)]
    fn repeat(_: S, bytes: u32) -> Self {
        let mut octets = [0; 64];
        for four in octets.chunks_exact_mut(4) {
            four.copy_from_slice(&bytes.to_ne_bytes());
        }
        Self(octets)
    }
    #[inline(always)]
    fn of_words(_: S, words: [S::U64; 8]) -> [Self; 8] {
        let mut planes = [Self([0; 64]); 8];
        for (i, word) in words.into_iter().enumerate() {
            let mut row = [0; 64];
            word.store(&mut row[..8 * S::U64::N]);
            for (at, byte) in row[..8 * S::U64::N].iter().enumerate() {
                planes[at % 8].0[8 * (at / 8) + i] = *byte;
            }
        }
        planes
    }
    #[inline(always)]
    fn to_words(isa: S, bytes: [Self; 8]) -> [S::U64; 8] {
        let mut words = [S::U64::splat(isa, 0); 8];
        for (i, word) in words.iter_mut().enumerate() {
            let mut row = [0; 64];
            for (at, byte) in row[..8 * S::U64::N].iter_mut().enumerate() {
                *byte = bytes[at % 8].0[8 * (at / 8) + i];
            }
            *word = S::U64::load(isa, &row);
        }
        words
    }
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        super::ternary_by_mux::<TABLE, Self>(a, b, c)
    }
    #[inline(always)]
    fn test<const BIT: usize>(self, _: S) -> u64 {
        self.0.iter().rev().fold(0, |mask, x| mask << 1 | u64::from(x >> BIT & 1))
    }
    #[inline(always)]
    fn only(self, mask: u64) -> Self {
        <Self as Gf256<S>>::choose(mask, self, Self([0; 64]))
    }
    #[inline(always)]
    fn choose(mask: u64, a: Self, mut b: Self) -> Self {
        for i in 0..64 {
            if mask >> i & 1 != 0 {
                b.0[i] = a.0[i];
            }
        }
        b
    }
    #[inline(always)]
    fn affine<const AT: usize, const ADD: i32>(self, _: S, matrices: &[Matrix]) -> Self {
        self.map(|x| image(matrices[AT].rows(), x) ^ ADD as u8)
    }
    #[inline(always)]
    fn affine_where<const AT: usize, const ADD: i32>(
        self,
        isa: S,
        mask: u64,
        matrices: &[Matrix],
        other: Self,
    ) -> Self {
        <Self as Gf256<S>>::choose(mask, self.affine::<AT, ADD>(isa, matrices), other)
    }
    #[inline(always)]
    fn inverse<const AT: usize>(self, _: S, matrices: &[Matrix]) -> Self {
        // x^254 is x^2 x^4 x^8 ... x^128.
        self.map(|x| {
            let (mut inverse, mut power) = (1, x);
            for _ in 1..8 {
                power = product(power, power);
                inverse = product(inverse, power);
            }
            image(matrices[AT].rows(), inverse)
        })
    }
    #[inline(always)]
    fn multiply(self, other: Self) -> Self {
        self.zip(other, product)
    }
}
