//! Xoodoo (Daemen, Hoffert, Van Assche and Van Keer, "The design of Xoodoo and Xoofff", ToSC 2018-4,
//! section 2) and Xoodoo64, the same function over lanes of 64 bits.
//!
//! Both permute 48 bytes: three planes of four lanes of 32 bits, or of two lanes of 64, little-endian.
//! Constant time on every backend.

use crate::isa::{Isa, Lanes, Sink, Task};
use crate::{Backend, Error};
use core::marker::PhantomData;
use core::num::Wrapping;

/// The constants of iota, first round first. A permutation of fewer rounds uses the last ones.
const ROUND_CONSTANTS: [u32; 12] =
    [0x058, 0x038, 0x3c0, 0x0d0, 0x120, 0x014, 0x060, 0x02c, 0x380, 0x0f0, 0x1a0, 0x012];

/// Most rounds, and the usual number.
pub const ROUNDS: usize = ROUND_CONSTANTS.len();

/// Length of a state in bytes.
pub const STATE: usize = 48;

/// What the two word sizes differ in.
pub trait Width: Copy + Send + Sync + 'static {
    /// The word.
    type Word: From<u32>;
    /// Vectors of them on an instruction set.
    type Lanes<S: Isa>: Lanes<S, Self::Word>;
    /// One of them on an instruction set.
    type One: Copy;
    /// Lanes of a plane.
    const PLANE: usize;
    /// Rotations of the column parities in theta.
    const THETA: (u32, u32);
    /// Rotation of plane 2 in rho west.
    const WEST: u32;
    /// Lanes by which plane 2 is shifted in rho east, and its rotation.
    const EAST: (usize, u32);
}

/// Lanes of 32 bits: Xoodoo as specified.
#[derive(Clone, Copy, Debug)]
pub struct W32;
/// Lanes of 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct W64;

impl Width for W32 {
    type Word = u32;
    type Lanes<S: Isa> = S::U32;
    type One = Wrapping<u32>;
    const PLANE: usize = 4;
    const THETA: (u32, u32) = (5, 14);
    const WEST: u32 = 11;
    const EAST: (usize, u32) = (2, 8);
}

impl Width for W64 {
    type Word = u64;
    type Lanes<S: Isa> = S::U64;
    type One = Wrapping<u64>;
    const PLANE: usize = 2;
    const THETA: (u32, u32) = (10, 29);
    const WEST: u32 = 23;
    const EAST: (usize, u32) = (1, 16);
}
