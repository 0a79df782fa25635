//! Instruction sets: each has one source, for every primitive.
//!
//! A [`Task`] is work that can be compiled for any instruction set. An [`Isa`] is a zero-sized token that exists only where the
//! CPU has that instruction set; [`Isa::run`] compiles a task with its features. [`Lanes`] are words that act independently,
//! [`AesRounds`] are AES states. Their constructors take the token, so a value exists only where its operations are legal.
//! Kernels therefore contain no `unsafe`.
//!
//! Some methods take no token. Such a method may use only the instructions that are common to all sets whose tokens make values
//! of its type. Several sets share a type: safe code can make a value with the token of the smallest of these sets, and then call
//! any method of the type. An instruction that only some of the sets have needs a type of its own, or a method that takes the
//! token. (A constant in their types tells [`Rows`] with AVX-512 and NEON's vectors with SHA-3 from those without.)
//! `tests/shared.rs` calls the methods of sets that share types in this way.
//!
//! Everything that takes a token or a vector must be `#[inline(always)]`. A function that is not inlined into `run` computes the
//! right result, but tens of times slower (`tools/check-codegen` finds it).

mod aes;
#[cfg(target_arch = "aarch64")]
mod arm;
mod backend;
mod clmul;
mod endian;
#[doc(hidden)]
pub mod forms;
mod gf256;
mod memory;
mod places;
mod portable;
#[cfg(all(test, feature = "std"))]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "aarch64", not(all(target_feature = "neon", target_endian = "little"))))]
compile_error!("icefish on AArch64 needs a little-endian target with NEON");

pub use aes::{AesRounds, Left};
#[cfg(target_arch = "aarch64")]
pub use arm::*;
pub use backend::{Backend, Instructions};
pub use clmul::Polynomials;
pub(crate) use clmul::times_power;
pub use endian::Endian;
pub(crate) use forms::forms;
pub(crate) use gf256::product;
pub use gf256::{Gf256, Matrix, Octets};
#[cfg(feature = "aes")]
pub(crate) use memory::Room;
#[cfg(feature = "alloc")]
pub(crate) use memory::erase_stack;
pub use memory::{InOut, Row, Sink, Streams};
pub(crate) use memory::{
    Lazy, MOST, aligned_frame, erase, fetch_input, fetch_line, opaque, opaque_count,
};
pub use places::Places;
pub use portable::{Scalar, WordRow};
#[cfg(target_arch = "x86_64")]
pub use x86::*;

use core::fmt::Debug;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not, Sub};

/// Work that can be compiled for any instruction set.
///
/// Implementations of [`Task::call`] are `#[inline(always)]`.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{Isa, Lanes, Task};
///
/// struct CountLanes;
/// impl Task for CountLanes {
///     type Out = usize;
///     #[inline(always)]
///     fn call<S: Isa>(self, _: S) -> usize {
///         S::U64::N
///     }
/// }
///
/// assert_eq!(Backend::by_name("scalar")?.run(CountLanes), 1);
/// # Ok::<(), icefish::Error>(())
/// ```
pub trait Task {
    /// What the work returns.
    type Out;
    /// The extension that it profits from. It is compiled only for backends that differ in it.
    const EXTENSION: Extension = Extension::Aes;
    /// Does the work with the instruction set `S`.
    fn call<S: Isa>(self, isa: S) -> Self::Out;
}

/// The extension of an instruction set that a task profits from. It decides for which of the backends of one width the task is
/// compiled: `Avx2Gfni`, `Avx2Vaes`, `Avx2` and `Avx2NoAes`; `Avx512Vaes`, `Avx512` and `Avx512NoAes`; `Neon` and `NeonNoAes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// No extension: the task is compiled once for all of them.
    None,
    /// AES rounds, and nothing else: `Avx512` is no faster than `Avx2`, nor `Avx512NoAes` than `Avx2NoAes`.
    Rounds,
    /// Arithmetic in GF(2^8), which `Avx2Gfni` and `Avx512Vaes` have.
    Gf256,
    /// AES rounds and carry-less multiplication. `Avx2Gfni` runs the code of `Avx2Vaes`.
    Aes,
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Extension {
    /// Whether AES instructions are among what the task profits from.
    const fn has_rounds(self) -> bool {
        matches!(self, Self::Rounds | Self::Aes)
    }
}

/// The AES states of an instruction set. Without AES instructions they are bit-sliced, or
/// permuted bytes (`isa/aes`).
pub trait AesStates: Copy {
    /// As many as are fastest in parallel.
    type Aes: AesRounds<Self>;
    /// As few as are fastest for one block.
    type AesOne: AesRounds<Self>;
    /// One or two, as many as are fastest where there are two: for AEGIS.
    type AesTwo: AesRounds<Self>;
    /// One, two or four, as many as are fastest where there are four: for AEGIS.
    type AesFour: AesRounds<Self>;
}

/// The polynomials over GF(2) of an instruction set, for GHASH and POLYVAL. Without carry-less multiplication they are integers
/// (`isa/clmul`).
pub trait PolynomialVectors: Copy {
    /// As many as are fastest in parallel.
    type Poly: Polynomials<Self>;
    /// One.
    type PolyOne: Polynomials<Self>;
}

/// A zero-sized proof that this CPU has an instruction set: its vectors, and a call that compiles for it.
pub trait Isa: AesStates + PolynomialVectors + Copy + Debug + Send + Sync + 'static {
    /// Words of 32 bits, as many as fill a register.
    type U32: Lanes<Self, u32>;
    /// Words of 64 bits, as many as fill a register.
    type U64: Places<Self>;
    /// One row of four words of 32 bits.
    type Row32: Rows<Self, u32>;
    /// Rows of four words of 32 bits, as many as fill a register.
    type Rows32: Rows<Self, u32>;
    /// Rows of two words of 64 bits, as many as fill a register.
    type Rows64: Rows<Self, u64>;
    /// Elements of GF(2^8), as many as fill a register.
    type Gf256: Gf256<Self>;
    /// Runs `task`, compiled for this instruction set. It is a call that is never inlined into its caller.
    fn run<T: Task>(self, task: T) -> T::Out;
}

/// `N` words of type `W` that act independently, on the instruction set `S`.
///
/// Arithmetic is modulo 2^32 or 2^64. The number of lanes is a power of two.
pub trait Lanes<S, W>:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitXor<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
{
    /// Number of lanes.
    const N: usize;
    /// Whether [`Lanes::ternary`] is one instruction.
    const TERNARY: bool = false;
    /// `w` in every lane.
    fn splat(isa: S, w: W) -> Self;
    /// Lane `j` holds `j`.
    fn index(isa: S) -> Self;
    /// Lane `j` is word `j` of `bytes`, little-endian.
    ///
    /// # Panics
    /// If `bytes` is shorter than a vector.
    fn load(isa: S, bytes: &[u8]) -> Self;
    /// Writes the lanes as a row, XORed with the sink's bytes if it has some.
    ///
    /// # Panics
    /// If the length of `sink` is not that of a vector.
    fn put(self, sink: Sink<'_>);
    /// Writes lane `j` to word `j` of the first bytes of `bytes`, little-endian.
    ///
    /// # Panics
    /// If `bytes` is shorter than a vector.
    fn store(self, bytes: &mut [u8]);
    /// Transposing load of `N` consecutive blocks of `K` little-endian words: lane `j` of vector `i` is word `i` of block `j`.
    /// `K` is even (a multiple of 4 for `u32`).
    ///
    /// # Panics
    /// If `blocks` is shorter than `N` blocks.
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K];
    /// The same for blocks that do not lie one after the other: that of lane `j` begins at byte `at` of `rows[j]`. For lanes of
    /// bytes that have their places, without a copy.
    ///
    /// # Panics
    /// If there are fewer rows than lanes, or a row ends before its block does; if `K` is more than 16.
    #[inline(always)]
    fn gather_at<const K: usize>(isa: S, rows: &[&[u8]], at: usize) -> [Self; K] {
        let mut blocks = [0; 1024];
        let size = K * size_of::<W>();
        for j in 0..Self::N {
            blocks[size * j..][..size].copy_from_slice(&rows[j][at..][..size]);
        }
        Self::gather(isa, &blocks)
    }
    /// The inverse of [`Lanes::gather`]. Writes from the last byte of `sink` to the first.
    ///
    /// # Panics
    /// If `sink` is not `N` blocks long.
    fn scatter<const K: usize>(words: [Self; K], sink: Sink<'_>);
    /// Rotates every lane left by `r` bits; `r` must be less than the width of a word.
    fn rotl(self, r: u32) -> Self;
    /// Rotates every lane right by `r` bits; `r` must be between 1 and the width of a word less one.
    fn rotr(self, r: u32) -> Self;
    /// Shifts every lane left by `r` bits; `r` must be less than the width of a word.
    fn shl(self, r: u32) -> Self;
    /// Shifts every lane right by `r` bits; `r` must be less than the width of a word.
    fn shr(self, r: u32) -> Self;
    /// Reverses the bytes of every lane.
    fn swap_bytes(self) -> Self;
    /// For each bit of `a`, `b` and `c`: bit `4 a + 2 b + c` of `TABLE` (0 to 255).
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        ternary_by_mux::<TABLE, Self>(a, b, c)
    }
    /// In every `2 step` bits, exchanges the high field of `a` with the low field of `b`. `low` has the bits of the low fields
    /// set.
    #[inline(always)]
    fn exchange(low: Self, a: Self, b: Self, step: u32) -> (Self, Self) {
        let t = (a.shr(step) ^ b) & low;
        (a ^ t.shl(step), b ^ t)
    }
    /// In every lane of eight bytes, exchanges byte `k` of vector `j` with byte `j` of vector `k`. `low` has the low fields of
    /// [`Lanes::exchange`] for steps of 32, 16 and 8 bits.
    #[inline(always)]
    fn exchange_bytes(mut x: [Self; 8], low: [Self; 3]) -> [Self; 8] {
        for i in 0..4 {
            (x[i], x[i + 4]) = Self::exchange(low[0], x[i], x[i + 4], 32);
        }
        for i in [0, 1, 4, 5] {
            (x[i], x[i + 2]) = Self::exchange(low[1], x[i], x[i + 2], 16);
        }
        for i in [0, 2, 4, 6] {
            (x[i], x[i + 1]) = Self::exchange(low[2], x[i], x[i + 1], 8);
        }
        x
    }
    /// An optimisation barrier: the same value, and no instruction. The compiler neither re-associates nor vectorises across it.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
    /// `self ^ b ^ c`: one instruction on some CPUs. The compiler would rather share `b ^ c`.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self ^ (b ^ c)
    }
    /// `!self & other`.
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        !self & other
    }
}

/// Rows of 16 bytes, of four words of 32 bits or two of 64, on the instruction set `S`. The words of a row can change places, so
/// that one small state fills a register.
pub trait Rows<S, W>:
    Copy + BitXor<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Number of rows in a vector.
    const N: usize;
    /// Whether a row is a register or a part of one.
    const REGISTER: bool;
    /// `w` in word 0 of every row and zero in the others.
    fn first(isa: S, w: W) -> Self;
    /// Load of `N` consecutive blocks of `K` rows: row `j` of vector `i` is row `i` of block `j`. Words are little-endian.
    ///
    /// # Panics
    /// If `blocks` is shorter than `N` blocks.
    fn gather<const K: usize>(isa: S, blocks: &[u8]) -> [Self; K];
    /// The inverse of [`Rows::gather`]. Writes from the last byte of `sink` to the first.
    ///
    /// # Panics
    /// If `sink` is not `N` blocks long.
    fn scatter<const K: usize>(rows: [Self; K], sink: Sink<'_>);
    /// Moves word `x` of every row to word `x + words`, cyclically, and rotates it left by `bits`, which must be less than the
    /// width of a word.
    fn turn(self, words: usize, bits: u32) -> Self;
    /// For each bit of `a`, `b` and `c`: bit `4 a + 2 b + c` of `TABLE` (0 to 255).
    #[inline(always)]
    fn ternary<const TABLE: i32>(a: Self, b: Self, c: Self) -> Self {
        ternary_by_mux::<TABLE, Self>(a, b, c)
    }
    /// `!self & other`.
    #[inline(always)]
    fn andnot(self, other: Self) -> Self {
        !self & other
    }
    /// An optimisation barrier: the same row, and no instruction. The compiler does not vectorise across it.
    #[inline(always)]
    fn opaque(self) -> Self {
        self
    }
}

/// A turn as a byte shuffle, for `bits` a multiple of 8: byte `j` of the result is the number of the byte that moves to place
/// `j`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn turn_bytes(width: u32, words: usize, bits: u32) -> u128 {
    // The turn is applied to the byte numbers.
    let order = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100_u128.rotate_left(width * words as u32);
    let every_word = u128::MAX / ((1 << width) - 1);
    let low = ((1 << bits) - 1) * every_word;
    (order << bits) & !low | (order >> (width - bits)) & low
}

/// A function of three bits: `a` selects one of two functions of two bits.
#[inline(always)]
fn ternary_by_mux<const TABLE: i32, V>(a: V, b: V, c: V) -> V
where
    V: Copy + BitXor<Output = V> + BitAnd<Output = V> + BitOr<Output = V> + Not<Output = V>,
{
    let low = binary(TABLE & 15, b, c);
    let difference = binary((TABLE & 15) ^ (TABLE >> 4), b, c);
    low ^ (a & difference)
}

/// Bit `2 b + c` of the 4-bit `table`. A constant table leaves at most two operations.
#[inline(always)]
fn binary<V>(table: i32, b: V, c: V) -> V
where
    V: Copy + BitXor<Output = V> + BitAnd<Output = V> + BitOr<Output = V> + Not<Output = V>,
{
    match table {
        0b0000 => b & !b,
        0b0001 => !(b | c),
        0b0010 => !b & c,
        0b0011 => !b,
        0b0100 => b & !c,
        0b0101 => !c,
        0b0110 => b ^ c,
        0b0111 => !(b & c),
        0b1000 => b & c,
        0b1001 => !(b ^ c),
        0b1010 => c,
        0b1011 => !b | c,
        0b1100 => b,
        0b1101 => b | !c,
        0b1110 => b | c,
        _ => b | !b,
    }
}
