//! Instruction sets: each is implemented once, for all primitives.
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
//! Everything that takes a token or a vector must be `#[inline(always)]`. A function that is not inlined into `compiled`
//! or `compiled_in_words` of the set computes the right result, but tens of times slower (`tools/check-codegen` finds it).

mod aes;
#[cfg(target_arch = "aarch64")]
mod arm;
mod backend;
mod clmul;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod enabled;
mod endian;
mod entry;
#[doc(hidden)]
pub mod forms;
mod gf256;
mod lanes;
mod memory;
mod portable;
#[cfg(all(test, feature = "std"))]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(all(target_arch = "aarch64", not(all(target_feature = "neon", target_endian = "little"))))]
compile_error!("icefish on AArch64 needs a little-endian target with NEON");

#[cfg(feature = "aes")]
pub(crate) use aes::Two;
pub use aes::{AesRounds, Left};
#[cfg(target_arch = "aarch64")]
pub use arm::*;
pub use backend::{Backend, Instructions};
pub use clmul::Polynomials;
pub(crate) use clmul::times_x;
pub use endian::Endian;
pub(crate) use forms::forms;
pub(crate) use gf256::product;
pub use gf256::{Gf256, Matrix, Octets};
use lanes::ternary_by_mux;
#[cfg(target_arch = "x86_64")]
use lanes::turn_bytes;
pub use lanes::{Lanes, Rows};
#[cfg(feature = "aes")]
pub(crate) use memory::Room;
#[cfg(feature = "alloc")]
pub(crate) use memory::erase_stack;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", feature = "ice"))]
pub(crate) use memory::mixed;
pub use memory::{InOut, OpenBlocks, Row, Sink, Streams};
pub(crate) use memory::{
    Lazy, MOST, aligned_frame, barrier, erase, fetch_input, fetch_line, opaque, opaque_count,
    opaque_option, public, whole_row,
};
pub use portable::{Scalar, WordRow};
#[cfg(target_arch = "x86_64")]
pub use x86::*;

use core::fmt::Debug;

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
    /// The extension that the task profits from. Backends of one width that do not differ in it share one compilation.
    const EXTENSION: Extension = Extension::Aes;
    /// Whether it may take no longer than a call. [`Backend::run`](crate::Backend::run) then takes the shortest way to its function,
    /// which is compiled in each crate that runs it.
    const SHORT: bool = false;
    /// Does the work with the instruction set `S`.
    fn call<S: Isa>(self, isa: S) -> Self::Out;
}

/// The extension of an instruction set that a task profits from. Backends of one width that do not differ in it run the same
/// compilation of the task. Of one width are `Avx2Gfni`, `Avx2Vaes`, `Avx2` and `Avx2NoAes`; `Avx512Vaes`, `Avx512` and
/// `Avx512NoAes`; `Neon` and `NeonNoAes`. For [`Extension::Rounds`], `Avx512` and `Avx512NoAes` count among the first of these.
///
/// ```
/// use icefish::isa::{Extension, Isa, Task};
///
/// /// Work with words alone: one compilation serves all sets of one width.
/// struct Nothing;
/// impl Task for Nothing {
///     type Out = ();
///     const EXTENSION: Extension = Extension::None;
///     #[inline(always)]
///     fn call<S: Isa>(self, _: S) {}
/// }
///
/// icefish::Backend::best().run(Nothing);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// No extension: the task is compiled once for all of them.
    None,
    /// AES rounds, and nothing else: `Avx512` runs the code of `Avx2`, and `Avx512NoAes` that of `Avx2NoAes`, as they are no
    /// faster.
    Rounds,
    /// Arithmetic in GF(2^8), which `Avx2Gfni` and `Avx512Vaes` have.
    Gf256,
    /// AES rounds and carry-less multiplication. `Avx2Gfni` runs the code of `Avx2Vaes`.
    Aes,
}

/// The AES states and the polynomials over GF(2) of an instruction set: what only some sets have instructions for. The others take
/// the portable forms in `isa/aes` and `isa/clmul`.
///
/// ```
/// use icefish::Backend;
/// use icefish::isa::{AesRounds, Isa, Polynomials, Task};
///
/// struct Example;
/// impl Task for Example {
///     type Out = bool;
///     #[inline(always)]
///     fn call<S: Isa>(self, _: S) -> bool {
///         S::AesOne::N <= S::Aes::N && S::PolyOne::N <= S::Poly::N
///     }
/// }
///
/// assert!(Backend::best().run(Example));
/// ```
pub trait CryptoVectors: Copy {
    /// As many AES states as are fastest in parallel.
    type Aes: AesRounds<Self>;
    /// One AES state, in the form that is fastest alone.
    type AesOne: AesRounds<Self>;
    /// One or two AES states, as many as are fastest where there are two: for AEGIS.
    type AesTwo: AesRounds<Self>;
    /// One, two or four AES states, as many as are fastest where there are four: for AEGIS, and for a few blocks of AES.
    type AesFour: AesRounds<Self>;
    /// As many polynomials as are fastest in parallel: for GHASH and POLYVAL.
    type Poly: Polynomials<Self>;
    /// One polynomial.
    type PolyOne: Polynomials<Self>;
}

/// A zero-sized proof that this CPU has an instruction set. It names the vectors of the set, and runs tasks compiled for it.
///
/// ```
/// use icefish::isa::{Isa, Lanes, Scalar, Task};
///
/// struct CountLanes;
/// impl Task for CountLanes {
///     type Out = usize;
///     #[inline(always)]
///     fn call<S: Isa>(self, _: S) -> usize {
///         S::U32::N
///     }
/// }
///
/// assert_eq!(Scalar.run(CountLanes), 1);
/// ```
pub trait Isa: CryptoVectors + Copy + Debug + Send + Sync + 'static {
    /// Words of 32 bits, as many as fill a register.
    type U32: Lanes<Self, u32>;
    /// Words of 64 bits, as many as fill a register.
    type U64: Lanes<Self, u64>;
    /// One row of four words of 32 bits.
    type Row32: Rows<Self, u32>;
    /// Rows of four words of 32 bits, as many as fill a register.
    type Rows32: Rows<Self, u32>;
    /// Rows of two words of 64 bits, as many as fill a register.
    type Rows64: Rows<Self, u64>;
    /// Elements of GF(2^8), as many as fill a register.
    type Gf256: Gf256<Self>;
    /// Runs `task`, compiled for this instruction set.
    fn run<T: Task>(self, task: T) -> T::Out;
}
